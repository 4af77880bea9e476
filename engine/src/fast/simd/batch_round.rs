//! [`BatchRound`]: a round for the batch.

use crate::card::Card;
use crate::rng::Rng;
use crate::rules::Rules;
use crate::seat::{MAX_SEATS, Seat, SeatSet};
use crate::state::RoundState;

/// A round with this many decisions leaves the batch permanently; the general code truncates it at
/// [`crate::round::MAX_DECISIONS`].
pub const MOST_DECISIONS: u32 = 9_000;

/// A round and its random streams.
#[derive(Debug, Clone)]
#[repr(C, align(64))] // the hands are first, at the beginning of a cache line: their addresses take fewer instructions
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
    /// A placeholder for a round of these rules.
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

    /// Starts the round from its state, with this stream for chance and a stream for the player in each participating seat.
    #[inline(always)]
    pub fn begin(&mut self, chance: Rng, mut stream_of: impl FnMut(Seat) -> Rng) {
        for seat in Seat::first(self.state.seat_set().len()) {
            self.streams[seat.index()] = stream_of(seat);
        }
        (self.chance, self.turns, self.decisions) = (chance, 0, 0);
    }
}
