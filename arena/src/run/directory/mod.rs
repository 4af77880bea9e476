//! The directory of a run.
//!
//! A long run writes into its own directory. While the directory contains a `checkpoint.json`, the run is unfinished and can
//! be resumed. The file is always replaced as a whole, and records how much of `games.csv` belongs to it. A merged run, or a
//! run that replaces a finished run of the same spec, is staged in `.staged` within the directory and moved into place at the
//! end. Its `checkpoint.json` there only shows its progress.
//!
//! `run.json` lists the files that its run has written. The next run of the same spec replaces or removes only these. Other
//! files in the directory stay, and a directory that is a link stays a link. Publishing can be killed at any time: `.publishing`
//! holds the files that are not yet in place, and the next run moves them there.

mod error;
mod files;
mod finished;
mod lock;
mod owned;
mod plan;
mod staging;
mod state;

use std::collections::BTreeSet;
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use rayon::ThreadPoolBuilder;
use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};

use crate::run::checkpoint::{CHECKPOINT_FILE, Checkpoint, Counts, RunSpec};
use crate::run::digest::sha256_of;
use crate::run::integrity::Digests;
use crate::run::programs::ChangedPrograms;
use crate::run::shard::Shard;
use crate::run::spec_difference::WrittenSpec;
use crate::words::counted;
pub use error::DirectoryError;
use error::{at, name_of};
pub use files::{
    BEST_FILE, CURVE_PICTURE, FRONT_PICTURE, Outputs, Page, TIME_FILE, WEIGHTS_FILE, figure_file, is_name_of_a_run,
};
use files::{has_digest, last_file, new_file};
use lock::Lock;
pub use owned::OwnedFile;
use plan::{DirectoryRequest, may_be_replaced, resumed};
pub use plan::{Plan, Start};
use staging::Staging;
pub use state::{RunFile, RunState};

/// A disk finishes this many files at a time about as fast as more.
const MOST_SYNCING_THREADS: usize = 8;

/// A claimed directory, and the checkpoint from which its job continues.
pub type Claim<S, C> = (RunDirectory, Checkpoint<S, C>);

/// A directory to which a run is being written.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    shard: Shard,
    place: Place,
    /// The written files, by their path relative to the directory.
    written: Mutex<BTreeSet<String>>,
    lock: Lock,
}

/// The place of a run's files.
#[derive(Debug)]
enum Place {
    /// In a staging area within its directory. If it is dropped before it is published, it leaves no files.
    Staged { staging: Staging, wanted: Box<DirectoryRequest> },
    /// The run is in its directory. If it is dropped before it is published, it can be resumed.
    Growing,
}

impl RunDirectory {
    /// Checks, before anything is run, that the whole run of this spec may use this directory and can write there. The files
    /// appear there at the end.
    ///
    /// # Errors
    /// If the directory is used for anything except a finished run of the same spec, or cannot be created.
    pub fn claim(
        path: &Path,
        spec: &impl RunSpec,
        outputs: Outputs,
        changed_programs: ChangedPrograms,
    ) -> Result<Self, DirectoryError> {
        staging::settle(path)?;
        let spec = WrittenSpec::new(spec.hash().to_string(), spec);
        let wanted = DirectoryRequest { spec, shard: Shard::WHOLE, outputs, changed_programs, played_with: None };
        Self::stage(path, wanted)
    }

    fn stage(path: &Path, wanted: DirectoryRequest) -> Result<Self, DirectoryError> {
        name_of(path)?;
        may_be_replaced(path, &wanted)?;
        let staging = Staging::begin(path)?;
        let lock = Lock::take(path)?;
        // From here on, no other process uses it.
        may_be_replaced(path, &wanted)?;
        staging.make()?;
        let shard = wanted.shard;
        Ok(Self {
            path: path.into(),
            shard,
            place: Place::Staged { staging, wanted: Box::new(wanted) },
            written: Mutex::default(),
            lock,
        })
    }

    fn growing(path: &Path, shard: Shard) -> Result<Self, DirectoryError> {
        let lock = Lock::take(path)?;
        Ok(Self { path: path.into(), shard, place: Place::Growing, written: Mutex::default(), lock })
    }

    /// Claims a directory for a job, before anything is run. `initial` is the first checkpoint of the job. Returns
    /// `None` if the run is finished.
    ///
    /// # Errors
    /// If the directory is in use by anything else, or by a run that is not finished and is not to be resumed.
    pub fn open<S: RunSpec, C: Counts>(
        path: &Path,
        initial: Checkpoint<S, C>,
        start: Start,
        outputs: &Outputs,
        changed_programs: ChangedPrograms,
    ) -> Result<Option<Claim<S, C>>, DirectoryError> {
        staging::settle(path)?;
        let shard = initial.job.shard;
        match Plan::of(path, &initial, start, outputs, changed_programs)? {
            Plan::Finished => {
                // A run that was killed in its last step has left this file.
                Lock::remove_left_over(path)?;
                Ok(None)
            }
            Plan::Replace => {
                let wanted = DirectoryRequest::of(&initial.job, outputs, changed_programs);
                Ok(Some((Self::stage(path, wanted)?, initial)))
            }
            Plan::Begin => {
                fs::create_dir_all(path).map_err(at(path))?;
                let directory = Self::growing(path, shard)?;
                directory.keep(&initial)?;
                Ok(Some((directory, initial)))
            }
            Plan::GoOn(_) => {
                let directory = Self::growing(path, shard)?;
                // From here on, no other process changes it.
                Ok(Some((directory, resumed(path, &initial.job, changed_programs)?)))
            }
        }
    }

    /// Saves the progress of the run, so that it can be resumed even if this process or the machine fails. The progress of a
    /// staged run is saved only for reading: it cannot be resumed.
    ///
    /// # Errors
    /// If the file system fails; the last saved progress stays valid.
    pub fn keep<S: RunSpec, C: Counts>(&self, checkpoint: &Checkpoint<S, C>) -> Result<(), DirectoryError> {
        self.replace(CHECKPOINT_FILE, checkpoint.to_json().as_bytes())
    }

    /// Replaces a file atomically and durably.
    fn replace(&self, name: &str, content: &[u8]) -> Result<(), DirectoryError> {
        self.write_new(name, content)?.sync_data().map_err(at(&self.path.join(name)))?;
        self.move_new(name)
    }

    /// Writes the new content of a file next to it, and creates the subdirectory that the name may begin with.
    fn write_new(&self, name: &str, content: &[u8]) -> Result<File, DirectoryError> {
        let path = self.content().join(new_file(name));
        let write = || {
            path.parent().map_or(Ok(()), fs::create_dir_all)?;
            let mut file = File::create(&path)?;
            file.write_all(content).map(|()| file)
        };
        write().map_err(at(&self.path.join(name)))
    }

    /// Moves the new content of a file into its place, atomically.
    fn move_new(&self, name: &str) -> Result<(), DirectoryError> {
        let content = self.content();
        fs::rename(content.join(new_file(name)), content.join(name)).map_err(at(&self.path.join(name)))
    }

    /// The path of the run.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A new file of the run.
    ///
    /// # Errors
    /// If the file system fails.
    pub fn create(&self, name: &str) -> Result<File, DirectoryError> {
        self.note(name);
        File::create(self.content().join(name)).map_err(at(&self.path.join(name)))
    }

    /// Opens a file of the run to continue after its first `from` bytes; the rest is removed.
    ///
    /// # Errors
    /// If it is shorter, or the file system fails.
    pub fn write_on(&self, name: &str, from: u64) -> Result<File, DirectoryError> {
        self.note(name);
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
            let reason = format!("{name} has {}, expected {from}", counted(length, "byte"));
            return Err(DirectoryError::Broken { path: self.path.clone(), reason });
        }
        Ok(file)
    }

    /// A file of the run that was written.
    ///
    /// # Errors
    /// If the file system fails.
    pub fn read(&self, name: &str) -> Result<File, DirectoryError> {
        File::open(self.content().join(name)).map_err(at(&self.path.join(name)))
    }

    /// Writes a file of the run, and creates the subdirectory that the name may begin with.
    ///
    /// # Errors
    /// If the file system fails.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), DirectoryError> {
        self.note(name);
        self.replace(name, content.as_ref())
    }

    /// Writes files of the run, as [`write`](Self::write) does. All wait for the disk at the same time, which takes less time
    /// than one after the other.
    ///
    /// # Errors
    /// If the file system fails.
    pub fn write_all(&self, files: &[(String, Vec<u8>)]) -> Result<(), DirectoryError> {
        let new = |(name, content): &'_ (String, Vec<u8>)| {
            self.note(name);
            Ok((self.path.join(name), self.write_new(name, content)?))
        };
        let new: Vec<(PathBuf, File)> = files.iter().map(new).collect::<Result<_, _>>()?;
        let sync = |(path, file): &(PathBuf, File)| file.sync_data().map_err(at(path));
        match ThreadPoolBuilder::new().num_threads(MOST_SYNCING_THREADS).build() {
            Ok(pool) => pool.install(|| new.par_iter().try_for_each(sync))?,
            // The system refuses threads, so this one waits for each file.
            Err(_) => new.iter().try_for_each(sync)?,
        }
        files.iter().try_for_each(|(name, _)| self.move_new(name))
    }

    fn note(&self, name: &str) {
        self.written.lock().unwrap_or_else(PoisonError::into_inner).insert(name.into());
    }

    /// The files of the run, by name: the written files, and the file that lists them, which is written last.
    #[must_use]
    pub fn files(&self) -> Vec<String> {
        let mut files = self.written.lock().unwrap_or_else(PoisonError::into_inner).clone();
        files.insert(last_file(self.shard).into());
        files.into_iter().collect()
    }

    /// The digests of the tables that were written as CSV, and of the weights of a training run.
    ///
    /// # Errors
    /// If the file system fails.
    pub fn digests(&self) -> Result<Digests, DirectoryError> {
        let tables = self.files().into_iter().filter(|name| has_digest(name));
        let digest = |name: &str| sha256_of(self.read(name)?).map_err(at(&self.path.join(name)));
        tables.map(|name| Ok((name.clone(), digest(&name)?))).collect()
    }

    /// Moves the finished run into place. On failure an older run is unchanged.
    ///
    /// # Errors
    /// If the path was taken in the meantime, or the file system fails.
    pub fn publish(self) -> Result<(), DirectoryError> {
        let path = &self.path;
        match fs::remove_file(self.content().join(CHECKPOINT_FILE)) {
            // A merged run does not have a checkpoint.
            Err(error) if error.kind() == ErrorKind::NotFound && !self.is_growing() => {}
            removed => removed.map_err(at(path))?,
        }
        match &self.place {
            Place::Growing => {}
            Place::Staged { staging, wanted } => {
                may_be_replaced(path, wanted)?;
                staging.publish(self.shard, &self.files())?;
            }
        }
        self.lock.release(path)
    }

    /// Whether it can be resumed if it is not finished.
    #[must_use]
    pub const fn is_growing(&self) -> bool {
        matches!(self.place, Place::Growing)
    }

    /// The directory of the files until the run is finished.
    fn content(&self) -> PathBuf {
        match &self.place {
            Place::Staged { staging, .. } => staging.content(),
            Place::Growing => self.path.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::checkpoint::OutputOptions;
    use crate::run::manifest::{Machine, RUN_FILE, Run};
    use crate::spec::Spec;
    use crate::spec::tests::round_robin;
    use crate::tables::table::Tables;

    fn claim(path: &Path, spec: &Spec) -> Result<RunDirectory, DirectoryError> {
        let outputs = Outputs::tables_only(OutputOptions::default());
        RunDirectory::claim(path, spec, outputs, ChangedPrograms::Refused)
    }

    fn publish(path: &Path, spec: &Spec, summary: &str) -> Result<(), DirectoryError> {
        let directory = claim(path, spec)?;
        directory.write("summary.csv", summary)?;
        let run = Run::of(spec.clone(), &Tables::none().named(), Machine::this(1), 0.0);
        directory.write(RUN_FILE, Run { files: Some(directory.files()), ..run }.to_json())?;
        directory.publish()
    }

    fn names_in(path: &Path) -> Vec<String> {
        let mut names: Vec<String> =
            fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// Recovers from a process that was killed while publishing, whether the staged files are incomplete or only partly
    /// moved into place.
    #[test]
    fn killed_publication_is_finished_by_next_run() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("mine");
        let spec = round_robin(&["random"], &[2]);
        publish(&path, &spec, "old").unwrap();
        fs::create_dir_all(path.join(".staged/plots")).unwrap();
        fs::write(path.join(".staged/summary.csv"), "half").unwrap();
        staging::settle(&path).unwrap();
        assert_eq!(fs::read_to_string(path.join("summary.csv")).unwrap(), "old");
        assert_eq!(names_in(&path), ["run.json", "summary.csv"]);

        let other = home.path().join("other");
        publish(&other, &spec, "new").unwrap();
        fs::write(path.join("notes.txt"), "precious").unwrap();
        fs::write(path.join("seats.csv"), "of another run").unwrap();
        fs::rename(&other, path.join(".publishing")).unwrap();
        // The process was killed when this file was in place.
        fs::rename(path.join(".publishing/summary.csv"), path.join("summary.csv")).unwrap();
        staging::settle(&path).unwrap();
        assert_eq!(fs::read_to_string(path.join("summary.csv")).unwrap(), "new");
        assert_eq!(names_in(&path), ["notes.txt", "run.json", "seats.csv", "summary.csv"]);
    }

    #[test]
    fn run_of_same_spec_is_replaced_completely() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("runs/mine");
        let spec = round_robin(&["random"], &[2]);
        publish(&path, &spec, "old").unwrap();
        publish(&path, &spec, "new").unwrap();
        assert_eq!(fs::read_to_string(path.join("summary.csv")).unwrap(), "new");
        assert_eq!(names_in(&home.path().join("runs")), ["mine"]);
    }

    #[test]
    fn empty_directory_is_claimed() {
        let home = tempfile::tempdir().unwrap();
        publish(home.path().join("empty").as_path(), &round_robin(&["random"], &[2]), "new").unwrap();
        assert!(names_in(&home.path().join("empty")).contains(&"summary.csv".to_owned()));
    }

    #[test]
    fn foreign_run_or_file_is_rejected_unchanged() {
        let home = tempfile::tempdir().unwrap();
        let spec = round_robin(&["random"], &[2]);
        let (ours, foreign, file) = (home.path().join("ours"), home.path().join("foreign"), home.path().join("file"));
        publish(&ours, &Spec { seed: 7, ..spec.clone() }, "precious").unwrap();
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("thesis.txt"), "precious").unwrap();
        fs::write(&file, "precious").unwrap();
        for (path, reason) in
            [(&ours, "another spec (seed 7, not 1)"), (&foreign, "not a finished run"), (&file, "is a file")]
        {
            let message = publish(path, &spec, "new").unwrap_err().to_string();
            assert!(message.contains(reason) && message.contains("--out"), "{message}");
        }
        assert_eq!(fs::read_to_string(ours.join("summary.csv")).unwrap(), "precious");
        assert!(claim(Path::new(".."), &spec).is_err());
        assert_eq!(names_in(home.path()).len(), 3);
    }

    #[test]
    fn abandoned_run_leaves_no_files() {
        let home = tempfile::tempdir().unwrap();
        let spec = round_robin(&["random"], &[2]);
        let directory = claim(&home.path().join("mine"), &spec).unwrap();
        directory.write("summary.csv", "half").unwrap();
        drop(directory);
        assert!(names_in(home.path()).is_empty());
    }
}
