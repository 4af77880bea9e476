//! [`EventSink`]: receives the events of a round.

use super::round_state::RoundState;
use crate::event::Event;

/// Receives events. `()` ignores them without cost.
pub trait EventSink {
    /// Receives an event with the state after it.
    fn on_event(&mut self, state: &RoundState, event: Event);
}

impl EventSink for () {
    #[inline(always)]
    fn on_event(&mut self, _state: &RoundState, _event: Event) {}
}

impl<E: EventSink + ?Sized> EventSink for &mut E {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        (**self).on_event(state, event);
    }
}

/// Both receive the events.
impl<A: EventSink, B: EventSink> EventSink for (A, B) {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.0.on_event(state, event);
        self.1.on_event(state, event);
    }
}
