//! [`SimdBatch`]: many rounds side by side, thirty-two in a vector, for random players.
//!
//! In a step every round of a vector uses one random number: to draw a card, to pick one of the playable cards, or to decide a
//! challenge. No round waits for another: one draws a penalty while the next one plays. Branches in a step are only for rare
//! cases.
//!
//! A `SimdBatch` plays the common cards. Before any other case (a Villain, whole hands that move, the last card of a hand, an
//! empty draw pile) it stops and names the round; the general code plays that round on, and then it returns to the batch.
//! Rules, chance and choices are exactly those of [`super::FastTurns::play`]; a test checks this.

mod batch_round;
#[cfg(not(native_x86_64))]
mod fallback;
#[cfg(native_x86_64)]
mod group;
#[cfg(native_x86_64)]
pub(super) mod points;
#[cfg(native_x86_64)]
pub(super) mod shuffle;
#[cfg(native_x86_64)]
mod side_by_side;
#[cfg(native_x86_64)]
mod step;
#[cfg(native_x86_64)]
mod tables;
#[cfg(native_x86_64)]
mod vector;

pub use batch_round::{BatchRound, MOST_DECISIONS};
#[cfg(not(native_x86_64))]
pub use fallback::{BATCH_SIZE, SimdBatch, Waiting};
#[cfg(native_x86_64)]
pub use side_by_side::{BATCH_SIZE, SimdBatch, Waiting};

/// Ends a test on a processor without AVX-512, in continuous integration too: which processor runs it is not the code's choice.
#[cfg(all(test, native_x86_64))]
pub(crate) fn is_missing() {
    eprintln!("SKIPPED: this processor has no AVX-512");
}
