//! The processor: instruction sets, bits of words, and vectors. This module does not depend on cards or rules.
//!
//! - [`Isa`]: the instruction sets beyond the baseline, detected once per batch of games by [`dispatch`];
//! - `bits`: rank and select in a word, for the baseline;
//! - `simd`: vectors with a word in each lane, and shuffles and sums in vectors.

pub(crate) mod bits;
pub(crate) mod isa;
pub(crate) mod simd;

pub use isa::{BitCount, Generic, Isa, Kernel, best_isa, dispatch};
#[doc(hidden)]
pub use isa::{Instructions, use_at_most};
