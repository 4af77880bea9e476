//! Whole rounds of one agent against itself.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use unolab_agents::registry::Registry;
use unolab_arena::experiment::tournament;
use unolab_arena::run::driver::{Progress, RunOptions};
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::{Allocation, Command, Entrant, Format, SeatingPlan, Spec, Unit, Variant};
use unolab_engine::rules::Rules;

use super::Rate;

/// More deals than can be played in the time.
const ENDLESS: u64 = 1_000_000_000_000;

/// A contest of one agent in all seats, which has one game for each deal.
pub(super) fn contest(rules: &Rules, agent: &str, seats: usize, registry: &Registry) -> anyhow::Result<Contest> {
    let spec = Spec {
        command: Command::Tournament { format: Format::RoundRobin },
        entrants: Entrant::name_all([agent]),
        variants: vec![Variant::of(rules)],
        seats: vec![seats],
        sets: ENDLESS,
        allocation: Allocation::Even,
        seed: 1,
        seating: SeatingPlan::Rotate,
        unit: Unit::Round,
        seal: None,
    };
    Ok(Contest::of(spec, registry)?)
}

/// Plays for about this time, at least one round.
pub(super) fn rate(contest: &Contest, threads: usize, time: Duration) -> anyhow::Result<Rate> {
    let (stop, begin) = (AtomicBool::new(false), Instant::now());
    let stop_in_time = |progress: Progress| {
        stop.store(progress.sets.done > 0 && begin.elapsed() >= time, Ordering::Relaxed);
    };
    let counted =
        tournament::play(contest, RunOptions { on_progress: &stop_in_time, ..RunOptions::new(threads, &stop) })?;
    let seconds = begin.elapsed().as_secs_f64();
    let section = &contest.schedule().sections[0];
    // The tally counts a turn once for each seat of the game.
    let turns = counted.sections[0].tally.by_entrant()[0].turns / section.seats as u64;
    let turns_per_s = turns as f64 / seconds;
    Ok(Rate::Rounds {
        rounds_per_s: counted.games(contest.schedule()).done as f64 / seconds,
        turns_per_s,
        ns_per_turn: 1e9 / turns_per_s,
    })
}
