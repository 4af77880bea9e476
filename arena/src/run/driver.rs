//! Plays an experiment on several threads. The result does not depend on the number of threads.
//!
//! Work is divided into batches of whole sets that take about [`Experiment::BATCH_TIME`] each. Any free thread plays a batch,
//! but batches are committed in order: at any time the counted sets are the first ones, and their rows are written. The
//! result does not depend on the division into batches, and memory does not grow with the number of games.
//!
//! Whether an entrant that takes too long is asked in a game depends on the games before it (see [`Patience`]), which another
//! thread may still be playing. A batch is played with the counts so far. If they turn out to be incomplete when the batch is
//! committed, it is played again.

use std::collections::{BTreeMap, VecDeque};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use unolab_agents::stop::{Stopped, unless_stopped, unless_system_fails};

use super::checkpoint::Counts;
use super::error::RunError;
use super::experiment::{Batch, Experiment, Play};
use super::shard::RunProgress;
use crate::schedule::patience::Patience;

/// The approximate limit of a batch's rows in bytes. This many are still in the processor's cache when they are
/// written, which is several times as fast.
const ROWS_OF_BATCH: u64 = 1 << 20;

/// The number of batches by which a thread may be ahead of the next committed one; these batches wait in memory.
const BATCHES_AHEAD: u64 = 8;

/// The largest share of the time that checkpoints may take.
const SHARE_OF_CHECKPOINTS: u32 = 20;

/// The options for running an experiment, which do not change its result.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct RunOptions<'a, C> {
    /// The number of threads.
    pub threads: usize,
    /// Once it is set, no more batches are started, and games in progress are abandoned: their batches are not counted.
    pub stop: &'a AtomicBool,
    /// Called after each batch.
    pub on_progress: &'a (dyn Fn(Progress) + Sync),
    /// The sink of the rows of games.
    pub games: Option<GamesSink<'a>>,
    /// The receiver of checkpoints.
    pub checkpoints: Option<Checkpoints<'a, C>>,
}

impl<'a, C> RunOptions<'a, C> {
    /// Plays on this number of threads, to the end or until it is stopped, without files.
    #[must_use]
    pub const fn new(threads: usize, stop: &'a AtomicBool) -> Self {
        Self { threads, stop, on_progress: &|_| {}, games: None, checkpoints: None }
    }
}

/// The progress of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Games counted.
    pub games: u64,
    /// Sets counted; a deal counts once for each part of the run.
    pub sets: RunProgress,
}

/// The receiver of regular checkpoints.
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct Checkpoints<'a, C> {
    /// The minimum time between two checkpoints; longer if they take long. Zero means a checkpoint after every counted batch.
    pub interval: Duration,
    /// Receives the counts after their rows have been written and flushed. An error ends the run.
    pub take: &'a (dyn Fn(&C) -> io::Result<()> + Sync),
}

/// The games that are written, and their destination.
#[expect(missing_debug_implementations, reason = "a stream of bytes has nothing to show")]
pub struct GamesSink<'a> {
    /// Takes the rows in the order of the games, without a header.
    pub out: &'a mut (dyn Write + Send),
    /// The games of every k-th set are written.
    pub every: u64,
}

/// Plays the remaining sets, until the end or until it is stopped. The run is finished if its horizon is empty
/// afterwards.
///
/// # Errors
/// If threads cannot be started, code other than an agent panics, or rows or checkpoints cannot be written.
pub fn run<E: Experiment>(
    experiment: &E,
    counts: E::Counts,
    options: RunOptions<'_, E::Counts>,
) -> Result<E::Counts, RunError> {
    let RunOptions { threads, stop, on_progress, games, checkpoints } = options;
    let games_every = games.as_ref().map(|sink| sink.every);
    let state = State {
        left: VecDeque::new(),
        next_number: 0,
        next_commit: 0,
        waiting: BTreeMap::new(),
        again: None,
        counts,
        rows: games.map(|sink| sink.out),
        next_unsaved: 0,
        checkpoint_due: checkpoints.as_ref().map(|checkpoints| Instant::now() + checkpoints.interval),
        failure: None,
        is_left: false,
    };
    let queue = WorkQueue {
        experiment,
        threads: threads as u64,
        checkpoints,
        state: Mutex::new(state),
        committed: Condvar::new(),
    };
    let have_panicked = AtomicBool::new(false);
    let how = Play { games_every, have_panicked: &have_panicked, patience: &Patience::default() };
    pool(threads)?.broadcast(|_| queue.work_through(how, stop, on_progress));
    queue.close()
}

/// Runs work on a pool of this number of threads.
///
/// # Errors
/// If threads cannot be started, or the system fails.
pub fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> Result<R, RunError> {
    let pool = pool(threads)?;
    Ok(unless_system_fails(|| pool.install(work))?)
}

/// A pool of this number of threads.
///
/// # Errors
/// If they cannot be started.
pub fn pool(threads: usize) -> Result<rayon::ThreadPool, RunError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| RunError::Threads { threads, reason: error.to_string() })
}

/// The state shared by the threads of a run: the remaining sets, and the counts.
struct WorkQueue<'e, 'a, E: Experiment> {
    experiment: &'e E,
    threads: u64,
    checkpoints: Option<Checkpoints<'a, E::Counts>>,
    state: Mutex<State<'a, E>>,
    /// Notified when batches were committed.
    committed: Condvar,
}

struct State<'a, E: Experiment> {
    /// The batches of the horizon that no thread has, in order.
    left: VecDeque<Batch>,
    next_number: u64,
    /// The number of the batch that is committed next; later batches wait.
    next_commit: u64,
    waiting: BTreeMap<u64, PendingBatch<E::Played>>,
    /// The batch that is committed next, if it has to be played again.
    again: Option<(u64, Batch)>,
    counts: E::Counts,
    rows: Option<&'a mut (dyn Write + Send)>,
    /// The batch after the last one in the newest checkpoint: if nothing was committed since, no checkpoint is due.
    next_unsaved: u64,
    /// When the next checkpoint is due; `None` while one is being saved.
    checkpoint_due: Option<Instant>,
    failure: Option<RunError>,
    /// A batch was abandoned: later batches are not counted.
    is_left: bool,
}

/// A batch that was played, and waits for earlier ones.
struct PendingBatch<P> {
    batch: Batch,
    /// The patience that applied when it was played.
    patience: Patience,
    played: P,
}

impl<'a, E: Experiment> WorkQueue<'_, 'a, E> {
    /// The work of one thread: batch after batch.
    fn work_through(&self, how: Play<'_>, stop: &AtomicBool, on_progress: &(dyn Fn(Progress) + Sync)) {
        let mut timing = Timing::UNKNOWN;
        while let Some((number, batch, patience)) = self.next(timing, stop) {
            let begin = Instant::now();
            let how = Play { patience: &patience, ..how };
            let play = || unless_stopped(stop, || self.experiment.play(&batch, how));
            let played = match unless_system_fails(play) {
                Ok(Ok(Ok(played))) => played,
                Ok(Ok(Err(error))) => return self.abort(error),
                Ok(Err(Stopped)) => return self.leave(),
                Err(failure) => return self.abort(failure.into()),
            };
            debug_assert!(
                self.experiment.can_be_of(&batch, how, &played),
                "what is refused from others is never played here"
            );
            let (sets, rows) = (batch.sets.end - batch.sets.start, E::rows(&played).len() as u64);
            timing = Timing { part: batch.part, sets, time: begin.elapsed(), rows };
            on_progress(self.submit(number, PendingBatch { batch, patience, played }));
        }
    }

    /// The next batch with its number and the patience with its entrants, if a batch is left. Waits while too many batches
    /// wait for an earlier one, and at the end of each horizon.
    fn next(&self, timing: Timing, stop: &AtomicBool) -> Option<(u64, Batch, Patience)> {
        let mut state = self.lock();
        loop {
            if state.failure.is_some() || state.is_left || stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Some((number, batch)) = state.again.take() {
                let patience = self.experiment.patience(&state.counts, &batch);
                return Some((number, batch, patience));
            }
            let is_far_ahead = state.next_number > state.next_commit + self.threads * BATCHES_AHEAD;
            let waits_for_others = state.left.is_empty() && state.next_number > state.next_commit;
            if is_far_ahead || waits_for_others {
                state = self.committed.wait(state).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            if let Some(batch) = state.cut(timing, self.threads) {
                state.next_number += 1;
                let patience = self.experiment.patience(&state.counts, &batch);
                return Some((state.next_number - 1, batch, patience));
            }
            match self.experiment.horizon(&state.counts) {
                Ok(horizon) if horizon.is_empty() => return None,
                Ok(horizon) => state.left.extend(horizon),
                Err(error) => state.failure = Some(error),
            }
        }
    }

    /// Counts a batch as soon as all earlier ones are counted, and the batches that waited for it.
    fn submit(&self, number: u64, pending: PendingBatch<E::Played>) -> Progress {
        let mut guard = self.lock();
        let state = &mut *guard;
        state.waiting.insert(number, pending);
        while let Some(PendingBatch { batch, patience, played }) = state.waiting.remove(&state.next_commit) {
            let actual = self.experiment.patience(&state.counts, &batch);
            if state.failure.is_none() && !patience.plays_as(&actual, &E::streaks(&played)) {
                state.again = Some((state.next_commit, batch));
                break;
            }
            state.next_commit += 1;
            if state.failure.is_some() {
                continue;
            }
            let written = self.experiment.write(&played).and_then(|()| match &mut state.rows {
                Some(out) => out.write_all(E::rows(&played)).map_err(RunError::Games),
                None => Ok(()),
            });
            match written {
                Ok(()) => self.experiment.merge(&mut state.counts, &batch, played),
                Err(error) => state.failure = Some(error),
            }
        }
        self.committed.notify_all();
        let progress = Progress { games: self.experiment.games(&state.counts), sets: state.counts.done() };
        if let Some(checkpoints) = &self.checkpoints
            && state.next_unsaved < state.next_commit
            && state.checkpoint_due.is_some_and(|due| due <= Instant::now())
        {
            self.take_checkpoint(checkpoints, guard);
        }
        progress
    }

    /// Saves a checkpoint while the other threads continue; if every batch needs one, they wait.
    fn take_checkpoint(&self, checkpoints: &Checkpoints<'_, E::Counts>, mut state: MutexGuard<'_, State<'a, E>>) {
        let begin = Instant::now();
        let flushed = state.rows.as_mut().map_or(Ok(()), |rows| rows.flush());
        if let Err(error) = flushed {
            state.failure.get_or_insert(RunError::Games(error));
        }
        if state.failure.is_some() {
            return;
        }
        state.next_unsaved = state.next_commit;
        let interval = checkpoints.interval;
        let (taken, pause, mut state) = if interval.is_zero() {
            ((checkpoints.take)(&state.counts), interval, state)
        } else {
            let counts = state.counts.clone();
            state.checkpoint_due = None;
            drop(state);
            let taken = (checkpoints.take)(&counts);
            (taken, interval.max(begin.elapsed() * SHARE_OF_CHECKPOINTS), self.lock())
        };
        state.checkpoint_due = Some(Instant::now() + pause);
        if let Err(error) = taken {
            state.failure.get_or_insert(RunError::Checkpoint(error));
            self.committed.notify_all();
        }
    }

    /// A game failed: all threads stop. Batches committed before can be resumed.
    fn abort(&self, error: RunError) {
        self.lock().failure.get_or_insert(error);
        self.committed.notify_all();
    }

    /// A batch was abandoned because the run stops, so no thread waits for it.
    fn leave(&self) {
        self.lock().is_left = true;
        self.committed.notify_all();
    }

    /// The counts.
    fn close(self) -> Result<E::Counts, RunError> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(error)) = state.rows.as_mut().map(|rows| rows.flush()) {
            state.failure.get_or_insert(RunError::Games(error));
        }
        // The system failed, not the run, so the counts are saved.
        if let (Some(RunError::System(_)), Some(checkpoints)) = (&state.failure, &self.checkpoints)
            && state.next_unsaved < state.next_commit
        {
            // If this also fails, the last checkpoint stays.
            let _ = (checkpoints.take)(&state.counts);
        }
        state.failure.map_or(Ok(state.counts), Err)
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, E>> {
        // A thread that panicked with this lock ends the whole run, without saving its state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: Experiment> State<'_, E> {
    /// The first sets that no thread has.
    fn cut(&mut self, timing: Timing, threads: u64) -> Option<Batch> {
        while self.left.front().is_some_and(|batch| batch.sets.is_empty()) {
            self.left.pop_front();
        }
        let Batch { part, sets } = self.left.front_mut()?;
        // Toward the end batches get smaller, so that the threads finish at the same time.
        let fair_part = (sets.end - sets.start).div_ceil(4 * threads);
        let end = sets.start + timing.sets_per_batch(*part, E::BATCH_TIME).min(fair_part).min(E::MOST_SETS);
        let batch = Batch { part: *part, sets: sets.start..end };
        sets.start = end;
        if sets.is_empty() {
            self.left.pop_front();
        }
        Some(batch)
    }
}

/// The size and the time of the last batch.
#[derive(Debug, Clone, Copy)]
struct Timing {
    part: usize,
    sets: u64,
    time: Duration,
    /// Bytes of rows.
    rows: u64,
}

impl Timing {
    const UNKNOWN: Self = Self { part: usize::MAX, sets: 0, time: Duration::ZERO, rows: 0 };

    /// The number of sets of a part that take this time, or fewer if their rows exceed [`ROWS_OF_BATCH`]. The first batch
    /// is a single set; each batch is at most eight times as large as the one before.
    fn sets_per_batch(self, part: usize, batch_time: Duration) -> u64 {
        if self.part != part {
            return 1;
        }
        let by_rows = (self.sets * ROWS_OF_BATCH).checked_div(self.rows).map_or(u64::MAX, |sets| sets.max(1));
        let by_time = self.sets as f64 * batch_time.as_secs_f64() / self.time.as_secs_f64().max(1e-9);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "cut to a positive whole number")]
        let by_time = by_time as u64;
        by_time.clamp(1, 8 * self.sets).min(by_rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_start_small_in_each_part_and_grow_to_target_time() {
        const TIME: Duration = Duration::from_millis(100);
        let timing = |sets, millis| Timing { part: 0, sets, time: Duration::from_millis(millis), rows: 0 };
        assert_eq!(Timing::UNKNOWN.sets_per_batch(0, TIME), 1);
        assert_eq!(timing(50, 50).sets_per_batch(0, TIME), 100);
        assert_eq!(timing(50, 50).sets_per_batch(1, TIME), 1);
        assert_eq!(timing(50, 0).sets_per_batch(0, TIME), 400);
        assert_eq!(timing(1, 60_000).sets_per_batch(0, TIME), 1);
        assert_eq!(Timing { rows: 100 * ROWS_OF_BATCH, ..timing(1000, 50) }.sets_per_batch(0, TIME), 10);
        assert_eq!(Timing { rows: 2 * ROWS_OF_BATCH, ..timing(1, 50) }.sets_per_batch(0, TIME), 1);
    }
}
