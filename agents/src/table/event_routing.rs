//! [`EventRouting`]: the agents that receive events, chosen once per round by their subscriptions.

use unolab_engine::action::Action;
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

use super::listener::Listener;
use super::shared_knowledge::SharedKnowledge;
use crate::agent::Agent;

pub(super) trait EventRouting {
    /// Whether agents receive events. If so, none may use the fast path, which plays many turns at once.
    const SENDS_EVENTS: bool;

    fn shared_knowledge(&mut self) -> &mut SharedKnowledge;

    type SinkWithoutAgents<'s>: EventSink
    where
        Self: 's;

    /// The shared knowledge that agents read between the events of a sink, if it is kept.
    fn shared_knowledge_of<'a, 's: 'a>(sink: &'a mut Self::SinkWithoutAgents<'s>) -> Option<&'a mut SharedKnowledge>
    where
        Self: 's;

    fn sink_without_agents<'s>(&'s mut self, rules: &'s Rules, scores: &'s BySeat<u32>) -> Self::SinkWithoutAgents<'s>;

    type Sink<'s, A: Agent + 's>: EventSink
    where
        Self: 's;

    fn sink<'s, A: Agent>(
        &'s mut self,
        rules: &'s Rules,
        agents: &'s mut [A],
        scores: &'s BySeat<u32>,
    ) -> Self::Sink<'s, A>;
}

/// Only the listener receives events; there is no shared knowledge.
pub(super) struct ListenerOnly<'l, L> {
    pub(super) shared: &'l mut SharedKnowledge,
    pub(super) listener: L,
}

impl<L: Listener> EventRouting for ListenerOnly<'_, L> {
    const SENDS_EVENTS: bool = false;

    #[inline(always)]
    fn shared_knowledge(&mut self) -> &mut SharedKnowledge {
        self.shared
    }

    type SinkWithoutAgents<'s>
        = L::Sink<'s>
    where
        Self: 's;

    #[inline(always)]
    fn shared_knowledge_of<'a, 's: 'a>(_: &'a mut L::Sink<'s>) -> Option<&'a mut SharedKnowledge>
    where
        Self: 's,
    {
        None
    }

    #[inline(always)]
    fn sink_without_agents<'s>(&'s mut self, _: &'s Rules, _: &'s BySeat<u32>) -> L::Sink<'s> {
        self.listener.sink()
    }

    type Sink<'s, A: Agent + 's>
        = L::Sink<'s>
    where
        Self: 's;

    #[inline(always)]
    fn sink<'s, A: Agent>(&'s mut self, _: &'s Rules, _: &'s mut [A], _: &'s BySeat<u32>) -> L::Sink<'s> {
        self.listener.sink()
    }
}

/// The listener, and the shared knowledge that agents read.
pub(super) struct ListenerAndKnowledge<'l, L> {
    pub(super) shared: &'l mut SharedKnowledge,
    pub(super) listener: L,
}

pub(super) struct KnowledgeSink<'s, E> {
    shared: &'s mut SharedKnowledge,
    listener: E,
    rules: &'s Rules,
    scores: &'s BySeat<u32>,
}

impl<E: EventSink> EventSink for KnowledgeSink<'_, E> {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.listener.on_event(state, event);
        self.shared.update(self.rules, self.scores, state, event);
    }
}

impl<L: Listener> EventRouting for ListenerAndKnowledge<'_, L> {
    const SENDS_EVENTS: bool = false;

    #[inline(always)]
    fn shared_knowledge(&mut self) -> &mut SharedKnowledge {
        self.shared
    }

    type SinkWithoutAgents<'s>
        = KnowledgeSink<'s, L::Sink<'s>>
    where
        Self: 's;

    #[inline(always)]
    fn shared_knowledge_of<'a, 's: 'a>(sink: &'a mut Self::SinkWithoutAgents<'s>) -> Option<&'a mut SharedKnowledge>
    where
        Self: 's,
    {
        Some(sink.shared)
    }

    #[inline(always)]
    fn sink_without_agents<'s>(&'s mut self, rules: &'s Rules, scores: &'s BySeat<u32>) -> Self::SinkWithoutAgents<'s> {
        KnowledgeSink { shared: self.shared, listener: self.listener.sink(), rules, scores }
    }

    type Sink<'s, A: Agent + 's>
        = Self::SinkWithoutAgents<'s>
    where
        Self: 's;

    #[inline(always)]
    fn sink<'s, A: Agent>(
        &'s mut self,
        rules: &'s Rules,
        _: &'s mut [A],
        scores: &'s BySeat<u32>,
    ) -> Self::SinkWithoutAgents<'s> {
        self.sink_without_agents(rules, scores)
    }
}

/// The listener, the shared knowledge, and agents that receive each event.
pub(super) struct Subscribers<'l> {
    pub(super) shared: &'l mut SharedKnowledge,
    pub(super) listener: &'l mut dyn EventSink,
    pub(super) subscribers: SeatSet,
    /// The subscribers that do not receive that another seat has kept a card which it could have played.
    pub(super) without_kept_cards: SeatSet,
}

pub(super) struct SubscriberSink<'s, A> {
    knowledge_sink: KnowledgeSink<'s, &'s mut dyn EventSink>,
    agents: &'s mut [A],
    subscribers: SeatSet,
    without_kept_cards: SeatSet,
}

impl<A: Agent> EventSink for SubscriberSink<'_, A> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge_sink.on_event(state, event);
        let KnowledgeSink { shared, rules, scores, .. } = &self.knowledge_sink;
        let subscribers = match event {
            Event::Acted { seat, action: Action::Keep, .. } => self.subscribers - self.without_kept_cards.without(seat),
            _ => self.subscribers,
        };
        for seat in subscribers.iter() {
            let observation = Observation::of(rules, state, &shared.knowledge, scores, seat);
            let seen = observation.sees(event).unwrap_or(VisibleEvent::Open(event));
            self.agents[seat.index()].observe(seen, &observation);
        }
    }
}

impl EventRouting for Subscribers<'_> {
    const SENDS_EVENTS: bool = true;

    #[inline(always)]
    fn shared_knowledge(&mut self) -> &mut SharedKnowledge {
        self.shared
    }

    type SinkWithoutAgents<'s>
        = KnowledgeSink<'s, &'s mut dyn EventSink>
    where
        Self: 's;

    fn shared_knowledge_of<'a, 's: 'a>(sink: &'a mut Self::SinkWithoutAgents<'s>) -> Option<&'a mut SharedKnowledge>
    where
        Self: 's,
    {
        Some(sink.shared)
    }

    fn sink_without_agents<'s>(&'s mut self, rules: &'s Rules, scores: &'s BySeat<u32>) -> Self::SinkWithoutAgents<'s> {
        KnowledgeSink { shared: self.shared, listener: self.listener, rules, scores }
    }

    type Sink<'s, A: Agent + 's>
        = SubscriberSink<'s, A>
    where
        Self: 's;

    fn sink<'s, A: Agent>(
        &'s mut self,
        rules: &'s Rules,
        agents: &'s mut [A],
        scores: &'s BySeat<u32>,
    ) -> SubscriberSink<'s, A> {
        let Self { subscribers, without_kept_cards, .. } = *self;
        let knowledge_sink = self.sink_without_agents(rules, scores);
        SubscriberSink { knowledge_sink, agents, subscribers, without_kept_cards }
    }
}
