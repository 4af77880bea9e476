//! The reasons why a run cannot use its directory.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::run::checkpoint::CHECKPOINT_FILE;
use crate::run::shard::RunProgress;

/// Why a run cannot use its directory.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DirectoryError {
    /// A path without a directory name.
    #[error("--out {}: needs the name of a directory, such as runs/mine", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// `-` instead of a directory.
    #[error("--out -: is standard output; this command writes files and needs a directory")]
    StandardOutput,
    /// The path is a file.
    #[error("--out {}: is a file, not a directory", path.display())]
    IsAFile {
        /// The path.
        path: PathBuf,
    },
    /// A directory of another owner.
    #[error("--out {}: holds files that are not a finished run of unolab; choose another directory or remove it", path.display())]
    NotARun {
        /// The path.
        path: PathBuf,
    },
    /// A directory whose run cannot be identified.
    #[error("--out {}: its {file} cannot be read: {reason}; choose another directory, or remove that file", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The manifest.
        file: &'static str,
        /// The error.
        reason: String,
    },
    /// A run that must not be lost.
    #[error("--out {}: holds a run {difference}; choose another directory or remove it", path.display())]
    OtherJob {
        /// The path.
        path: PathBuf,
        /// The difference, such as `of another spec`.
        difference: String,
    },
    /// A finished run with a file that this command would not write: the file would be lost, or no longer belong to the
    /// same run.
    #[error("--out {}: has the file {name}, which this command does not write; add {flag}, move the file away or choose another directory", path.display())]
    NotAskedFor {
        /// The path.
        path: PathBuf,
        /// The file.
        name: String,
        /// The flag that requests it.
        flag: String,
    },
    /// A finished run that is no longer complete.
    #[error("--out {}: holds a finished run, but {reason}; run it again without --resume", path.display())]
    Damaged {
        /// The path.
        path: PathBuf,
        /// The error.
        reason: String,
    },
    /// A file that the run would have to replace, and that no run has written.
    #[error("--out {}: unexpected file {name}, which its run did not write; move it or choose another directory", path.display())]
    InTheWay {
        /// The path.
        path: PathBuf,
        /// The file.
        name: String,
    },
    /// A run that different programs have played, at least in part.
    #[error("--out {}: holds a run {began}: {changes}; choose another directory, or accept it with --allow-changed-bots", path.display())]
    ChangedPrograms {
        /// The path.
        path: PathBuf,
        /// The existing run.
        began: String,
        /// The programs, in words.
        changes: String,
    },
    /// An unfinished run.
    #[error("--out {}: holds an unfinished run of the same spec ({done}); add --resume, or remove it", path.display())]
    Unfinished {
        /// The path.
        path: PathBuf,
        /// Its progress.
        done: RunProgress,
    },
    /// An unfinished run whose files are inconsistent.
    #[error("--out {}: its {CHECKPOINT_FILE} cannot be resumed: {reason}; remove the directory and begin again", path.display())]
    Broken {
        /// The path.
        path: PathBuf,
        /// The error.
        reason: String,
    },
    /// Another process uses it.
    #[error("--out {}: is being written by another process", path.display())]
    InUse {
        /// The path.
        path: PathBuf,
    },
    /// An error of the file system.
    #[error("--out {}", path.display())]
    Io {
        /// The path that failed.
        path: PathBuf,
        /// The message of the file system.
        source: io::Error,
    },
}

/// The name of a directory; `-` is not a name.
pub(super) fn name_of(path: &Path) -> Result<&OsStr, DirectoryError> {
    if path == Path::new("-") {
        return Err(DirectoryError::StandardOutput);
    }
    path.file_name().ok_or_else(|| DirectoryError::NoName { path: path.into() })
}

/// For file-system errors at this path.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> DirectoryError {
    move |source| DirectoryError::Io { path: path.into(), source }
}
