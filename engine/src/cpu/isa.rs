//! [`Isa`]: instruction sets beyond the baseline, detected once per batch of games.
//!
//! A build for baseline x86-64 runs everywhere. For processors with BMI2 (bit manipulation instructions) the batch is
//! compiled a second time; finding the n-th card of a set then takes two instructions instead of twenty. With AVX-512 (vector
//! instructions), rounds of random players are also played in parallel in vectors. The games are identical.
//!
//! All `unsafe` code of the engine is here. It requires that the processor has the instructions for which the code is compiled.
//! [`dispatch`] uses `Bmi2`, which is private, only if the processor has it, and [`Avx512::detect`] is the only source of an
//! [`Avx512`].
#![allow(unsafe_code)]

use std::fmt;
#[cfg(native_x86_64)]
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU8, Ordering};

use crate::cpu::bits;

/// Defines an instruction set: a function that detects it, and a macro that compiles functions for it. (`$d` is a dollar
/// sign.)
#[cfg(native_x86_64)]
macro_rules! instruction_set {
    ($d:tt $has:ident $compiled_for:ident $(#[$also:meta])*: $($feature:tt),+) => {
        #[inline]
        fn $has() -> bool {
            $(is_x86_feature_detected!($feature))&&+
        }

        /// Compiles functions for these instructions. Only code that is compiled for the same instructions can call them
        /// safely.
        macro_rules! $compiled_for {
            ($d($d function:item)*) => {
                $d($(#[$also])* #[target_feature($(enable = $feature),+)] $d function)*
            };
        }
    };
}

#[cfg(native_x86_64)]
instruction_set!($ has_bmi2_now for_bmi2: "bmi1", "bmi2", "lzcnt", "popcnt", "avx2");
#[cfg(native_x86_64)]
instruction_set!($ has_avx512 for_avx512 #[inline]:
    "avx512f", "avx512bw", "avx512dq", "avx512vbmi", "avx512bitalg", "avx512vpopcntdq");
#[cfg(native_x86_64)]
pub(crate) use for_avx512;

/// The bit operations of an instruction set. Generic code is compiled for each instruction set; [`dispatch`] chooses one.
pub trait Isa: Copy + Default + fmt::Debug + Send + Sync + 'static + sealed::Sealed {
    /// Whether current processors have it. Code with specialized copies has them only for common instruction sets: copies for
    /// x86-64 processors from before 2013 would only enlarge the binary.
    const IS_COMMON: bool;

    /// A word with its bits counted.
    type Counted: BitCount;

    /// The index of the set bit of `word` with exactly `rank` set bits below it.
    #[must_use]
    #[inline(always)]
    fn select(word: u64, rank: u32) -> u8 {
        Self::Counted::of(word).select(rank)
    }

    /// The bits of `word` as bytes of 0 and 1, the lowest bit first.
    fn spread(word: u64) -> [u8; 64];

    /// Runs `work` out of line, compiled for these instructions. Code that is not inlined into the batch would be compiled
    /// for the baseline. So is the body of a large closure: make it a [`Kernel`].
    fn outline<R>(work: impl FnOnce() -> R) -> R;

    /// [`Isa::outline`] for work of any size.
    fn outline_kernel<K: Kernel>(work: K) -> K::Output;
}

/// A word with its bits counted, for several queries.
pub trait BitCount: Copy + fmt::Debug + sealed::Sealed {
    /// Counts the bits of a word.
    fn of(word: u64) -> Self;

    /// The number of set bits.
    fn count(self) -> u32;

    /// The index of the set bit with exactly `rank` set bits below it.
    fn select(self, rank: u32) -> u8;
}

/// Only this module detects the processor's instruction sets.
mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Generic {}
    impl Sealed for super::bits::Counted {}
    #[cfg(native_x86_64)]
    impl Sealed for super::Bmi2 {}
    #[cfg(native_x86_64)]
    impl Sealed for super::WordOfBmi2 {}
}

/// Any processor.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Generic;

impl BitCount for bits::Counted {
    #[inline(always)]
    fn of(word: u64) -> Self {
        Self::of(word)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count()
    }

    #[inline(always)]
    fn select(self, rank: u32) -> u8 {
        self.select(rank)
    }
}

impl Isa for Generic {
    const IS_COMMON: bool = cfg!(not(native_x86_64));

    type Counted = bits::Counted;

    #[inline(always)]
    fn spread(word: u64) -> [u8; 64] {
        bits::spread(word)
    }

    #[inline(never)]
    fn outline<R>(work: impl FnOnce() -> R) -> R {
        work()
    }

    #[inline(never)]
    fn outline_kernel<K: Kernel>(work: K) -> K::Output {
        work.run::<Self>()
    }
}

/// An x86-64 processor with BMI2. It is private: only [`dispatch`] uses this type.
#[cfg(native_x86_64)]
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Bmi2;

/// Four bytes of a word, the last one first, with each bit as a byte of 0 or 1.
#[cfg(native_x86_64)]
macro_rules! spread_bytes {
    ($word:ident, $numbers:ident) => {{
        use std::arch::x86_64 as vector;
        /// One bit of each byte: byte `i` has the bit that is spread to byte `i`.
        const BITS: i64 = 0x8040_2010_0804_0201_u64.cast_signed();
        /// Repeats the index of a byte eight times.
        const EACH: i64 = 0x0101_0101_0101_0101;
        let [d, c, b, a] = $numbers;
        let of_each = vector::_mm256_set_epi64x(d * EACH, c * EACH, b * EACH, a * EACH);
        let bytes = vector::_mm256_shuffle_epi8(vector::_mm256_set1_epi64x($word.cast_signed()), of_each);
        let bits = vector::_mm256_set1_epi64x(BITS);
        let is_set = vector::_mm256_cmpeq_epi8(vector::_mm256_and_si256(bytes, bits), bits);
        vector::_mm256_and_si256(is_set, vector::_mm256_set1_epi8(1))
    }};
}

/// The word itself, because counting takes one instruction. It is private for the same reason as [`Bmi2`].
#[cfg(native_x86_64)]
#[derive(Debug, Clone, Copy)]
struct WordOfBmi2(u64);

#[cfg(native_x86_64)]
impl BitCount for WordOfBmi2 {
    #[inline(always)]
    fn of(word: u64) -> Self {
        Self(word)
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.count_ones()
    }

    #[inline(always)]
    fn select(self, rank: u32) -> u8 {
        debug_assert!(rank < self.count());
        // SAFETY: only `Bmi2` uses this type, and `dispatch` uses `Bmi2` only after the processor reported BMI2.
        let bit = unsafe { std::arch::x86_64::_pdep_u64(1 << rank, self.0) };
        #[expect(clippy::cast_possible_truncation, reason = "at most 64")]
        let index = bit.trailing_zeros() as u8;
        index
    }
}

#[cfg(native_x86_64)]
impl Isa for Bmi2 {
    const IS_COMMON: bool = true;

    type Counted = WordOfBmi2;

    #[inline(always)]
    fn spread(word: u64) -> [u8; 64] {
        // No closure and no separate function: they would not be compiled for this instruction set.
        let [low, high] = [[3, 2, 1, 0], [7, 6, 5, 4]];
        // SAFETY: `dispatch` uses this type only after the processor reported AVX2, and nothing else can; two vectors are
        // sixty-four bytes, and every bit pattern of a byte is valid.
        unsafe { std::mem::transmute([spread_bytes!(word, low), spread_bytes!(word, high)]) }
    }

    #[inline(always)]
    fn outline<R>(work: impl FnOnce() -> R) -> R {
        for_bmi2! {
            #[inline(never)]
            fn with_bmi2<R>(work: impl FnOnce() -> R) -> R {
                work()
            }
        }
        // SAFETY: `dispatch` uses this type only after the processor reported all of these, and nothing else can.
        unsafe { with_bmi2(work) }
    }

    #[inline(always)]
    fn outline_kernel<K: Kernel>(work: K) -> K::Output {
        for_bmi2! {
            #[inline(never)]
            fn kernel_with_bmi2<K: Kernel>(work: K) -> K::Output {
                work.run::<Bmi2>()
            }
        }
        // SAFETY: `dispatch` uses this type only after the processor reported all of these, and nothing else can.
        unsafe { kernel_with_bmi2(work) }
    }
}

/// Proof that this processor has the AVX-512 instructions that the vectors use.
#[cfg(native_x86_64)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Avx512(());

#[cfg(native_x86_64)]
impl Avx512 {
    /// Detects the instructions.
    #[must_use]
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        (is_in_use(Instructions::Avx512) && has_avx512()).then_some(Self(()))
    }
}

/// Calls a function that is compiled for AVX-512, given the proof that the processor has it.
#[cfg(native_x86_64)]
macro_rules! call_avx512 {
    ($promise:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let _: $crate::cpu::isa::Avx512 = $promise;
        #[allow(unsafe_code, reason = "audited in the file of this macro")]
        // SAFETY: an `Avx512` exists only if the processor reported all of these instructions.
        unsafe { $function($($argument),*) }
    }};
}
#[cfg(native_x86_64)]
pub(crate) use call_avx512;

/// Work that can be compiled for any instruction set.
pub trait Kernel {
    /// The result.
    type Output;
    /// Does the work. Mark the implementation `#[inline(always)]`, so that it is compiled for the instruction set.
    fn run<I: Isa>(self) -> Self::Output;
}

/// Does the work with the best code for this processor.
pub fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(native_x86_64)]
    if has_bmi2() {
        return Bmi2::outline_kernel(kernel);
    }
    Generic::outline_kernel(kernel)
}

/// The name of the instruction set that [`dispatch`] chooses here.
#[must_use]
pub fn best_isa() -> &'static str {
    #[cfg(native_x86_64)]
    if has_bmi2() {
        return "x86-64 with BMI2";
    }
    "baseline"
}

/// Whether this processor has BMI2, and the extensions that came with it or before.
#[cfg(native_x86_64)]
#[inline]
fn has_bmi2() -> bool {
    static HAS_BMI2: LazyLock<bool> = LazyLock::new(has_bmi2_now);
    is_in_use(Instructions::Bmi2) && *HAS_BMI2
}

/// The instruction sets that code is compiled for, each including all before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// The baseline of every processor.
    Baseline,
    /// x86-64 with BMI2.
    Bmi2,
    /// x86-64 with AVX-512.
    Avx512,
}

static MOST_IN_USE: AtomicU8 = AtomicU8::new(Instructions::Avx512 as u8);

/// Restricts this process to these instructions even if the processor has more, to measure the speed on other processors.
#[doc(hidden)]
pub fn use_at_most(instructions: Instructions) {
    MOST_IN_USE.store(instructions as u8, Ordering::Relaxed);
}

#[cfg(native_x86_64)]
#[inline]
fn is_in_use(instructions: Instructions) -> bool {
    instructions as u8 <= MOST_IN_USE.load(Ordering::Relaxed)
}

#[cfg(test)]
mod tests {
    use super::*;

    struct SelectAll;
    impl Kernel for SelectAll {
        type Output = Vec<u8>;
        fn run<I: Isa>(self) -> Vec<u8> {
            let words = (1..500_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            words.flat_map(|word| (0..word.count_ones()).map(move |rank| I::select(word, rank))).collect()
        }
    }

    struct SpreadAll;
    impl Kernel for SpreadAll {
        type Output = Vec<[u8; 64]>;
        fn run<I: Isa>(self) -> Vec<[u8; 64]> {
            let words = (0..500_u64).map(|i| i.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            words.chain((0..64).map(|bit| 1 << bit)).chain([u64::MAX]).map(I::spread).collect()
        }
    }

    #[test]
    fn every_instruction_set_deposits_same_bits() {
        let spread = SpreadAll.run::<Generic>();
        assert_eq!(dispatch(SpreadAll), spread);
        for (bit, bytes) in spread[500..564].iter().enumerate() {
            assert!(bytes.iter().enumerate().all(|(at, &byte)| byte == u8::from(at == bit)));
        }
        assert_eq!(spread[564], [1; 64]);
    }

    #[test]
    fn every_instruction_set_finds_same_bits() {
        assert_eq!(dispatch(SelectAll), SelectAll.run::<Generic>());
    }
}
