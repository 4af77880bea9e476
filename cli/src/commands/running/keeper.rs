//! A run that is kept while it goes on.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::time::{Duration, Instant};

use unolab_arena::run::folder::RunFolder;
use unolab_arena::run::shard::Done;
use unolab_arena::run::standing::{Counts, Job, RunSpec, Standing};
use unolab_arena::words::{counted, grouped};

use crate::output::complain;

/// How often a run is kept, at most: what is lost with a killed process.
const KEPT_EVERY: Duration = Duration::from_millis(200);

/// A hook for tests: after so many checkpoints the process is aborted, as if it were killed at that moment. Whoever uses it
/// has a checkpoint whenever there is anything new to keep.
static STOP_AFTER_CHECKPOINTS: LazyLock<Option<u64>> =
    LazyLock::new(|| std::env::var("UNOLAB_STOP_AFTER_CHECKPOINTS").ok()?.parse().ok());

/// How many checkpoints there were.
static CHECKPOINTS: AtomicU64 = AtomicU64::new(0);

/// How much time there is between two checkpoints, at least.
pub(in crate::commands) fn checkpoint_interval() -> Duration {
    if STOP_AFTER_CHECKPOINTS.is_some() { Duration::ZERO } else { KEPT_EVERY }
}

/// Keeping takes no more than this part of the time.
const SHARE_OF_KEEPING: u32 = 20;

/// Keeps how far a run has come.
pub(in crate::commands) struct Keeper<'f, S> {
    folder: &'f RunFolder,
    job: Job<S>,
    seconds_before: f64,
    begin: Instant,
    due: Mutex<Instant>,
}

impl<'f, S: RunSpec> Keeper<'f, S> {
    /// For a job that has taken so many seconds before.
    pub(in crate::commands) fn new(folder: &'f RunFolder, job: Job<S>, seconds_before: f64) -> Self {
        let begin = Instant::now();
        for change in &job.played_with.changed_programs {
            complain(&format!("warning: {}: changed on the way: {change}", folder.path().display()));
        }
        Self { folder, job, seconds_before, begin, due: Mutex::new(begin + checkpoint_interval()) }
    }

    /// How long it has taken so far.
    pub(in crate::commands) fn seconds(&self) -> f64 {
        self.seconds_before + self.begin.elapsed().as_secs_f64()
    }

    /// How far the job has come with these counts.
    pub(in crate::commands) fn standing<C: Counts>(&self, part: C) -> Standing<S, C> {
        Standing { job: self.job.clone(), seconds: self.seconds(), part }
    }

    /// Keeps it, unless that was done just now.
    pub(in crate::commands) fn keep<C: Counts>(&self, part: &C) -> io::Result<()> {
        let begin = Instant::now();
        let mut due = self.due.lock().unwrap_or_else(PoisonError::into_inner);
        if begin < *due {
            return Ok(());
        }
        self.keep_at_once(part)?;
        let interval = checkpoint_interval();
        // Without an interval there is no pause either.
        let pause = if interval.is_zero() { interval } else { interval.max(begin.elapsed() * SHARE_OF_KEEPING) };
        *due = Instant::now() + pause;
        Ok(())
    }

    /// Keeps it, whatever was kept before.
    pub(in crate::commands) fn keep_at_once<C: Counts>(&self, part: &C) -> io::Result<()> {
        self.folder.keep(&self.standing(part.clone())).map_err(io::Error::other)?;
        let checkpoints = CHECKPOINTS.fetch_add(1, Ordering::Relaxed) + 1;
        if self.folder.is_growing() && *STOP_AFTER_CHECKPOINTS == Some(checkpoints) {
            std::process::abort();
        }
        Ok(())
    }
}

/// Says that a run was stopped, and how to go on with it.
pub(in crate::commands) fn tell_stopped(folder: &RunFolder, Done { done, of }: Done, thing: &str) {
    let path = folder.path().display();
    let what_is_there = if folder.is_growing() {
        format!("{path} can be gone on with: add --resume")
    } else {
        format!("nothing was written to {path}")
    };
    complain(&format!("stopped after {} of {}; {what_is_there}", grouped(done), counted(of, thing)));
}

/// What to say besides the reason when a run breaks off.
pub(in crate::commands) fn how_to_go_on(folder: &RunFolder) -> String {
    let path = folder.path().display();
    if folder.is_growing() {
        format!("the run broke off; once there is room again, add --resume to go on with {path}")
    } else {
        format!("the run broke off; nothing was written to {path}")
    }
}
