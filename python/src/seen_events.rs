//! The events of a game, collected for observations and forwarded to the opponents.

use std::collections::VecDeque;

use unolab_agents::agent::{Agent, Observer as _};
use unolab_agents::player::Player;
use unolab_engine::action::Action;
use unolab_engine::encoding::DiscardPile;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::BySeat;
use unolab_engine::state::{EventSink, RoundState};

/// The information so far: the cards shown to seats, the discard pile, and the last events.
#[derive(Debug)]
pub(crate) struct SeenEvents {
    pub(crate) knowledge: Knowledge,
    pub(crate) discard_pile: DiscardPile,
    /// The last events, newest first: enough that each seat has noticed `most` of them, if there were as many.
    last: VecDeque<Event>,
    /// How many of these every seat notices.
    for_all: usize,
    most: usize,
}

impl EventSink for SeenEvents {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        let shows =
            matches!(event, Event::Showed { .. } | Event::Moved { .. } | Event::Swapped(..) | Event::Rotated { .. });
        if shows || !self.knowledge.is_empty() {
            self.knowledge.on_event(state, event);
        }
        self.discard_pile.on_event(state, event);
        if self.most > 0 {
            self.last.push_front(event);
            self.for_all += usize::from(is_for_all(event));
            while self.for_all > self.most {
                self.for_all -= usize::from(self.last.pop_back().is_some_and(is_for_all));
            }
        }
    }
}

impl SeenEvents {
    /// No events yet; the last ones are kept, so that every seat has noticed `most` of them.
    pub(crate) fn new(most: usize) -> Self {
        Self {
            knowledge: Knowledge::default(),
            discard_pile: DiscardPile::default(),
            last: VecDeque::with_capacity(most),
            for_all: 0,
            most,
        }
    }

    /// Begins a round: earlier events are not part of it.
    pub(crate) fn begin_round(&mut self) {
        self.knowledge = Knowledge::default();
        self.last.clear();
        self.for_all = 0;
    }

    /// The last events, newest first.
    pub(crate) const fn last(&self) -> &VecDeque<Event> {
        &self.last
    }
}

/// Whether every seat notices an event: a kept card is noticed by its own seat only.
const fn is_for_all(event: Event) -> bool {
    !matches!(event, Event::Acted { action: Action::Keep, .. })
}

/// Also forwards the events to the opponents, as their seats see them.
pub(crate) struct EventForwarder<'a> {
    pub(crate) seen: &'a mut SeenEvents,
    pub(crate) players: &'a mut [Player],
    pub(crate) rules: &'a Rules,
    pub(crate) scores: &'a BySeat<u32>,
}

impl EventSink for EventForwarder<'_> {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.seen.on_event(state, event);
        for seat in state.seats() {
            let player = &mut self.players[seat.index()];
            if player.subscription().has_events() {
                let observation = Observation::of(self.rules, state, &self.seen.knowledge, self.scores, seat);
                player.receive(event, &observation);
            }
        }
    }
}
