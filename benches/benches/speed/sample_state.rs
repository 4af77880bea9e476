//! Samples a full state from a seat's information: the cards it has not seen are dealt again.
//!
//! Measured over 1,024 positions after 24 turns, from which rollouts start. One element is one state.
//!
//! Before and after a change:
//! `cargo bench -p unolab-benches --bench speed -- ^sample_state --save-baseline before`, then `--baseline before`.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::state::RoundState;

use unolab_benches::positions::{Position, middle};
use unolab_benches::preset;

/// Whether the sample has the cards of the true state, as many in each place, and the same cards in the observer's hand.
fn is_possible(position: &Position, sampled: &RoundState) -> bool {
    let state = &position.state;
    let sizes = |state: &RoundState| state.seats().map(|seat| state.hand(seat).len()).collect::<Vec<u32>>();
    sampled.hand(position.seat) == state.hand(position.seat)
        && sizes(sampled) == sizes(state)
        && sampled.draw_pile().len() == state.draw_pile().len()
        && sampled.discard_pile() == state.discard_pile()
}

fn sample_all(rules: &Rules, positions: &[Position]) -> u32 {
    let mut chance = Rng::from_seed(1);
    let mut last_cards = 0;
    for position in positions {
        let sampled = black_box(position).observation(rules).sample_state(&mut chance);
        last_cards ^= black_box(sampled).draw_pile_len();
    }
    last_cards
}

pub(super) fn benches(criterion: &mut Criterion) {
    for variant in ["classic", "disney"] {
        let rules = preset(variant);
        for seats in [2, 4] {
            let positions = middle(&rules, seats);
            let mut chance = Rng::from_seed(1);
            for position in &positions {
                assert!(is_possible(position, &position.observation(&rules).sample_state(&mut chance)));
            }
            let expected = positions.iter().fold(0, |all, position| all ^ position.state.draw_pile_len());

            let mut group = criterion.benchmark_group("sample_state");
            group.throughput(Throughput::Elements(positions.len() as u64));
            group.bench_function(format!("{variant}/{seats} seats"), |bencher| {
                bencher.iter(|| assert_eq!(sample_all(&rules, &positions), expected));
            });
        }
    }
}
