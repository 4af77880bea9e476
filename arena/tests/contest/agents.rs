//! Every agent answers every decision of every preset at every number of seats it allows.

use rayon::iter::{IntoParallelRefIterator as _, ParallelIterator as _};
use unolab_agents::registry::Registry;
use unolab_arena::play::Dealer;
use unolab_arena::play::record::Status;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::{Spec, Variant};
use unolab_engine::rules::{Override, PresetsOnly, Rules, TableSize, load, presets};
use unolab_engine::seat::MAX_SEATS;

use super::spec;

const ROUNDS: u64 = 40;

/// Search agents play fewer rounds, with small budgets.
const SEARCHERS: [(&str, &str); 4] = [
    ("monte-carlo", "monte-carlo:rollouts=8"),
    ("ismcts", "ismcts:iterations=8"),
    ("clairvoyant", "clairvoyant:iterations=8"),
    ("exploiter", "exploiter:iterations=8"),
];
const ROUNDS_OF_SEARCHERS: u64 = 2;

/// Agents that may play forever: agents that draw as often as they play, so that hands grow; and agents that see every hand,
/// each of which keeps the next from going out.
const ENDLESS: [&str; 2] = ["random:uniform=true", "clairvoyant:iterations=8"];

/// Plays an agent against itself. In test builds the engine rejects illegal actions.
fn play_everywhere(agent: &str, rounds: u64, rules: &Rules, may_be_cut: impl Fn(&str) -> bool) {
    for seats in rules.seats() {
        let variants = vec![Variant::of(rules)];
        let contest = Contest::of(Spec { variants, ..spec(&[agent], &[seats], 1) }, &Registry::default()).unwrap();
        let section = &contest.schedule().sections[0];
        let mut dealer = Dealer::new(&contest, section);
        let seating = section.lineups().next().expect("one seating");
        for set in 0..rounds {
            let record = dealer.play(&dealer.deal(set), seating);
            let is_expected = match record.status {
                Status::Finished => true,
                // If all players hold many cards, the draw pile may be empty.
                Status::Void => seats > 4 || may_be_cut(agent),
                Status::Truncated => may_be_cut(agent),
            };
            assert!(is_expected, "{agent} in {} at {seats} seats, set {set}: {record:?}", rules.name());
            assert!(record.turns > 0 && record.decisions >= record.turns);
            let first = record.seats().filter(|&seat| record.result(seat).place == 1).count();
            assert!(record.status != Status::Finished || first == 1);
        }
    }
}

/// All agents, each with its number of rounds.
fn agents() -> Vec<(&'static str, u64)> {
    let registry = Registry::default();
    // Programs are tested elsewhere; `cmd` alone does not name a program.
    let names = registry.entries().map(|entry| entry.name).filter(|&name| name != "cmd");
    let with_rounds = names.map(|name| match SEARCHERS.iter().find(|(searcher, _)| *searcher == name) {
        Some((_, text)) => (*text, ROUNDS_OF_SEARCHERS),
        None => (name, ROUNDS),
    });
    with_rounds.chain([("random:copies=true", ROUNDS), ("random:uniform=true", ROUNDS)]).collect()
}

#[test]
fn every_agent_completes_every_preset() {
    presets::NAMES.par_iter().for_each(|preset| {
        let rules = Rules::preset(preset);
        assert!(*rules.seats().end() <= MAX_SEATS);
        for (agent, rounds) in agents() {
            play_everywhere(agent, rounds, &rules, |agent| ENDLESS.contains(&agent));
        }
    });
}

#[test]
fn every_agent_completes_house_rules() {
    let house_rules = [
        ("classic", "uno.calls=explicit house.jump_in=true house.stacking=any_draw house.seven_zero=true"),
        ("swap-hands", "uno.calls=explicit turn.draw=no_playable turn.drawn_card=must"),
        ("cars", "turn.draw_count=until_playable house.stacking=same_kind"),
        ("disney", "uno.calls=explicit house.jump_in=true tinker.resume=after_player"),
    ];
    house_rules.par_iter().for_each(|(preset, settings)| {
        let overrides: Vec<Override> = settings.split(' ').map(|setting| setting.parse().expect("key=value")).collect();
        let rules = load(preset, &overrides, TableSize::Any, &PresetsOnly).expect("rules").rules;
        // An agent that draws until a card can be played ends up with most of the deck in the hands, and a wild or two
        // in circulation.
        let hoards = settings.contains("until_playable");
        for (agent, rounds) in agents() {
            play_everywhere(agent, rounds, &rules, |agent| hoards || ENDLESS.contains(&agent));
        }
    });
}
