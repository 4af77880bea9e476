//! `tune --dry-run`: the size of the space, the rounds, and the time.

use std::time::Duration;

use unolab_arena::experiment::tune::Tuning;
use unolab_arena::experiment::tune::counts::TuneCounts;
use unolab_arena::run::driver::on_threads;
use unolab_arena::words::{counted, grouped};

use super::super::driver::dry_run::time_in_words;
use super::text::space_in_words;

/// The time in which the speed is measured.
const PILOT: Duration = Duration::from_secs(1);

/// The remaining work of a tuning run, after a short pilot that writes nothing.
pub(super) fn of_tuning(tuning: &Tuning, part: &TuneCounts, threads: usize) -> anyhow::Result<String> {
    let per_second = on_threads(threads, || tuning.rounds_per_second(PILOT))??;
    let left = part.budget.saturating_sub(part.rounds);
    let seconds = left as f64 / per_second / threads as f64;
    let goals = tuning.goals.iter().map(|goal| format!("goal: {goal}\n")).collect::<String>();
    Ok(format!(
        "{}\n{goals}{} of {}, about {} on {}\n",
        space_in_words(tuning),
        grouped(left),
        counted(part.budget, "round"),
        time_in_words(seconds),
        counted(threads as u64, "thread"),
    ))
}
