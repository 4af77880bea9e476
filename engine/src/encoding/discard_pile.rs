//! [`DiscardPile`]: what lies there, kept from event to event.

use crate::cards::Cards;
use crate::event::Event;
use crate::state::{EventSink, RoundState};

/// The cards played since the deal, or since the discard pile last became the draw pile. A state does not hold them: there
/// the discard pile is every card that is not in another place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiscardPile(Cards);

impl DiscardPile {
    /// The cards on it, top card included.
    #[must_use]
    #[inline]
    pub const fn cards(&self) -> Cards {
        self.0
    }
}

impl EventSink for DiscardPile {
    #[inline(always)]
    fn on_event(&mut self, state: &RoundState, event: Event) {
        match event {
            Event::Discarded { card, .. } => self.0.add(card),
            // A card that cannot start goes back among the others.
            Event::TurnedUp(card) => self.0 = Cards::from_iter([card]),
            Event::Reshuffled => self.0 = Cards::from_iter([state.top()]),
            Event::Acted { .. }
            | Event::Drew { .. }
            | Event::Button(_)
            | Event::Task(_)
            | Event::Chosen(_)
            | Event::Showed { .. }
            | Event::Swapped(..)
            | Event::Rotated { .. }
            | Event::Moved { .. } => {}
        }
    }
}
