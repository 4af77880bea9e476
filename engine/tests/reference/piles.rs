//! The two piles. The draw pile is a set: every card drawn is asked of chance.

use super::round::Model;
use super::{Code, Fate};

impl Model {
    /// Gives a seat one card, or none if there is none anywhere (X-06: what is owed beyond that is forgiven).
    pub(super) fn draw_card(&mut self, seat: usize, fate: &mut dyn Fate) -> Option<Code> {
        if self.draw.is_empty() {
            self.refill(); // otherwise retry when a card is needed
        }
        if self.draw.is_empty() {
            return None;
        }
        let place = fate.draw(&self.draw);
        let card = self.draw.remove(place);
        self.hands[seat].push(card);
        // at once when the pile becomes empty and the round is alive, even in the middle of a penalty
        if self.draw.is_empty() && !self.last_card_laid {
            self.refill();
        }
        Some(card)
    }

    pub(super) fn draw_cards(&mut self, seat: usize, many: usize, fate: &mut dyn Fate) {
        for _ in 0..many {
            self.draw_card(seat, fate);
        }
    }

    /// the top card stays with its color; all other cards become the draw pile.
    fn refill(&mut self) {
        while self.discard.len() > 1 {
            let card = self.discard.remove(0);
            self.draw.push(card);
        }
    }

    /// Whether a card could be drawn now, after a refill if need be.
    pub(super) fn can_draw(&self) -> bool {
        !self.draw.is_empty() || self.discard.len() > 1
    }
}
