//! Whole rounds, from the deal to the last card, on the code path of tournaments.
//!
//! The same agent sits in every seat, and the code is the one for this machine. One element is one round, so the
//! throughput is rounds per second. Every result is compared with the same rounds played step by step.
//!
//! Before and after a change:
//! `cargo bench -p unolab-benches --bench speed -- ^round --save-baseline before`, then `--baseline before`.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use unolab_engine::cpu::dispatch;

use unolab_benches::rounds::Rounds;
use unolab_benches::{agent, preset};

pub(super) fn benches(criterion: &mut Criterion) {
    for variant in ["classic", "disney"] {
        let rules = preset(variant);
        for (name, seats) in [("random", 2), ("random", 4), ("greedy", 4), ("heuristic", 4)] {
            let agents = &[agent(name)];
            let rounds = Rounds { rules: &rules, agents, seats, count: 256 };
            let expected = rounds.step_by_step();

            let mut group = criterion.benchmark_group("round");
            group.throughput(Throughput::Elements(rounds.count));
            group.bench_function(format!("{variant}/{name}/{seats} seats"), |bencher| {
                bencher.iter(|| assert_eq!(dispatch(black_box(rounds)), expected));
            });
        }
    }
}
