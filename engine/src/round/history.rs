//! The events of a round.

use crate::cards::Cards;
use crate::event::{Event, VisibleEvent};
use crate::knowledge::Knowledge;
use crate::seat::{BySeat, Seat};
use crate::state::{EventSink, RoundState};

/// Every event in order, and the cards that seats have seen in other hands.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    events: Vec<VisibleEvent>,
    knowledge: Knowledge,
    hands: Option<Box<BySeat<Cards>>>,
}

impl History {
    /// An empty history with this knowledge.
    pub(super) fn knowing(knowledge: Knowledge) -> Self {
        Self { knowledge, ..Self::default() }
    }

    pub(super) fn events(&self) -> &[VisibleEvent] {
        &self.events
    }

    pub(super) const fn knowledge(&self) -> &Knowledge {
        &self.knowledge
    }

    /// The hands as they were dealt.
    pub(super) fn take_hands(&mut self) -> Option<BySeat<Cards>> {
        self.hands.take().map(|hands| *hands)
    }

    /// The part that one seat knows.
    pub(super) fn as_seen_by(&self, seat: Seat) -> Self {
        let events = self.events.iter().map(|seen| seen.as_seen_by(seat)).collect();
        Self { events, knowledge: self.knowledge.clone(), hands: None }
    }
}

impl EventSink for History {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        if self.events.is_empty() && matches!(event, Event::TurnedUp(_)) {
            self.hands = Some(Box::new(BySeat::from_fn(|seat| state.hand(seat))));
        }
        self.events.push(VisibleEvent::Open(event));
        self.knowledge.on_event(state, event);
    }
}

/// The origin of a round, for its record.
#[derive(Debug, Clone, Copy)]
pub(super) struct Origin {
    pub(super) hands: BySeat<Cards>,
    /// 0 if the cards were not dealt by a seed.
    pub(super) seed: u64,
    pub(super) players: usize,
    pub(super) first_dealer: Seat,
}
