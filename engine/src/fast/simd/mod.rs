//! [`SimdBatch`]: many rounds of random players in parallel, thirty-two in a vector.
//!
//! In a step every round of a vector uses one random number: to draw a card, to pick one of the playable cards, or to decide
//! a challenge. No round waits for another: one can draw a penalty while another plays a card. A step has branches only for
//! rare cases.
//!
//! A `SimdBatch` plays the common cards. Before any other case (a Villain, hands that move, the last card of a hand, an empty
//! draw pile) it stops and returns the round's lane. The general code plays the case, and then the round returns to the
//! batch. Rules, chance, and choices are exactly those of [`super::FastTurns::play`]; a test checks this.
//!
//! `batch` is compiled twice: with vectors in the registers of AVX-512, and with vectors of plain words, with which it can be
//! tested on every processor.

#[cfg(native_x86_64)]
mod avx512;
mod batch_round;
mod side_by_side;
#[cfg(vectors_of_words)]
mod words;

pub use batch_round::{BatchRound, MOST_DECISIONS};
pub use side_by_side::{SimdBatch, Vectors};
