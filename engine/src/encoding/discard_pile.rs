//! [`DiscardPile`]: the cards of the discard pile, updated by events.

use crate::cards::Cards;
use crate::event::Event;
use crate::state::{EventSink, RoundState};

/// The cards played since the deal, or since the discard pile last became the draw pile. A state does not store them: its
/// discard pile is every card that is not elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DiscardPile(Cards);

impl DiscardPile {
    /// The cards of the pile, including the top card.
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
            // A card that cannot be the start card is returned to the deck.
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
            | Event::Redealt { .. }
            | Event::Moved { .. } => {}
        }
    }
}
