//! Why there is no balance.

use std::io;

use thiserror::Error;

use super::spec::ArmError;
use crate::schedule::contest::ContestError;

/// More agents would make more tables than anybody wants.
pub const MAX_AGENTS: usize = 12;

/// Why there is no balance.
#[derive(Debug, Error)]
pub enum BalanceError {
    /// Arms that cannot be.
    #[error(transparent)]
    Arm(#[from] ArmError),
    /// Rules, agents and seats that do not go together.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// Partners.
    #[error("{variant}: balance measures every seat for itself; match.teams must be \"none\"")]
    Teams {
        /// The variant.
        variant: String,
    },
    /// Too many agents.
    #[error("--agents names {0} agents; a field has at most {MAX_AGENTS}")]
    Agents(usize),
    /// The system refused threads.
    #[error("--threads {threads}: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// A game panicked, and not in an agent.
    #[error("a game of {variant} at {seats} seats broke off: {words}")]
    BrokeOff {
        /// The variant.
        variant: String,
        /// The number of seats.
        seats: usize,
        /// What the panic says.
        words: String,
    },
    /// What has been counted could not be kept.
    #[error("what has been counted cannot be kept")]
    Keep(#[source] io::Error),
}
