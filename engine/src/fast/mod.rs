//! The same rounds, faster. This module defines no rules.
//!
//! - [`Isa`]: what the processor does better than the baseline, found out once a batch of games by [`dispatch`];
//! - [`FeatureSet`]: the code without the rules that a variant does not have;
//! - [`FastTurns`]: a whole turn of a player who plays whenever something can be played, without a list of actions;
//! - [`SimdBatch`]: rounds of players who choose at random side by side, in the lanes of [`Vectors`].
//!
//! Each fast path lists the rules that it *supports*; the general code plays all others. Tests of this crate compare every fast
//! path with the general code, move for move.

pub(crate) mod feature_set;
pub(crate) mod isa;
pub(crate) mod simd;
mod turn;
pub(crate) mod vectorized;

pub use feature_set::{AllFeatures, BasicFeatures, FeatureSet, RulesKernel};
pub use isa::{BitCount, Generic, Isa, Kernel, best_isa, dispatch};
#[doc(hidden)]
pub use isa::{Instructions, use_at_most};
pub use simd::{BatchRound, MOST_DECISIONS, SimdBatch, Vectors, Waiting};
pub use turn::{AnswerPolicy, Bluffs, FastTurn, FastTurns, TurnPolicy};
