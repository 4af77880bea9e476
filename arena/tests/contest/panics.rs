//! Agents that panic lose only their own games.

use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::fault::FaultCause;
use unolab_agents::greedy::Greedy;
use unolab_agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab_arena::experiment::tournament::tally_sets;
use unolab_arena::play::Dealer;
use unolab_arena::play::record::WIN;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::Spec;
use unolab_engine::action::Action;
use unolab_engine::observation::Observation;

use super::{ArmCounts, assert_games_of_others_are_the_same, played_by, spec};

/// Plays like `greedy` until it holds only two cards.
struct Fragile(Greedy);

impl Agent for Fragile {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        assert!(observation.hand().len() > 2, "nerves");
        self.0.choose(observation)
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}

pub(super) fn registry_of_those_who_panic() -> Registry {
    let entry = |name, configure| AgentRegistration { name, summary: "for this test", options: &[], configure };
    Registry::default()
        .with(entry("fragile", |_, _| Ok(AgentFactory::boxed(|_, _, rng| Box::new(Fragile(Greedy::new(rng)))))))
        .with(entry("stillborn", |_, _| Ok(AgentFactory::boxed(|_, _, _| panic!("no more of me")))))
}

fn played(spec: Spec, threads: usize) -> (ArmCounts, Vec<u8>) {
    let (_, counted, rows) = played_by(&registry_of_those_who_panic(), spec, threads);
    (counted, rows)
}

#[test]
fn panicking_agent_loses_game_and_tournament_continues() {
    let spec = spec(&["greedy", "fragile", "random", "clairvoyant:iterations=2"], &[2], 12);
    let (counted, rows) = played(spec.clone(), 2);
    assert!(counted.is_finished);
    assert_eq!(played(spec, 1).1, rows, "the same games with any threads");
    let tally = &counted.tallies[0];
    let [greedy, fragile, random, clairvoyant] = tally.by_entrant() else { panic!("four entrants") };
    // Before it goes out it holds two cards and has to choose, so it panics in every game that it would win.
    assert_eq!((fragile.results.wins.by_sets.total, fragile.results.wins.by_sets.games), (0, 72));
    assert!(fragile.faults.crashes > 0 && fragile.faults.crashes <= 72);
    for other in [greedy, random, clairvoyant] {
        assert_eq!(other.faults.crashes, 0);
        assert!(other.results.wins.by_sets.total >= 24 * WIN, "all games against the fragile one, at least");
    }
    assert_eq!(tally.faults().iter().count() as u64, fragile.faults.crashes);
    for (entrant, fault) in tally.faults().iter() {
        assert_eq!((entrant.index(), fault.kind, &*fault.what), (1, FaultCause::Crash, "panicked: nerves"));
        assert!(fault.decision > 1);
    }
}

#[test]
fn games_of_other_entrants_are_unchanged() {
    assert_games_of_others_are_the_same(&registry_of_those_who_panic(), "fragile");
}

#[test]
fn agent_that_fails_to_start_loses_every_game() {
    let (counted, _) = played(spec(&["stillborn", "greedy"], &[4], 5), 2);
    let [stillborn, greedy] = counted.tallies[0].by_entrant() else { panic!("two entrants") };
    assert_eq!(
        (stillborn.results.wins.by_sets.total, stillborn.faults.crashes),
        (0, stillborn.results.wins.by_sets.games)
    );
    assert_eq!(greedy.faults.crashes, 0);
    let faults = counted.tallies[0].faults();
    assert!(faults.iter().count() > 0 && faults.iter().all(|(_, fault)| fault.decision == 1), "at its first decision");
}

#[test]
fn games_with_panics_are_recorded() {
    let contest = Contest::of(spec(&["fragile", "greedy"], &[2], 3), &registry_of_those_who_panic()).unwrap();
    let section = &contest.schedule().sections[0];
    let mut dealer = Dealer::new(&contest, section);
    for (_, seating) in section.games(contest.streams_of(0)) {
        let record = dealer.write_down(0, &seating);
        assert!(record.lines().count() > 10, "{record}");
    }
}

/// Sequential tests and the seasons of a league count panics in the same way.
#[test]
fn panic_in_separate_sets_loses_game() {
    let contest = Contest::of(spec(&["fragile", "greedy"], &[2], 30), &registry_of_those_who_panic()).unwrap();
    let tally = tally_sets(&contest, 0, 0..30).unwrap();
    let [fragile, greedy] = tally.by_entrant() else { panic!("two entrants") };
    assert_eq!((fragile.results.wins.by_sets.total, greedy.faults.crashes), (0, 0));
    assert!(fragile.faults.crashes > 0 && tally.faults().iter().count() > 0);
}
