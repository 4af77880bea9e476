//! Reads the progress of the run in a directory, without changing the directory.

use std::path::{Path, PathBuf};
use std::time::SystemTime;
use std::{fs, io};

use super::lock::is_held;
use super::staging::STAGED;
use crate::run::checkpoint::{CHECKPOINT_FILE, SHARD_FILE};
use crate::run::integrity::open;
use crate::run::manifest::RUN_FILE;

/// The state of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunState {
    /// A process plays it.
    Running,
    /// It can be resumed.
    Interrupted,
    /// All its sets are played.
    Finished,
}

impl RunState {
    /// Its name in `--json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Running => "running",
            Self::Interrupted => "interrupted",
            Self::Finished => "finished",
        }
    }
}

/// The file that describes a run.
#[derive(Debug, Clone)]
pub enum RunFile {
    /// A checkpoint or the counts of a finished shard, in the form of [`crate::run::checkpoint::Checkpoint`].
    Counts {
        /// Where it is.
        path: PathBuf,
        /// The content.
        text: String,
        /// The time when it was written, if the system reports it.
        written: Option<SystemTime>,
    },
    /// The manifest of a finished run, in the form of [`crate::run::manifest::Run`].
    Manifest {
        /// Where it is.
        path: PathBuf,
        /// The content.
        text: String,
    },
    /// A process writes the directory, but does not have counts yet.
    NotYet,
}

/// The number of attempts to find the files, because a process may move them at the same time.
const MOST_LOOKS: usize = 10;

impl RunState {
    /// The state of the run in a directory, with the file that describes it; `None` if the directory holds no run.
    ///
    /// # Errors
    /// If a file cannot be read.
    pub fn of(directory: &Path) -> io::Result<Option<(Self, RunFile)>> {
        let mut looks = 1;
        loop {
            match look(directory) {
                Err(error) if error.kind() == io::ErrorKind::NotFound && looks < MOST_LOOKS => looks += 1,
                found => return found,
            }
        }
    }
}

fn look(directory: &Path) -> io::Result<Option<(RunState, RunFile)>> {
    let is_held = is_held(directory)?;
    let staged = directory.join(STAGED).join(CHECKPOINT_FILE);
    let (checkpoint, shard) = (directory.join(CHECKPOINT_FILE), directory.join(SHARD_FILE));
    let (state, path) = match is_held {
        true if checkpoint.exists() => (RunState::Running, checkpoint),
        false if checkpoint.exists() => (RunState::Interrupted, checkpoint),
        true if staged.exists() => (RunState::Running, staged),
        true => return Ok(Some((RunState::Running, RunFile::NotYet))),
        false if shard.exists() => (RunState::Finished, shard),
        false => {
            let path = directory.join(RUN_FILE);
            return match open(&path).and_then(io::read_to_string) {
                Ok(text) => Ok(Some((RunState::Finished, RunFile::Manifest { path, text }))),
                Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
                Err(error) => Err(error),
            };
        }
    };
    let text = open(&path).and_then(io::read_to_string)?;
    let written = fs::metadata(&path).and_then(|file| file.modified()).ok();
    Ok(Some((state, RunFile::Counts { path, text, written })))
}
