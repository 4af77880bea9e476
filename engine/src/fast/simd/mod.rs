//! [`SimdBatch`]: many rounds side by side, thirty-two in a vector, for random players.
//!
//! In a step every round of a vector uses one random number: to draw a card, to pick one of the playable cards, or to decide a
//! challenge. No round waits for another: one draws a penalty while the next one plays. Branches in a step are only for rare
//! cases.
//!
//! A `SimdBatch` plays the common cards. Before any other case (a Villain, whole hands that move, the last card of a hand, an
//! empty draw pile) it stops and names the round; the general code plays that round on, and then it returns to the batch.
//! Rules, chance and choices are exactly those of [`super::FastTurns::play`]; a test checks this.

#[cfg(native_x86_64)]
mod group;
#[cfg(native_x86_64)]
mod step;
#[cfg(native_x86_64)]
mod tables;
#[cfg(native_x86_64)]
mod vector;

#[cfg(native_x86_64)]
mod points;
#[cfg(native_x86_64)]
mod shuffle;
#[cfg(native_x86_64)]
pub(crate) use points::points_of_hands;
#[cfg(native_x86_64)]
pub(crate) use shuffle::shuffle_front;

#[cfg(native_x86_64)]
mod side_by_side;
#[cfg(native_x86_64)]
pub use side_by_side::{BATCH_SIZE, SimdBatch, Waiting};

#[cfg(not(native_x86_64))]
mod fallback;
#[cfg(not(native_x86_64))]
pub use fallback::{BATCH_SIZE, SimdBatch, Waiting};
#[cfg(not(native_x86_64))]
pub(crate) use fallback::{points_of_hands, shuffle_front};

use crate::card::Card;
use crate::rng::Rng;
use crate::rules::Rules;
use crate::seat::{MAX_SEATS, Seat, SeatSet};
use crate::state::RoundState;

/// A round with this many decisions leaves the batch for good; outside it is cut at [`crate::round::MAX_DECISIONS`].
pub const MOST_DECISIONS: u32 = 9_000;

/// A round and everything that it will draw on.
#[derive(Debug, Clone)]
pub struct BatchRound {
    /// The round.
    pub state: RoundState,
    /// The source of its cards.
    pub chance: Rng,
    /// The stream of the player in each seat, by its number.
    pub streams: [Rng; MAX_SEATS],
    /// Turns so far.
    pub turns: u32,
    /// Decisions so far.
    pub decisions: u32,
}

impl BatchRound {
    /// A place for a round under these rules.
    #[must_use]
    pub fn vacant(rules: &Rules) -> Self {
        Self {
            state: RoundState::empty(SeatSet::first(2), Seat::new(0), Card::new(0), rules.deck()),
            chance: Rng::from_state(0),
            streams: [const { Rng::from_state(0) }; MAX_SEATS],
            turns: 0,
            decisions: 0,
        }
    }

    /// Its state begins to be played: chance goes on with this, and in each seat that takes part a player with this stream.
    #[inline(always)]
    pub fn begin(&mut self, chance: Rng, mut stream_of: impl FnMut(Seat) -> Rng) {
        for seat in Seat::first(self.state.seat_set().len()) {
            self.streams[seat.index()] = stream_of(seat);
        }
        (self.chance, self.turns, self.decisions) = (chance, 0, 0);
    }
}

/// Ends a test on a processor without AVX-512: it prints that nothing is tested, and fails in continuous integration that
/// should have AVX-512.
#[cfg(all(test, native_x86_64))]
pub(crate) fn is_missing() {
    assert!(std::env::var_os("CI").is_none(), "this processor has no AVX-512: the vectors are not tested");
    eprintln!("SKIPPED: this processor has no AVX-512");
}
