//! Vectors of thirty-two words, and their use in a single round: sums and shuffles.
//!
//! `vector` is compiled twice: for the registers of AVX-512, and for registers of plain words, so that every processor can test
//! it.

#[cfg(native_x86_64)]
pub(crate) mod avx512;
mod shuffle;
mod weighted_sums;
#[cfg(vectors_of_words)]
pub(crate) mod words;

pub(crate) use shuffle::shuffle_front;
pub(crate) use weighted_sums::{weighted_sum, weighted_sums};

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
