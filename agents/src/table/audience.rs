//! [`Audience`]: the agents that get the events, chosen once per round by their subscriptions.

use unolab_engine::event::Event;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

use super::book::Book;
use super::listener::Listener;
use crate::agent::Agent;

pub(super) trait Audience {
    /// Whether agents receive events. Then none may use the fast path, which plays many turns at once.
    const TELLS_AGENTS: bool;

    fn book(&mut self) -> &mut Book;

    type SinkWithoutAgents<'s>: EventSink
    where
        Self: 's;

    /// The book that agents read between the events of a sink, if it is kept.
    fn book_of<'a, 's: 'a>(sink: &'a mut Self::SinkWithoutAgents<'s>) -> Option<&'a mut Book>
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

/// No other listener; nothing is written into the book.
pub(super) struct OnlyListener<'l, L> {
    pub(super) book: &'l mut Book,
    pub(super) listener: L,
}

impl<L: Listener> Audience for OnlyListener<'_, L> {
    const TELLS_AGENTS: bool = false;

    #[inline(always)]
    fn book(&mut self) -> &mut Book {
        self.book
    }

    type SinkWithoutAgents<'s>
        = L::Sink<'s>
    where
        Self: 's;

    #[inline(always)]
    fn book_of<'a, 's: 'a>(_: &'a mut L::Sink<'s>) -> Option<&'a mut Book>
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

/// The listener, and the book that agents read.
pub(super) struct ListenerAndBook<'l, L> {
    pub(super) book: &'l mut Book,
    pub(super) listener: L,
}

pub(super) struct ToBook<'s, E> {
    book: &'s mut Book,
    listener: E,
    rules: &'s Rules,
    scores: &'s BySeat<u32>,
}

impl<E: EventSink> EventSink for ToBook<'_, E> {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.listener.on_event(state, event);
        self.book.note(self.rules, self.scores, state, event);
    }
}

impl<L: Listener> Audience for ListenerAndBook<'_, L> {
    const TELLS_AGENTS: bool = false;

    #[inline(always)]
    fn book(&mut self) -> &mut Book {
        self.book
    }

    type SinkWithoutAgents<'s>
        = ToBook<'s, L::Sink<'s>>
    where
        Self: 's;

    #[inline(always)]
    fn book_of<'a, 's: 'a>(sink: &'a mut Self::SinkWithoutAgents<'s>) -> Option<&'a mut Book>
    where
        Self: 's,
    {
        Some(sink.book)
    }

    #[inline(always)]
    fn sink_without_agents<'s>(&'s mut self, rules: &'s Rules, scores: &'s BySeat<u32>) -> Self::SinkWithoutAgents<'s> {
        ToBook { book: self.book, listener: self.listener.sink(), rules, scores }
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

/// The same, with agents that receive each event.
pub(super) struct SomeAgents<'l> {
    pub(super) book: &'l mut Book,
    pub(super) listener: &'l mut dyn EventSink,
    pub(super) told: SeatSet,
}

pub(super) struct ToAgents<'s, A> {
    to_book: ToBook<'s, &'s mut dyn EventSink>,
    agents: &'s mut [A],
    told: SeatSet,
}

impl<A: Agent> EventSink for ToAgents<'_, A> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.to_book.on_event(state, event);
        let ToBook { book, rules, scores, .. } = &self.to_book;
        for seat in self.told.iter() {
            let observation = Observation::of(rules, state, &book.knowledge, scores, seat);
            self.agents[seat.index()].observe(observation.sees(event), &observation);
        }
    }
}

impl Audience for SomeAgents<'_> {
    const TELLS_AGENTS: bool = true;

    #[inline(always)]
    fn book(&mut self) -> &mut Book {
        self.book
    }

    type SinkWithoutAgents<'s>
        = ToBook<'s, &'s mut dyn EventSink>
    where
        Self: 's;

    fn book_of<'a, 's: 'a>(sink: &'a mut Self::SinkWithoutAgents<'s>) -> Option<&'a mut Book>
    where
        Self: 's,
    {
        Some(sink.book)
    }

    fn sink_without_agents<'s>(&'s mut self, rules: &'s Rules, scores: &'s BySeat<u32>) -> Self::SinkWithoutAgents<'s> {
        ToBook { book: self.book, listener: self.listener, rules, scores }
    }

    type Sink<'s, A: Agent + 's>
        = ToAgents<'s, A>
    where
        Self: 's;

    fn sink<'s, A: Agent>(
        &'s mut self,
        rules: &'s Rules,
        agents: &'s mut [A],
        scores: &'s BySeat<u32>,
    ) -> ToAgents<'s, A> {
        let told = self.told;
        ToAgents { to_book: self.sink_without_agents(rules, scores), agents, told }
    }
}
