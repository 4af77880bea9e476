//! The errors of a run.

use std::error::Error;
use std::io;

use thiserror::Error;
use unolab_agents::stop::SystemFailure;

use super::directory::DirectoryError;
use super::merge::MergeError;
use crate::schedule::contest::ContestError;

impl From<SystemFailure> for RunError {
    fn from(SystemFailure(reason): SystemFailure) -> Self {
        Self::System(reason)
    }
}

/// An error at this file.
pub(super) fn at_file<E: Into<Box<dyn Error + Send + Sync>>>(file: impl ToString) -> impl FnOnce(E) -> RunError {
    move |source| RunError::File { file: file.to_string(), source: source.into() }
}

/// The reason why a run failed or could not begin.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RunError {
    /// The system could not create threads.
    #[error(
        "cannot start {threads} threads: {reason}; raise the limit of processes (`ulimit -u`), or use fewer threads"
    )]
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
    /// The directory of the records cannot be used.
    #[error(transparent)]
    RecordsDirectory(Box<dyn Error + Send + Sync>),
    /// The counts could not be saved.
    #[error("the counts cannot be saved")]
    Checkpoint(#[source] io::Error),
    /// Its directory cannot be used.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The shards are not a whole run.
    #[error(transparent)]
    Merge(#[from] MergeError),
    /// Another file of the run cannot be read or written.
    #[error("{file}")]
    File {
        /// Its name.
        file: String,
        /// The reason.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The page cannot be drawn.
    #[error(transparent)]
    Page(Box<dyn Error + Send + Sync>),
    /// The next games cannot be played.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// The connection to the workers failed.
    #[error("--remote: {0}")]
    Remote(String),
    /// The system could not support the run, for example start a program: no agent is at fault.
    #[error("{0}")]
    System(String),
    /// A game panicked outside an agent.
    #[error("{game} failed: {words}")]
    BrokeOff {
        /// The game, if known.
        game: String,
        /// The message of the panic.
        words: String,
    },
}
