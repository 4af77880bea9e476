//! The steps of a game, with the states and events from which their frames are computed.

use rayon::prelude::*;
use unolab_agents::goal::Goal;
use unolab_agents::search::valuation::{Position, Valuation};
use unolab_engine::action::{Action, Call};
use unolab_engine::chance::TaskResult;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::Observation;
use unolab_engine::record::Unit;
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::{EventSink, Phase, RoundState};

use super::clauses;
use super::frame::{Choice, Frame, Move, RoundEnd, RoundStart, ShownFault, ShownValue};
use super::table::{Perspective, Table};
use super::words::{self, Consequences};

/// The analysis of the decisions of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Analysis {
    /// The valuation of actions.
    pub valuation: Valuation,
    /// The seed.
    pub seed: u64,
}

/// A deal or a move, before the following table is known.
#[derive(Debug)]
pub(super) struct Step {
    line: usize,
    eyes: Perspective,
    deal: Option<RoundStart>,
    pub(super) act: Option<(Seat, Action, Call)>,
    pub(super) note: Option<String>,
    pub(super) fault: Option<ShownFault>,
    /// Whether its agent has lost the game by a fault before.
    pub(super) is_by_another: bool,
    /// Before a move; after a deal, with nothing turned up yet.
    before: RoundState,
    knowledge: Knowledge,
    scores: BySeat<u32>,
    events: Vec<(Event, RoundState)>,
    /// The state at the end of the round, and its outcome.
    over: Option<(RoundState, Knowledge, RoundEnd)>,
}

/// The steps of a game so far.
#[derive(Debug, Default)]
pub(super) struct Steps {
    /// The unit of the record, if there is one.
    pub(super) unit: Option<Unit>,
    pub(super) list: Vec<Step>,
    eyes: Perspective,
    pub(super) knowledge: Knowledge,
    scores: BySeat<u32>,
    /// The lines of the record that this point of view does not notice.
    unnoticed: usize,
}

impl Steps {
    /// A round is dealt; `scores` are the match scores, by seat.
    pub(super) fn deal(
        &mut self,
        line: usize,
        start: RoundStart,
        eyes: Perspective,
        scores: BySeat<u32>,
        state: &RoundState,
    ) {
        (self.eyes, self.knowledge, self.scores) = (eyes, Knowledge::with_implications(), scores);
        let step = Step { deal: Some(start), ..self.step(line, state) };
        self.list.push(step);
    }

    /// Adds an event. Returns whether this point of view notices it: another player's kept card is not noticed.
    pub(super) fn event(&mut self, line: usize, event: Event, state: &RoundState) -> bool {
        if let Event::Acted { seat, action, call } = event {
            if action == Action::Keep && !self.eyes.see_hand(seat) {
                self.unnoticed += 1;
                return false;
            }
            let step = Step { act: Some((seat, action, call)), ..self.step(line, state) };
            self.list.push(step);
        } else if let Some(step) = self.list.last_mut() {
            step.events.push((event, *state));
        }
        self.knowledge.on_event(state, event);
        true
    }

    pub(super) fn over(&mut self, state: &RoundState, end: RoundEnd) {
        let knowledge = self.knowledge.clone();
        if let Some(step) = self.list.last_mut() {
            step.over = Some((*state, knowledge, end));
        }
    }

    fn step(&self, line: usize, before: &RoundState) -> Step {
        Step {
            line: line.saturating_sub(self.unnoticed),
            eyes: self.eyes,
            deal: None,
            act: None,
            note: None,
            fault: None,
            is_by_another: false,
            before: *before,
            knowledge: self.knowledge.clone(),
            scores: self.scores,
            events: Vec::new(),
            over: None,
        }
    }

    /// All frames; `now` is the current state, for the last one.
    pub(super) fn frames(&self, rules: &Rules, now: &RoundState, analysis: Option<Analysis>) -> Vec<Frame> {
        let frame = |index: usize| {
            let step = &self.list[index];
            let (after, knowledge) = match (&step.over, self.list.get(index + 1)) {
                (Some((state, knowledge, _)), _) => (state, knowledge),
                (None, Some(next)) => (&next.before, &next.knowledge),
                (None, None) => (now, &self.knowledge),
            };
            step.frame(rules, self.unit, after, knowledge, analysis)
        };
        let mut frames: Vec<Frame> = (0..self.list.len()).into_par_iter().map(frame).collect();
        record_changes(&mut frames);
        frames
    }
}

impl Step {
    /// The frame of this step, with the table after it.
    fn frame(
        &self,
        rules: &Rules,
        unit: Option<Unit>,
        after: &RoundState,
        knowledge: &Knowledge,
        analysis: Option<Analysis>,
    ) -> Frame {
        let odds = |goal| {
            let analysis = analysis.map(|it| Analysis { valuation: Valuation { goal, ..it.valuation }, ..it })?;
            self.odds(rules, after, knowledge, analysis)
        };
        let mut following = Consequences::default();
        let mut frame = Frame {
            line: self.line,
            deal: self.deal.clone(),
            by: self.act.map(|act| self.shown_move(rules, act, analysis)),
            words: Vec::new(),
            put: String::new(),
            got: Vec::new(),
            chance: Vec::new(),
            clauses: Vec::new(),
            marks: Vec::new(),
            table: Table::of(rules, after, knowledge, self.eyes),
            odds: odds(Goal::Win),
            match_odds: (unit == Some(Unit::Match) && self.deal.is_some()).then(|| odds(Goal::Match)).flatten(),
            fault: self.fault.clone(),
            over: self.over.as_ref().map(|(_, _, end)| end.clone()),
        };
        let mut put: Vec<&str> = Vec::new();
        let mut turned_up = None;
        for (event, state) in &self.events {
            following.on_event(rules, state, *event, self.eyes);
            match *event {
                Event::Drew { seat, card } => {
                    let seen = self.eyes.see_hand(seat).then(|| rules.code(card).to_owned());
                    frame.got.push((seat.index(), seen));
                }
                Event::Discarded { card, .. } => put.push(rules.code(card)),
                Event::TurnedUp(card) => {
                    put.push(rules.code(card));
                    turned_up = Some(card);
                }
                Event::Button(color) => frame.chance.push(format!("tinker {}", color.letter())),
                Event::Task(TaskResult::Done) => frame.chance.push("task yes".into()),
                Event::Task(TaskResult::Failed) => frame.chance.push("task no".into()),
                Event::Chosen(seat) => frame.chance.push(format!("seat {seat}")),
                Event::Moved { from, to, card } if self.eyes.see_hand(from) || self.eyes.see_hand(to) => {
                    frame.chance.push(format!("card {}", rules.code(card)));
                }
                Event::Reshuffled => frame.marks.push("reshuffle"),
                Event::Swapped(..) | Event::Rotated { .. } => frame.marks.push("swap"),
                Event::Redealt { card, .. } => {
                    // The seen cards of a hand would be scripted for other hands.
                    if self.eyes == Perspective::All {
                        frame.chance.push(format!("card {}", rules.code(card)));
                    }
                    if !frame.marks.contains(&"swap") {
                        frame.marks.push("swap");
                    }
                }
                _ => {}
            }
        }
        frame.put = put.join(" ");
        frame.words = following.finish(rules);
        match self.act {
            None => frame.clauses = turned_up.map_or_else(Vec::new, |card| clauses::of_start(rules, card)),
            Some(act) => {
                let events: Vec<Event> = self.events.iter().map(|(event, _)| *event).collect();
                frame.clauses = clauses::of_action(rules, &self.before, act, &events, after);
                self.mark(act, after, &mut frame.marks);
            }
        }
        frame
    }

    fn mark(&self, (seat, action, call): (Seat, Action, Call), after: &RoundState, marks: &mut Vec<&'static str>) {
        let came_to_one = after.hand(seat).len() == 1 && self.before.hand(seat).len() != 1;
        if call == Call::Uno || came_to_one || matches!(action, Action::Uno | Action::Catch(_)) {
            marks.push("uno");
        }
        if action == Action::Challenge {
            marks.push("challenge");
        }
        if self.over.is_some() {
            marks.push("out");
        }
    }

    fn shown_move(
        &self,
        rules: &Rules,
        (seat, action, call): (Seat, Action, Call),
        analysis: Option<Analysis>,
    ) -> Move {
        Move {
            seat: seat.index(),
            text: rules.write_action(ActionWithCall { action, call }),
            words: words::acted(rules, self.before.phase(), seat, action, call),
            choice: self.choice(rules, seat, action, analysis),
            note: self.note.clone().filter(|_| self.eyes.see_hand(seat)),
        }
    }

    /// The choice, if this point of view may see the hand.
    fn choice(&self, rules: &Rules, seat: Seat, chosen: Action, analysis: Option<Analysis>) -> Option<Choice> {
        if !self.eyes.see_hand(seat) {
            return None;
        }
        let is_own_decision = self.before.current_seat() == Some(seat);
        let observation = Observation::of(rules, &self.before, &self.knowledge, &self.scores, seat);
        let mut legal = if is_own_decision { self.before.legal_actions(rules) } else { Vec::new() };
        if !legal.contains(&chosen) {
            legal = observation.legal_interruptions();
        }
        let values = analysis.filter(|_| {
            !self.is_by_another && is_own_decision && legal.len() > 1 && observation.legal_actions() == legal
        });
        let values = values.map(|Analysis { valuation, seed }| {
            // The same random stream as in `unolab analyze`, so that both compute the same values.
            let mut rng = Rng::keyed(seed, self.line as u64, Purpose::Agent(seat));
            valuation.of(&observation, &mut rng)
        });
        let spoken: Vec<String> =
            legal.iter().map(|&action| rules.write_action(ActionWithCall::from(action))).collect();
        let chosen = legal.iter().position(|&action| action == chosen)?;
        let fair_regret = values.as_ref().map(|values| {
            let chosen = &values[chosen];
            (rounded(chosen.fair_regret), rounded(chosen.fair_regret_se))
        });
        let values = values.map(|values| {
            let valued = values.iter();
            valued.map(|it| ShownValue(rounded(it.value), rounded(it.regret), rounded(it.regret_se))).collect()
        });
        Some(Choice {
            hand: rules.write_cards(self.before.hand(seat)),
            legal: spoken,
            options: self.before.phase().options(rules).iter().map(|option| option.name.clone()).collect(),
            chosen,
            values,
            fair_regret,
        })
    }

    /// The winning probabilities of all seats from this table: played out from the actual state if all hands are open,
    /// otherwise from deals of the unseen cards that are consistent with the point of view.
    fn odds(&self, rules: &Rules, state: &RoundState, knowledge: &Knowledge, analysis: Analysis) -> Option<Vec<u16>> {
        let position = match self.eyes {
            Perspective::All => Position::Known,
            Perspective::Seat(_) => Position::AsSeen,
            Perspective::Bystander => return None,
        };
        let seat = match self.eyes {
            Perspective::Seat(seat) => seat,
            _ => state.dealer(),
        };
        // A decision in the middle of a turn may contain information that this point of view does not have.
        let can_be_dealt_anew = position == Position::Known || matches!(state.phase(), Phase::Turn | Phase::Over(_));
        if !can_be_dealt_anew {
            return None;
        }
        let observation = Observation::of(rules, state, knowledge, &self.scores, seat);
        let mut rng = Rng::keyed(analysis.seed, self.line as u64, Purpose::Other(0));
        let odds = analysis.valuation.odds(&observation, state, position, &mut rng);
        let seats = state.dealt_seats().end();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of 1000")]
        Some(odds[..seats].iter().map(|odds| (odds * 1000.0).round() as u16).collect())
    }
}

/// Four decimals, which keep the page small.
fn rounded(value: f64) -> f64 {
    (value * 10_000.0).round() / 10_000.0
}

/// Repeats the last odds of a round in frames without odds.
fn record_changes(frames: &mut [Frame]) {
    let mut last = None;
    for frame in frames {
        if frame.deal.is_some() {
            last = None;
        }
        if frame.odds.is_none() {
            frame.odds.clone_from(&last);
        }
        last.clone_from(&frame.odds);
    }
}
