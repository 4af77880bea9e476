//! The decision in a position's text, checked against the top card and the hands.

use serde::Deserialize;

use super::error::TextError;
use super::reader::{Read, Reader, color, not_allowed};
use crate::card::Face;
use crate::color::Color;
use crate::rules::{COLOR_ONLY, Challengers, Features, Special, Step};
use crate::seat::Seat;
use crate::state::phase::{
    AfterColor, BluffStatus, Cursor, DrawFour, Ending, Outcome, Phase, Protection, SkipCount, Stack, SwapFor, TargetFor,
};
use crate::state::round_state::RoundState;

/// The pending decision as written.
#[derive(Debug, Clone, Deserialize)]
#[serde(tag = "waits_for", rename_all = "snake_case", deny_unknown_fields)]
pub(super) enum Decision {
    Turn {
        seat: usize,
    },
    Drawn {
        seat: usize,
        card: String,
    },
    Color {
        seat: usize,
        then: String,
        played_by: Option<usize>,
        effect: Option<Effect>,
    },
    Challenge {
        seat: usize,
        played_by: usize,
        on: Option<String>,
        on_color: String,
        honest: bool,
        #[serde(default)]
        penalty_drawn_since: u8,
        sum: u8,
    },
    Cheese {
        seat: usize,
    },
    Swap {
        seat: usize,
        effect: Option<Effect>,
    },
    Lap {
        seat: usize,
        passes: u8,
    },
    Target {
        seat: usize,
        effect: Option<Effect>,
    },
    Choice {
        seat: usize,
        played_by: usize,
        effect: Effect,
    },
    Discard {
        seat: usize,
    },
    Protect {
        seat: usize,
        played_by: usize,
        exempt: Option<usize>,
    },
    Stack {
        seat: usize,
        sum: u8,
    },
    Nothing {
        seat: usize,
        went_out: Option<usize>,
        #[serde(default)]
        void: bool,
    },
}

impl Decision {
    /// The seat that decides.
    pub(super) const fn seat(&self) -> usize {
        match *self {
            Self::Turn { seat }
            | Self::Drawn { seat, .. }
            | Self::Color { seat, .. }
            | Self::Challenge { seat, .. }
            | Self::Cheese { seat }
            | Self::Swap { seat, .. }
            | Self::Lap { seat, .. }
            | Self::Target { seat, .. }
            | Self::Choice { seat, .. }
            | Self::Discard { seat }
            | Self::Protect { seat, .. }
            | Self::Stack { seat, .. }
            | Self::Nothing { seat, .. } => seat,
        }
    }
}

/// The position in the steps of the top card.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Effect {
    next_step: u8,
    skips: toml::Value,
    is_last_card: bool,
    target: Option<usize>,
    chooser: Option<usize>,
}

impl Reader<'_> {
    /// The phase, if it is possible with this top card and these hands.
    pub(super) fn phase(&self, decision: &Decision, state: &RoundState) -> Read<Phase> {
        let (rules, seat) = (self.rules, state.to_act);
        let special = rules.card_def(state.top).as_special();
        let top_must_be = |wanted: bool, what: &str| {
            if wanted {
                Ok(())
            } else {
                Err(TextError::new("decision.waits_for", format_args!("not allowed: the top card is not {what}")))
            }
        };
        Ok(match decision {
            Decision::Turn { .. } => Phase::Turn,
            Decision::Drawn { card, .. } => {
                let drawn = rules.parse_card(card).map_err(|error| TextError::new("decision.card", error))?;
                let playable = rules.write_cards(state.playable(rules, seat).iter().collect());
                if !state.playable(rules, seat).contains(drawn) {
                    return Err(TextError::new(
                        "decision.card",
                        format_args!("seat {seat} cannot play {card}; allowed: {playable}"),
                    ));
                }
                Phase::Drawn(drawn)
            }
            Decision::Color { then, played_by, effect: Some(effect), .. } if then == "effect" => {
                let player = played_by.map_or(Ok(seat), |player| self.seat("decision.played_by", player))?;
                let cursor = self.cursor(effect, player, state)?;
                let before =
                    cursor.next.checked_sub(1).and_then(|step| rules.steps_of(cursor.card).get(usize::from(step)));
                self.must_wait_there(matches!(before, Some(Step::ChooseColor { .. })))?;
                Phase::NameColor(AfterColor::Effect(cursor))
            }
            Decision::Color { then, .. } => {
                let (after, is_right) = match then.as_str() {
                    "own_turn" => (
                        AfterColor::OwnTurn,
                        rules.color_of(state.top).is_none() || rules.names_color().contains(state.top),
                    ),
                    "own_swap" => (AfterColor::OwnSwap, special == Some(Special::SwapHands)),
                    "next_turn" => (AfterColor::NextTurn, special == Some(Special::VictoryLap)),
                    other => return Err(not_allowed("decision.then", other, "own_turn, own_swap, next_turn, effect")),
                };
                top_must_be(is_right, "one whose color is named so")?;
                Phase::NameColor(after)
            }
            Decision::Challenge { .. } => self.challenge(decision, state)?,
            Decision::Cheese { .. } => {
                top_must_be(special == Some(Special::CheeseTouch), "a Cheese Touch")?;
                Phase::Cheese
            }
            Decision::Swap { effect: None, .. } => {
                top_must_be(special == Some(Special::SwapHands), "a Wild Swap Hands; a card's `effect` is missing")?;
                Phase::Swap(SwapFor::StartCard)
            }
            Decision::Swap { effect: Some(effect), .. } => {
                let cursor = self.cursor(effect, seat, state)?;
                let before =
                    cursor.next.checked_sub(1).and_then(|step| rules.steps_of(cursor.card).get(usize::from(step)));
                self.must_wait_there(matches!(before, Some(Step::SwapHands(_))))?;
                Phase::Swap(SwapFor::Effect(cursor))
            }
            Decision::Target { effect: None, .. } => {
                top_must_be(
                    rules.face_of(state.top) == Some(Face::DrawTwo),
                    "a Draw Two; a card's `effect` is missing",
                )?;
                Phase::Target(TargetFor::ButtonDrawTwo)
            }
            Decision::Target { effect: Some(effect), .. } => {
                let cursor = self.cursor(effect, seat, state)?;
                let next = rules.steps_of(cursor.card).get(usize::from(cursor.next));
                let chooses = next.is_some_and(|step| step.needs_target());
                self.must_wait_there(chooses && cursor.target.is_none())?;
                Phase::Target(TargetFor::Effect(cursor))
            }
            Decision::Choice { played_by, effect, .. } => {
                let cursor = self.cursor(effect, self.seat("decision.played_by", *played_by)?, state)?;
                self.must_wait_there(!cursor.options(rules).is_empty() && cursor.chooser.is_none())?;
                Phase::Choice(cursor)
            }
            Decision::Lap { passes, .. } => {
                top_must_be(special == Some(Special::VictoryLap), "a Victory Lap")?;
                if !(1..self.seats.len()).contains(&usize::from(*passes)) {
                    return Err(not_allowed("decision.passes", passes, &format!("1 to {}", self.seats.len() - 1)));
                }
                Phase::Lap(*passes)
            }
            Decision::Discard { .. } => {
                top_must_be(special == Some(Special::DiscardAll), "a Wild Discard All")?;
                Phase::Discard(self.color_held(state)?)
            }
            Decision::Protect { played_by, exempt, .. } => {
                let by = self.other_seat("decision.played_by", *played_by, seat)?;
                let exempt = exempt.map(|exempt| self.other_seat("decision.exempt", exempt, seat)).transpose()?;
                Phase::Protect(Protection { by, color: self.color_held(state)?, exempt })
            }
            Decision::Stack { sum, .. } => {
                if *sum < 2 {
                    return Err(not_allowed("decision.sum", sum, "2 to 255"));
                }
                top_must_be(!state.stack_answers(rules, seat).is_empty(), "one that the seat could answer")?;
                Phase::Stack(Stack { sum: *sum })
            }
            Decision::Nothing { went_out, void, .. } => Phase::Over(match (went_out, void) {
                (Some(winner), false) => Outcome::WentOut(self.seat("decision.went_out", *winner)?),
                (None, true) => Outcome::Void,
                _ => {
                    return Err(TextError::new(
                        "decision.waits_for",
                        "\"nothing\" needs one of: went_out = SEAT, void = true",
                    ));
                }
            }),
        })
    }

    fn challenge(&self, decision: &Decision, state: &RoundState) -> Read<Phase> {
        let rules = self.rules;
        let Decision::Challenge { played_by, on, on_color, honest, penalty_drawn_since: drawn_since, sum, .. } =
            decision
        else {
            return Err(TextError::new("decision.waits_for", "not a challenge"));
        };
        if !rules.features().contains(Features::CHALLENGES) || !rules.draw_fours().contains(state.top) {
            return Err(TextError::new(
                "decision.waits_for",
                "not allowed: the top card is not a draw four that can be challenged",
            ));
        }
        let by = self.other_seat("decision.played_by", *played_by, state.to_act)?;
        if rules.parameters().challengers == Challengers::Victim && state.next_seat(by) != state.to_act {
            return Err(TextError::new("decision.seat", format_args!("not allowed; allowed: {}", state.next_seat(by))));
        }
        let match_row = match on {
            None => COLOR_ONLY,
            Some(code) => rules.parse_card(code).map_err(|error| TextError::new("decision.on", error))?.index(),
        };
        let match_row = u8::try_from(match_row).expect("at most 64");
        let color_before = color("decision.on_color", on_color)?;
        let bluff_status = if *honest { BluffStatus::Honest } else { BluffStatus::Bluff };
        let most = rules.parameters().uno_penalty.get().min(state.hand(by).len());
        if u32::from(*drawn_since) > most {
            return Err(not_allowed("decision.penalty_drawn_since", drawn_since, &format!("0 to {most}")));
        }
        if *drawn_since == 0 && bluff_status != state.bluff_status(rules, by, match_row, color_before) {
            return Err(TextError::new("decision.honest", format_args!("{honest} contradicts the hand of seat {by}")));
        }
        if *sum < 4 {
            return Err(not_allowed("decision.sum", sum, "4 to 255"));
        }
        Ok(Phase::Challenge(DrawFour {
            by,
            match_row,
            color_before,
            bluff_status,
            drawn_since: *drawn_since,
            sum: *sum,
        }))
    }

    /// The position in the steps of the top card, which this player has played.
    fn cursor(&self, effect: &Effect, player: Seat, state: &RoundState) -> Read<Cursor> {
        let steps = self.rules.steps_of(state.top);
        let Some(before) = steps.get(..usize::from(effect.next_step)) else {
            let allowed = format!("0 to {}", steps.len());
            return Err(not_allowed("decision.effect.next_step", effect.next_step, &allowed));
        };
        let most: i64 = before.iter().map(|step| step.most_skips()).sum();
        let skips = match (&effect.skips, effect.skips.as_str()) {
            (_, Some("all")) => SkipCount::All,
            (toml::Value::Integer(count), _) if (0..=most).contains(count) => {
                SkipCount::Next(u8::try_from(*count).unwrap_or(u8::MAX))
            }
            (other, _) => return Err(not_allowed("decision.effect.skips", other, &format!("0 to {most}, \"all\""))),
        };
        let target = effect.target.map(|seat| self.other_seat("decision.effect.target", seat, player)).transpose()?;
        let chooser = effect.chooser.map(|seat| self.seat("decision.effect.chooser", seat)).transpose()?;
        let ending = if effect.is_last_card { Ending::GoesOut } else { Ending::GoesOn };
        Ok(Cursor { player, card: state.top, next: effect.next_step, target, chooser, skips, ending })
    }

    fn must_wait_there(&self, waits: bool) -> Read<()> {
        let key = "decision.effect.next_step";
        if waits { Ok(()) } else { Err(TextError::new(key, "the top card asks for no such decision at this step")) }
    }

    /// The color in force; the seat to act must hold a card of it.
    fn color_held(&self, state: &RoundState) -> Read<Color> {
        state
            .color
            .filter(|&color| (state.hand(state.to_act).distinct() & self.rules.of_color(color)).any())
            .ok_or_else(|| {
                TextError::new("decision.seat", format_args!("seat {} has no card of the color in force", state.to_act))
            })
    }
}
