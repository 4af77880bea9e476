//! Every kind of decision occurs in games that `unolab play` deals by default, or belongs to a rule that is switched off.

use std::collections::BTreeSet;

use clap::Parser as _;
use unolab::Rng;
use unolab::agents::registry::Registry;
use unolab::rules::presets;
use unolab_play::args::Args;
use unolab_play::table::Table;

/// Kinds that only house rules cause.
const SWITCHED_OFF: [&str; 2] = ["jump-in", "stack"];

const OCCURRING: [&str; 12] =
    ["call", "challenge", "cheese", "color", "discard", "drawn", "lap", "protect", "swap", "target", "turn", "window"];

/// People who answer at random, so that they forget their calls.
#[test]
fn every_kind_of_decision_occurs_in_default_games() {
    let registry = Registry::default();
    let mut kinds = BTreeSet::new();
    for variant in presets::NAMES {
        for seed in 1..=6 {
            let seed_text = u64::to_string(&seed);
            let words = [
                "unolab-play",
                "--people",
                "Ada,Ben,Cy,Di",
                "--against",
                "none",
                "--variant",
                variant,
                "--seed",
                &seed_text,
            ];
            let mut table = Table::of(&Args::parse_from(words), &registry).expect("a table");
            let mut rng = Rng::from_seed(seed);
            for _ in 0..3000 {
                let Some((seat, kind)) = table.session.asked() else { break };
                kinds.insert(kind.word());
                let legal = table.session.legal();
                let chosen = &legal[rng.below(u32::try_from(legal.len()).expect("few")) as usize];
                let player = table.session.player_at(seat);
                table.session.answer(player, chosen).expect("a legal action");
            }
        }
    }
    assert_eq!(kinds, BTreeSet::from(OCCURRING));
    assert!(SWITCHED_OFF.iter().all(|kind| !kinds.contains(kind)));
}
