//! A fault of an agent: another agent continues to play its seat, and the game counts as lost.

use serde::{Deserialize, Serialize};

use crate::seat::{BySeat, Seat};

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FaultKind {
    /// The agent has ended, or panicked.
    Crash,
    /// The agent exceeded its time.
    Timeout,
    /// The answer was malformed or not legal.
    Illegal,
}

impl FaultKind {
    /// `crash`, `timeout` or `illegal`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::Timeout => "timeout",
            Self::Illegal => "illegal",
        }
    }
}

/// A fault and its position in the game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The seat in the current round.
    pub seat: Seat,
    /// Its kind.
    pub kind: FaultKind,
    /// The number of the agent's decision in the game, from 1.
    pub decision: u32,
    /// The name of the agent that continues to play the seat.
    pub by: String,
}

/// The places of a game, from 1, after these players have forfeited it: they share the last place and the others move up.
/// If all have forfeited, all share the first place.
///
/// # Panics
/// If there are more than ten players.
#[must_use]
pub fn places_after_forfeit(places: &BySeat<u8>, players: usize, has_forfeited: impl Fn(Seat) -> bool) -> BySeat<u8> {
    let left = || Seat::first(players).filter(|&player| !has_forfeited(player));
    let place = |place: usize| u8::try_from(place).expect("at most ten players");
    let mut after = BySeat::default();
    for player in Seat::first(players) {
        after[player] = if has_forfeited(player) {
            place(1 + left().count())
        } else {
            let ahead = left().filter(|&other| places[other] < places[player]).count();
            place(1 + ahead)
        };
    }
    after
}
