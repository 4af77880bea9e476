//! The events of a game, collected for observations and forwarded to the opponents.

use std::collections::VecDeque;

use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::player::Player;
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
    pub(crate) last: VecDeque<Event>,
    pub(crate) most: usize,
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
            self.last.truncate(self.most - 1);
            self.last.push_front(event);
        }
    }
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
            if player.subscription() == EventSubscription::Events {
                let observation = Observation::of(self.rules, state, &self.seen.knowledge, self.scores, seat);
                player.observe(observation.sees(event), &observation);
            }
        }
    }
}
