//! The errors of a run.

use std::io;

use thiserror::Error;
use unolab_agents::stop::SystemFailure;

use crate::schedule::contest::ContestError;

impl From<SystemFailure> for RunError {
    fn from(SystemFailure(reason): SystemFailure) -> Self {
        Self::System(reason)
    }
}

/// Why a run broke off.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The system could not create threads.
    #[error("--threads {threads}: {reason}")]
    Threads {
        /// The requested number.
        threads: usize,
        /// The message of the system.
        reason: String,
    },
    /// A row of games could not be written.
    #[error("games.csv")]
    Games(#[source] io::Error),
    /// The record of a game could not be written.
    #[error("--record")]
    Record(#[source] io::Error),
    /// The counts could not be saved.
    #[error("the counts cannot be saved")]
    Checkpoint(#[source] io::Error),
    /// The next games cannot be played.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// The connection to the workers failed.
    #[error("--remote: {0}")]
    Remote(String),
    /// The system could not support the run, such as the start of a program: no agent is at fault.
    #[error("{0}")]
    System(String),
    /// A game panicked, and not in an agent.
    #[error("{game} failed: {words}")]
    BrokeOff {
        /// The game, if known.
        game: String,
        /// The message of the panic.
        words: String,
    },
}
