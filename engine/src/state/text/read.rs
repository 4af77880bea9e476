//! Reads a text as a state that is possible under the rules, or returns the reason why it is not.

use std::collections::BTreeMap;

use serde::Deserialize;

use super::decision::Decision;
use super::error::TextError;
use super::reader::{Read, Reader, color, direction};
use crate::card::Card;
use crate::cards::Cards;
use crate::rules::{COLOR_ONLY, Features, Rules, Step};
use crate::seat::{MAX_SEATS, Seat, SeatSet};
use crate::state::phase::{AfterColor, Ending, Outcome, Phase, SwapFor, TargetFor};
use crate::state::round_state::{JumpIn, RoundState};

/// The text as it is written.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    hands: BTreeMap<String, String>,
    top: String,
    #[serde(default, rename = "top_word_is_dead")]
    is_top_symbol_inactive: bool,
    color: Option<String>,
    under_top: String,
    draw_pile: String,
    #[serde(default)]
    out_of_round: String,
    dealer: usize,
    direction: String,
    first_seat: usize,
    first_direction: String,
    #[serde(default)]
    reshuffles: u16,
    #[serde(default)]
    out: Vec<usize>,
    #[serde(default)]
    passed: Vec<usize>,
    #[serde(default)]
    called: Vec<usize>,
    #[serde(default)]
    uncalled: Vec<usize>,
    #[serde(default)]
    missed_turns: BTreeMap<String, u8>,
    #[serde(default)]
    jump_in_is_open: bool,
    decision: Decision,
}

/// The state of a text.
pub(super) fn state(text: &str, rules: &Rules) -> Read<RoundState> {
    let document: Document =
        toml::from_str(text).map_err(|error| TextError { reason: error.to_string().trim_end().into() })?;
    let (in_round, out) = seats(&document, rules)?;
    let reader = Reader { rules, seats: in_round, out };
    let mut state = reader.cards(&document)?;
    if !out.is_empty() {
        state.leave(out);
    }
    reader.course(&document, &mut state)?;
    state.to_act = reader.seat("decision.seat", document.decision.seat())?;
    state.phase = reader.phase(&document.decision, &state)?;
    reader.check_color(&document, &state)?;
    reader.check_hands(&state)?;
    Ok(state)
}

/// The seats that take part, which are the keys of `hands`, and those that are out.
fn seats(document: &Document, rules: &Rules) -> Read<(SeatSet, SeatSet)> {
    let most = *rules.seats().end();
    let mut seats = SeatSet::EMPTY;
    for key in document.hands.keys() {
        seats = seats.with(seat_key("hands", key)?);
    }
    let mut out = SeatSet::EMPTY;
    for number in &document.out {
        let seat = seat_key("out", &number.to_string())?;
        if seats.contains(seat) || !rules.features().contains(Features::HAND_LIMIT) {
            return Err(TextError::new(
                "out",
                format_args!("seat {seat} is not allowed here: it has a hand, or there is no house.hand_limit"),
            ));
        }
        out = out.with(seat);
    }
    let count = seats.len() + out.len();
    if seats.is_empty() || !(2..=most).contains(&count) {
        return Err(TextError::new("hands", format_args!("{count} hands are not allowed; allowed: 2 to {most}")));
    }
    Ok((seats, out))
}

/// A seat as a key: `3`, not `03` or `+3`.
fn seat_key(table: &str, key: &str) -> Read<Seat> {
    Seat::first(MAX_SEATS)
        .find(|seat| seat.to_string() == key)
        .ok_or_else(|| TextError::new(table, format_args!("`{key}` is not a seat; allowed: 0 to {}", MAX_SEATS - 1)))
}

impl Reader<'_> {
    /// The location of all cards: each card of the deck is in exactly one place.
    fn cards(&self, document: &Document) -> Read<RoundState> {
        let rules = self.rules;
        let mut left = rules.deck();
        let mut take = |key: &str, text: &str| -> Read<Cards> {
            let list = rules.parse_card_list(text).map_err(|error| TextError::new(key, error))?;
            for &card in &list {
                if !left.contains(card) {
                    let (code, copies) = (rules.code(card), rules.deck().count(card));
                    return Err(TextError::new(key, format_args!("one {code} too many: the deck has {copies}")));
                }
                left.remove(card);
            }
            Ok(list.into_iter().collect())
        };
        let top = rules.parse_card(&document.top).map_err(|error| TextError::new("top", error))?;
        take("top", &document.top)?;
        take("under_top", &document.under_top)?;
        let out_of_round = take("out_of_round", &document.out_of_round)?;
        let draw_pile = take("draw_pile", &document.draw_pile)?;
        let mut hands = [Cards::EMPTY; MAX_SEATS];
        for (key, cards) in &document.hands {
            hands[seat_key("hands", key)?.index()] = take(&format!("hands.{key}"), cards)?;
        }
        if !left.is_empty() {
            return Err(TextError::new(
                "draw_pile",
                format_args!(
                    "{} of the deck are nowhere; what takes no part is written in `out_of_round`",
                    rules.write_cards(left)
                ),
            ));
        }
        let dealer = self.dealt_seat("dealer", document.dealer)?;
        let mut state = RoundState::empty(self.seats, dealer, top, rules.deck().minus(out_of_round));
        state.hands = hands;
        state.draw_pile = draw_pile;
        state.draw_pile_len = u16::try_from(draw_pile.len()).expect("a deck has at most 512 cards");
        Ok(state)
    }

    /// The course of the round so far.
    fn course(&self, document: &Document, state: &mut RoundState) -> Read<()> {
        let needs = |feature: Features, key: &str, is_set: bool, rule: &str| {
            let fits = !is_set || self.rules.features().contains(feature);
            if fits { Ok(()) } else { Err(TextError::new(key, format_args!("not allowed without {rule}"))) }
        };
        if document.is_top_symbol_inactive {
            if !self.rules.tables.commands.contains(state.top) {
                return Err(TextError::new("top_word_is_dead", "the top card has no word; allowed for command cards"));
            }
            state.match_row = u8::try_from(COLOR_ONLY).expect("64");
        }
        state.color = document.color.as_deref().map(|name| color("color", name)).transpose()?;
        state.direction = direction("direction", &document.direction)?;
        state.first_seat = self.dealt_seat("first_seat", document.first_seat)?;
        state.first_direction = direction("first_direction", &document.first_direction)?;
        state.reshuffles = document.reshuffles;
        state.passed = self.seat_list("passed", &document.passed)?;
        state.called = self.seat_list("called", &document.called)?;
        state.uncalled = self.seat_list("uncalled", &document.uncalled)?;
        needs(Features::EXPLICIT_CALLS, "uncalled", !state.uncalled.is_empty(), "uno.calls = \"explicit\"")?;
        for (key, &turns) in &document.missed_turns {
            let seat = self.seat("missed_turns", seat_key("missed_turns", key)?.index())?;
            state.missed_turns[seat.index()] = turns;
        }
        needs(
            Features::MISSED_TURNS,
            "missed_turns",
            !document.missed_turns.is_empty(),
            "tinker.resume = \"after_player\"",
        )?;
        needs(Features::JUMP_IN, "jump_in_is_open", document.jump_in_is_open, "house.jump_in = true")?;
        state.jump = if document.jump_in_is_open { JumpIn::Open } else { JumpIn::Closed };
        Ok(())
    }

    fn check_color(&self, document: &Document, state: &RoundState) -> Read<()> {
        let is_named_later = match state.phase {
            Phase::NameColor(then) => then != AfterColor::NextTurn,
            Phase::Over(_) => true,
            Phase::Target(TargetFor::Effect(cursor)) | Phase::Swap(SwapFor::Effect(cursor)) | Phase::Choice(cursor) => {
                cursor.ending == Ending::GoesOut
            }
            _ => false,
        };
        match (state.color, self.rules.color_of(state.top)) {
            (None, Some(printed)) => {
                Err(TextError::new("color", format_args!("missing: {} is {printed}", document.top)))
            }
            (None, None) if !is_named_later => {
                Err(TextError::new("color", "missing; allowed: red, yellow, green, blue"))
            }
            (Some(given), Some(printed)) if given != printed && !self.may_choose_color(state.top) => {
                Err(TextError::new("color", format_args!("{given} is not allowed: {} is {printed}", document.top)))
            }
            _ => Ok(()),
        }
    }

    /// Whether a color can be chosen for this card.
    fn may_choose_color(&self, card: Card) -> bool {
        let chooses = |step: &Step| matches!(step, Step::ChooseColor { .. });
        self.rules.names_color().contains(card) || self.rules.steps_of(card).iter().any(chooses)
    }

    /// Checks that a hand is empty only if this ends the round, possibly after further steps.
    fn check_hands(&self, state: &RoundState) -> Read<()> {
        let ends_soon = matches!(
            state.phase,
            Phase::Protect(_)
                | Phase::Target(TargetFor::Effect(_))
                | Phase::Swap(SwapFor::Effect(_))
                | Phase::NameColor(AfterColor::Effect(_))
                | Phase::Choice(_)
                | Phase::Over(Outcome::WentOut(_))
        );
        let empty = state.seats().find(|&seat| state.hand(seat).is_empty());
        if let Some(seat) = empty.filter(|_| !ends_soon) {
            return Err(TextError::new(format_args!("hands.{seat}"), "empty: the round would be over"));
        }
        if state.seat_set().len() == 1 && !state.is_terminal() {
            return Err(TextError::new("out", "only one seat is left: the round would be over"));
        }
        match state.phase {
            Phase::Over(Outcome::WentOut(seat))
                if !state.hand(seat).is_empty() && state.seat_set() != SeatSet::of(seat) =>
            {
                Err(TextError::new("decision.went_out", format_args!("seat {seat} still holds cards")))
            }
            _ => Ok(()),
        }
    }
}
