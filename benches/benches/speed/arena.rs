//! A tournament, and the same games without one.
//!
//! `tournament` is the arena's runner with its schedule, records, and tallies, on one thread and on two; `bare` plays the
//! same deals at the same seatings in a plain loop and counts only turns. A tournament may take at most a quarter longer,
//! even with the fastest agents, where the arena's share of the time is largest. One element is one game, so the throughput
//! is games per second.
//!
//! Before and after a change:
//! `cargo bench -p unolab-benches --bench speed -- ^arena --save-baseline before`, then `--baseline before`.

use std::sync::atomic::AtomicBool;

use criterion::{Criterion, Throughput};
use unolab_agents::player::Player;
use unolab_agents::registry::Registry;
use unolab_agents::table::Table;
use unolab_arena::experiment::tournament;
use unolab_arena::run::driver::RunOptions;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::{Allocation, Command, Entrant, Format, SeatingPlan, Spec, Unit, Variant};
use unolab_engine::cpu::dispatch;
use unolab_engine::observation::NO_SCORES;
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{FeatureSet, Rules, RulesKernel};
use unolab_engine::seat::Seat;

use unolab_benches::{SEED, preset, rounds::deal};

/// Enough for a runner to settle on a batch size; about a tenth of a second.
const SETS: u64 = 10_000;

fn contest(variant: &str) -> Contest {
    let spec = Spec {
        command: Command::Tournament { format: Format::RoundRobin },
        entrants: Entrant::name_all(["random", "greedy", "random", "greedy"]),
        variants: vec![Variant::of(&preset(variant))],
        seats: vec![4],
        sets: SETS,
        allocation: Allocation::Even,
        seed: SEED,
        seating: SeatingPlan::Rotate,
        unit: Unit::Round,
        seal: None,
    };
    Contest::of(spec, &Registry::default()).expect("four agents make a table of four")
}

/// The turns of all games, as counted by the runner.
fn turns_of_tournament(contest: &Contest, threads: usize) -> u64 {
    let counted = tournament::play(contest, RunOptions::new(threads, &AtomicBool::new(false)));
    let counted = counted.expect("there are threads");
    assert_eq!(counted.games(contest.schedule()).done, contest.schedule().num_games());
    // A tally counts a turn once for each seat of the game.
    counted.sections[0].tally.by_entrant().iter().map(|entrant| entrant.turns).sum::<u64>() / 4
}

/// Plays the games of a contest without the arena, and returns the number of turns.
struct Bare<'a>(&'a Contest);

impl RulesKernel for Bare<'_> {
    type Output = u64;

    fn rules(&self) -> &Rules {
        self.0.rules(&self.0.schedule().sections[0])
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> u64 {
        let contest = self.0;
        let section = &contest.schedule().sections[0];
        let rules = contest.rules(section);
        let (mut agents, mut turns): (Vec<Player>, u64) = (Vec::with_capacity(section.seats), 0);
        for set in 0..contest.schedule().sets {
            let (dealt, cards) = deal::<P>(rules, section.seats, set, &mut ());
            for (_, seating) in section.games(contest.streams_of(set)) {
                let (mut state, mut cards) = (dealt, cards.clone());
                agents.clear();
                agents.extend(Seat::first(section.seats).zip(&*seating).map(|(seat, entrant)| {
                    let rng = Rng::keyed(SEED, set, Purpose::Agent(seat));
                    contest.specs()[entrant.index()].make(rules, seat, rng)
                }));
                let mut table =
                    Table { rules, agents: &mut agents, scores: &NO_SCORES, state: &mut state, chance: &mut cards };
                let (counts, _) = table.play_round::<P>(());
                turns += u64::from(counts.turns);
            }
        }
        turns
    }
}

pub(super) fn benches(criterion: &mut Criterion) {
    for variant in ["classic", "disney"] {
        let contest = contest(variant);
        let turns = dispatch(Bare(&contest));

        let mut group = criterion.benchmark_group("arena");
        group.sample_size(10);
        group.throughput(Throughput::Elements(contest.schedule().num_games()));
        group.bench_function(format!("{variant}/bare"), |bencher| {
            bencher.iter(|| assert_eq!(dispatch(Bare(&contest)), turns));
        });
        for threads in [1, 2] {
            group.bench_function(format!("{variant}/tournament on {threads}"), |bencher| {
                bencher.iter(|| assert_eq!(turns_of_tournament(&contest, threads), turns));
            });
        }
    }
}
