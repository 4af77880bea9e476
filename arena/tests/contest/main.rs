//! What the library counts, checked by other means.

mod agents;
mod balance;
mod coverage;
mod illegal;
mod luck;
mod panics;
mod programs;
mod recount;
mod ties;

use std::sync::atomic::AtomicBool;

use unolab_agents::registry::Registry;
use unolab_arena::contest::Contest;
use unolab_arena::runner::{self, Conduct, Counted, GamesSink};
use unolab_arena::spec::{Command, Entrant, Format, SeatingPlan, Spec, Unit, Variant};
use unolab_engine::rules::Rules;

/// A small round robin of the classic game.
fn spec(agents: &[&str], seats: &[usize], sets: u64) -> Spec {
    Spec {
        command: Command::Tournament { format: Format::RoundRobin },
        entrants: Entrant::name_all(agents.iter().copied()),
        variants: vec![Variant::of(&Rules::preset("classic"))],
        seats: seats.to_vec(),
        sets,
        seed: 1,
        seating: SeatingPlan::Rotate,
        unit: Unit::Round,
    }
}

/// The contest of a spec, its counts, and the rows of all its games.
fn played(spec: Spec) -> (Contest, Counted, Vec<u8>) {
    let contest = Contest::of(spec, &Registry::default()).expect("a spec that can be played");
    let mut rows = Vec::new();
    let conduct = Conduct { threads: 2, stop: &AtomicBool::new(false), on_progress: &|_| {} };
    let counted = runner::play(&contest, &conduct, Some(GamesSink { out: &mut rows, every: 1 })).expect("it is played");
    (contest, counted, rows)
}
