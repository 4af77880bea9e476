//! The reasons why a run cannot use its directory.

use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::run::checkpoint::CHECKPOINT_FILE;
use crate::run::shard::Done;

/// Why a run cannot have its directory.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DirectoryError {
    /// A path that names no directory of its own.
    #[error("--out {}: needs the name of a directory, such as runs/mine", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// `-`, where a directory is needed.
    #[error("--out -: is standard output; this command writes files and needs a directory")]
    StandardOutput,
    /// There is a file of that name.
    #[error("--out {}: is a file, not a directory", path.display())]
    IsAFile {
        /// The path.
        path: PathBuf,
    },
    /// A directory that is not ours to replace.
    #[error("--out {}: holds files that are not a finished run of unolab; choose another directory or remove it", path.display())]
    NotARun {
        /// The path.
        path: PathBuf,
    },
    /// A directory whose run does not say any more what it is.
    #[error("--out {}: its {file} cannot be read: {reason}; choose another directory, or remove that file", path.display())]
    Unreadable {
        /// The path.
        path: PathBuf,
        /// The manifest.
        file: &'static str,
        /// What is the matter with it.
        reason: String,
    },
    /// A directory of ours that must not be lost.
    #[error("--out {}: holds a run {difference}; choose another directory or remove it", path.display())]
    OtherJob {
        /// The path.
        path: PathBuf,
        /// In what it is not the same, such as `of another spec`.
        difference: String,
    },
    /// A finished run with a file that this command would not write: it would be lost, or no longer be of the same run.
    #[error("--out {}: has the file {name}, which this command does not write; add {flag}, move the file away or choose another directory", path.display())]
    NotAskedFor {
        /// The path.
        path: PathBuf,
        /// The file.
        name: String,
        /// The flag that requests it.
        flag: String,
    },
    /// A finished run that is no longer whole.
    #[error("--out {}: holds a finished run, but {reason}; run it again without --resume", path.display())]
    Damaged {
        /// The path.
        path: PathBuf,
        /// What is the matter with it.
        reason: String,
    },
    /// A file that the run would have to replace, and no run has written.
    #[error("--out {}: holds {name}, which is not of its run; move it away or choose another directory", path.display())]
    InTheWay {
        /// The path.
        path: PathBuf,
        /// The file.
        name: String,
    },
    /// A run that other programs have played, at least in part.
    #[error("--out {}: holds a run {began}: {changes}; choose another directory, or accept it with --changed-programs", path.display())]
    ChangedPrograms {
        /// The path.
        path: PathBuf,
        /// The existing run.
        began: String,
        /// The programs, in words.
        changes: String,
    },
    /// A run of ours that is not finished.
    #[error("--out {}: holds an unfinished run of the same spec ({done}); add --resume, or remove it", path.display())]
    Unfinished {
        /// The path.
        path: PathBuf,
        /// Its progress.
        done: Done,
    },
    /// An unfinished run whose files do not fit together.
    #[error("--out {}: its {CHECKPOINT_FILE} cannot be resumed: {reason}; remove the directory and begin again", path.display())]
    Broken {
        /// The path.
        path: PathBuf,
        /// The mistake.
        reason: String,
    },
    /// Another process is at it.
    #[error("--out {}: is being written by another process", path.display())]
    InUse {
        /// The path.
        path: PathBuf,
    },
    /// The file system refused.
    #[error("--out {}", path.display())]
    Io {
        /// The path that could not be used.
        path: PathBuf,
        /// The message of the file system.
        source: io::Error,
    },
}

/// The name of a directory, which `-` is not.
pub(super) fn name_of(path: &Path) -> Result<&OsStr, DirectoryError> {
    if path == Path::new("-") {
        return Err(DirectoryError::StandardOutput);
    }
    path.file_name().ok_or_else(|| DirectoryError::NoName { path: path.into() })
}

/// For errors of the file system at this path.
pub(super) fn at(path: &Path) -> impl FnOnce(io::Error) -> DirectoryError {
    move |source| DirectoryError::Io { path: path.into(), source }
}
