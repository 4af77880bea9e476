//! The processor: instruction sets, bits of words, and vectors. This module knows no card and no rule.
//!
//! - [`Isa`]: the instruction sets beyond the baseline, detected once per batch of games by [`dispatch`];
//! - `bits`: rank and select in a word, for the baseline;
//! - `simd`: a word in each of many lanes, and shuffles and sums in vectors.

pub(crate) mod bits;
pub(crate) mod isa;
pub(crate) mod simd;

pub use isa::{BitCount, Generic, Isa, Kernel, best_isa, dispatch};
#[doc(hidden)]
pub use isa::{Instructions, use_at_most};
