//! The beginning and the end of a game in its record.

use serde::{Deserialize, Serialize};

use crate::seat::Seat;

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

/// The unit of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Unit {
    /// One round; a blocked one is a result.
    Round,
    /// Rounds until the match is over; blocked ones are dealt again.
    Match,
}

/// How a round or a match ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// By its rules, with a winner.
    Finished,
    /// Blocked: no player could move.
    Void,
    /// Truncated, such as by a limit.
    Truncated,
}

/// The data of a game before it begins, except its rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// A round or a match.
    pub unit: Unit,
    /// The master seed.
    pub seed: u64,
    /// The set of games under that seed.
    pub set: u64,
    /// The player who deals the first round.
    pub dealer: Seat,
    /// The agent of each player.
    pub agents: Vec<String>,
    /// The name of each player, if they have any.
    pub names: Vec<String>,
    /// The number of cards that each player is dealt in addition to the others, as odds; empty if there are none.
    pub extra_cards: Vec<u8>,
}
