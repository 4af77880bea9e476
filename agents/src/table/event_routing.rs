//! [`EventRouting`]: the receivers of the events of a round, chosen once per round by the agents' subscriptions.

use unolab_engine::event::Event;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

use super::listener::Listener;
use super::shared_knowledge::SharedKnowledge;
use crate::agent::Agent;

/// The receivers of events: always a listener; the shared knowledge, if an agent uses it; and the agents that subscribe to
/// events. Play without one of them is compiled without it.
pub(super) struct EventRouting<'k, L, const KEEPS_KNOWLEDGE: bool, const SENDS_EVENTS: bool> {
    pub(super) knowledge: &'k mut SharedKnowledge,
    pub(super) listener: L,
    /// The seats whose agents receive events.
    pub(super) subscribers: SeatSet,
}

impl<L: Listener, const KEEPS_KNOWLEDGE: bool, const SENDS_EVENTS: bool>
    EventRouting<'_, L, KEEPS_KNOWLEDGE, SENDS_EVENTS>
{
    /// The sink of the events of one stretch of play with these agents.
    #[inline(always)]
    pub(super) fn sink<'s, A>(
        &'s mut self,
        rules: &'s Rules,
        scores: &'s BySeat<u32>,
        agents: &'s mut [A],
    ) -> RoutedEvents<'s, L::Sink<'s>, A, KEEPS_KNOWLEDGE, SENDS_EVENTS> {
        let Self { knowledge, listener, subscribers } = self;
        RoutedEvents { knowledge, listener: listener.sink(), subscribers: *subscribers, rules, scores, agents }
    }

    /// The same if no agent receives events.
    #[inline(always)]
    pub(super) fn sink_without_subscribers<'s, A>(
        &'s mut self,
        rules: &'s Rules,
        scores: &'s BySeat<u32>,
    ) -> RoutedEvents<'s, L::Sink<'s>, A, KEEPS_KNOWLEDGE, false> {
        let Self { knowledge, listener, .. } = self;
        RoutedEvents {
            knowledge,
            listener: listener.sink(),
            subscribers: SeatSet::EMPTY,
            rules,
            scores,
            agents: &mut [],
        }
    }
}

/// Sends each event to its receivers.
pub(super) struct RoutedEvents<'s, E, A, const KEEPS_KNOWLEDGE: bool, const SENDS_EVENTS: bool> {
    knowledge: &'s mut SharedKnowledge,
    listener: E,
    subscribers: SeatSet,
    rules: &'s Rules,
    scores: &'s BySeat<u32>,
    agents: &'s mut [A],
}

impl<E, A, const KEEPS_KNOWLEDGE: bool, const SENDS_EVENTS: bool>
    RoutedEvents<'_, E, A, KEEPS_KNOWLEDGE, SENDS_EVENTS>
{
    /// The shared knowledge, if it is kept up to date.
    #[inline(always)]
    pub(super) fn knowledge(&mut self) -> Option<&mut SharedKnowledge> {
        KEEPS_KNOWLEDGE.then_some(&mut *self.knowledge)
    }
}

impl<E: EventSink, A: Agent, const KEEPS_KNOWLEDGE: bool, const SENDS_EVENTS: bool> EventSink
    for RoutedEvents<'_, E, A, KEEPS_KNOWLEDGE, SENDS_EVENTS>
{
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.listener.on_event(state, event);
        if KEEPS_KNOWLEDGE {
            self.knowledge.update(self.rules, self.scores, state, event);
        }
        if SENDS_EVENTS {
            for seat in self.subscribers.iter() {
                let observation = Observation::of(self.rules, state, &self.knowledge.knowledge, self.scores, seat);
                self.agents[seat.index()].observe(observation.sees(event), &observation);
            }
        }
    }
}
