//! The record of a round, created by replaying it from its deal.

use std::borrow::Borrow;

use super::game::Round;
use super::history::Origin;
use crate::card::Card;
use crate::event::{Event, VisibleEvent};
use crate::knowledge::Knowledge;
use crate::match_play::MatchState;
use crate::record::{Header, RecordWriter, Unit};
use crate::rules::Rules;
use crate::script::{Outcome, Script};
use crate::state::{EventSink, RoundState};

/// Why a round has no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// It did not begin with a deal.
    #[error("the round did not begin with a deal, so there is nothing to record")]
    NotFromTheDeal,
    /// The round is not the first of a match.
    #[error(
        "only the first round of a match has a separate record: these seats or this dealer belong to a later round"
    )]
    NotAFirstRound,
}

impl<R: Borrow<Rules>, C> Round<R, C> {
    /// The round so far as JSON Lines, without names of agents; see [`crate::record`].
    ///
    /// # Errors
    /// The round did not begin with the deal of a first round.
    pub fn record(&self) -> Result<String, RecordError> {
        let origin = self.origin.as_ref().ok_or(RecordError::NotFromTheDeal)?;
        self.record_of(&vec!["unnamed"; origin.players])
    }

    /// [`Round::record`] with the names of the agents, by player.
    ///
    /// # Errors
    /// The round did not begin with the deal of a first round.
    ///
    /// # Panics
    /// If there are not as many names as players.
    pub fn record_of<S: AsRef<str>>(&self, agents: &[S]) -> Result<String, RecordError> {
        let origin = self.origin.as_ref().ok_or(RecordError::NotFromTheDeal)?;
        assert_eq!(agents.len(), origin.players, "one name a player");
        let rules = self.rules.borrow();
        let plan = MatchState::new(origin.players, origin.first_dealer).plan(rules);
        if (plan.seats, plan.dealer) != (self.state.dealt_seats(), self.state.dealer()) {
            return Err(RecordError::NotAFirstRound);
        }
        let header = Header {
            unit: Unit::Round,
            seed: origin.seed,
            set: 0,
            dealer: origin.first_dealer,
            agents: agents.iter().map(|name| name.as_ref().into()).collect(),
            names: Vec::new(),
            extra_cards: Vec::new(),
        };
        let mut writer = RecordWriter::new(rules, &header);
        let state = self.replay(origin, &mut writer);
        writer.end_round(&state);
        Ok(writer.finish())
    }

    /// Replays the round from its deal, and emits every event with the state after it.
    ///
    /// # Errors
    /// The round did not begin with a deal.
    pub fn replay_events(&self, events: &mut dyn EventSink) -> Result<(), RecordError> {
        let origin = self.origin.as_ref().ok_or(RecordError::NotFromTheDeal)?;
        self.replay(origin, events);
        Ok(())
    }

    /// The knowledge of the seats, with all implications of the rules about the hands. It is found by replaying the round. A round
    /// that continues from a state starts with the knowledge that [`Round::from_state`] received.
    #[must_use]
    pub fn implied_knowledge(&self) -> Knowledge {
        let mut knowledge = Knowledge::with_implications();
        if let Some(beginning) = self.seen.beginning() {
            knowledge = beginning.knowledge.clone().following();
            let (_, mut script) = self.script(beginning.events);
            self.replay_actions(beginning.state, beginning.events, &mut script, &mut knowledge);
        } else if let Some(origin) = &self.origin {
            self.replay(origin, &mut knowledge);
        }
        knowledge
    }

    fn replay(&self, origin: &Origin, events: &mut dyn EventSink) -> RoundState {
        let rules = self.rules.borrow();
        let (turned_up, mut script) = self.script(0);
        let (seats, dealer) = (self.state.dealt_seats(), self.state.dealer());
        let hands = origin.hands;
        let state = RoundState::begin(rules, seats, dealer, hands, &turned_up, &mut script, events)
            .expect("the round began like this");
        self.replay_actions(state, 0, &mut script, events)
    }

    /// Replays the actions after this number of events.
    fn replay_actions(
        &self,
        mut state: RoundState,
        after: usize,
        script: &mut Script,
        events: &mut dyn EventSink,
    ) -> RoundState {
        let rules = self.rules.borrow();
        let mut noted = self.seen.noted().iter().copied().peekable();
        for (number, seen) in self.seen.events().iter().enumerate().skip(after) {
            if let VisibleEvent::Open(Event::Acted { seat, action, call }) = *seen {
                while let Some((_, implication)) = noted.next_if(|(at, _)| *at <= number) {
                    events.on_implication(&state, implication);
                }
                state.apply_action_unchecked(rules, seat, action, call, script, events);
            }
        }
        noted.for_each(|(_, implication)| events.on_implication(&state, implication));
        state
    }

    /// The cards that were turned up after this number of events, and the later outcomes of chance.
    fn script(&self, after: usize) -> (Vec<Card>, Script) {
        let (mut turned_up, mut cards, mut outcomes) = (Vec::<Card>::new(), Vec::new(), Vec::new());
        for seen in &self.seen.events()[after..] {
            match *seen {
                VisibleEvent::Open(Event::TurnedUp(card)) => turned_up.push(card),
                VisibleEvent::Open(Event::Drew { card, .. }) => cards.push(card),
                VisibleEvent::Open(Event::Button(color)) => outcomes.push(Outcome::Button(color)),
                VisibleEvent::Open(Event::Task(result)) => outcomes.push(Outcome::Task(result)),
                VisibleEvent::Open(Event::Chosen(seat)) => outcomes.push(Outcome::Chosen(seat)),
                VisibleEvent::Open(Event::Moved { card, .. } | Event::Redealt { card, .. }) => {
                    outcomes.push(Outcome::CardOfHand(card));
                }
                VisibleEvent::Open(_)
                | VisibleEvent::HiddenDraw { .. }
                | VisibleEvent::HiddenMove { .. }
                | VisibleEvent::HiddenRedeal { .. } => {}
            }
        }
        (turned_up, Script::new(cards, outcomes, 0))
    }
}
