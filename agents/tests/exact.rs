//! Exact values on a mini deck: the probabilities add up, simulated rounds and hand counts agree, and the best response
//! achieves its computed value.
#![allow(missing_docs)]

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use crate::common::{Pause, agent, no_listener, rules};
use unolab_agents::exact::information_set::InformationSet;
use unolab_agents::exact::policy::Mixture;
use unolab_agents::exact::tree::{SEATS, TreeRound};
use unolab_agents::exact::{AgentPolicy, Policy, Randomness, Tree, TreeError, Values, best_response, self_play};
use unolab_agents::player::Player;
use unolab_agents::registry::Registry;
use unolab_agents::table::Table;
use unolab_engine::action::Action;
use unolab_engine::chance_enumerator::ChanceEnumerator;
use unolab_engine::observation::NO_SCORES;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{AllFeatures, Rules};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Outcome, Phase, RoundState};

const TURNS: u32 = 5;
const MANY: u64 = 10_000_000;

fn deck(cards: &[&str], hand_size: u32) -> Rules {
    deck_with(cards, hand_size, &[])
}

fn deck_with(cards: &[&str], hand_size: u32, more: &[&str]) -> Rules {
    let mut settings: Vec<String> = ["numbers", "skip", "reverse", "draw_two", "wild", "wild_draw_four"]
        .iter()
        .map(|kind| format!("deck.{kind}=0"))
        .collect();
    settings.push("seats.max=2".into());
    settings.push(format!("deal.hand_size={hand_size}"));
    settings.extend(cards.iter().map(|card| format!("deck.{card}=1")));
    let settings: Vec<&str> = settings.iter().map(|setting| &**setting).chain(more.iter().copied()).collect();
    rules("classic", 2, &settings)
}

fn mini() -> Rules {
    deck(&["r1", "r2", "rS", "y1", "y2", "yS", "wild"], 2)
}

fn policy(text: &str) -> AgentPolicy {
    AgentPolicy::new(Registry::default().configure(text).unwrap(), Randomness::Mixed)
}

fn tree<'a>(rules: &'a Rules, turns: u32, odometer: &'a RefCell<ChanceEnumerator>) -> Tree<'a> {
    Tree::new(rules, turns, MANY, odometer).unwrap()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() < 1e-9
}

#[test]
fn exact_value_matches_hand_computation() {
    // One turn with one card. Of the three pairs of a hand and a start card, red two and yellow one do not match, so the
    // round is truncated after the draw.
    let rules = deck(&["r1", "r2", "y1"], 1);
    let odometer = RefCell::default();
    let mut tree = tree(&rules, 1, &odometer);
    let best = best_response(&mut tree, &mut policy("first-legal"), SEATS[1], &mut |_| ()).unwrap();
    assert!(close(best.shares[1], 2.0 / 3.0 + 1.0 / 6.0), "{best:?}");
    assert!(close(best.unfinished, 1.0 / 3.0), "{best:?}");
    // The dealer acts second, and gets half of the win if the other cannot play.
    let against = best_response(&mut tree, &mut policy("greedy"), SEATS[0], &mut |_| ()).unwrap();
    assert!(close(against.shares[0], 1.0 / 6.0), "{against:?}");
}

#[test]
fn policy_probabilities_match_definition() {
    let rules = deck(&["r1", "r2", "r3", "y1", "y2", "y3", "wild"], 3);
    let odometer = RefCell::default();
    let mut seen = [0; 2];
    for world in tree(&rules, TURNS, &odometer).deals().unwrap() {
        let (round, story) = (&world.round, world.stories[1]);
        let actions = round.legal_actions();
        if round.state().top() != rules.parse_card("r1").unwrap() || actions.len() == 1 {
            continue;
        }
        let playable = f64::from(round.observation(SEATS[1]).playable().len());
        let expected = |action: &Action| match action {
            Action::Play(_) => 1.0 / playable,
            Action::PlayNaming(..) => 0.25 / playable,
            _ => 0.0,
        };
        let mixture = policy("random").mixture(round, story);
        assert!(mixture.iter().all(|(action, probability)| close(*probability, expected(action))), "{mixture:?}");
        assert!(close(mixture.iter().map(|(_, probability)| probability).sum(), 1.0));
        let uniform = policy("random:uniform=true").mixture(round, story);
        assert_eq!(uniform.len(), actions.len());
        assert!(uniform.iter().all(|(_, probability)| close(*probability, 1.0 / actions.len() as f64)), "{uniform:?}");
        seen[usize::from(actions.iter().any(|action| matches!(action, Action::PlayNaming(..))))] += 1;
    }
    assert!(seen.iter().all(|&times| times > 0), "{seen:?}");
}

/// The share of seat 0 in simulated rounds of an agent against itself, and its standard error.
fn simulated(rules: &Rules, name: &str, rounds: u64) -> (f64, f64) {
    let (mut sum, mut squares) = (0.0, 0.0);
    for seed in 0..rounds {
        let mut players: Vec<Player> =
            SEATS.map(|seat| agent(name, rules, seat, 2 * seed + seat.index() as u64)).into();
        let mut chance = Rng::from_seed(!seed);
        let mut state = RoundState::deal(rules, SeatSet::first(2), SEATS[0], &mut chance, &mut ());
        let mut counts = Default::default();
        let mut table =
            Table { rules, agents: &mut players, scores: &NO_SCORES, state: &mut state, chance: &mut chance };
        let is_cut: Pause<'_> = &|state, counts| matches!(state.phase(), Phase::Turn) && counts.turns >= TURNS;
        table.play_until::<AllFeatures>(no_listener(), &mut counts, is_cut);
        let share = match state.outcome() {
            Some(Outcome::WentOut(winner)) => f64::from(u8::from(winner == SEATS[0])),
            _ => 0.5,
        };
        sum += share;
        squares += share * share;
    }
    let (n, mean) = (rounds as f64, sum / rounds as f64);
    (mean, ((squares / n - mean * mean) / n).sqrt())
}

#[test]
fn simulated_rounds_match_exact_value() {
    let rules = mini();
    let odometer = RefCell::default();
    for name in ["random", "greedy", "mixbot", "net"] {
        let exact = self_play(&mut tree(&rules, TURNS, &odometer), &mut policy(name)).unwrap();
        assert!(close(exact.probability, 1.0) && close(exact.shares[0] + exact.shares[1], 1.0), "{name} {exact:?}");
        let (mean, error) = simulated(&rules, name, 4_000);
        assert!((mean - exact.shares[0]).abs() < 4.0 * error, "{name}: {mean} ± {error}, exact {}", exact.shares[0]);
    }
}

/// A pure strategy in one seat, a policy in the other.
struct Against<'p> {
    seat: Seat,
    strategy: HashMap<InformationSet, Action>,
    policy: &'p mut AgentPolicy,
}

impl Policy for Against<'_> {
    fn mixture(&mut self, round: &TreeRound<'_>, story: InformationSet) -> Mixture {
        if round.current_seat() == Some(self.seat) {
            return Rc::new([(self.strategy[&story], 1.0)]);
        }
        self.policy.mixture(round, story)
    }
}

#[test]
fn best_response_value_matches_play() {
    let rules = mini();
    let odometer = RefCell::default();
    for name in ["random", "mixbot"] {
        let mut policy = policy(name);
        let own = self_play(&mut tree(&rules, TURNS, &odometer), &mut policy).unwrap();
        for seat in SEATS {
            let mut strategy = HashMap::new();
            let mut tree = tree(&rules, TURNS, &odometer);
            let best = best_response(&mut tree, &mut policy, seat, &mut |choice| {
                let best = choice
                    .values
                    .iter()
                    .fold(choice.values[0], |best, &other| if other.1 > best.1 { other } else { best });
                assert!(strategy.insert(choice.story, best.0).is_none(), "each information set is decided once");
            });
            let best = best.unwrap();
            assert!(close(best.probability, 1.0), "{name} {seat} {best:?}");
            let of = |values: Values| values.shares[seat.index()];
            assert!(of(best) > of(own) + 0.01, "{name} {seat}: {best:?} {own:?}");
            let mut against = Against { seat, strategy, policy: &mut policy };
            let played = self_play(&mut tree, &mut against).unwrap();
            assert!(close(of(played), of(best)) && close(played.unfinished, best.unfinished), "{name} {seat}");
        }
    }
}

/// A seat's legal actions depend only on its information: with moving hands, decisions out of turn, and chance events other
/// than draws.
#[test]
fn every_kind_of_decision_and_chance_is_enumerated() {
    for (cards, settings) in [
        (&["r1", "r2", "y1", "y2", "r7", "y0", "W"][..], &["house.seven_zero=true"][..]),
        (&["r1", "r2", "rS", "y1", "y2", "yS", "swap_hands"], &[]),
        (&["r1", "r2", "y1", "y2", "yS", "W"], &["uno.calls=explicit"]),
        (&["r1", "r2", "rD", "y1", "y2", "yD", "W"], &["house.stacking=any_draw", "turn.draw_count=until_playable"]),
        (&["r1", "r2", "rS", "y1", "y2", "yS", "W"], &["house.jump_in=true", "deck.r1=2", "deck.y2=2"]),
    ] {
        let rules = deck_with(cards, 2, settings);
        let odometer = RefCell::default();
        let mut tree = tree(&rules, 3, &odometer);
        let mut policy = policy("random:uniform=true");
        let own = self_play(&mut tree, &mut policy).unwrap();
        assert!(close(own.probability, 1.0), "{settings:?} {own:?}");
        for seat in SEATS {
            let best = best_response(&mut tree, &mut policy, seat, &mut |_| ()).unwrap();
            assert!(close(best.probability, 1.0), "{settings:?} {seat} {best:?}");
            assert!(
                best.shares[seat.index()] > own.shares[seat.index()] + 0.01,
                "{settings:?} {seat} {best:?} {own:?}"
            );
        }
    }
}

#[test]
fn oversized_tree_is_rejected() {
    let odometer = RefCell::default();
    let refused = |rules: &Rules, limit: u64| {
        let mut tree = match Tree::new(rules, TURNS, limit, &odometer) {
            Ok(tree) => tree,
            Err(error) => return error,
        };
        self_play(&mut tree, &mut policy("random")).unwrap_err()
    };
    assert_eq!(refused(&rules("classic", 4, &[]), MANY), TreeError::Seats { seats: 4 });
    let draw_four = deck(&["r1", "r2", "r3", "y1", "y2", "y3", "wild_draw_four"], 2);
    assert_eq!(refused(&draw_four, MANY), TreeError::CannotStart { card: "W4".into() });
    assert_eq!(refused(&rules("classic", 2, &["deck.wild_draw_four=0"]), MANY), TreeError::TooManyDeals);
    assert_eq!(refused(&mini(), 5_000), TreeError::TooManyPositions { limit: 5_000 });
    // The same tree works after an error.
    let rules = mini();
    let mut tree = tree(&rules, 2, &odometer);
    assert!(close(self_play(&mut tree, &mut policy("random")).unwrap().probability, 1.0));
}
