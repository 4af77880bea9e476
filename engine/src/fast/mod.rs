//! The same rounds, faster. This module defines no rules, and no file that defines one imports it.
//!
//! - [`FastTurns`]: a whole turn of a player who plays whenever something can be played, without a list of actions;
//! - [`SimdBatch`]: rounds of players who choose at random side by side, in the lanes of [`Vectors`].
//!
//! Each fast path lists the rules that it *supports*; the general code plays all others. Tests of this crate compare every fast
//! path with the general code, move for move.

mod simd;
mod turn;

pub use crate::cpu::simd::LaneNumbers;
pub use simd::{BatchRound, MOST_DECISIONS, SimdBatch, Vectors};
pub use turn::{AnswerPolicy, Bluffs, FastTurn, FastTurns, TurnPolicy};
