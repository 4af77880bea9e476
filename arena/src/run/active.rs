//! A run from its directory to its published tables.

use std::error::Error;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::checkpoint::{Checkpoint, Counts as _, Job, SHARD_FILE, ShardTime};
use super::directory::{DirectoryError, Outputs, Page, Plan, RunDirectory, TIME_FILE};
use super::driver::{self, Checkpoints, Progress, RunOptions};
use super::error::{RunError, at_file};
use super::execution::Execution;
use super::experiment::Experiment;
use super::integrity::open;
use super::limits::{check_limits, has_programs};
use super::manifest::{Machine, RUN_FILE, Run, result_hash};
use super::program_output;
use super::results::{Results, Tabulate};
use super::rows_file::RowsFile;
use super::shard::{RunProgress, Shard};
use super::workers;
use crate::tables::Row as _;
use crate::tables::games::GameRow;
use crate::tables::parquet::games_to_parquet;
use crate::tables::table::{TableFormat, Tables, parquet_name};

/// The minimum time between two checkpoints, which is lost when a process is killed.
const CHECKPOINT_INTERVAL: Duration = Duration::from_millis(200);

/// The name of an environment variable for tests: after this number of checkpoints the process is aborted, as if it were
/// killed at that moment. With it, every new result causes a checkpoint.
const STOP_AFTER_CHECKPOINTS: &str = "UNOLAB_STOP_AFTER_CHECKPOINTS";

/// The number of checkpoints that this process has saved.
static SAVED: AtomicU64 = AtomicU64::new(0);

/// Observes a run while it is played.
pub trait Observer<C>: Sync {
    /// Called after each batch.
    fn on_progress(&self, _progress: Progress) {}

    /// Called before each checkpoint is saved.
    fn on_checkpoint(&self, _counts: &C) {}

    /// Called after each checkpoint is saved.
    ///
    /// # Errors
    /// If the run must end.
    fn after_checkpoint(&self, _counts: &C) -> io::Result<()> {
        Ok(())
    }

    /// The time after which another checkpoint is needed, if it is short.
    fn checkpoint_interval(&self) -> Option<Duration> {
        None
    }
}

/// An observer without effect.
impl<C> Observer<C> for () {}

/// A run while it is played into its directory.
#[derive(Debug)]
pub struct ActiveRun<'a, E: Experiment> {
    pub(super) experiment: &'a E,
    pub(super) outputs: &'a Outputs,
    pub(super) execution: &'a Execution,
    pub(super) threads: usize,
    pub(super) directory: RunDirectory,
    pub(super) checkpoint: Checkpoint<E::Spec, E::Counts>,
}

/// Draws the page of a run from its tables and `run.json`, by their names: the files of the page.
pub type DrawPage<'a> = &'a dyn Fn(&[(&str, &[u8])]) -> Result<Vec<(String, Vec<u8>)>, Box<dyn Error + Send + Sync>>;

/// The first checkpoint of an experiment.
#[must_use]
pub fn first_checkpoint<E: Experiment>(
    experiment: &E,
    shard: Shard,
    outputs: &Outputs,
) -> Checkpoint<E::Spec, E::Counts> {
    Checkpoint {
        job: Job::new(experiment.spec(), shard, outputs.options),
        seconds: 0.0,
        counts: experiment.empty(shard),
    }
}

/// Plans what a run would do with its directory, without writing.
///
/// # Errors
/// If the directory is in use by anything else, its counts do not belong to the experiment, or the system cannot support
/// the run.
pub fn plan<E: Tabulate>(
    experiment: &E,
    outputs: &Outputs,
    execution: &Execution,
) -> Result<Plan<E::Spec, E::Counts>, RunError> {
    check_limits(experiment, execution.num_threads(experiment.games_at_once()), execution.shard)?;
    let first = first_checkpoint(experiment, execution.shard, outputs);
    let path = execution.directory_of(experiment);
    let plan = Plan::of(&path, &first, execution.start, outputs, execution.changed_programs)?;
    if let Plan::GoOn(checkpoint) = &plan {
        check_counts(experiment, &checkpoint.counts, execution.shard, &path)?;
    }
    Ok(plan)
}

fn check_counts<E: Experiment>(
    experiment: &E,
    counts: &E::Counts,
    shard: Shard,
    path: &Path,
) -> Result<(), DirectoryError> {
    if experiment.accepts(counts, shard) {
        return Ok(());
    }
    Err(DirectoryError::Broken { path: path.into(), reason: "its counts do not belong to its spec".into() })
}

impl<'a, E: Tabulate> ActiveRun<'a, E> {
    /// Claims the directory of a run, and prepares its outputs; `None` if the run is finished.
    ///
    /// # Errors
    /// If the directory is in use by anything else, or by a run that is not finished and is not to be resumed, if an output
    /// cannot be written, or if the system cannot support the run.
    pub fn open(experiment: &'a E, outputs: &'a Outputs, execution: &'a Execution) -> Result<Option<Self>, RunError> {
        let threads = execution.num_threads(experiment.games_at_once());
        check_limits(experiment, threads, execution.shard)?;
        let path = execution.directory_of(experiment);
        let first = first_checkpoint(experiment, execution.shard, outputs);
        let opened = RunDirectory::open(&path, first, execution.start, outputs, execution.changed_programs)?;
        let Some((directory, checkpoint)) = opened else {
            return Ok(None);
        };
        check_counts(experiment, &checkpoint.counts, execution.shard, &path)?;
        experiment.begin(&checkpoint.counts)?;
        Ok(Some(Self { experiment, outputs, execution, threads, directory, checkpoint }))
    }

    /// The counts so far.
    pub const fn counts(&self) -> &E::Counts {
        &self.checkpoint.counts
    }

    /// The number of threads that play.
    #[must_use]
    pub const fn num_threads(&self) -> usize {
        self.threads
    }

    /// The directory.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// Whether the run can be resumed from its directory if it stops now.
    #[must_use]
    pub fn can_be_resumed(&self) -> bool {
        self.directory.is_growing()
    }

    /// The programs that have changed since the run began, in words.
    #[must_use]
    pub fn changed_programs(&self) -> &[String] {
        &self.checkpoint.job.played_with.changed_programs
    }

    /// Plays the remaining sets, until the end or until it is stopped, and saves checkpoints from time to time. Returns
    /// warnings about what could not be logged.
    ///
    /// # Errors
    /// If a game fails and no agent is at fault, or a file cannot be written.
    pub fn play(&mut self, observer: &dyn Observer<E::Counts>, stop: &AtomicBool) -> Result<Vec<String>, RunError> {
        let Self { experiment, execution, directory, checkpoint, .. } = self;
        let (job, counts, begin) = (&checkpoint.job, checkpoint.counts.clone(), Instant::now());
        let seconds_before = checkpoint.seconds;
        let now = |counts: &E::Counts| Checkpoint {
            job: job.clone(),
            seconds: seconds_before + begin.elapsed().as_secs_f64(),
            counts: counts.clone(),
        };
        let written = if counts.done().done > 0 { experiment.written(&counts) } else { Vec::new() };
        let mut rows = job.outputs.games_csv.map(|every| RowsFile::open(directory, &written, every)).transpose()?;
        let synced = rows.as_ref().map(RowsFile::synced).transpose()?;
        let abort_after = std::env::var(STOP_AFTER_CHECKPOINTS).ok().and_then(|number| number.parse::<u64>().ok());
        let save = |counts: &E::Counts| {
            observer.on_checkpoint(counts);
            if let Some(file) = &synced {
                file.sync_data()?;
            }
            directory.keep(&now(counts)).map_err(io::Error::other)?;
            let saved = SAVED.fetch_add(1, Ordering::Relaxed) + 1;
            if directory.is_growing() && abort_after == Some(saved) {
                std::process::abort();
            }
            observer.after_checkpoint(counts)
        };
        let interval = observer.checkpoint_interval().map_or(CHECKPOINT_INTERVAL, |time| time.min(CHECKPOINT_INTERVAL));
        let options = RunOptions {
            threads: self.threads,
            stop,
            on_progress: &|progress| observer.on_progress(progress),
            games: rows.as_mut().map(RowsFile::sink),
            checkpoints: Some(Checkpoints {
                interval: if abort_after.is_some() { Duration::ZERO } else { interval },
                take: &save,
            }),
        };
        let counts = match execution.workers {
            None => driver::run(*experiment, counts, options)?,
            Some(at_least) => workers::run(*experiment, job, at_least, counts, options)?,
        };
        save(&counts).map_err(RunError::Checkpoint)?;
        let played = now(&counts);
        *checkpoint = played;
        match &execution.programs {
            Some(registry) => program_output::store(directory, registry),
            None => Ok(Vec::new()),
        }
    }

    /// Replaces the counts with counts that a caller has played in this time.
    pub fn set_played(&mut self, counts: E::Counts, time: Duration) {
        self.checkpoint.counts = counts;
        self.checkpoint.seconds += time.as_secs_f64();
    }

    /// The sets that are counted, and all sets.
    pub fn done(&self) -> RunProgress {
        self.checkpoint.counts.done()
    }

    /// Whether all sets are counted. Then its table of games is complete.
    ///
    /// # Errors
    /// If the table of games does not hold exactly the counted games: a program may have written to it.
    pub fn is_finished(&self) -> Result<bool, RunError> {
        let Self { experiment, directory, checkpoint, .. } = self;
        let is_finished = experiment.horizon(&checkpoint.counts)?.is_empty();
        if is_finished && checkpoint.job.outputs.games_csv.is_some() && has_programs(*experiment) {
            RowsFile::check_complete(directory, &experiment.written(&checkpoint.counts))?;
        }
        Ok(is_finished)
    }

    /// Writes the results of the finished run, and publishes its directory. Returns a warning if they replace a different
    /// result of the same programs.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn publish(self, results: &Results, draw_page: DrawPage<'_>) -> Result<Option<String>, RunError> {
        let Self { experiment, outputs, execution, threads, directory, checkpoint: Checkpoint { job, seconds, .. } } =
            self;
        let Results { tables, faults, files, readme } = results;
        if outputs.tables == TableFormat::Parquet && job.outputs.games_csv.is_some() {
            let mut csv = directory.read(GameRow::FILE)?;
            let mut parquet = directory.create(&parquet_name(GameRow::FILE))?;
            games_to_parquet(&mut csv, &mut parquet).map_err(at_file(GameRow::FILE))?;
        }
        let in_format = |tables: &Tables| tables.files(outputs.tables).map_err(|(file, error)| at_file(file)(error));
        let readme = ("README.md".to_owned(), readme.clone().into_bytes());
        directory.write_all(&[in_format(tables)?, in_format(faults)?, files.clone(), vec![readme]].concat())?;
        let tables = tables.named();
        let machine = Machine { command_line: execution.command_line.clone(), ..Machine::this(threads) };
        // The spec of the experiment has the key of its seal, which the checkpoint does not have.
        let run = Run::of(experiment.spec().clone(), &tables, machine, seconds);
        let run = Run { outputs: job.outputs, played_with: job.played_with, ..run };
        let warning = warning_of_other_result(&directory, &tables, &run);
        if outputs.page == Page::Wanted {
            let run = run.to_json();
            let mut named: Vec<(&str, &[u8])> = tables.iter().map(|(name, bytes)| (*name, &**bytes)).collect();
            named.push((RUN_FILE, run.as_bytes()));
            directory.write_all(&draw_page(&named).map_err(RunError::Page)?)?;
        }
        let digests = directory.digests()?;
        directory.write(RUN_FILE, Run { files: Some(directory.files()), digests, ..run }.to_json())?;
        directory.publish()?;
        Ok(warning)
    }

    /// Writes the counts of the finished shard, and publishes its directory.
    ///
    /// # Errors
    /// If a file cannot be written.
    pub fn publish_shard(self) -> Result<(), RunError> {
        let Self { directory, checkpoint, .. } = self;
        let time = ShardTime { seconds: checkpoint.seconds };
        directory.write(TIME_FILE, serde_json::to_string(&time).map_err(at_file(TIME_FILE))? + "\n")?;
        directory.write(SHARD_FILE, Checkpoint { seconds: 0.0, ..checkpoint }.to_json())?;
        Ok(directory.publish()?)
    }
}

/// The warning that the new run replaces a different result of the same programs, if it does.
fn warning_of_other_result<S>(directory: &RunDirectory, tables: &[(&str, Vec<u8>)], run: &Run<S>) -> Option<String> {
    let path = directory.path().join(RUN_FILE);
    let text = open(&path).and_then(io::read_to_string).ok()?;
    let replaced: Run<Value> = serde_json::from_str(&text).ok()?;
    let files = replaced.files.as_ref()?;
    if !replaced.is_of_this_version() || replaced.played_with != run.played_with {
        return None;
    }
    // A table that exists only in the new run is not a different result.
    let both: Vec<_> = tables.iter().filter(|(name, _)| files.iter().any(|file| file == name)).cloned().collect();
    let error = replaced.check_after_replay(&result_hash(&both)).err()?;
    Some(format!("{}: the run there is replaced, but {error}", path.display()))
}
