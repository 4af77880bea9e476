//! [`EventSink`]: receives the events of a round.

use super::round_state::RoundState;
use crate::event::Event;
use crate::implication::Implication;

/// Receives events. `()` ignores them without cost.
pub trait EventSink {
    /// Receives an event with the state after it.
    fn on_event(&mut self, state: &RoundState, event: Event);

    /// The rules imply something about a hand of this state. Ignored by default: a sink that updates a
    /// [`Knowledge`](crate::knowledge::Knowledge) passes it on.
    #[inline(always)]
    fn on_implication(&mut self, _state: &RoundState, _implication: Implication) {}
}

impl EventSink for () {
    #[inline(always)]
    fn on_event(&mut self, _state: &RoundState, _event: Event) {}
}

impl<E: EventSink + ?Sized> EventSink for &mut E {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        (**self).on_event(state, event);
    }

    #[inline]
    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        (**self).on_implication(state, implication);
    }
}

/// Both receive the events.
impl<A: EventSink, B: EventSink> EventSink for (A, B) {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.0.on_event(state, event);
        self.1.on_event(state, event);
    }

    #[inline]
    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        self.0.on_implication(state, implication);
        self.1.on_implication(state, implication);
    }
}
