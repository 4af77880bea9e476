//! Rollouts: a position is copied, its unseen cards are dealt again, and `random` agents play it out.
//!
//! Measured over 1,024 positions after 24 turns, with the code for this machine. One element is one rollout, so the
//! throughput is rollouts per second. Every result is compared with the same rollouts played step by step.
//!
//! Before and after a change:
//! `cargo bench -p unolab-benches --bench speed -- ^rollout --save-baseline before`, then `--baseline before`.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use unolab_engine::cpu::dispatch;

use unolab_benches::positions::middle;
use unolab_benches::rollouts::Rollouts;
use unolab_benches::{agent, preset};

pub(super) fn benches(criterion: &mut Criterion) {
    let agents = &[agent("random")];
    for variant in ["classic", "disney"] {
        let rules = preset(variant);
        for seats in [2, 4] {
            let positions = middle(&rules, seats);
            let rollouts = Rollouts { rules: &rules, agents, positions: &positions };
            let expected = rollouts.step_by_step();

            let mut group = criterion.benchmark_group("rollout");
            group.throughput(Throughput::Elements(positions.len() as u64));
            group.bench_function(format!("{variant}/{seats} seats"), |bencher| {
                bencher.iter(|| assert_eq!(dispatch(black_box(rollouts)), expected));
            });
        }
    }
}
