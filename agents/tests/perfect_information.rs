//! `clairvoyant`: it receives the true state, and no other agent does.
#![allow(missing_docs)]

use std::collections::BTreeSet;

use crate::common::{agent, agents_by_pace, rules, turn};
use unolab_agents::agent::{Agent as _, EventSubscription};
use unolab_agents::player::Player;
use unolab_agents::registry::Registry;
use unolab_agents::table::Table;
use unolab_engine::action::Action;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Outcome, RoundState};

#[test]
fn only_oracle_is_marked_as_oracle() {
    let registry = Registry::default();
    // `cmd` needs a program.
    for entry in registry.entries().filter(|entry| entry.name != "cmd") {
        let spec = registry.configure(entry.name).unwrap();
        assert_eq!(spec.sees_everything(), entry.name == "clairvoyant", "{}", entry.name);
        let mut player = spec.make(&rules("classic", 2, &[]), Seat::new(0), Rng::from_seed(1));
        assert_eq!(player.perfect_information().is_some(), entry.name == "clairvoyant", "{}", entry.name);
    }
}

/// No seat sees that another player kept a drawn card. Only the search agents of the published studies receive this event.
#[test]
fn only_published_searches_receive_kept_cards() {
    let classic = rules("classic", 2, &[]);
    let receives = |text: &str| {
        let player = agent(text, &classic, Seat::new(0), 1);
        player.subscription() == EventSubscription::EventsWithKeptCards
    };
    let receiving: BTreeSet<String> = agents_by_pace()
        .into_iter()
        .filter(|(text, _)| receives(text))
        .map(|(text, _)| text.split(':').next().expect("a name").to_string())
        .collect();
    let published = ["exploiter", "ismcts", "monte-carlo"].map(String::from);
    assert!(receiving.is_subset(&published.into()), "{receiving:?} receive kept cards");
}

#[test]
fn nested_oracle_agent_is_detected() {
    let error = Registry::default().configure("forgetful:agent=clairvoyant").unwrap_err();
    assert!(error.reason.contains("sees only what its seat sees"), "{error}");
}

/// One of the two fives lets the other seat go out immediately; only an agent that sees everything can know which.
#[test]
fn hidden_cards_change_oracle_actions() {
    let classic = rules("classic", 2, &[]);
    for (hidden, blunder) in [("r7", "play r5"), ("b7", "play b5")] {
        let state = turn(&classic, &["r5 b5 g1", hidden], "y5");
        let spec = Registry::default().configure("clairvoyant:iterations=200").unwrap();
        let knowledge = Knowledge::default();
        let observation = Observation::of(&classic, &state, &knowledge, &NO_SCORES, Seat::new(0));
        for seed in 0..20 {
            let mut player = spec.make(&classic, Seat::new(0), Rng::from_seed(seed));
            let chosen = player.perfect_information().unwrap().choose_with_perfect_information(&state, &observation);
            assert_ne!(classic.write_action(chosen.into()), blunder);
        }
    }
}

#[test]
fn omniscient_agent_wins_more_than_fair_share() {
    let classic = rules("classic", 2, &[]);
    let registry = Registry::default();
    let make = |text: &str, seat: usize, set: u64| -> Player {
        let rng = Rng::keyed(1, set, Purpose::Agent(Seat::new(seat)));
        registry.configure(text).unwrap().make(&classic, Seat::new(seat), rng)
    };
    let wins = (0..60).filter(|&set| {
        let mut players = [make("clairvoyant:iterations=100", 0, set), make("mixbot", 1, set)];
        let mut cards = Rng::keyed(1, set, Purpose::Cards { round: 0 });
        let dealer = Seat::new(usize::from(set % 2 == 0));
        let mut state = RoundState::deal(&classic, SeatSet::first(2), dealer, &mut cards, &mut ());
        let mut table =
            Table { rules: &classic, agents: &mut players, scores: &NO_SCORES, state: &mut state, chance: &mut cards };
        table.play_without_events();
        state.outcome() == Some(Outcome::WentOut(Seat::new(0)))
    });
    // With equal strength, 42 or more of 60 wins occur with probability 0.001.
    assert!(wins.count() >= 42);
}

#[test]
fn single_legal_action_is_returned_without_search() {
    let classic = rules("classic", 2, &[]);
    let state = turn(&classic, &["b1 b2", "y1 y2"], "r0");
    for agent in ["monte-carlo", "ismcts", "clairvoyant"] {
        let mut player = Registry::default().configure(agent).unwrap().make(&classic, Seat::new(0), Rng::from_seed(1));
        let knowledge = Knowledge::default();
        let observation = Observation::of(&classic, &state, &knowledge, &NO_SCORES, Seat::new(0));
        assert_eq!(player.choose(&observation), Action::Draw);
    }
}
