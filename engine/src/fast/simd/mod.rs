//! [`SimdBatch`]: many rounds side by side, thirty-two in a vector, for random players.
//!
//! In a step every round of a vector uses one random number: to draw a card, to pick one of the playable cards, or to decide a
//! challenge. No round waits for another: one draws a penalty while the next one plays. Branches in a step are only for rare
//! cases.
//!
//! A `SimdBatch` plays the common cards. Before any other case (a Villain, whole hands that move, the last card of a hand, an
//! empty draw pile) it stops and names the round; the general code plays that round on, and then it returns to the batch.
//! Rules, chance and choices are exactly those of [`super::FastTurns::play`]; a test checks this.
//!
//! `batch` is written once and compiled twice: with vectors in the registers of AVX-512, and with vectors of plain words, with
//! which every processor can test it.

#[cfg(native_x86_64)]
mod avx512;
mod batch_round;
mod side_by_side;
#[cfg(vectors_of_words)]
mod words;

pub use batch_round::{BatchRound, MOST_DECISIONS};
pub use side_by_side::{SimdBatch, Vectors};
