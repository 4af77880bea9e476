//! [`Audience`]: the agents that get the events, chosen once per round by their subscriptions.

use unolab_engine::event::{Event, EventSink};
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, SeatSet};
use unolab_engine::state::RoundState;

use super::book::Book;
use crate::agent::Agent;

pub(super) trait Audience {
    /// Whether agents may use the fast path, which plays many turns at once: only if no agent receives events.
    const ALLOWS_FAST_PATH: bool;

    fn book(&mut self) -> &mut Book;

    type SinkWithoutAgents<'s>: EventSink + WithBook
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

/// A sink between whose events agents may read.
pub(super) trait WithBook {
    /// What they read, if it is kept.
    fn book(&mut self) -> Option<&mut Book>;
}

/// Nobody else; nothing is written into the book.
pub(super) struct OnlyListener<'l, L> {
    pub(super) book: &'l mut Book,
    pub(super) listener: &'l mut L,
}

impl<L: EventSink> WithBook for &mut L {
    #[inline(always)]
    fn book(&mut self) -> Option<&mut Book> {
        None
    }
}

impl<L: EventSink> Audience for OnlyListener<'_, L> {
    const ALLOWS_FAST_PATH: bool = true;

    #[inline(always)]
    fn book(&mut self) -> &mut Book {
        self.book
    }

    type SinkWithoutAgents<'s>
        = &'s mut L
    where
        Self: 's;

    #[inline(always)]
    fn sink_without_agents<'s>(&'s mut self, _: &'s Rules, _: &'s BySeat<u32>) -> &'s mut L {
        self.listener
    }

    type Sink<'s, A: Agent + 's>
        = &'s mut L
    where
        Self: 's;

    #[inline(always)]
    fn sink<'s, A: Agent>(&'s mut self, _: &'s Rules, _: &'s mut [A], _: &'s BySeat<u32>) -> &'s mut L {
        self.listener
    }
}

/// The listener, and the book that agents read.
pub(super) struct ListenerAndBook<'l, L> {
    pub(super) book: &'l mut Book,
    pub(super) listener: &'l mut L,
}

pub(super) struct ToBook<'s, L> {
    book: &'s mut Book,
    listener: &'s mut L,
    rules: &'s Rules,
    scores: &'s BySeat<u32>,
}

impl<L: EventSink> EventSink for ToBook<'_, L> {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.listener.on_event(state, event);
        self.book.note(self.rules, self.scores, state, event);
    }
}

impl<L> WithBook for ToBook<'_, L> {
    #[inline(always)]
    fn book(&mut self) -> Option<&mut Book> {
        Some(self.book)
    }
}

impl<L: EventSink> Audience for ListenerAndBook<'_, L> {
    const ALLOWS_FAST_PATH: bool = true;

    #[inline(always)]
    fn book(&mut self) -> &mut Book {
        self.book
    }

    type SinkWithoutAgents<'s>
        = ToBook<'s, L>
    where
        Self: 's;

    #[inline(always)]
    fn sink_without_agents<'s>(&'s mut self, rules: &'s Rules, scores: &'s BySeat<u32>) -> ToBook<'s, L> {
        ToBook { book: self.book, listener: self.listener, rules, scores }
    }

    type Sink<'s, A: Agent + 's>
        = ToBook<'s, L>
    where
        Self: 's;

    #[inline(always)]
    fn sink<'s, A: Agent>(&'s mut self, rules: &'s Rules, _: &'s mut [A], scores: &'s BySeat<u32>) -> ToBook<'s, L> {
        self.sink_without_agents(rules, scores)
    }
}

/// The same, with agents that receive each event.
pub(super) struct SomeAgents<'l, L> {
    pub(super) book: &'l mut Book,
    pub(super) listener: &'l mut L,
    pub(super) told: SeatSet,
}

pub(super) struct ToAgents<'s, A, L> {
    to_book: ToBook<'s, L>,
    agents: &'s mut [A],
    told: SeatSet,
}

impl<A: Agent, L: EventSink> EventSink for ToAgents<'_, A, L> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.to_book.on_event(state, event);
        let ToBook { book, rules, scores, .. } = &self.to_book;
        for seat in self.told.iter() {
            let observation = Observation::of(rules, state, &book.knowledge, scores, seat);
            self.agents[seat.index()].observe(observation.sees(event), &observation);
        }
    }
}

impl<L: EventSink> Audience for SomeAgents<'_, L> {
    const ALLOWS_FAST_PATH: bool = false;

    #[inline(always)]
    fn book(&mut self) -> &mut Book {
        self.book
    }

    type SinkWithoutAgents<'s>
        = ToBook<'s, L>
    where
        Self: 's;

    fn sink_without_agents<'s>(&'s mut self, rules: &'s Rules, scores: &'s BySeat<u32>) -> ToBook<'s, L> {
        ToBook { book: self.book, listener: self.listener, rules, scores }
    }

    type Sink<'s, A: Agent + 's>
        = ToAgents<'s, A, L>
    where
        Self: 's;

    fn sink<'s, A: Agent>(
        &'s mut self,
        rules: &'s Rules,
        agents: &'s mut [A],
        scores: &'s BySeat<u32>,
    ) -> ToAgents<'s, A, L> {
        let told = self.told;
        ToAgents { to_book: self.sink_without_agents(rules, scores), agents, told }
    }
}
