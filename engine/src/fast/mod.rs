//! Fast paths for the same rounds. This module does not define rules, and the files that define rules do not import it.
//!
//! - [`FastTurns`]: a whole turn of a player who always plays if possible, without a list of actions;
//! - [`SimdBatch`]: many rounds of random players in parallel, in the lanes of [`Vectors`].
//!
//! Each fast path lists the rules that it *supports*; the general code plays all others. Tests of this crate compare every
//! fast path with the general code, move by move.

mod simd;
mod turn;

pub use crate::cpu::simd::LaneNumbers;
pub use simd::{BatchRound, MOST_DECISIONS, SimdBatch, Vectors};
pub use turn::{AnswerPolicy, Bluffs, FastTurn, FastTurns, TurnPolicy};
