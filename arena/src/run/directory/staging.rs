//! Stages a run separately from the files in its directory, and moves it into place at the end.
//!
//! First all files are in `.staged`. Renaming it to `.publishing` makes the new run the valid one: each of its files is moved
//! into place, other files of the earlier run are removed, and `run.json` or `shard.json` comes last. If the process is killed
//! in between, the next one finishes the work. The directory itself always exists.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use super::error::{DirectoryError, at};
use super::files::{files_in, is_name_of_a_run, last_file, written_as};
use super::finished::FinishedRun;
use super::lock::{LOCK_FILE, Lock};
use crate::run::checkpoint::CHECKPOINT_FILE;
use crate::run::shard::Shard;

/// The directory of an incomplete run.
pub(super) const STAGED: &str = ".staged";

/// The directory of a complete run that is not yet in place.
const PUBLISHING: &str = ".publishing";

/// Whether an entry of a directory is left from the staging of a killed process.
pub(super) fn is_left_over(name: &str) -> bool {
    [STAGED, PUBLISHING].contains(&name)
}

/// The staging area. If it is dropped before it is published, it leaves no files.
#[derive(Debug)]
pub(super) struct Staging {
    run: PathBuf,
    /// Whether the directory existed before.
    is_new: bool,
}

impl Staging {
    /// The staging area of the run in this directory, which is created.
    pub(super) fn begin(run: &Path) -> Result<Self, DirectoryError> {
        let is_new = !run.exists();
        fs::create_dir_all(run).map_err(at(run))?;
        Ok(Self { run: run.into(), is_new })
    }

    /// Call this only with the directory locked.
    pub(super) fn make(&self) -> Result<(), DirectoryError> {
        fs::create_dir(self.content()).map_err(at(&self.run))
    }

    pub(super) fn content(&self) -> PathBuf {
        self.run.join(STAGED)
    }

    /// Moves all these files into place. No file is changed if a file that is not the run's is in the way.
    pub(super) fn publish(&self, shard: Shard, files: &[String]) -> Result<(), DirectoryError> {
        let old = FinishedRun::in_dir(&self.run);
        let is_in_the_way =
            |name: &&String| self.run.join(name).exists() && !old.as_ref().is_some_and(|old| old.files.has(name));
        if let Some(name) = files.iter().find(is_in_the_way) {
            return Err(DirectoryError::InTheWay { path: self.run.clone(), name: name.clone() });
        }
        fs::rename(self.content(), self.run.join(PUBLISHING)).map_err(at(&self.run))?;
        move_into_place(&self.run, shard)
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        // Files that cannot be removed now are removed by the next run.
        if fs::remove_dir_all(self.content()).is_ok() {
            let _ = fs::remove_file(self.run.join(LOCK_FILE));
        }
        if self.is_new {
            // `remove_dir` removes only an empty directory.
            let _ = fs::remove_dir(&self.run);
        }
    }
}

/// Finishes the publication of a killed process: moves a complete run into place, removes an incomplete one. No file is
/// changed if one of its directories contains a file that no run writes.
pub(super) fn settle(run: &Path) -> Result<(), DirectoryError> {
    let (staged, publishing) = (run.join(STAGED), run.join(PUBLISHING));
    if !staged.exists() && !publishing.exists() {
        return Ok(());
    }
    let lock = Lock::take(run)?;
    for left_over in [STAGED, PUBLISHING] {
        if let Some(name) = foreign_file_in(&run.join(left_over), "")? {
            lock.release(run)?;
            return Err(DirectoryError::InTheWay { path: run.into(), name: format!("{left_over}/{name}") });
        }
    }
    if staged.exists() {
        fs::remove_dir_all(&staged).map_err(at(run))?;
    }
    if publishing.exists() {
        match FinishedRun::in_dir(&publishing) {
            Some(found) => move_into_place(run, found.shard)?,
            // Its last file is already in place.
            None => fs::remove_dir_all(&publishing).map_err(at(run))?,
        }
    }
    lock.release(run)
}

/// Moves the files in `.publishing` into place, including the rest of a partial move.
fn move_into_place(run: &Path, shard: Shard) -> Result<(), DirectoryError> {
    let publishing = run.join(PUBLISHING);
    let (old, new) = (FinishedRun::in_dir(run), FinishedRun::in_dir(&publishing));
    let last = last_file(shard);
    for name in files_in(&publishing)? {
        if name != last && is_name_of_a_run(&name) {
            let place = run.join(&name);
            fs::create_dir_all(place.parent().unwrap_or(run)).map_err(at(run))?;
            fs::rename(publishing.join(&name), &place).map_err(at(&place))?;
        }
    }
    for name in files_in(run)? {
        let is_of = |found: &Option<FinishedRun>| found.as_ref().is_some_and(|found| found.files.has(&name));
        if is_of(&old) && !is_of(&new) {
            let place = run.join(&name);
            fs::remove_file(&place).map_err(at(&place))?;
        }
    }
    fs::rename(publishing.join(last), run.join(last)).map_err(at(run))?;
    fs::remove_dir_all(&publishing).map_err(at(run))
}

/// A file below this directory that no run writes, by its relative path; `within` is the subdirectory to search.
fn foreign_file_in(directory: &Path, within: &str) -> Result<Option<String>, DirectoryError> {
    let here = directory.join(within);
    let entries = match fs::read_dir(&here) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(at(&here)(error)),
    };
    for entry in entries {
        let entry = entry.map_err(at(&here))?;
        let name = format!("{within}{}", entry.file_name().to_string_lossy());
        let foreign = if entry.file_type().map_err(at(&here))?.is_dir() {
            foreign_file_in(directory, &format!("{name}/"))?
        } else {
            (!is_name_of_a_run(written_as(&name)) && written_as(&name) != CHECKPOINT_FILE).then_some(name)
        };
        if foreign.is_some() {
            return Ok(foreign);
        }
    }
    Ok(None)
}
