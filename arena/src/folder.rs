//! The folder of a run.
//!
//! A run that is short, or that replaces a finished run of the same spec, is written to a staging folder beside it, which
//! takes its place at the end: it appears as a whole or not at all. A long run grows in its own folder. As long as that
//! holds an `unfinished.json` the run is not finished, and can be gone on with; the file is replaced as a whole, and says
//! how much of `games.csv` belongs to it. Any other folder that is in the way is left as it is.

mod error;
mod plan;

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::part::Shard;
use crate::spec::SpecHash;
use crate::standing::{Counts, RunSpec, Standing, UNFINISHED_FILE};
use crate::terminal::counted;
pub use error::FolderError;
use error::{at, name_of};
pub use plan::{Claim, Plan, Start};
use plan::{may_be_replaced, unfinished};

/// A folder that a run is being written for.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    place: Place,
}

/// Where a run is written.
#[derive(Debug)]
enum Place {
    /// Beside its folder. Dropped before it is published, it leaves nothing behind.
    Staged { staging: TempDir, spec: SpecHash, shard: Shard },
    /// In its folder, by this process alone. Dropped before it is published, it can be gone on with.
    Growing { _lock: File },
}

/// The name of the file that is locked as long as a process writes a folder.
const LOCK_FILE: &str = ".lock";

impl RunFolder {
    /// Makes sure, before anything is run, that the run of this spec may have this folder and can write beside it. The
    /// run will appear there as a whole.
    ///
    /// # Errors
    /// If the folder is in use by anything but a finished run of the same spec, or cannot be made.
    pub fn claim(path: &Path, spec: SpecHash) -> Result<Self, FolderError> {
        Self::stage(path, spec, Shard::WHOLE)
    }

    fn stage(path: &Path, spec: SpecHash, shard: Shard) -> Result<Self, FolderError> {
        let name = name_of(path)?;
        may_be_replaced(path, spec, shard)?;
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(at(parent))?;
        let prefix = format!(".{}-", name.to_string_lossy());
        let staging = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent).map_err(at(parent))?;
        // The staging folder itself is private to its user, what is published need not be.
        fs::create_dir(staging.path().join("new")).map_err(at(parent))?;
        Ok(Self { path: path.into(), place: Place::Staged { staging, spec, shard } })
    }

    /// Takes a folder for a job, before anything is run. `anew` is how far the job has come at its beginning.
    ///
    /// # Errors
    /// If the folder is in use by anything else, or by a run that is not finished and is not to be gone on with.
    pub fn open<S: RunSpec, C: Counts>(
        path: &Path,
        anew: Standing<S, C>,
        start: Start,
    ) -> Result<Claim<S, C>, FolderError> {
        let growing = |lock| Self { path: path.into(), place: Place::Growing { _lock: lock } };
        match Plan::of(path, &anew, start)? {
            Plan::Finished => {
                // Killed in its very last step, a run is whole but for this.
                unlock(path)?;
                Ok(Claim::Finished)
            }
            Plan::Replace => {
                let folder = Self::stage(path, anew.job.spec.hash(), anew.job.shard)?;
                Ok(Claim::Play(folder, Box::new(anew)))
            }
            Plan::Begin => {
                fs::create_dir_all(path).map_err(at(path))?;
                let folder = growing(lock(path)?);
                folder.keep(&anew)?;
                Ok(Claim::Play(folder, Box::new(anew)))
            }
            Plan::GoOn(_) => {
                let folder = growing(lock(path)?);
                // Now nobody else moves it on.
                Ok(Claim::Play(folder, Box::new(unfinished(path)?)))
            }
        }
    }

    /// Keeps how far the run has come, so that it can be gone on with even if this process or the machine is killed. A
    /// run that will appear as a whole is not kept before.
    ///
    /// # Errors
    /// If the file system refuses; then what was kept before still holds.
    pub fn keep<S: RunSpec, C: Counts>(&self, standing: &Standing<S, C>) -> Result<(), FolderError> {
        match self.place {
            Place::Staged { .. } => Ok(()),
            Place::Growing { .. } => self.replace(UNFINISHED_FILE, standing.to_json().as_bytes()),
        }
    }

    /// Replaces a file as a whole, and makes sure that it stays.
    fn replace(&self, name: &str, content: &[u8]) -> Result<(), FolderError> {
        let (new, path) = (self.content().join(new_file(name)), self.content().join(name));
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(content)?;
            file.sync_data()?;
            fs::rename(&new, &path)
        };
        write().map_err(at(&self.path.join(name)))
    }

    /// Where the run will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A new file of the run.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn create(&self, name: &str) -> Result<File, FolderError> {
        File::create(self.content().join(name)).map_err(at(&self.path.join(name)))
    }

    /// A file of the run that is written on after its first so many bytes. Whatever comes after them is cut off.
    ///
    /// # Errors
    /// If it is shorter, or the file system refuses.
    pub fn write_on(&self, name: &str, from: u64) -> Result<File, FolderError> {
        let path = self.content().join(name);
        let open = || {
            let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&path)?;
            let length = file.metadata()?.len();
            if length >= from {
                file.set_len(from)?;
                file.seek(SeekFrom::Start(from))?;
            }
            Ok((file, length))
        };
        let (file, length) = open().map_err(at(&self.path.join(name)))?;
        if length < from {
            let reason = format!("{name} has {}, and must have {from}", counted(length, "byte"));
            return Err(FolderError::Broken { path: self.path.clone(), reason });
        }
        Ok(file)
    }

    /// A file of the run that was written.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn read(&self, name: &str) -> Result<File, FolderError> {
        File::open(self.content().join(name)).map_err(at(&self.path.join(name)))
    }

    /// Writes a file of the run, and makes the folder that the name may begin with.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), FolderError> {
        let path = self.content().join(name);
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder).map_err(at(&self.path.join(name)))?;
        self.replace(name, content.as_ref())
    }

    /// Puts the run in its place, finished. On failure an older run is left as it was.
    ///
    /// # Errors
    /// If something else took the place in the meantime, or the file system refuses.
    pub fn publish(self) -> Result<(), FolderError> {
        let path = &self.path;
        match &self.place {
            Place::Growing { .. } => {
                fs::remove_file(path.join(UNFINISHED_FILE)).map_err(at(path))?;
                unlock(path)
            }
            Place::Staged { staging, spec, shard } => {
                may_be_replaced(path, *spec, *shard)?;
                let replaced = staging.path().join("replaced");
                if path.exists() {
                    fs::rename(path, &replaced).map_err(at(path))?;
                }
                fs::rename(self.content(), path).map_err(|source| {
                    // Nothing more can be done if the way back is closed too: the first reason is the one to tell.
                    let _ = fs::rename(&replaced, path);
                    FolderError::Io { path: path.clone(), source }
                })
            }
        }
    }

    /// Whether it can be gone on with if it is not finished.
    #[must_use]
    pub const fn is_growing(&self) -> bool {
        matches!(self.place, Place::Growing { .. })
    }

    /// Where the files are until the run is finished.
    fn content(&self) -> PathBuf {
        match &self.place {
            Place::Staged { staging, .. } => staging.path().join("new"),
            Place::Growing { .. } => self.path.clone(),
        }
    }
}

/// Where the content of a file is written that is to replace it.
fn new_file(name: &str) -> String {
    format!("{name}.new")
}

fn lock(path: &Path) -> Result<File, FolderError> {
    let file = path.join(LOCK_FILE);
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&file).map_err(at(&file))?;
    match lock.try_lock() {
        Err(TryLockError::WouldBlock) => Err(FolderError::InUse { path: path.into() }),
        // On a file system without locks nobody is kept out.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(lock),
    }
}

/// Removes the lock of a finished run, if it is there.
fn unlock(path: &Path) -> Result<(), FolderError> {
    match fs::remove_file(path.join(LOCK_FILE)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(at(path)(error)),
        Ok(()) | Err(_) => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{Machine, RUN_FILE, Run};
    use crate::spec::Spec;
    use crate::spec::tests::round_robin;

    fn publish(path: &Path, spec: &Spec, summary: &str) -> Result<(), FolderError> {
        let folder = RunFolder::claim(path, spec.hash())?;
        folder.write("summary.csv", summary)?;
        folder.write(RUN_FILE, Run::of(spec.clone(), &[], Machine::this(1), 0.0).to_json())?;
        folder.publish()
    }

    fn names_in(path: &Path) -> Vec<String> {
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_run_of_the_same_spec_is_replaced_as_a_whole() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("runs/mine");
        let spec = round_robin(&["random"], &[2]);
        publish(&path, &spec, "old").unwrap();
        publish(&path, &spec, "new").unwrap();
        assert_eq!(fs::read_to_string(path.join("summary.csv")).unwrap(), "new");
        assert_eq!(names_in(&home.path().join("runs")), ["mine"]);
    }

    #[test]
    fn an_empty_folder_is_taken() {
        let home = tempfile::tempdir().unwrap();
        publish(home.path().join("empty").as_path(), &round_robin(&["random"], &[2]), "new").unwrap();
        assert!(names_in(&home.path().join("empty")).contains(&"summary.csv".to_owned()));
    }

    #[test]
    fn what_is_not_ours_or_of_another_spec_is_refused_and_untouched() {
        let home = tempfile::tempdir().unwrap();
        let spec = round_robin(&["random"], &[2]);
        let (ours, foreign, file) = (home.path().join("ours"), home.path().join("foreign"), home.path().join("file"));
        publish(&ours, &Spec { seed: 7, ..spec.clone() }, "precious").unwrap();
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("thesis.txt"), "precious").unwrap();
        fs::write(&file, "precious").unwrap();
        for (path, reason) in [(&ours, "another spec"), (&foreign, "not a finished run"), (&file, "is a file")] {
            let message = publish(path, &spec, "new").unwrap_err().to_string();
            assert!(message.contains(reason) && message.contains("--out"), "{message}");
        }
        assert_eq!(fs::read_to_string(ours.join("summary.csv")).unwrap(), "precious");
        assert!(RunFolder::claim(Path::new(".."), spec.hash()).is_err());
        assert_eq!(names_in(home.path()).len(), 3);
    }

    #[test]
    fn a_run_that_is_given_up_leaves_nothing() {
        let home = tempfile::tempdir().unwrap();
        let folder = RunFolder::claim(&home.path().join("mine"), round_robin(&["random"], &[2]).hash()).unwrap();
        folder.write("summary.csv", "half").unwrap();
        drop(folder);
        assert!(names_in(home.path()).is_empty());
    }
}
