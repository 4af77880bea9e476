//! [`BatchRound`]: a round that the batch plays, or will play.

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

    /// Starts to play its state: chance continues with this stream, and each participating seat has a player with this stream.
    #[inline(always)]
    pub fn begin(&mut self, chance: Rng, mut stream_of: impl FnMut(Seat) -> Rng) {
        for seat in Seat::first(self.state.seat_set().len()) {
            self.streams[seat.index()] = stream_of(seat);
        }
        (self.chance, self.turns, self.decisions) = (chance, 0, 0);
    }
}
