//! The games of a run to record, and the receiver of the records.

use std::io;
use std::ops::Range;

use crate::play::record::GameRecord;
use crate::play::recording::RecordingMode;
use crate::schedule::seating::EntrantId;

/// The default maximum number of recorded games of each deal and section.
pub const MOST_GAMES: u64 = 100;

/// The games to record among the games of the first sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFilter {
    /// Games that this entrant has lost.
    Lost(EntrantId),
    /// Games that an agent has lost by a fault.
    Fault,
    /// Games whose index is divisible by this.
    Every(u64),
}

/// The games to record.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct Recording<'a> {
    /// The games of the first sets of each section.
    pub sets: u64,
    /// The selection; by default, the first hundred of each set.
    pub only: Option<RecordFilter>,
    /// Receives the records, in the order of the games, each with its index in the run, when its game is counted.
    pub write: &'a (dyn Fn(u64, &str) -> io::Result<()> + Sync),
}

impl Recording<'_> {
    /// Whether any game of these sets may be recorded.
    pub(super) fn concerns(&self, sets: &Range<u64>) -> bool {
        sets.start < self.sets
    }

    /// Whether a game is recorded while it is played.
    pub(super) fn before(&self, set: u64, number: u64, index: u64, seating: &[EntrantId]) -> RecordingMode {
        let is_chosen = match self.only {
            None => number < MOST_GAMES,
            Some(RecordFilter::Lost(entrant)) => seating.contains(&entrant),
            Some(RecordFilter::Fault) => true,
            Some(RecordFilter::Every(games)) => index.is_multiple_of(games),
        };
        if set < self.sets && is_chosen { RecordingMode::Down } else { RecordingMode::Nothing }
    }

    /// Whether the record is kept, now that the result is known.
    pub(super) fn after(&self, record: &GameRecord, seating: &[EntrantId]) -> bool {
        match self.only {
            None | Some(RecordFilter::Every(_)) => true,
            Some(RecordFilter::Lost(entrant)) => {
                !record.winners.is_empty() && !record.winners.iter().any(|seat| seating[seat.index()] == entrant)
            }
            Some(RecordFilter::Fault) => record.seats().any(|seat| record.result(seat).fault.is_some()),
        }
    }
}
