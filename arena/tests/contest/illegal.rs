//! Agents with illegal answers lose only their own games, in every build.

use unolab_agents::agent::PerfectInformationAgent;
use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::fault::FaultCause;
use unolab_agents::greedy::Greedy;
use unolab_agents::options::{OptionError, Options};
use unolab_agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab_arena::check::{CheckConfig, FindingKind, examine};
use unolab_arena::experiment::tournament::tally_sets;
use unolab_arena::play::record::WIN;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::{Spec, Variant};
use unolab_engine::action::Action;
use unolab_engine::card::{Card, MAX_KINDS};
use unolab_engine::observation::Observation;
use unolab_engine::rules::{PresetsOnly, Rules, TableSize, load};
use unolab_engine::state::RoundState;

use super::{ArmCounts, assert_games_of_others_are_the_same, played_by, spec};

/// Plays like `greedy` until it holds only two cards: then its answer is illegal.
struct Cheat {
    plays: Greedy,
    answers: Action,
}

impl Agent for Cheat {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        if observation.hand().len() > 2 { self.plays.choose(observation) } else { self.answers }
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}

impl PerfectInformationAgent for Cheat {
    fn choose_with_perfect_information(&mut self, _truth: &RoundState, observation: &Observation<'_>) -> Action {
        self.choose(observation)
    }
}

/// Plays like `greedy`, and takes a turn whenever it may act out of turn.
struct PushesIn(Greedy);

impl Agent for PushesIn {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.0.choose(observation)
    }

    fn interrupt(&mut self, _observation: &Observation<'_>, _options: &[Action]) -> Action {
        Action::Draw
    }
}

pub(super) fn registry_of_cheats() -> Registry {
    type Configure = fn(&Registry, &mut Options) -> Result<AgentFactory, OptionError>;
    let entry =
        |name, configure: Configure| AgentRegistration { name, summary: "for this test", options: &[], configure };
    Registry::default()
        .with(entry("takes", |_, _| {
            Ok(AgentFactory::boxed(|_, _, rng| Box::new(Cheat { plays: Greedy::new(rng), answers: Action::Take })))
        }))
        .with(entry("forges", |_, _| {
            let answers = Action::Play(Card::new(MAX_KINDS - 1));
            Ok(AgentFactory::boxed(move |_, _, rng| Box::new(Cheat { plays: Greedy::new(rng), answers })))
        }))
        .with(entry("takes-seeing", |_, _| {
            Ok(AgentFactory::PerfectInformation(std::sync::Arc::new(|_, _, rng| {
                Box::new(Cheat { plays: Greedy::new(rng), answers: Action::Take })
            })))
        }))
        .with(entry("pushes-in", |_, _| Ok(AgentFactory::boxed(|_, _, rng| Box::new(PushesIn(Greedy::new(rng)))))))
}

fn played(spec: Spec, threads: usize) -> (ArmCounts, Vec<u8>) {
    let (_, counted, rows) = played_by(&registry_of_cheats(), spec, threads);
    (counted, rows)
}

#[test]
fn illegal_answer_loses_game() {
    let spec = spec(&["greedy", "takes", "forges", "takes-seeing"], &[2], 12);
    let (counted, rows) = played(spec.clone(), 2);
    assert_eq!(played(spec, 1).1, rows, "the same games with any threads");
    let tally = &counted.tallies[0];
    let [greedy, cheats @ ..] = tally.by_entrant() else { panic!("four entrants") };
    assert_eq!((greedy.results.wins.by_sets.total, greedy.faults.illegal), (72 * WIN, 0));
    for cheat in cheats {
        assert_eq!((cheat.results.wins.by_sets.games, cheat.faults.crashes), (72, 0));
        assert!(cheat.faults.illegal > 24, "{:?}", cheat.faults);
    }
    for (entrant, fault) in tally.faults().iter() {
        let what = if entrant.index() == 2 { "a card that is not in the deck" } else { "`take` is not legal" };
        assert_eq!((fault.kind, &*fault.what), (FaultCause::Illegal, what));
        assert!(fault.decision > 1);
        assert_eq!(fault.index / 12, fault.set, "each of six pairs plays twice in a set");
    }
    assert!(tally.faults().iter().any(|(_, fault)| fault.set > 0));
}

#[test]
fn illegal_answer_out_of_turn_loses_game() {
    let rules = load("classic", &["house.jump_in=true".parse().unwrap()], TableSize::Any, &PresetsOnly).unwrap().rules;
    let spec = Spec { variants: vec![Variant::of(&rules)], ..spec(&["pushes-in", "greedy"], &[3], 10) };
    let tally = &played(spec, 2).0.tallies[0];
    let [pushes_in, greedy] = tally.by_entrant() else { panic!("two entrants") };
    assert!(pushes_in.faults.illegal > 10 && greedy.faults.illegal == 0);
    let (_, fault) = tally.faults().iter().next().unwrap();
    assert_eq!((fault.kind, &*fault.what), (FaultCause::Illegal, "`draw` is not legal"));
}

#[test]
fn games_of_other_entrants_are_unchanged() {
    assert_games_of_others_are_the_same(&registry_of_cheats(), "takes");
}

/// Sequential tests and the seasons of a league count faults in the same way.
#[test]
fn illegal_answer_in_separate_sets_loses_game() {
    let contest = Contest::of(spec(&["takes", "greedy"], &[2], 30), &registry_of_cheats()).unwrap();
    let tally = tally_sets(&contest, 0, 0..30).unwrap();
    let [takes, greedy] = tally.by_entrant() else { panic!("two entrants") };
    assert_eq!((takes.results.wins.by_sets.total, greedy.faults.illegal), (0, 0));
    assert!(takes.faults.illegal > 0 && tally.faults().iter().count() > 0);
}

#[test]
fn check_finds_illegal_answer() {
    let rules = Rules::preset("classic");
    for (agent, words) in
        [("takes", "illegal: `take` is not legal"), ("forges", "illegal: a card that is not in the deck")]
    {
        let agent = registry_of_cheats().configure(agent).unwrap();
        let findings = examine(&agent, &CheckConfig { rules: &rules, seats: 2, rounds: 6, seed: 1 });
        assert!(
            findings.count(FindingKind::Illegal) > 3 && findings.faults.len() == findings.count(FindingKind::Illegal)
        );
        assert!(findings.faults.iter().all(|fault| fault.what == words), "{:?}", findings.faults);
    }
}
