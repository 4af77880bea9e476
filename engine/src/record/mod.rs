//! Game records: a round or a whole match as JSON Lines, written while it is played and played again to check it.
//!
//! | line | says |
//! |---|---|
//! | `{"record":1,"unit":"match",…,"rules":"…"}` | first: format version, seeds, dealer, agents, the whole rules and their hash |
//! | `{"round":1,"dealer":0,"players":[0,1],"deal":["r5 …","g7 …"]}` | a round is dealt: who sits in each seat, each seat's hand |
//! | `{"start":"gD"}` | a card is turned up; the last one stays |
//! | `{"seat":1,"do":"play r7"}` | an action; with a `note` where its agent had something to say |
//! | `{"seat":1,"fault":"crash","decision":17,"by":"greedy"}` | the agent in this seat has lost the game by a crash, a timeout or an illegal answer to this decision of its own, counted from 1; from here on `by` plays its seat |
//! | `{"seat":1,"draws":"r7"}` | a card from the draw pile |
//! | `{"tinker":"r"}`, `{"task":"yes"}`, `{"chosen":2}` | the button, a task, a seat named by chance |
//! | `{"reshuffle":41}` | the discard pile became a draw pile of so many cards |
//! | `{"round_over":"finished","went_out":1,"points":[0,34],"scores":[0,34],"checksum":"…"}` | points by seat, match scores by player, the checksum of the state |
//! | `{"ended":"finished","rounds":1,"points":[0,34],"places":[2,1],"checksum":"…","lines":"…"}` | last: points and places by player, the checksum of the rounds' checksums, and that of the lines above; after a fault also `counted_points` and `counted_places` |
//!
//! [`RecordWriter`] is told the events; [`replay`] refuses a record at the first line that the rules do not give.

mod describe;
mod fault;
mod first;
mod line;
mod outcomes;
mod replay;
mod tally;
mod writer;

use serde::{Deserialize, Serialize};

pub use describe::describe;
pub use fault::{Fault, FaultKind, places_after_forfeit};
pub use replay::{Happening, ReplayError, ReplayStep, Replayed, replay};
pub use tally::match_places;
pub use writer::RecordWriter;

use crate::seat::Seat;

/// The version of the format that is written and read.
pub const VERSION: u32 = 1;

/// What a record holds.
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
    /// Blocked: nobody could move.
    Void,
    /// Cut off from outside.
    Truncated,
}

/// What is known of a game before it begins, but for its rules.
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
}
