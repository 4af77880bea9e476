//! Search on a deck so small that the best answer is known by enumerating the whole game tree.
#![allow(missing_docs)]

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::common::rules;
use unolab_agents::agent::Agent as _;
use unolab_agents::exact::policy::answer_of;
use unolab_agents::exact::tree::WeightedRound;
use unolab_agents::exact::{AgentPolicy, Policy as _, Randomness, Tree};
use unolab_agents::registry::Registry;
use unolab_engine::action::Action;
use unolab_engine::chance_enumerator::ChanceEnumerator;
use unolab_engine::rng::Rng;
use unolab_engine::round::DecisionKind;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;

/// Enough turns for nearly every round to end, because the search agents do not consider a limit.
const TURNS: u32 = 8;
/// The best action's lead over every other, as a share of the win.
const MARGIN: f64 = 0.1;

/// Two colors, seven cards.
fn mini() -> Rules {
    let none =
        ["numbers", "skip", "reverse", "draw_two", "wild", "wild_draw_four"].map(|kind| format!("deck.{kind}=0"));
    let one = ["r1", "r2", "rS", "y1", "y2", "yS", "W"].map(|card| format!("deck.{card}=1"));
    let sizes = ["deal.hand_size=2".to_owned(), "seats.max=2".to_owned()];
    let settings: Vec<&str> = none.iter().chain(&one).chain(&sizes).map(|setting| &**setting).collect();
    rules("classic", 2, &settings)
}

/// How a round continues after the evaluated action.
enum GoesOn<'p> {
    /// By the policy of each seat.
    By(&'p mut [AgentPolicy; 2]),
    /// Every seat sees every hand and plays its best action; no seat sees future cards.
    InTheOpen,
}

/// The expected share of the win of a seat.
fn value<'a>(tree: &mut Tree<'a>, goes_on: &mut GoesOn<'_>, seat: Seat, world: &WeightedRound<'a>) -> f64 {
    let Some(decision) = world.round.decision() else { return world.round.returns()[seat.index()] };
    if decision.kind == DecisionKind::Turn && world.round.turns() >= TURNS {
        return 0.5;
    }
    let actor = decision.seat;
    match goes_on {
        GoesOn::By(policies) => {
            let mixture = policies[actor.index()].mixture(&world.round, world.stories[actor.index()]);
            mixture.iter().map(|&(action, p)| p * value_of(tree, goes_on, seat, world, action)).sum()
        }
        GoesOn::InTheOpen => {
            let actions = world.round.legal_actions();
            let values = actions.iter().map(|&action| value_of(tree, goes_on, seat, world, action));
            if actor == seat { values.fold(0.0, f64::max) } else { values.fold(1.0, f64::min) }
        }
    }
}

/// The same after this action.
fn value_of<'a>(
    tree: &mut Tree<'a>,
    goes_on: &mut GoesOn<'_>,
    seat: Seat,
    world: &WeightedRound<'a>,
    action: Action,
) -> f64 {
    let after = tree.after(world, action, 1.0).expect("there is no limit");
    after.iter().map(|next| next.weight / world.weight * value(tree, goes_on, seat, next)).sum()
}

/// A first decision: the worlds that its seat cannot distinguish, all equally likely because no other seat has acted.
struct First<'a> {
    seat: Seat,
    worlds: Vec<WeightedRound<'a>>,
}

fn first_decisions<'a>(tree: &mut Tree<'a>) -> Vec<First<'a>> {
    let mut by_sight: BTreeMap<Vec<u8>, First<'_>> = BTreeMap::new();
    for world in tree.deals().unwrap() {
        let seat = world.round.current_seat().unwrap();
        let mut sight = Vec::new();
        world.round.observation(seat).write_into(&mut sight);
        by_sight.entry(sight).or_insert(First { seat, worlds: Vec::new() }).worlds.push(world);
    }
    by_sight.into_values().collect()
}

impl<'a> First<'a> {
    /// The actions with their values, if the best is better by the margin than all others.
    fn known(&self, tree: &mut Tree<'a>, goes_on: &mut GoesOn<'_>) -> Option<Vec<(Action, f64)>> {
        let mean = |action: Action| {
            let values = self.worlds.iter().map(|world| value_of(tree, goes_on, self.seat, world, action));
            (action, values.sum::<f64>() / self.worlds.len() as f64)
        };
        let mut values: Vec<(Action, f64)> = self.worlds[0].round.legal_actions().iter().copied().map(mean).collect();
        values.sort_by(|a, b| b.1.total_cmp(&a.1));
        matches!(values[..], [best, second, ..] if best.1 - second.1 >= MARGIN).then_some(values)
    }
}

/// The result of a search agent on positions whose best action is known.
#[derive(Debug, Default)]
struct Tally {
    positions: usize,
    /// The number of times that it chose the best action.
    best: usize,
    /// The expected number of best actions for random choices.
    by_chance: f64,
}

impl Tally {
    fn add(&mut self, chosen: Action, values: &[(Action, f64)]) {
        self.positions += 1;
        self.best += usize::from(chosen == values[0].0);
        self.by_chance += 1.0 / values.len() as f64;
    }

    /// At least 19 of 20 best actions are found, in enough positions that random choices would find far fewer.
    fn check(&self, searcher: &str) {
        assert!(self.positions >= 24 && self.by_chance < 0.5 * self.positions as f64, "{searcher}: {self:?}");
        assert!(20 * self.best >= 19 * self.positions, "{searcher}: {self:?}");
    }
}

fn policy(text: &str) -> AgentPolicy {
    AgentPolicy::new(Registry::default().configure(text).unwrap(), Randomness::Mixed)
}

/// The exact value is for the continuation of the rollouts: the searching seat plays like `heuristic`, the other by the
/// assumed policy.
#[test]
fn search_agents_find_action_of_highest_value() {
    let rules = mini();
    let odometer = RefCell::new(ChanceEnumerator::default());
    let mut tree = Tree::new(&rules, TURNS, u64::MAX, &odometer).unwrap();
    let firsts = first_decisions(&mut tree);
    for opponent in ["random", "greedy", "mixbot"] {
        let mut of_seats = [["heuristic", opponent], [opponent, "heuristic"]].map(|texts| texts.map(policy));
        let mut known = Vec::new();
        for first in &firsts {
            let mut goes_on = GoesOn::By(&mut of_seats[first.seat.index()]);
            known.extend(first.known(&mut tree, &mut goes_on).map(|values| (first, values)));
        }
        for searcher in ["monte-carlo:rollouts=1000", "ismcts:iterations=1000"] {
            let text = format!("{searcher},policy={opponent},own=heuristic,belief=uniform,bias=0,net=0,laps=0");
            let agent = Registry::default().configure(&text).unwrap();
            let mut tally = Tally::default();
            for (number, (first, values)) in (0..).zip(&known) {
                let mut player = agent.make(&rules, first.seat, Rng::from_seed(number));
                tally.add(answer_of(&mut player, &first.worlds[0].round, first.seat), values);
            }
            tally.check(&text);
        }
    }
}

/// In the tree of `clairvoyant` every seat maximizes its own value.
#[test]
fn clairvoyant_finds_best_action_with_open_hands() {
    let rules = mini();
    let odometer = RefCell::new(ChanceEnumerator::default());
    let mut tree = Tree::new(&rules, TURNS, u64::MAX, &odometer).unwrap();
    let text = "clairvoyant:iterations=1000,policy=random,laps=0,prior=0,explore=0.5";
    let agent = Registry::default().configure(text).unwrap();
    let mut tally = Tally::default();
    for (number, First { seat, worlds }) in (0..).zip(first_decisions(&mut tree)).step_by(2) {
        let open = First { seat, worlds: worlds[..1].to_vec() };
        let Some(values) = open.known(&mut tree, &mut GoesOn::InTheOpen) else { continue };
        let round = &open.worlds[0].round;
        let observation = round.observation(seat);
        let mut player = agent.make(&rules, seat, Rng::from_seed(number));
        let seeing = player.perfect_information().expect("it sees everything");
        seeing.begin_round(&observation);
        tally.add(seeing.choose_with_perfect_information(round.state(), &observation), &values);
    }
    tally.check(text);
}
