//! The reports of a run before its end: faults when they occur, and tables at intervals.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use unolab_arena::run::checkpoint::Counts as _;
use unolab_arena::run::shard::RunProgress;
use unolab_arena::tables::faults::FaultRow;
use unolab_arena::words::{counted, grouped};

use super::command::ExperimentCommand;
use crate::progress::Bar;

/// The number of faults of an entrant in a section that are printed during a run.
const MOST_PRINTED: usize = 10;

/// The reports of a run in progress.
pub(super) struct Interim<'a, E> {
    experiment: &'a E,
    bar: &'a Bar,
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

impl<'a, E: ExperimentCommand> Interim<'a, E> {
    /// Begins at counts whose faults were reported before.
    pub(super) fn begin(experiment: &'a E, counts: &E::Counts, bar: &'a Bar, seconds: Option<u64>) -> Self {
        let mut printed = BTreeMap::new();
        for row in experiment.faults(counts).first {
            *printed.entry(key(&row)).or_insert(0) += 1;
        }
        let state = State { last_tables: Instant::now(), printed };
        Self { experiment, bar, interval: seconds.map(Duration::from_secs), state: Mutex::new(state) }
    }

    /// The time between two reports of the tables, which follow checkpoints.
    pub(super) const fn interval(&self) -> Option<Duration> {
        self.interval
    }

    /// Prints the faults since the last call.
    pub(super) fn print_faults(&self, faults: &[FaultRow]) {
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
    pub(super) fn print_tables_if_due(&self, counts: &E::Counts) -> anyhow::Result<()> {
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

fn key(row: &FaultRow) -> (String, usize, String) {
    (row.variant.clone(), row.seats, row.entrant.clone())
}

/// `mine lost game 17 (classic, 2 seats) by decision 5: no answer within 60 ms`.
fn in_words(row: &FaultRow) -> String {
    let FaultRow { entrant, variant, seats, index, decision, what, .. } = row;
    format!("{entrant} lost game {index} ({variant}, {seats} seats) by decision {decision}: {what}")
}
