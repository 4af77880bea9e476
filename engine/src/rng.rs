//! Keyed randomness: every stream of random numbers is derived by hashing its key, never shared.
//!
//! The generator is Pcg32 (O'Neill, "PCG", 2014: 64 bits of state, `XSH RR`), a named algorithm that a library upgrade
//! cannot change; a test holds it to the one of `rand_pcg`. The hash, the bounded draw and the shuffle are ours as well,
//! so that a seed means the same cards for ever. Its different `stream`s are not independent enough, so the whole key
//! goes into the state and the stream is fixed.

use std::convert::Infallible;

use rand::rand_core::utils;
use rand::{SeedableRng, TryRng};

use crate::seat::Seat;

/// The name of generator and hash, written into every run so that it can be told apart from a later one.
pub const GENERATOR_ID: &str = "pcg32-murmur3fmix-v1";

/// What a stream of random numbers is used for. Streams of different purpose are independent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Purpose {
    /// Deal, draws, button and tasks of a round, by its number within the match.
    Cards {
        /// 0 for the first round.
        round: u32,
    },
    /// The choices of the agent in this seat. The stream belongs to the seat, not to the agent's name.
    Agent(Seat),
    /// The choice or the cut of the first dealer.
    Dealer,
    /// Anything else, told apart by a number.
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
        };
        kind << 32 | number
    }
}

/// What all streams of one set of games have in common: so much of their keys is hashed once.
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
    state: u64,
}

/// The multiplier of Pcg32.
pub(crate) const MULTIPLIER: u64 = 6_364_136_223_846_793_005;

/// Its increment: twice the number of our fixed stream, plus one.
pub(crate) const INCREMENT: u64 = 0x0a02_bdbf_7bb3_c0a7 << 1 | 1;

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
        Self::from_state(step(mix(seed).wrapping_add(INCREMENT)))
    }

    /// The stream that goes on from this state.
    #[inline]
    pub(crate) const fn from_state(state: u64) -> Self {
        Self { state }
    }

    #[cfg(native_x86_64)]
    #[inline]
    pub(crate) const fn state(&self) -> u64 {
        self.state
    }

    /// A new stream that depends on this one's next numbers.
    #[must_use]
    pub fn fork(&mut self) -> Self {
        Self::from_seed(u64::from(self.bits()) << 32 | u64::from(self.bits()))
    }

    /// 32 random bits.
    #[inline]
    pub fn bits(&mut self) -> u32 {
        let state = self.state;
        self.state = step(state);
        let [turn, ..] = (state >> 59).to_le_bytes();
        #[expect(clippy::cast_possible_truncation, reason = "the low half")]
        let folded = ((state >> 18 ^ state) >> 27) as u32;
        folded.rotate_right(u32::from(turn))
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

    /// [`Rng::below`], but a bound of 1 uses up no randomness: a choice between one is none.
    #[inline]
    pub fn choice(&mut self, bound: u32) -> u32 {
        if bound == 1 { 0 } else { self.below(bound) }
    }

    /// True with this probability.
    #[inline]
    pub fn chance(&mut self, probability: f64) -> bool {
        self.unit() < probability
    }

    /// Brings `count` items, each choice equally likely, to the front of the list in random order: the first steps of a
    /// Fisher-Yates shuffle.
    ///
    /// # Panics
    /// If there are not so many.
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

/// The numbers of [`Rng::bits`], for everything that is written for the traits of `rand`.
///
/// What `rand` makes of them (`random_range`, `shuffle`) is not promised to stay the same from one of its versions to the
/// next; what must is drawn with [`Rng::below`] and [`Rng::shuffle_front`].
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

/// The same stream as that of [`Rng::from_seed`] with the seed as a number, lowest byte first.
impl SeedableRng for Rng {
    type Seed = [u8; 8];

    fn from_seed(seed: [u8; 8]) -> Self {
        Self::from_seed(u64::from_le_bytes(seed))
    }

    fn seed_from_u64(seed: u64) -> Self {
        Self::from_seed(seed)
    }
}

/// Whether a number with this low half may be used, though it is below the bound.
#[cold]
const fn is_fair(low: u32, bound: u32) -> bool {
    // 2^32 as 64 bits: its negation in 32 would be computed ahead for every number.
    low as u64 >= (1 << 32) % bound as u64
}

/// The state after this one.
#[inline]
const fn step(state: u64) -> u64 {
    state.wrapping_mul(MULTIPLIER).wrapping_add(INCREMENT)
}

/// The finalizer of `MurmurHash3`: a bijection in which every input bit moves every output bit.
#[inline]
#[must_use]
pub const fn mix(mut word: u64) -> u64 {
    word = word.wrapping_add(0x9e37_79b9_7f4a_7c15);
    word ^= word >> 33;
    word = word.wrapping_mul(0xff51_afd7_ed55_8ccd);
    word ^= word >> 33;
    word = word.wrapping_mul(0xc4ce_b9fe_1a85_ec53);
    word ^ word >> 33
}

/// A 64-bit digest of a text, for checksums and spec names (not against an adversary).
#[must_use]
pub fn digest(text: &str) -> u64 {
    text.bytes().fold(mix(text.len() as u64), |hash, byte| mix(hash ^ u64::from(byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A change here changes every seeded result there is: it needs a line under "Changed results" in the CHANGELOG.
    #[test]
    fn value_stability() {
        let mut rng = Rng::keyed(1, 2, Purpose::Cards { round: 0 });
        let drawn: Vec<u32> = (0..8).map(|_| rng.below(108)).collect();
        assert_eq!(drawn, GOLDEN_BELOW_108);
        assert_eq!(digest("unolab"), 6_668_596_496_740_512_540);
    }
    const GOLDEN_BELOW_108: [u32; 8] = [1, 85, 52, 71, 13, 1, 80, 60];

    #[test]
    fn the_generator_is_the_pcg32_of_rand_pcg() {
        use rand_pcg::rand_core::Rng as _;
        for seed in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef] {
            let (mut ours, mut theirs) =
                (Rng::from_seed(seed), rand_pcg::Lcg64Xsh32::new(mix(seed), 0x0a02_bdbf_7bb3_c0a7));
            assert!((0..10_000).all(|_| ours.bits() == theirs.next_u32()));
        }
    }

    #[test]
    fn every_number_below_a_bound_is_equally_likely() {
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
