//! Applies one action to a copy of a state, and measures the copy separately.
//!
//! Measured over the positions of the corpus, with the action that a `random` agent chooses there. Bulk play uses
//! `apply_action_unchecked`; the checked `apply_action` is measured for comparison. One element is one position. A state
//! is plain data of at most 512 bytes, which `unolab_benches` asserts at compile time.
//!
//! Before and after a change:
//! `cargo bench -p unolab-benches --bench speed -- ^apply_action --save-baseline before`, then `--baseline before`.

use std::hint::black_box;

use criterion::{Criterion, Throughput};
use unolab_agents::agent::Agent;
use unolab_agents::player::Player;
use unolab_engine::action::{Action, Call};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::Rules;
use unolab_engine::state::RoundState;

use unolab_benches::positions::{Position, spread};
use unolab_benches::{SEED, agent, preset};

/// A position, an action, and the resulting state.
struct Step {
    before: Position,
    action: Action,
    chance: Rng,
    after: RoundState,
}

fn steps(rules: &Rules) -> Vec<Step> {
    let random = agent("random");
    let step = |(number, before): (u64, Position)| {
        let Position { mut state, seat, .. } = before.clone();
        let mut player: Player = random.make(rules, seat, Rng::keyed(SEED, number, Purpose::Agent(seat)));
        let action = player.choose(&before.observation(rules));
        let chance = Rng::keyed(SEED, number, Purpose::Other(0));
        state.apply_action(rules, seat, action, Call::Silent, &mut chance.clone(), &mut ()).expect("it is legal");
        Step { before, action, chance, after: state }
    };
    (0..).zip(spread(rules, 4)).map(step).collect()
}

pub(super) fn benches(criterion: &mut Criterion) {
    for variant in ["classic", "disney"] {
        let rules = preset(variant);
        let steps = steps(&rules);
        let mut group = criterion.benchmark_group("apply_action");
        group.throughput(Throughput::Elements(steps.len() as u64));
        group.bench_function(format!("{variant}/copy"), |bencher| {
            let mut copy = steps[0].before.state;
            bencher.iter(|| steps.iter().for_each(|step| copy = black_box(step.before.state)));
            assert_eq!(copy, steps.last().expect("there are steps").before.state);
        });
        group.bench_function(format!("{variant}/trusted"), |bencher| {
            bencher.iter(|| {
                for Step { before, action, chance, after } in &steps {
                    let mut state = black_box(before.state);
                    let (call, chance) = (Call::Silent, &mut chance.clone());
                    state.apply_action_unchecked(&rules, before.seat, *action, call, chance, &mut ());
                    assert_eq!(state.phase(), after.phase());
                }
            });
        });
        group.bench_function(format!("{variant}/checked"), |bencher| {
            bencher.iter(|| {
                for Step { before, action, chance, after } in &steps {
                    let mut state = black_box(before.state);
                    let (call, chance) = (Call::Silent, &mut chance.clone());
                    let applied = state.apply_action(&rules, before.seat, *action, call, chance, &mut ());
                    assert!(applied.is_ok() && state.phase() == after.phase());
                }
            });
        });
    }
}
