//! The set of playable cards, and the list of legal actions.
//!
//! Measured over the positions of the corpus. Bulk play needs only the set; all other callers use the list. One element
//! is one position.
//!
//! Before and after a change:
//! `cargo bench -p unolab-benches --bench speed -- ^legal_actions --save-baseline before`, then `--baseline before`.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use unolab_engine::action::{ActionId, Call};
use unolab_engine::card::CardSet;
use unolab_engine::rules::Rules;

use unolab_benches::positions::{Position, spread};
use unolab_benches::preset;

/// The number of legal actions, found by testing every action.
fn count_one_by_one(rules: &Rules, Position { state, seat, .. }: &Position) -> usize {
    ActionId::all().filter(|id| state.is_legal(rules, *seat, id.action(), Call::Silent)).count()
}

/// The playable cards, found by testing every action.
fn playable_one_by_one(rules: &Rules, Position { state, seat, .. }: &Position) -> CardSet {
    let plays = ActionId::all().filter(|id| state.is_legal(rules, *seat, id.action(), Call::Silent));
    plays.filter_map(|id| id.action().card()).collect()
}

pub(super) fn benches(criterion: &mut Criterion) {
    for variant in ["classic", "disney"] {
        let rules = preset(variant);
        let positions = spread(&rules, 4);
        let num_legal: usize = positions.iter().map(|position| count_one_by_one(&rules, position)).sum();
        let num_playable: u32 = positions.iter().map(|position| playable_one_by_one(&rules, position).len()).sum();

        let mut group = criterion.benchmark_group("legal_actions");
        group.throughput(Throughput::Elements(positions.len() as u64));
        group.bench_function(format!("{variant}/set"), |bencher| {
            let playable = |position: &Position| black_box(&position.state).playable(&rules, position.seat).len();
            bencher.iter(|| assert_eq!(positions.iter().map(playable).sum::<u32>(), num_playable));
        });
        group.bench_function(format!("{variant}/list"), |bencher| {
            let mut actions = Vec::new();
            let mut count = |position: &Position| {
                black_box(&position.state).legal_actions_into(&rules, &mut actions);
                actions.len()
            };
            bencher.iter(|| assert_eq!(positions.iter().map(&mut count).sum::<usize>(), num_legal));
        });
    }
}
