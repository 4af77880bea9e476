//! [`HandHistory`]: when each card of a hand arrived and left, and the owner's choices.

use unolab_engine::card::{Card, CardSet, MAX_KINDS};

use super::model::Choice;

/// The history of a hand.
#[derive(Debug, Clone, Default)]
pub(super) struct HandHistory {
    /// The cards that arrived, in order, except cards that were played as soon as they were drawn.
    pub(super) arrivals: Vec<Arrival>,
    /// The cards that left, in order.
    pub(super) departures: Vec<Departure>,
    /// The choices of its owner.
    pub(super) choices: Vec<Choice>,
}

/// A hidden card enters a hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Arrival {
    /// The number of the first choice that was made with it in hand.
    pub(super) at: usize,
    /// Kinds that the card cannot be.
    pub(super) never: CardSet,
    /// Unlikely kinds.
    pub(super) hardly: CardSet,
}

/// The probability of an impossible card. It is not zero, so that the sampler can leave an impossible world.
const NEVER: f32 = 1e-4;
/// The probability of an unlikely card.
const HARDLY: f32 = 0.03;

impl Arrival {
    /// Any card, before the choice of this number.
    pub(super) const fn before(at: usize) -> Self {
        Self { at, never: CardSet::EMPTY, hardly: CardSet::EMPTY }
    }

    pub(super) fn likelihood(&self, card: Card) -> f32 {
        if self.never.contains(card) {
            NEVER
        } else if self.hardly.contains(card) {
            HARDLY
        } else {
            1.0
        }
    }
}

/// A card leaves a hand in view of all players. The other players do not know when it entered.
#[derive(Debug, Clone, Copy)]
pub(super) struct Departure {
    pub(super) card: Card,
    /// The number of choices until then.
    pub(super) at: usize,
}

/// After this many cards or choices, a history is dropped and a new one begins, because the cost of a belief grows with the
/// square of its length. Rounds of the editions are much shorter.
const LONGEST_STORY: usize = 300;
/// A history also ends when more cards of one kind have left the hand, after reshuffles: together with the hidden cards, they
/// could exceed the largest count of [`Cards`](unolab_engine::cards::Cards).
const MOST_DEPARTURES: u32 = 7;

impl HandHistory {
    pub(super) fn is_too_long(&self) -> bool {
        let mut departed = [0; MAX_KINDS];
        let comes_too_often = self.departures.iter().any(|departure| {
            let times = &mut departed[departure.card.index()];
            *times += 1;
            *times > MOST_DEPARTURES
        });
        comes_too_often || self.arrivals.len().max(self.choices.len()) > LONGEST_STORY
    }

    pub(super) fn begin(hand_len: u32) -> Self {
        Self { arrivals: vec![Arrival::before(0); hand_len as usize], ..Self::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn history_length_limits_apply_to_cards_and_kinds() {
        assert!(!HandHistory::begin(300).is_too_long());
        assert!(HandHistory::begin(301).is_too_long(), "no choice was made");
        let left = |number: usize, kinds: usize| {
            let departures = (0..number).map(|at| Departure { card: Card::new(at % kinds), at });
            HandHistory { departures: departures.collect(), ..HandHistory::begin(7) }
        };
        assert!(!left(7, 1).is_too_long() && left(8, 1).is_too_long());
        assert!(!left(14, 2).is_too_long() && left(15, 2).is_too_long());
    }
}
