//! Decides what happens to the directory of a new run.

use std::fs;
use std::io;
use std::path::Path;

use serde::de::DeserializeOwned;

use super::error::{DirectoryError, at, name_of};
use super::files::{Outputs, Page, files_in, is_name_of_a_run, new_file};
use super::finished::{AnyCheckpoint, FinishedRun, unreadable};
use super::lock::LOCK_FILE;
use super::staging::is_left_over;
use crate::run::checkpoint::{CHECKPOINT_FILE, Checkpoint, Counts, Job, RunSpec};
use crate::run::digest::check_digest;
use crate::run::integrity::open;
use crate::run::programs::{ChangedPrograms, ProgramVersions};
use crate::run::shard::Shard;
use crate::run::spec_difference::WrittenSpec;

/// What to do with an existing run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// Start from scratch.
    Anew,
    /// Resume it.
    Resume,
}

/// What happens to a directory when a job claims it.
#[derive(Debug)]
pub enum Plan<S, C> {
    /// The directory is free.
    Begin,
    /// Its finished run is replaced when the new run is finished.
    Replace,
    /// Its run has this progress, and is resumed.
    GoOn(Box<Checkpoint<S, C>>),
    /// Its run is finished, and stays.
    Finished,
}

impl<S: RunSpec, C: Counts> Plan<S, C> {
    /// Decides what happens to this directory without touching it. `initial` is the first checkpoint of the job.
    ///
    /// # Errors
    /// If the directory is in use by anything else, or by a run that is not finished and is not to be resumed.
    pub fn of(
        path: &Path,
        initial: &Checkpoint<S, C>,
        start: Start,
        outputs: &Outputs,
        changed_programs: ChangedPrograms,
    ) -> Result<Self, DirectoryError> {
        name_of(path)?;
        let refused = |difference| Err(DirectoryError::OtherJob { path: path.into(), difference });
        if path.join(CHECKPOINT_FILE).exists() {
            let begun: AnyCheckpoint = unfinished(path)?;
            let (begun, wanted) = (begun.job.written_spec(), initial.job.written_spec());
            if !begun.is(&wanted) {
                return refused(begun.difference_from(&wanted) + " that is not finished");
            }
            let found: Checkpoint<S, C> = resumed(path, &initial.job, changed_programs)?;
            return match (initial.job.difference(&found.job), start) {
                (Some(difference), _) => refused(difference + " that is not finished"),
                (None, Start::Anew) => Err(DirectoryError::Unfinished { path: path.into(), done: found.counts.done() }),
                (None, Start::Resume) => Ok(Self::GoOn(Box::new(found))),
            };
        }
        if is_missing_or_empty(path)? {
            return Ok(Self::Begin);
        }
        let wanted = DirectoryRequest::of(&initial.job, outputs, changed_programs);
        let found = finished(path, &wanted)?;
        let written = found.as_ref().map(|run| run.outputs).unwrap_or_default();
        match (start, initial.job.difference(&Job { outputs: written, ..initial.job.clone() })) {
            (Start::Anew, _) => may_be_replaced(path, &wanted).map(|()| Self::Replace),
            (Start::Resume, Some(difference)) if initial.job.outputs.is_missing_in(written) => refused(difference),
            (Start::Resume, _) => {
                let Some(found) = &found else { return Ok(Self::Finished) };
                if let Some(reason) = found.damage(path) {
                    return Err(DirectoryError::Damaged { path: path.into(), reason });
                }
                if outputs.page == Page::Wanted && !path.join("report.html").exists() {
                    return refused("without --report".into());
                }
                Ok(Self::Finished)
            }
        }
    }
}

/// The checkpoint of the run in a directory, to be resumed by this job: with the same programs, unless changes are
/// accepted. It records the current programs and the changes.
pub(super) fn resumed<S: RunSpec, C: Counts>(
    path: &Path,
    now: &Job<S>,
    changed_programs: ChangedPrograms,
) -> Result<Checkpoint<S, C>, DirectoryError> {
    let mut found: Checkpoint<S, C> = unfinished(path)?;
    let changes = found.job.played_with.changes(&now.played_with);
    if !changes.is_empty() && now.difference(&found.job).is_none() {
        if changed_programs == ChangedPrograms::Refused {
            let began = "that was begun with different programs".into();
            return Err(DirectoryError::ChangedPrograms { path: path.into(), began, changes: changes.join(", ") });
        }
        let mut all = std::mem::take(&mut found.job.played_with.changed_programs);
        all.extend(changes);
        found.job.played_with = ProgramVersions { changed_programs: all, ..now.played_with.clone() };
    }
    Ok(found)
}

/// The checkpoint of the run in a directory.
pub(super) fn unfinished<T: DeserializeOwned>(path: &Path) -> Result<T, DirectoryError> {
    let text = open(&path.join(CHECKPOINT_FILE)).and_then(io::read_to_string).map_err(at(path))?;
    let broken = |reason: String| DirectoryError::Broken { path: path.into(), reason };
    check_digest(&text).map_err(broken)?;
    serde_json::from_str(&text).map_err(|error| broken(error.to_string()))
}

fn is_missing_or_empty(path: &Path) -> Result<bool, DirectoryError> {
    match fs::read_dir(path) {
        // A process that was killed at the beginning leaves only these files.
        Ok(mut entries) => Ok(entries.all(|entry| {
            entry.is_ok_and(|entry| {
                let name = entry.file_name();
                name == LOCK_FILE || name == *new_file(CHECKPOINT_FILE) || name.to_str().is_some_and(is_left_over)
            })
        })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            Err(DirectoryError::IsAFile { path: path.into() })
        }
        Err(source) => Err(DirectoryError::Io { path: path.into(), source }),
    }
}

/// The properties of the run that determine which files it may replace.
#[derive(Debug, Clone)]
pub(super) struct DirectoryRequest {
    pub(super) spec: WrittenSpec,
    pub(super) shard: Shard,
    pub(super) outputs: Outputs,
    pub(super) changed_programs: ChangedPrograms,
    /// The programs that play; `None` if irrelevant.
    pub(super) played_with: Option<Box<ProgramVersions>>,
}

impl DirectoryRequest {
    pub(super) fn of<S: RunSpec>(job: &Job<S>, outputs: &Outputs, changed_programs: ChangedPrograms) -> Self {
        Self {
            spec: job.written_spec(),
            shard: job.shard,
            outputs: Outputs { options: job.outputs, ..outputs.clone() },
            changed_programs,
            played_with: Some(Box::new(job.played_with.clone())),
        }
    }
}

/// Whether a directory is free, or holds a finished run or shard of the same spec all of whose files are written again.
/// Files that no run has written stay, unless a file of the run would have to replace them.
pub(super) fn may_be_replaced(path: &Path, wanted: &DirectoryRequest) -> Result<(), DirectoryError> {
    let Some(found) = finished(path, wanted)? else { return Ok(()) };
    if let Some(now) = &wanted.played_with
        && wanted.changed_programs == ChangedPrograms::Refused
    {
        let changes = found.played_with.changed_programs(now);
        if !changes.is_empty() {
            let (path, began) = (path.into(), "of different programs, whose results would be lost".into());
            return Err(DirectoryError::ChangedPrograms { path, began, changes: changes.join(", ") });
        }
    }
    for name in files_in(path)? {
        let (path, missing) = (path.into(), wanted.outputs.missing_flag(&name));
        match (found.files.has(&name), missing) {
            (true, Some(flag)) => return Err(DirectoryError::NotAskedFor { path, name, flag }),
            (false, None) if is_name_of_a_run(&name) => return Err(DirectoryError::InTheWay { path, name }),
            _ => {}
        }
    }
    Ok(())
}

/// The finished run or shard of the same spec in a directory; `None` if it is free.
fn finished(path: &Path, wanted: &DirectoryRequest) -> Result<Option<FinishedRun>, DirectoryError> {
    if is_missing_or_empty(path)? {
        return Ok(None);
    }
    let refused = |difference| Err(DirectoryError::OtherJob { path: path.into(), difference });
    match FinishedRun::in_dir(path) {
        None if path.join(CHECKPOINT_FILE).exists() => {
            let found: AnyCheckpoint = unfinished(path)?;
            let found = found.job.written_spec();
            if found.is(&wanted.spec) {
                return refused("of the same spec that is not finished".into());
            }
            refused(found.difference_from(&wanted.spec))
        }
        None => Err(match unreadable(path) {
            Some((file, reason)) => DirectoryError::Unreadable { path: path.into(), file, reason },
            None => DirectoryError::NotARun { path: path.into() },
        }),
        Some(found) if !found.spec.is(&wanted.spec) => refused(found.spec.difference_from(&wanted.spec)),
        Some(found) if found.shard == wanted.shard => Ok(Some(found)),
        Some(found) => refused(format!("of --shard {}, not {}", found.shard, wanted.shard)),
    }
}
