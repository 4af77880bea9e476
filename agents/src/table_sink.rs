//! [`TableSink`]: the receivers of the events of a table.

use unolab_engine::event::Event;
use unolab_engine::implication::Implication;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

use crate::agent::{Agent, Observer as _};
use crate::possible::PossibleCards;

/// The cards that each seat has seen, and the bounds of each hand by the actions so far, if an agent uses them.
pub(crate) type SharedKnowledge<'k> = (&'k Knowledge, &'k mut Option<PossibleCards>);

/// The receivers of a round's events: none, `()`, or a sink, `&mut dyn EventSink`.
pub trait TableSink: EventSink {
    /// The borrowed receivers. They are passed by value to separate functions, so the compiler knows that they do not change there.
    type Reborrowed<'s>: TableSink
    where
        Self: 's;

    /// Borrows the receivers.
    fn reborrow(&mut self) -> Self::Reborrowed<'_>;

    // The knowledge that a table stores once for all seats; `None` if no agent reads it.
    #[doc(hidden)]
    #[inline(always)]
    fn shared_knowledge(&mut self) -> Option<SharedKnowledge<'_>> {
        None
    }
}

/// An owned sink instead of a reference, so that play without a listener is compiled once.
impl TableSink for () {
    type Reborrowed<'s> = ();

    #[inline(always)]
    fn reborrow(&mut self) {}
}

/// A sink of any type, because what it does takes more time than the call.
impl TableSink for &mut dyn EventSink {
    type Reborrowed<'s>
        = &'s mut dyn EventSink
    where
        Self: 's;

    #[inline(always)]
    fn reborrow(&mut self) -> &mut dyn EventSink {
        self
    }
}

/// A listener, and the knowledge that agents read.
pub(crate) struct KnowledgeSink<'t, L> {
    pub(crate) rules: &'t Rules,
    pub(crate) scores: &'t BySeat<u32>,
    pub(crate) knowledge: &'t mut Knowledge,
    pub(crate) possible: &'t mut Option<PossibleCards>,
    pub(crate) listener: L,
}

impl<L: EventSink> EventSink for KnowledgeSink<'_, L> {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.listener.on_event(state, event);
        self.knowledge.on_event(state, event);
        if let Some(possible) = self.possible {
            let observation = Observation::of(self.rules, state, self.knowledge, self.scores, state.dealer());
            possible.observe_for_all(event, state, &observation);
        }
    }

    #[inline(always)]
    fn receives_implications(&self) -> bool {
        self.listener.receives_implications()
    }

    #[inline(always)]
    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        self.listener.on_implication(state, implication);
    }
}

impl<L: TableSink> TableSink for KnowledgeSink<'_, L> {
    type Reborrowed<'s>
        = KnowledgeSink<'s, L::Reborrowed<'s>>
    where
        Self: 's;

    #[inline(always)]
    fn reborrow(&mut self) -> Self::Reborrowed<'_> {
        let Self { rules, scores, knowledge, possible, listener } = self;
        KnowledgeSink { rules, scores, knowledge, possible, listener: listener.reborrow() }
    }

    #[inline(always)]
    fn shared_knowledge(&mut self) -> Option<SharedKnowledge<'_>> {
        Some((self.knowledge, self.possible))
    }
}

/// A sink that also passes each event to the agents that subscribe to events.
pub(crate) struct SubscriberSink<'s, A, S> {
    pub(crate) rules: &'s Rules,
    pub(crate) agents: &'s mut [A],
    pub(crate) scores: &'s BySeat<u32>,
    pub(crate) subscribers: SeatSet,
    pub(crate) sink: S,
}

impl<A: Agent, S: TableSink> EventSink for SubscriberSink<'_, A, S> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.sink.on_event(state, event);
        if let Some((knowledge, _)) = self.sink.shared_knowledge() {
            for seat in self.subscribers.iter() {
                let observation = Observation::of(self.rules, state, knowledge, self.scores, seat);
                self.agents[seat.index()].receive(event, &observation);
            }
        }
    }

    fn receives_implications(&self) -> bool {
        self.sink.receives_implications()
    }

    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        self.sink.on_implication(state, implication);
    }
}
