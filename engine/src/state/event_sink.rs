//! [`EventSink`]: receives the events of a round.

use super::round_state::RoundState;
use crate::event::Event;
use crate::implication::Implication;

/// Receives events. `()` ignores them without cost.
pub trait EventSink {
    /// Receives an event with the state after it.
    fn on_event(&mut self, state: &RoundState, event: Event);

    /// Whether it receives what the rules imply about hands. If not, as by default, nothing is worked out.
    #[inline(always)]
    fn receives_implications(&self) -> bool {
        false
    }

    /// Receives what the rules imply about a hand of this state, if [`EventSink::receives_implications`].
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

    #[inline(always)]
    fn receives_implications(&self) -> bool {
        (**self).receives_implications()
    }

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

    #[inline(always)]
    fn receives_implications(&self) -> bool {
        self.0.receives_implications() || self.1.receives_implications()
    }

    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        self.0.on_implication(state, implication);
        self.1.on_implication(state, implication);
    }
}
