//! [`Cards`]: a hand, a draw pile or a deck, as bits.

use std::hint::{cold_path, select_unpredictable};

use crate::card::{Card, CardSet, MAX_KINDS};
use crate::cpu::isa::{BitCount as _, Generic, Isa};

/// The most copies of one kind a deck may have.
pub const MAX_COPIES: usize = 15; // the largest count in four planes of bits

/// The most cards in a deck.
pub(crate) const MAX_CARDS: u32 = 512;

/// A multiset of cards: a seat's hand, the draw pile, or a whole deck.
///
/// The count of each kind is a binary number, and the counts of all kinds are bit-sliced: `planes[i]` holds bit `i` of each
/// count, at the bit of the kind. So the set of kinds is one word. To add or remove one card or a whole hand, carries are
/// propagated through four words without a branch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Cards {
    planes: [u64; 4],
}

/// The two low planes of a multiset. After most plays only these change, so the others need not be read or written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LowPlanes {
    ones: u64,
    twos: u64,
}

impl Cards {
    /// No card.
    pub const EMPTY: Self = Self { planes: [0; 4] };

    /// The set of kinds.
    #[must_use]
    #[inline]
    pub const fn distinct(self) -> CardSet {
        let [ones, twos, fours, eights] = self.planes;
        CardSet(ones | twos | fours | eights)
    }

    /// The kinds with an odd number of copies.
    #[must_use]
    #[inline]
    pub(crate) const fn odd(self) -> CardSet {
        CardSet(self.planes[0])
    }

    /// Whether it is empty.
    #[must_use]
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.distinct().is_empty()
    }

    /// The number of cards, including copies.
    #[must_use]
    #[inline(always)]
    pub const fn len(self) -> u32 {
        let [ones, twos, fours, eights] = self.planes;
        ones.count_ones() + 2 * twos.count_ones() + 4 * fours.count_ones() + 8 * eights.count_ones()
    }

    /// The number of cards of these kinds, including copies.
    #[must_use]
    #[inline(always)]
    pub const fn len_of(self, kinds: CardSet) -> u32 {
        let [ones, twos, fours, eights] = self.planes;
        let mut len = (ones & kinds.0).count_ones() + 2 * (twos & kinds.0).count_ones();
        if fours | eights != 0 {
            cold_path(); // a hand rarely has four copies of a card
            len += 4 * (fours & kinds.0).count_ones() + 8 * (eights & kinds.0).count_ones();
        }
        len
    }

    /// [`Cards::len`] and [`Cards::len_of`] in one pass.
    #[must_use]
    #[inline(always)]
    pub(crate) const fn len_and_len_of(self, kinds: CardSet) -> (u32, u32) {
        let [ones, twos, fours, eights] = self.planes;
        if fours | eights != 0 {
            cold_path(); // a hand rarely has four copies of a card
            return (self.len(), self.len_of(kinds));
        }
        let len = ones.count_ones() + 2 * twos.count_ones();
        (len, (ones & kinds.0).count_ones() + 2 * (twos & kinds.0).count_ones())
    }

    /// Whether there is exactly one card.
    #[must_use]
    #[inline]
    pub const fn is_single(self) -> bool {
        let [ones, twos, fours, eights] = self.planes;
        twos | fours | eights == 0 && ones.is_power_of_two()
    }

    /// The number of copies of this kind.
    #[must_use]
    #[inline]
    pub const fn count(self, card: Card) -> u32 {
        let at = card.index();
        let [ones, twos, fours, eights] = self.planes;
        #[expect(clippy::cast_possible_truncation, reason = "at most 15")]
        let count = ((ones >> at & 1) + 2 * (twos >> at & 1) + 4 * (fours >> at & 1) + 8 * (eights >> at & 1)) as u32;
        count
    }

    /// How many copies there are of each kind.
    #[must_use]
    #[inline(always)]
    pub fn counts_on<M: Isa>(self) -> [u8; MAX_KINDS] {
        #[inline(always)]
        fn sum<M: Isa>(low: u64, high: u64) -> [u8; MAX_KINDS] {
            let (mut sum, high) = (M::spread(low), M::spread(high));
            for (sum, high) in sum.iter_mut().zip(high) {
                *sum += 2 * high;
            }
            sum
        }
        let [ones, twos, fours, eights] = self.planes;
        let mut counts = sum::<M>(ones, twos);
        if fours | eights != 0 {
            // A hand rarely has four copies of a card.
            for (count, fours) in counts.iter_mut().zip(sum::<M>(fours, eights)) {
                *count += 4 * fours;
            }
        }
        counts
    }

    /// Whether it contains at least one copy of this kind.
    #[must_use]
    #[inline]
    pub const fn contains(self, card: Card) -> bool {
        self.distinct().contains(card)
    }

    /// Adds one copy. No deck has more than [`MAX_COPIES`] of a kind.
    #[inline]
    pub fn add(&mut self, card: Card) {
        debug_assert!((self.count(card) as usize) < MAX_COPIES, "more copies than are counted");
        let [ones, twos, fours, eights] = &mut self.planes;
        let carry = CardSet::of(card).0;
        let (to_twos, to_fours) = (*ones & carry, *ones & *twos & carry);
        (*ones, *twos) = (*ones ^ carry, *twos ^ to_twos);
        if to_fours != 0 {
            cold_path(); // a hand rarely has four copies of a card: this branch is cheaper than an update without effect
            let to_eights = *fours & to_fours;
            (*fours, *eights) = (*fours ^ to_fours, *eights ^ to_eights);
        }
    }

    /// Removes one copy, if there is one.
    #[inline]
    pub fn remove(&mut self, card: Card) {
        self.take_one_of(CardSet::of(card) & self.distinct());
    }

    /// Removes one copy, which must be present. [`Cards::remove`] also handles a missing card.
    ///
    /// # Panics
    /// In debug builds, if there is none.
    #[inline(always)]
    pub fn take(&mut self, card: Card) {
        debug_assert!(self.contains(card));
        self.take_one_of(CardSet::of(card));
    }

    #[inline(always)]
    fn take_one_of(&mut self, kind: CardSet) {
        let [ones, twos, fours, eights] = &mut self.planes;
        let borrow = kind.0;
        let (of_twos, of_fours) = (borrow & !*ones, borrow & !*ones & !*twos);
        (*ones, *twos) = (*ones ^ borrow, *twos ^ of_twos);
        if of_fours != 0 {
            cold_path();
            let of_eights = of_fours & !*fours;
            (*fours, *eights) = (*fours ^ of_fours, *eights ^ of_eights);
        }
    }

    /// Returns the low planes without one copy of this kind, which must be present. `None` in rare cases: if the high planes would
    /// change, or if no low plane would have a bit, so that the card may be the last one.
    #[inline(always)]
    pub(crate) fn low_planes_without(self, card: Card) -> Option<LowPlanes> {
        debug_assert!(self.contains(card));
        let [ones, twos, _, _] = self.planes;
        let borrow = CardSet::of(card).0;
        let of_twos = borrow & !ones;
        let (rest_of_ones, rest_of_twos) = (ones ^ borrow, twos ^ of_twos);
        let is_common = of_twos & !twos == 0 && rest_of_ones | rest_of_twos != 0;
        is_common.then_some(LowPlanes { ones: rest_of_ones, twos: rest_of_twos })
    }

    /// Replaces the low planes.
    #[inline(always)]
    pub(crate) const fn set_low_planes(&mut self, LowPlanes { ones, twos }: LowPlanes) {
        let [of_ones, of_twos, _, _] = &mut self.planes;
        (*of_ones, *of_twos) = (ones, twos);
    }

    /// The card at `index`, which must be below [`Cards::len`]. Every copy has its own index.
    #[must_use]
    #[inline]
    pub fn nth(self, index: u32) -> Card {
        self.nth_on::<Generic>(index)
    }

    /// [`Cards::nth`], compiled for this instruction set.
    #[must_use]
    #[inline(always)]
    pub fn nth_on<M: Isa>(mut self, index: u32) -> Card {
        self.take_nth_on::<M>(index)
    }

    /// Removes the card at `index`; see [`Cards::nth`].
    #[inline(always)]
    pub fn take_nth_on<M: Isa>(&mut self, index: u32) -> Card {
        debug_assert!(index < self.len());
        let [ones, twos, fours, eights] = &mut self.planes;
        let (in_ones, in_twos) = (M::Counted::of(*ones), M::Counted::of(*twos));
        let ones_end = in_ones.count();
        let twos_end = ones_end + 2 * in_twos.count();
        if index < twos_end {
            // The branch predictor cannot predict which of the two applies; more than three copies are rare.
            let is_in_ones = index < ones_end;
            let plane = select_unpredictable(is_in_ones, in_ones, in_twos);
            let rank = select_unpredictable(is_in_ones, index, index.wrapping_sub(ones_end) / 2);
            let card = Card::of_bit(plane.select(rank));
            let kind = CardSet::of(card).0;
            *twos ^= kind & !*ones;
            *ones ^= kind;
            return card;
        }
        cold_path();
        let fours_end = twos_end + 4 * fours.count_ones();
        let card = if index < fours_end {
            CardSet(*fours).nth_on::<M>((index - twos_end) / 4)
        } else {
            CardSet(*eights).nth_on::<M>((index - fours_end) / 8)
        };
        self.take(card);
        card
    }

    /// Every card, copies one after the other, lowest kind first.
    pub fn iter(self) -> impl Iterator<Item = Card> + Clone {
        self.distinct().iter().flat_map(move |card| std::iter::repeat_n(card, self.count(card) as usize))
    }

    /// Only the cards of these kinds.
    #[must_use]
    #[inline(always)]
    pub fn only(self, kinds: CardSet) -> Self {
        let [ones, twos, fours, eights] = self.planes;
        Self { planes: [ones & kinds.0, twos & kinds.0, fours & kinds.0, eights & kinds.0] }
    }

    /// The sum of two multisets. Together they must have at most 15 copies of a kind, as any two parts of a deck do.
    #[must_use]
    #[inline(always)]
    pub fn plus(self, other: Self) -> Self {
        let (mut sum, mut carry) = (Self::EMPTY, 0);
        for (i, plane) in sum.planes.iter_mut().enumerate() {
            let (a, b) = (self.planes[i], other.planes[i]);
            *plane = a ^ b ^ carry;
            carry = (a & b) | (carry & (a ^ b));
        }
        debug_assert_eq!(carry, 0, "more copies than are counted");
        sum
    }

    /// [`Cards::plus`] with a hand, which rarely has four copies of a card.
    #[must_use]
    #[inline(always)]
    pub(crate) fn plus_hand(self, hand: Self) -> Self {
        let [ones, twos, fours, eights] = self.planes;
        let [ones_of_hand, twos_of_hand, fours_of_hand, eights_of_hand] = hand.planes;
        if fours_of_hand | eights_of_hand != 0 {
            return self.plus(hand);
        }
        let carry = ones & ones_of_hand;
        let either_two = twos ^ twos_of_hand;
        let to_fours = (twos & twos_of_hand) | (carry & either_two);
        Self { planes: [ones ^ ones_of_hand, either_two ^ carry, fours ^ to_fours, eights ^ (fours & to_fours)] }
    }

    /// The cards without those of `other`. Cards of `other` that are missing here are ignored.
    #[must_use]
    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        let (rest, too_few) = self.less(other);
        rest.only(CardSet(!too_few.0))
    }

    /// The cards without these, all of which must be present. [`Cards::minus`] also handles missing cards.
    ///
    /// # Panics
    /// In debug builds, if one is missing.
    #[must_use]
    #[inline(always)]
    pub fn without(mut self, cards: Self) -> Self {
        self.take_all(cards);
        self
    }

    /// Removes the cards of a hand, all of which must be present.
    #[inline(always)]
    pub(crate) fn take_hand(&mut self, hand: Self) {
        debug_assert!(self.contains_all(hand));
        let [ones, twos, fours, eights] = &mut self.planes;
        let [ones_of_hand, twos_of_hand, fours_of_hand, eights_of_hand] = hand.planes;
        if fours_of_hand | eights_of_hand != 0 {
            cold_path(); // a hand rarely has four copies of a card
            return self.take_all(hand);
        }
        let of_twos = ones_of_hand & !*ones;
        let other_twos = *twos ^ twos_of_hand;
        let of_fours = (twos_of_hand & !*twos) | (of_twos & !other_twos);
        (*ones, *twos) = (*ones ^ ones_of_hand, other_twos ^ of_twos);
        (*fours, *eights) = (*fours ^ of_fours, *eights ^ (of_fours & !*fours));
    }

    /// Returns the four hands with these cards; the lists must have the same length. The compiler uses a vector for the four.
    #[inline(always)]
    pub(crate) fn four_hands(lists: [&[Card]; 4]) -> [Self; 4] {
        let (mut ones, mut twos, mut more) = ([0_u64; 4], [0_u64; 4], [0_u64; 4]);
        let [a, b, c, d] = lists;
        for (((&a, &b), &c), &d) in a.iter().zip(b).zip(c).zip(d) {
            let bits = [CardSet::of(a).0, CardSet::of(b).0, CardSet::of(c).0, CardSet::of(d).0];
            let carry: [u64; 4] = std::array::from_fn(|hand| ones[hand] & bits[hand]);
            more = std::array::from_fn(|hand| more[hand] | (twos[hand] & carry[hand]));
            ones = std::array::from_fn(|hand| ones[hand] ^ bits[hand]);
            twos = std::array::from_fn(|hand| twos[hand] ^ carry[hand]);
        }
        if more != [0; 4] {
            cold_path();
            return lists.map(|cards| cards.iter().copied().collect());
        }
        std::array::from_fn(|hand| Self { planes: [ones[hand], twos[hand], 0, 0] })
    }

    /// Removes cards, all of which must be present.
    #[inline(always)]
    pub(crate) fn take_all(&mut self, cards: Self) {
        debug_assert!(self.contains_all(cards));
        (*self, _) = self.less(cards);
    }

    /// The difference by kind, and the kinds with too few copies, for which the difference is meaningless.
    #[inline(always)]
    fn less(self, other: Self) -> (Self, CardSet) {
        let (mut rest, mut borrow) = (Self::EMPTY, 0);
        for (i, plane) in rest.planes.iter_mut().enumerate() {
            let (a, b) = (self.planes[i], other.planes[i]);
            *plane = a ^ b ^ borrow;
            borrow = (!a & b) | (borrow & !(a ^ b));
        }
        (rest, CardSet(borrow))
    }

    /// Whether it contains all of these cards, including copies.
    #[must_use]
    pub fn contains_all(self, other: Self) -> bool {
        other.distinct().iter().all(|card| self.count(card) >= other.count(card))
    }

    /// The cards of four planes.
    #[inline]
    pub(crate) const fn of_planes(planes: [u64; 4]) -> Self {
        Self { planes }
    }

    /// The multiset of these cards, if it has at most [`MAX_COPIES`] of each kind.
    ///
    /// # Errors
    /// A kind with too many copies.
    pub fn try_from_list(list: &[Card]) -> Result<Self, Card> {
        let mut cards = Self::EMPTY;
        for &card in list {
            if cards.count(card) as usize == MAX_COPIES {
                return Err(card);
            }
            cards.add(card);
        }
        Ok(cards)
    }

    /// The four planes, for serialization.
    #[must_use]
    pub const fn planes(self) -> [u64; 4] {
        self.planes
    }
}

impl FromIterator<Card> for Cards {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> Self {
        let mut all = Self::EMPTY;
        cards.into_iter().for_each(|card| all.add(card));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_match_plain_vector_after_any_changes() {
        let mut counts = [0_u32; 64];
        let mut cards = Cards::EMPTY;
        let mut noise = 12_345_u64;
        for _ in 0..20_000 {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let index = (noise >> 33) as usize % 64;
            if noise >> 60 < 9 && counts[index] < 8 {
                cards.add(Card::new(index));
                counts[index] += 1;
            } else {
                cards.remove(Card::new(index));
                counts[index] = counts[index].saturating_sub(1);
            }
            assert_eq!(cards.count(Card::new(index)), counts[index]);
            assert_eq!(cards.len(), counts.iter().sum::<u32>());
            assert_eq!(cards.is_single(), cards.len() == 1);
            assert!(
                cards.counts_on::<Generic>().iter().zip(counts).all(|(&count, expected)| u32::from(count) == expected)
            );
        }
        let listed: Vec<usize> = cards.iter().map(Card::index).collect();
        let mut by_index: Vec<usize> = (0..cards.len()).map(|i| cards.nth(i).index()).collect();
        by_index.sort_unstable();
        assert_eq!(listed, by_index);
    }

    #[test]
    fn hands_are_added_and_removed_by_kind() {
        let mut noise = 99_u64;
        let mut some_cards = |copies: u64| -> Cards {
            (0..64)
                .flat_map(|i| {
                    noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    std::iter::repeat_n(Card::new(i), ((noise >> 33) % (copies + 1)) as usize)
                })
                .collect()
        };
        for _ in 0..200 {
            let (a, b) = (some_cards(4), some_cards(4));
            for card in (0..64).map(Card::new) {
                assert_eq!(a.plus(b).count(card), a.count(card) + b.count(card));
                assert_eq!(a.plus_hand(b), a.plus(b));
                assert_eq!(a.minus(b).count(card), a.count(card).saturating_sub(b.count(card)));
            }
            assert_eq!(a.plus(b).minus(b), a);
            let mut rest = a.plus(b);
            rest.take_hand(b);
            assert_eq!(rest, a);
        }
    }

    #[test]
    fn low_planes_without_card_are_those_of_rest_unless_high_planes_change() {
        let [one, other, ..] = [5, 9].map(Card::new);
        let hand = |copies: usize, others: usize| -> Cards {
            std::iter::repeat_n(one, copies).chain(std::iter::repeat_n(other, others)).collect()
        };
        for (copies, others) in (1..=9).flat_map(|copies| (0..=9).map(move |others| (copies, others))) {
            let (before, expected) = (hand(copies, others), hand(copies - 1, others));
            let rest = before.low_planes_without(one).map(|rest| {
                let mut kept = before;
                kept.set_low_planes(rest);
                kept
            });
            if copies % 4 == 0 || [copies - 1, others].iter().all(|number| number % 4 == 0) {
                assert_eq!(rest, None, "{copies} {others}");
            } else {
                assert_eq!(rest, Some(expected), "{copies} {others}");
            }
        }
    }

    #[test]
    fn four_hands_at_a_time_are_same_hands() {
        let mut noise = 7_u64;
        for kinds in [2, 5, 64] {
            for _ in 0..200 {
                let lists: [Vec<Card>; 4] = std::array::from_fn(|_| {
                    let mut card = || {
                        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        Card::new((noise >> 33) as usize % kinds)
                    };
                    (0..7).map(|_| card()).collect()
                });
                let expected = lists.each_ref().map(|cards| cards.iter().copied().collect());
                assert_eq!(Cards::four_hands(lists.each_ref().map(Vec::as_slice)), expected);
            }
        }
    }
}
