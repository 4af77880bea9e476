//! The reports of a run before its end: progress, faults when they occur, and tables at intervals.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use unolab_arena::run::active::{ActiveRun, Observer};
use unolab_arena::run::checkpoint::Counts as _;
use unolab_arena::run::driver::Progress;
use unolab_arena::run::shard::RunProgress;
use unolab_arena::tables::faults::FaultRow;
use unolab_arena::words::{counted, grouped};

use super::command::{ExperimentCommand, Invocation, Printing};
use crate::args::MOST_SETS;
use crate::progress::{Bar, Standing};

/// The number of faults of an entrant in a section that are printed during a run.
const MOST_PRINTED: usize = 10;

/// The reports of a run in progress.
pub(super) struct ProgressReport<'a, E> {
    experiment: &'a E,
    bar: Bar,
    begin: Instant,
    /// The number of games that were counted before.
    games_before: u64,
    /// The time between two reports of the tables.
    interval: Option<Duration>,
    state: Mutex<State>,
}

/// The reports so far.
struct State {
    last_tables: Instant,
    /// The number of faults of each entrant of a section that were printed, or counted before.
    printed: BTreeMap<(String, usize, String), usize>,
}

impl<'a, E: ExperimentCommand> ProgressReport<'a, E> {
    /// Begins at the counts of a run, whose faults were reported before.
    pub(super) fn begin(experiment: &'a E, run: &ActiveRun<'_, E>, invocation: &Invocation) -> Self {
        let (begin, RunProgress { done, of }) = (Instant::now(), run.done());
        let bar = match invocation.printing {
            Printing::Nothing | Printing::QuietJson => Bar::hidden(),
            _ if E::MAY_END_EARLY && of == MOST_SETS => Bar::without_end("sets"),
            _ if E::MAY_END_EARLY => Bar::at_most(of, E::COUNTED),
            _ => Bar::of(of, E::COUNTED),
        };
        bar.begin_at(done);
        let mut printed = BTreeMap::new();
        for row in experiment.faults(run.counts()).first {
            *printed.entry(key(&row)).or_insert(0) += 1;
        }
        Self {
            experiment,
            bar,
            begin,
            games_before: experiment.games(run.counts()),
            interval: invocation.report_interval.map(Duration::from_secs),
            state: Mutex::new(State { last_tables: begin, printed }),
        }
    }

    /// Ends the bar, and prints the speed of the run.
    pub(super) fn finish(self, run: &ActiveRun<'_, E>) {
        let games = self.experiment.games(run.counts()) - self.games_before;
        self.bar.print_message(&speed(games, self.begin.elapsed(), run.num_threads()));
        self.bar.finish();
    }

    /// Prints the faults since the last call.
    fn print_faults(&self, faults: &[FaultRow]) {
        let mut state = self.lock();
        let mut seen = BTreeMap::new();
        for row in faults {
            let number = seen.entry(key(row)).or_insert(0);
            *number += 1;
            let printed = state.printed.entry(key(row)).or_insert(0);
            if *number > *printed {
                *printed = *number;
                if *number <= MOST_PRINTED {
                    self.bar.print(&in_words(row));
                }
                if *number == MOST_PRINTED {
                    self.bar.print(&format!("{}: further faults are only counted", row.entrant));
                }
            }
        }
    }

    /// Prints the tables so far, if the interval is over.
    fn print_tables_if_due(&self, counts: &E::Counts) -> anyhow::Result<()> {
        let Some(interval) = self.interval else { return Ok(()) };
        let mut state = self.lock();
        let RunProgress { done, of } = counts.done();
        if state.last_tables.elapsed() < interval || done == of {
            return Ok(());
        }
        state.last_tables = Instant::now();
        let text = self.experiment.text(counts, &self.experiment.results(counts)?)?;
        let so_far = if E::MAY_END_EARLY {
            counted(done, E::COUNTED)
        } else {
            format!("{} of {}", grouped(done), counted(of, E::COUNTED))
        };
        self.bar.print(&format!("interim report after {so_far}\n{}", text.trim_end()));
        Ok(())
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<E: ExperimentCommand> Observer<E::Counts> for ProgressReport<'_, E> {
    fn on_progress(&self, Progress { sets, .. }: Progress) {
        self.bar.show(sets.done);
    }

    fn on_checkpoint(&self, counts: &E::Counts) {
        self.bar.set_standing(Standing {
            leader: self.experiment.leader(counts),
            faults: self.experiment.faults(counts).in_short(),
        });
    }

    fn after_checkpoint(&self, counts: &E::Counts) -> io::Result<()> {
        self.print_faults(&self.experiment.faults(counts).first);
        self.print_tables_if_due(counts).map_err(io::Error::other)
    }

    /// The tables follow checkpoints.
    fn checkpoint_interval(&self) -> Option<Duration> {
        self.interval
    }
}

fn key(row: &FaultRow) -> (String, usize, String) {
    (row.variant.clone(), row.seats, row.entrant.clone())
}

/// `mine lost game 17 (classic, 2 seats) by decision 5: no answer within 60 ms`.
fn in_words(row: &FaultRow) -> String {
    let FaultRow { entrant, variant, seats, index, decision, what, .. } = row;
    format!("{entrant} lost game {index} ({variant}, {seats} seats) by decision {decision}: {what}")
}

fn speed(games: u64, time: Duration, threads: usize) -> String {
    let seconds = time.as_secs_f64();
    let rate = games as f64 / seconds.max(1e-9);
    let (games, threads) = (counted(games, "game"), counted(threads as u64, "thread"));
    format!("{games} in {seconds:.1} s on {threads}: {rate:.0} per second")
}
