//! [`Machine`]: what the processor at hand does better than the baseline, chosen once a batch of games.
//!
//! A build for baseline x86-64 runs everywhere; on a processor with BMI2 the batch is compiled a second time with it, and
//! finding the n-th card of a set takes two instructions instead of twenty. The games are the same games.
//!
//! With AVX-512 as well, rounds of players who choose at random go side by side in vectors: [`crate::state::lanes`].
//!
//! `unsafe` is here, and where lanes begin their steps, a shuffle its numbers, a score its sums: choosing the faster code
//! needs the promise that the processor can run it, which [`on_best_machine`] and [`Avx512::detect`] keep by asking first.
#![allow(unsafe_code)]

use std::fmt;
#[cfg(native_x86_64)]
use std::sync::LazyLock;

use crate::bits;

/// How bits are found on a kind of processor.
pub trait Machine: Copy + Default + fmt::Debug + Send + Sync + 'static {
    /// The index of the set bit of `word` with exactly `rank` set bits below it.
    fn select(word: u64, rank: u32) -> u8;

    /// Does the work in a function of its own that is compiled for this machine: what is not inlined into the batch is
    /// not, unless it is done so.
    fn apart<R>(work: impl FnOnce() -> R) -> R;
}

/// Any processor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Baseline;

impl Machine for Baseline {
    #[inline(always)]
    fn select(word: u64, rank: u32) -> u8 {
        bits::select(word, rank)
    }

    #[inline(never)]
    fn apart<R>(work: impl FnOnce() -> R) -> R {
        work()
    }
}

/// An x86-64 processor with the BMI2 instructions. Only [`on_best_machine`] gives code this type.
#[cfg(native_x86_64)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bmi2(());

#[cfg(native_x86_64)]
impl Machine for Bmi2 {
    #[inline(always)]
    fn select(word: u64, rank: u32) -> u8 {
        debug_assert!(rank < word.count_ones());
        // SAFETY: `on_best_machine` uses this type only after the processor said that it has BMI2.
        let bit = unsafe { std::arch::x86_64::_pdep_u64(1 << rank, word) };
        #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
        let index = bit.trailing_zeros() as u8;
        index
    }

    #[inline(always)]
    fn apart<R>(work: impl FnOnce() -> R) -> R {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,avx2")]
        #[inline(never)]
        fn with_bmi2<R>(work: impl FnOnce() -> R) -> R {
            work()
        }
        // SAFETY: `on_best_machine` uses this type only after the processor said that it has all of these.
        unsafe { with_bmi2(work) }
    }
}

/// The promise that this processor has what [`crate::state::lanes`] need of AVX-512.
#[cfg(native_x86_64)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Avx512(());

#[cfg(native_x86_64)]
impl Avx512 {
    /// Asks the processor.
    #[must_use]
    pub fn detect() -> Option<Self> {
        let has_all = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx512vbmi")
            && is_x86_feature_detected!("avx512bitalg")
            && is_x86_feature_detected!("avx512vpopcntdq");
        has_all.then_some(Self(()))
    }
}

/// Work that can be compiled for any machine.
pub trait Job {
    /// What comes of it.
    type Output;
    /// Does it; mark the implementation `#[inline(always)]`, so that it is compiled for the machine it runs on.
    fn run<M: Machine>(self) -> Self::Output;
}

/// Does the work with the best code for this processor.
pub fn on_best_machine<J: Job>(job: J) -> J::Output {
    #[cfg(native_x86_64)]
    {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt,avx2")]
        fn with_bmi2<J: Job>(job: J) -> J::Output {
            job.run::<Bmi2>()
        }
        if has_bmi2() {
            // SAFETY: the processor has just said that it has all of these.
            return unsafe { with_bmi2(job) };
        }
    }
    job.run::<Baseline>()
}

/// The name of the machine that [`on_best_machine`] chooses here.
#[must_use]
pub fn best_machine() -> &'static str {
    #[cfg(native_x86_64)]
    if has_bmi2() {
        return "x86-64 with BMI2";
    }
    "baseline"
}

/// Has this processor BMI2, and what came with it or before?
#[cfg(native_x86_64)]
#[inline]
fn has_bmi2() -> bool {
    static HAS_BMI2: LazyLock<bool> = LazyLock::new(|| {
        is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("avx2")
    });
    *HAS_BMI2
}

#[cfg(test)]
mod tests {
    use super::*;

    struct SelectAll;
    impl Job for SelectAll {
        type Output = Vec<u8>;
        fn run<M: Machine>(self) -> Vec<u8> {
            let words = (1..500_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            words.flat_map(|word| (0..word.count_ones()).map(move |rank| M::select(word, rank))).collect()
        }
    }

    #[test]
    fn every_machine_finds_the_same_bits() {
        assert_eq!(on_best_machine(SelectAll), SelectAll.run::<Baseline>());
    }
}
