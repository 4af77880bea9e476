//! Pilots: the time and the bytes of a run, measured on its first remaining sets. A pilot writes nothing.

use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::counts::TournamentCounts;
use super::tournament::Tournament;
use crate::run::driver::{self, GamesSink, RunOptions};
use crate::run::error::RunError;
use crate::run::experiment::Experiment;
use crate::schedule::contest::Contest;

/// Plays on from these counts for about this time, without output. Returns the counts and the time in seconds.
pub(super) fn play<E: Experiment>(
    experiment: &E,
    counts: E::Counts,
    games_csv: Option<u64>,
    threads: usize,
    time: Duration,
) -> Result<(E::Counts, f64), RunError> {
    let (stop, begin) = (AtomicBool::new(false), Instant::now());
    let on_progress = |_| stop.store(begin.elapsed() >= time, Ordering::Relaxed);
    let mut nowhere = io::sink();
    let out: &mut (dyn Write + Send) = &mut nowhere;
    let games = games_csv.map(|every| GamesSink { out, every });
    let options = RunOptions { games, on_progress: &on_progress, ..RunOptions::new(threads, &stop) };
    let counts = driver::run(experiment, counts, options)?;
    Ok((counts, begin.elapsed().as_secs_f64()))
}

/// The cost of a set of one section.
#[derive(Debug, Clone, Copy)]
pub struct SetCost {
    /// The time, in seconds, on all threads together.
    pub seconds: f64,
    /// The bytes of its rows in games.csv.
    pub bytes: f64,
}

impl SetCost {
    /// Plays the first remaining sets of a section, for about this time.
    ///
    /// # Errors
    /// If the games cannot be played.
    pub fn of_section(
        contest: &Contest,
        counts: &TournamentCounts,
        section: usize,
        games_csv: Option<u64>,
        threads: usize,
        time: Duration,
    ) -> Result<Self, RunError> {
        let mut pilot = counts.clone();
        for (_, other) in pilot.sections.iter_mut().enumerate().filter(|(other, _)| *other != section) {
            other.next = other.sets.end;
        }
        let (first, rows) = (pilot.sections[section].next, pilot.sections[section].rows);
        let (played, seconds) = play(&Tournament::of(contest), pilot, games_csv, threads, time)?;
        let played = &played.sections[section];
        // Sets in progress on the other threads when the time is over are not counted: half a set per thread.
        let sets = (played.next - first).max(1) as f64 + 0.5 * (threads - 1) as f64;
        Ok(Self { seconds: seconds / sets, bytes: (played.rows.bytes - rows.bytes) as f64 / sets })
    }
}
