//! A lock: only one process writes a directory at a time.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::Path;
use std::thread::sleep;
use std::time::Duration;

use unolab_agents::named_file;

use super::error::{DirectoryError, at};

/// The name of the file that is locked while a process writes a directory.
pub(super) const LOCK_FILE: &str = ".lock";

/// The number of attempts to lock a file that another process has locked, because [`is_held`] locks it briefly.
const MOST_TRIES: usize = 10;

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// The right to write a directory, as long as the process lives.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    pub(super) fn take(path: &Path) -> Result<Self, DirectoryError> {
        let name = path.join(LOCK_FILE);
        let mut tries = 0;
        loop {
            named_file::check_no_pipe(&name).map_err(at(&name))?;
            let file = OpenOptions::new().write(true).create(true).truncate(false).open(&name).map_err(at(&name))?;
            match file.try_lock() {
                Err(TryLockError::WouldBlock) if tries == MOST_TRIES => {
                    return Err(DirectoryError::InUse { path: path.into() });
                }
                Err(TryLockError::WouldBlock) => {
                    tries += 1;
                    sleep(PAUSE);
                    continue;
                }
                // A file system without locks excludes no other process.
                Ok(()) | Err(TryLockError::Error(_)) => {}
            }
            // The previous owner may have removed the file in the meantime: then this lock has no effect.
            if is_still_there(&file, &name) {
                return Ok(Self { _file: file });
            }
        }
    }

    /// Removes the file that a killed process has left, except from a directory that cannot be written.
    pub(super) fn remove_left_over(path: &Path) -> Result<(), DirectoryError> {
        if !path.join(LOCK_FILE).exists() {
            return Ok(());
        }
        match Self::take(path).and_then(|lock| lock.release(path)) {
            Err(DirectoryError::Io { source, .. })
                if matches!(source.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied) =>
            {
                Ok(())
            }
            removed => removed,
        }
    }

    /// Releases the lock and removes its file while it is still locked.
    pub(super) fn release(self, path: &Path) -> Result<(), DirectoryError> {
        match fs::remove_file(path.join(LOCK_FILE)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
            Ok(()) | Err(_) => Ok(()),
        }
    }
}

/// Whether a process writes this directory, without changing the directory. On a file system without locks the result is true
/// until the run is finished.
pub(super) fn is_held(path: &Path) -> io::Result<bool> {
    match named_file::open(&path.join(LOCK_FILE)) {
        Ok(file) => Ok(file.try_lock_shared().is_err()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether an open file is still the file with this name.
#[cfg(unix)]
pub(super) fn is_still_there(file: &File, name: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let place = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata().map(place), fs::metadata(name).map(place)) {
        (Ok(mine), Ok(named)) => mine == named,
        (_, named) => named.is_ok(),
    }
}

/// Whether an open file is still the file with this name: on other systems an open file cannot be removed.
#[cfg(not(unix))]
pub(super) fn is_still_there(_: &File, _: &Path) -> bool {
    true
}
