//! Keyed random streams: each is derived by hashing its key and has one consumer.
//!
//! The generator is the Pcg32 of `rand_pcg` (O'Neill, "PCG: A Family of Simple Fast Space-Efficient Statistically Good
//! Algorithms for Random Number Generation", 2014: 64 bits of state, `XSH RR`). It is a named algorithm that a library
//! upgrade cannot change, and a test compares it with the formula. The hash, the bounded draw, and the shuffle are
//! implemented here, so that a seed gives the same cards in every version; `rand` does not guarantee this. Different
//! `stream`s of the generator are correlated, so the whole key determines the state, and the stream is fixed.

use std::convert::Infallible;

use rand::rand_core::utils;
use rand::{Rng as _, SeedableRng, TryRng};
use rand_pcg::Pcg32;

pub use crate::hash::{digest, mix};
use crate::seat::Seat;

/// The name of the generator and the hash, stored in every run to distinguish versions.
pub const GENERATOR_ID: &str = "pcg32-murmur3fmix-v1";

/// The purpose of a random stream. Streams of different purposes are independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// The deal, draws, button, and tasks of a round, by its number within the match.
    Cards {
        /// 0 for the first round.
        round: u32,
    },
    /// The choices of the agent in this seat. The stream depends on the seat, not on the agent.
    Agent(Seat),
    /// The choice or the cut of the first dealer.
    Dealer,
    /// The order in which the entrants of a table sit, by the number of the table within its section.
    Seating {
        /// 0 for the first table.
        table: u32,
    },
    /// Any other purpose, with a number.
    Other(u32),
}

impl Purpose {
    #[inline]
    fn key(self) -> u64 {
        let (kind, number) = match self {
            Self::Cards { round } => (1, u64::from(round)),
            Self::Agent(seat) => (2, seat.index() as u64),
            Self::Dealer => (3, 0),
            Self::Other(number) => (4, u64::from(number)),
            Self::Seating { table } => (5, u64::from(table)),
        };
        kind << 32 | number
    }
}

/// The common part of the keys of all streams of one set of games, hashed once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SetKey(u64);

impl SetKey {
    /// The key of this set of games under this master seed.
    #[must_use]
    #[inline]
    pub const fn of(master_seed: u64, set: u64) -> Self {
        Self(mix(mix(master_seed) ^ set))
    }

    /// The stream for this purpose.
    #[must_use]
    #[inline]
    pub fn stream(self, purpose: Purpose) -> Rng {
        Rng::from_seed(mix(self.0 ^ purpose.key()))
    }
}

/// A seeded stream of random numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rng {
    /// The state before the next step, from which `Pcg32::new` recreates the generator for every number. The vectors need to
    /// read this state.
    before: u64,
}

/// The number of the stream, from which `Pcg32` computes [`INCREMENT`].
const STREAM: u64 = 0x0a02_bdbf_7bb3_c0a7;

/// The multiplier of Pcg32.
pub(crate) const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// The increment of Pcg32: twice the number of the fixed stream, plus one.
pub(crate) const INCREMENT: u64 = STREAM << 1 | 1;

/// The inverse of [`MULTIPLIER`].
const INVERSE: u64 = {
    // Newton's method: each step doubles the number of correct bits, of which the first estimate has three.
    let (mut inverse, mut right) = (MULTIPLIER, 3);
    while right < u64::BITS {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(MULTIPLIER.wrapping_mul(inverse)));
        right *= 2;
    }
    inverse
};

impl Rng {
    /// The stream for this purpose in this set of games under this master seed.
    #[must_use]
    #[inline]
    pub fn keyed(master_seed: u64, set: u64, purpose: Purpose) -> Self {
        SetKey::of(master_seed, set).stream(purpose)
    }

    /// The stream of a plain seed.
    #[must_use]
    #[inline]
    pub fn from_seed(seed: u64) -> Self {
        Self { before: mix(seed).wrapping_add(INCREMENT) }
    }

    /// The stream whose generator is in this state.
    #[inline]
    pub(crate) const fn from_state(state: u64) -> Self {
        Self { before: state.wrapping_sub(INCREMENT).wrapping_mul(INVERSE) }
    }

    #[inline]
    pub(crate) const fn state(&self) -> u64 {
        step(self.before)
    }

    /// The stream as bytes, from which [`Rng::from_bytes`] restores it.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 8] {
        self.before.to_le_bytes()
    }

    /// The stream of these bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 8]) -> Self {
        Self { before: u64::from_le_bytes(bytes) }
    }

    /// A new stream that depends on this one's next numbers.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self::from_seed(u64::from(self.bits()) << 32 | u64::from(self.bits()))
    }

    /// 32 random bits.
    #[inline]
    pub fn bits(&mut self) -> u32 {
        let mut generator = Pcg32::new(self.before.wrapping_sub(INCREMENT), STREAM); // adds it, and takes a step
        self.before = step(self.before);
        generator.next_u32()
    }

    /// A number below `bound`, each equally likely.
    ///
    /// Lemire, "Fast random integer generation in an interval" (2019): one multiplication, and a rejection that is
    /// almost never needed and makes it exact.
    ///
    /// # Panics
    /// In debug builds, if `bound` is 0.
    #[inline]
    pub fn below(&mut self, bound: u32) -> u32 {
        debug_assert!(bound > 0);
        loop {
            let product = u64::from(self.bits()) * u64::from(bound);
            #[expect(clippy::cast_possible_truncation, reason = "the low half")]
            let low = product as u32;
            if low >= bound || is_fair(low, bound) {
                return (product >> 32) as u32;
            }
        }
    }

    /// [`Rng::below`], except that a bound of 1 does not consume a random number.
    #[inline]
    pub fn choice(&mut self, bound: u32) -> u32 {
        if bound == 1 { 0 } else { self.below(bound) }
    }

    /// True with this probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Moves `count` random items to the front of the list in random order: the first steps of a Fisher-Yates shuffle.
    ///
    /// # Panics
    /// If there are fewer items.
    #[inline]
    pub fn shuffle_front<T: Copy>(&mut self, items: &mut [T], count: usize) {
        assert!(count <= items.len());
        let len = u32::try_from(items.len()).expect("short lists");
        let mut rng = self.clone(); // stays in a register
        for place in 0..u32::try_from(count).expect("as many as there are") {
            items.swap(place as usize, (place + rng.below(len - place)) as usize);
        }
        *self = rng;
    }

    /// A number from 0 to just below 1, with 32 random bits.
    #[inline]
    pub fn unit(&mut self) -> f64 {
        f64::from(self.bits()) / 4_294_967_296.0
    }

    /// One of the items, each equally likely; `None` if there are none.
    #[inline]
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        let len = u32::try_from(items.len()).ok().filter(|&len| len > 0)?;
        items.get(self.below(len) as usize)
    }
}

/// The numbers of [`Rng::bits`], for code that uses the traits of `rand`.
///
/// The results of the methods of `rand` (`random_range`, `shuffle`) may change with its version; use [`Rng::below`] and
/// [`Rng::shuffle_front`] for stable results.
impl TryRng for Rng {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.bits())
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        utils::next_u64_via_u32(self)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        utils::fill_bytes_via_next_word(bytes, || self.try_next_u32())
    }
}

/// The stream of [`Rng::from_seed`] with the seed as a little-endian number.
impl SeedableRng for Rng {
    type Seed = [u8; 8];

    fn from_seed(seed: [u8; 8]) -> Self {
        Self::from_seed(u64::from_le_bytes(seed))
    }

    fn seed_from_u64(seed: u64) -> Self {
        Self::from_seed(seed)
    }
}

/// By the number of steps, from 0: the factor and the term that lead from a state of a generator to the state after them.
pub(crate) const fn leaps<const N: usize>() -> ([u64; N], [u64; N]) {
    let (mut factors, mut terms) = ([1_u64; N], [0; N]);
    let mut steps = 1;
    while steps < N {
        (factors[steps], terms[steps]) = (factors[steps - 1].wrapping_mul(MULTIPLIER), step(terms[steps - 1]));
        steps += 1;
    }
    (factors, terms)
}

/// Whether a number whose low half is below the bound may be used.
#[cold]
const fn is_fair(low: u32, bound: u32) -> bool {
    // 2^32 as 64 bits: the compiler would compute a 32-bit negation for every number in advance.
    low as u64 >= (1 << 32) % bound as u64
}

/// The state after this one.
#[inline]
const fn step(state: u64) -> u64 {
    state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change here changes every seeded result and needs a line under "Changed results" in the changelog.
    #[test]
    fn generator_values_are_stable() {
        let mut rng = Rng::keyed(1, 2, Purpose::Cards { round: 0 });
        let drawn: Vec<u32> = (0..8).map(|_| rng.below(108)).collect();
        assert_eq!(drawn, GOLDEN_BELOW_108);
        assert_eq!(digest("unolab"), 6_668_596_496_740_512_540);
    }
    const GOLDEN_BELOW_108: [u32; 8] = [1, 85, 52, 71, 13, 1, 80, 60];

    #[test]
    fn generator_matches_pcg32_formula() {
        for seed in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            let (mut rng, mut state) = (Rng::from_seed(seed), step(mix(seed).wrapping_add(INCREMENT)));
            for _ in 0..100_000 {
                assert_eq!(rng.state(), state);
                assert_eq!(Rng::from_state(state), rng);
                let folded = ((state >> 18 ^ state) >> 27) & 0xffff_ffff;
                let expected = u32::try_from(folded).unwrap().rotate_right(u32::try_from(state >> 59).unwrap());
                assert_eq!(rng.bits(), expected);
                state = step(state);
            }
        }
    }

    #[test]
    fn generator_matches_rand_from_seed() {
        for seed in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            let (mut ours, mut theirs) = (Rng::from_seed(seed), Pcg32::new(mix(seed), STREAM));
            assert!((0..1_000).all(|_| ours.next_u32() == theirs.next_u32()));
            assert!((0..1_000).all(|_| ours.next_u64() == theirs.next_u64()));
            let (mut our_bytes, mut their_bytes) = ([0; 1001], [0; 1001]);
            ours.fill_bytes(&mut our_bytes);
            theirs.fill_bytes(&mut their_bytes);
            assert_eq!((our_bytes, ours.next_u32()), (their_bytes, theirs.next_u32()));
            let mut seeded = <Rng as SeedableRng>::from_seed(seed.to_le_bytes());
            assert_eq!(seeded, Rng::from_seed(seed));
            assert_eq!(seeded.bits(), <Rng as SeedableRng>::seed_from_u64(seed).bits());
        }
    }

    #[test]
    fn bounded_numbers_are_uniform() {
        let mut rng = Rng::from_seed(7);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        // Five standard deviations of a binomial with n = 70,000 and p = 1/7 are 463.
        assert!(counts.iter().all(|&count| count.abs_diff(10_000) < 463), "{counts:?}");
    }

    #[test]
    fn streams_of_different_keys_differ() {
        let firsts: std::collections::BTreeSet<u32> = (0..10)
            .map(|seat| Rng::keyed(1, 1, Purpose::Agent(Seat::new(seat))).bits())
            .chain([Rng::keyed(1, 1, Purpose::Dealer).bits(), Rng::keyed(1, 2, Purpose::Dealer).bits()])
            .collect();
        assert_eq!(firsts.len(), 12);
    }
}
