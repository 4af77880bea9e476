//! The events of a round.

use crate::cards::Cards;
use crate::event::{Event, VisibleEvent};
use crate::implication::Implication;
use crate::knowledge::Knowledge;
use crate::seat::{BySeat, Seat};
use crate::state::{EventSink, RoundState};

/// Every event in order, and the cards that seats have seen in other hands.
#[derive(Debug, Clone, Default)]
pub(super) struct History {
    events: Vec<VisibleEvent>,
    knowledge: Knowledge,
    hands: Option<Box<BySeat<Cards>>>,
    beginning: Option<Box<Beginning>>,
    /// Implications of restrictions that are not rules, with the number of events before each.
    noted: Vec<(usize, Implication)>,
}

/// The beginning of a round that did not begin with a deal.
#[derive(Debug, Clone)]
pub(super) struct Beginning {
    pub(super) state: RoundState,
    /// The knowledge of the seats. It may contain implications of the rules.
    pub(super) knowledge: Knowledge,
    /// The number of events before.
    pub(super) events: usize,
}

impl History {
    /// A history that continues from this state; of the past it has these events and this knowledge.
    pub(super) fn going_on(events: Vec<VisibleEvent>, knowledge: Knowledge, state: RoundState) -> Self {
        let shown = knowledge.without_implications();
        let beginning = Beginning { state, knowledge, events: events.len() };
        Self { events, knowledge: shown, beginning: Some(Box::new(beginning)), ..Self::default() }
    }

    pub(super) fn beginning(&self) -> Option<&Beginning> {
        self.beginning.as_deref()
    }

    /// What was noted, with the number of events before.
    pub(super) fn noted(&self) -> &[(usize, Implication)] {
        &self.noted
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

    /// Notes what a seat has shown beyond the rules.
    pub(super) fn note(&mut self, implication: Implication) {
        self.noted.push((self.events.len(), implication));
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
