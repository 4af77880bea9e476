//! The steps of a replay.

use super::fault::Fault;
use super::header::{Header, Status};
use crate::event::Event;
use crate::knowledge::Knowledge;
use crate::match_play::RoundPlan;
use crate::rules::Rules;
use crate::seat::{BySeat, Seat};
use crate::state::RoundState;

/// The first line of a record that differs from the replay.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
#[non_exhaustive]
pub struct ReplayError {
    /// Its number, from 1.
    pub line: usize,
    /// What the rules expect instead.
    pub reason: String,
}

/// One step of a replay.
#[derive(Debug, Clone, Copy)]
pub struct ReplayStep<'a> {
    /// The line of the record, from 1.
    pub line: usize,
    /// The rules of the record.
    pub rules: &'a Rules,
    /// Its kind.
    pub what: ReplayEvent<'a>,
}

/// The kinds of steps in a replay.
#[derive(Debug, Clone, Copy)]
pub enum ReplayEvent<'a> {
    /// The record begins.
    Began(&'a Header),
    /// A round is dealt.
    Dealt {
        /// The seats of the round.
        plan: &'a RoundPlan,
        /// The hands; no card is open yet.
        state: &'a RoundState,
    },
    /// An event of the round. An action comes before its consequences.
    Event {
        /// The event.
        event: Event,
        /// The state after it.
        state: &'a RoundState,
        /// The cards that the seats have seen before, and what the rules imply about the others.
        knowledge: &'a Knowledge,
        /// Match scores by player before this round.
        scores: &'a BySeat<u32>,
        /// The agent's note on its action.
        note: Option<&'a str>,
    },
    /// An agent has lost the game; another agent plays its seat from here on.
    Fault {
        /// Its fault.
        fault: &'a Fault,
        /// The player.
        player: Seat,
    },
    /// A round is over.
    RoundOver {
        /// The status.
        status: Status,
        /// The state after it.
        state: &'a RoundState,
        /// Points by seat.
        points: &'a [u32],
        /// Match scores by player.
        scores: &'a [u32],
    },
    /// The record ends.
    Ended {
        /// The status.
        status: Status,
        /// Points by player.
        points: &'a [u32],
        /// Places by player.
        places: &'a [u8],
        /// Points and places by player as they count, after a fault.
        counted: Option<(&'a [u32], &'a [u8])>,
    },
}
