//! Vectors of thirty-two words, and their use in a single round: sums and shuffles.
//!
//! `vector` and `shuffle` are compiled twice: for the registers of AVX-512, and for registers of plain words, with which they
//! can be tested on every processor.

#[cfg(native_x86_64)]
pub(crate) mod avx512;
mod loop_shuffle;
mod weighted_sums;
#[cfg(vectors_of_words)]
pub(crate) mod words;

#[cfg(native_x86_64)]
use crate::cpu::isa::Avx512;
use crate::cpu::isa::Isa;
use crate::rng::Rng;
pub(crate) use weighted_sums::{weighted_sum, weighted_sums};

/// [`Rng::shuffle_front`], with the fastest code for this processor.
///
/// # Panics
/// If `count` is larger than the number of items.
#[inline(always)]
pub(crate) fn shuffle_front<T: Copy, M: Isa>(rng: &mut Rng, items: &mut [T], count: usize) {
    #[cfg(native_x86_64)]
    if let Some(has_avx512) = Avx512::detect() {
        return avx512::shuffle::shuffle_front(has_avx512, rng, items, count);
    }
    if M::IS_COMMON {
        loop_shuffle::shuffle_front(rng, items, count);
    } else {
        rng.shuffle_front(items, count);
    }
}

/// Iterates over the numbers of the lanes in a set, lowest first.
#[derive(Debug, Clone, Copy)]
pub struct LaneNumbers(u32);

impl Iterator for LaneNumbers {
    type Item = usize;
    #[inline]
    fn next(&mut self) -> Option<usize> {
        let lane = self.0.trailing_zeros() as usize;
        self.0 &= self.0.wrapping_sub(1);
        (lane < u32::BITS as usize).then_some(lane)
    }
}

/// Compares a shuffle with [`Rng::shuffle_front`].
#[cfg(test)]
fn assert_matches_generator(mut shuffle: impl FnMut(&mut Rng, &mut [u32], usize)) {
    for seed in 0..2_000 {
        // Long lists cause more rejections than decks do.
        for (len, count) in [(108, 28), (108, 32), (108, 70), (7, 7), (40, 39), (1, 1), (5, 0), (3_000_000, 20)] {
            if len > 1000 && seed > 40 {
                continue;
            }
            let (mut ours, mut theirs): (Vec<u32>, Vec<u32>) = ((0..len).collect(), (0..len).collect());
            let (mut rng, mut same) = (Rng::from_seed(seed), Rng::from_seed(seed));
            shuffle(&mut rng, &mut ours, count);
            same.shuffle_front(&mut theirs, count);
            assert_eq!((ours, rng), (theirs, same), "{len} {count}");
        }
    }
}
