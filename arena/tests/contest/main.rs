//! The counts of the library, checked independently.

mod agents;
mod balance;
mod checkpoints;
mod coverage;
mod illegal;
mod luck;
mod panics;
mod programs;
mod recount;
mod ties;
mod timeouts;

use std::sync::atomic::AtomicBool;

use unolab_agents::registry::Registry;
use unolab_arena::count::tally::Tally;
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::tournament;
use unolab_arena::run::driver::{GamesSink, RunOptions};
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::{Allocation, Command, Entrant, Format, SeatingPlan, Spec, Unit, Variant};
use unolab_engine::rules::Rules;

/// A small round robin of the classic game.
fn spec(agents: &[&str], seats: &[usize], sets: u64) -> Spec {
    Spec {
        command: Command::Tournament { format: Format::RoundRobin },
        entrants: Entrant::name_all(agents.iter().copied()),
        variants: vec![Variant::of(&Rules::preset("classic"))],
        seats: seats.to_vec(),
        sets,
        allocation: Allocation::Even,
        seed: 1,
        seating: SeatingPlan::Rotate,
        unit: Unit::Round,
        seal: None,
    }
}

/// The counts of a run.
struct ArmCounts {
    tallies: Vec<Tally>,
    is_finished: bool,
}

impl ArmCounts {
    fn of(counts: &TournamentCounts) -> Self {
        Self { tallies: counts.tallies(), is_finished: counts.is_finished() }
    }
}

/// The contest of a spec, its counts, and the rows of all its games.
fn played(spec: Spec) -> (Contest, ArmCounts, Vec<u8>) {
    played_by(&Registry::default(), spec, 2)
}

/// The contest with these agents, on this number of threads.
fn played_by(registry: &Registry, spec: Spec, threads: usize) -> (Contest, ArmCounts, Vec<u8>) {
    let contest = Contest::of(spec, registry).expect("a spec that can be played");
    let mut rows = Vec::new();
    let stop = AtomicBool::new(false);
    let games = Some(GamesSink { out: &mut rows, every: 1 });
    let counted = tournament::play(&contest, RunOptions { games, ..RunOptions::new(threads, &stop) });
    let counted = ArmCounts::of(&counted.expect("it is played"));
    (contest, counted, rows)
}

/// The games of the other agents are the games of a tournament without faults.
fn assert_games_of_others_are_the_same(registry: &Registry, offender: &str) {
    let of_others = |third: &str| -> Vec<String> {
        let rows = played_by(registry, spec(&["greedy", "heuristic", third], &[2], 20), 1).2;
        let cells = String::from_utf8(rows).expect("text");
        let cells = cells.lines().map(|row| row.split(',').skip(6).map(str::to_owned).collect::<Vec<_>>());
        cells.filter(|cells| !cells[0].contains('2')).map(|cells| cells.join(",")).collect()
    };
    let (with, without) = (of_others(offender), of_others("random"));
    assert_eq!((with.len(), with), (40, without));
}
