//! [`Bounds`]: a number for each kind of card.

use std::hint::cold_path;

use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;

/// A number from 0 to 15 for each kind, bit-sliced as in [`Cards`]: all kinds are counted at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Bounds(pub(super) [u64; 4]);

impl Bounds {
    /// The copies of each kind.
    #[must_use]
    pub const fn of(cards: Cards) -> Self {
        Self(cards.planes())
    }

    /// The number of one kind.
    #[must_use]
    pub fn count(self, card: Card) -> u32 {
        self.total(CardSet::of(card))
    }

    /// The sum of the numbers of these kinds.
    #[must_use]
    #[inline(always)]
    pub fn total(self, kinds: CardSet) -> u32 {
        let [ones, twos, fours, eights] = self.0;
        let len = |plane: u64| (plane & kinds.0).count_ones();
        len(ones) + 2 * len(twos) + 4 * len(fours) + 8 * len(eights)
    }

    /// Adds one for each of these kinds, up to 15.
    #[inline(always)]
    pub(super) fn add_one(&mut self, kinds: CardSet) {
        let mut carry = kinds.0;
        for plane in &mut self.0 {
            (*plane, carry) = (*plane ^ carry, *plane & carry);
        }
        if carry != 0 {
            cold_path(); // this branch is cheaper than an update without effect
            self.0.iter_mut().for_each(|plane| *plane |= carry);
        }
    }

    /// Subtracts one, down to 0.
    #[inline(always)]
    pub(super) fn take_one(&mut self, card: Card) {
        let [ones, twos, fours, eights] = &mut self.0;
        let of_ones = CardSet::of(card).0 & (*ones | *twos | *fours | *eights);
        let of_twos = of_ones & !*ones;
        let of_fours = of_twos & !*twos;
        (*ones, *twos) = (*ones ^ of_ones, *twos ^ of_twos);
        if of_fours != 0 {
            cold_path(); // this branch is cheaper than an update without effect
            let of_eights = of_fours & !*fours;
            (*fours, *eights) = (*fours ^ of_fours, *eights ^ of_eights);
        }
    }

    #[inline(always)]
    pub(super) fn clear(&mut self, kinds: CardSet) {
        self.0.iter_mut().for_each(|plane| *plane &= !kinds.0);
    }

    /// The smaller number for each kind.
    #[must_use]
    #[inline(always)]
    pub(super) fn capped_by(self, cap: Self) -> Self {
        let mut below = 0; // compares lower bits first; higher bits override them
        for i in 0..4 {
            let (own, other) = (self.0[i], cap.0[i]);
            below = !own & other | !(own ^ other) & below;
        }
        let mut smaller = cap;
        for i in 0..4 {
            smaller.0[i] ^= (smaller.0[i] ^ self.0[i]) & below;
        }
        smaller
    }

    /// The larger number for each kind.
    #[inline(always)]
    pub(super) fn at_least(self, floor: Self) -> Self {
        let mut larger = self.capped_by(floor);
        for i in 0..4 {
            larger.0[i] ^= self.0[i] ^ floor.0[i];
        }
        larger
    }

    /// The current value of this number, if 0 has become `least` and `copies` has become `most`.
    #[inline(always)]
    pub(super) fn changed(self, copies: Self, most: Self, least: Self) -> Self {
        let missing = copies.minus(self);
        most.minus(missing).at_least(least)
    }

    /// The difference for each kind, at least 0.
    #[inline(always)]
    pub(super) fn minus(self, other: Self) -> Self {
        let (mut rest, mut borrow) = (self, 0);
        for i in 0..4 {
            let (own, taken) = (self.0[i], other.0[i]);
            rest.0[i] = own ^ taken ^ borrow;
            borrow = (!own & taken) | (borrow & !(own ^ taken));
        }
        for i in 0..4 {
            rest.0[i] &= !borrow;
        }
        rest
    }
}
