//! `Forest`: trees over the observations of the searching seat.
//!
//! Single-observer information-set trees (Cowling, Powley and Whitehouse, 2012). A node is a sequence of actions, and
//! represents every world in which they are possible. Each descent uses one world and chooses among its legal actions.
//! Exploration counts how often an action was available, not how often its node was reached. Every seat maximizes its own
//! value: each node has the values of the seat that decides there.

use unolab_engine::action::Action;
use unolab_engine::rules::{FeatureSet, Rules};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::RoundState;

use super::rollout::Rollouts;
use crate::stop;

/// How trees grow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The number of trees. The worlds are assigned to them in turn, and their results are added. 0: only rollouts.
    pub trees: usize,
    /// The weight of exploration in the UCB formula.
    pub explore: f64,
    /// The number of prior wins for the action of the rollout policy at each node.
    pub bias: f64,
}

/// The maximum depth of a tree in choices: deeper nodes have too few visits for their cost.
const DEEPEST: usize = 8;

/// Trees that are extended in turn.
#[derive(Debug)]
pub(crate) struct Forest<'a> {
    rules: &'a Rules,
    seat: Seat,
    growth: Growth,
    rollouts: Rollouts<'a>,
    trees: Vec<Tree>,
    /// The tree that is extended in this world.
    turn: usize,
    /// A buffer that descents reuse.
    legal: Vec<Action>,
    path: Vec<Step>,
}

/// Nodes by number; the first is the decision that is searched.
#[derive(Debug, Default)]
struct Tree {
    nodes: Vec<Node>,
}

#[derive(Debug, Default)]
struct Node {
    edges: Vec<Edge>,
}

/// An action, and its results.
#[derive(Debug)]
struct Edge {
    action: Action,
    /// How often it was legal at this node.
    available: u32,
    visits: u32,
    sum: f64,
    to: Option<usize>,
}

/// A choice of a descent.
#[derive(Debug, Clone, Copy)]
struct Step {
    node: usize,
    edge: usize,
    seat: Seat,
}

impl<'a> Forest<'a> {
    pub(crate) fn new(growth: Growth, rules: &'a Rules, seat: Seat, rollouts: Rollouts<'a>) -> Self {
        let trees = (0..growth.trees).map(|_| Tree { nodes: vec![Node::default()] }).collect();
        Self { rules, seat, growth, rollouts, trees, turn: 0, legal: Vec::new(), path: Vec::new() }
    }

    /// Begins the next world, in which the next tree is extended.
    pub(crate) fn begin_world(&mut self, world: &RoundState) {
        self.rollouts.begin_world(world);
        self.turn = (self.turn + 1) % self.trees.len().max(1);
    }

    /// Tries an action in this world: descends the tree, and finishes with rollouts. Returns the value for the searching
    /// seat.
    #[inline(always)]
    pub(crate) fn try_action<P: FeatureSet>(&mut self, world: &RoundState, action: Action) -> f64 {
        stop::check();
        let mut state = *world;
        self.rollouts.begin_trial();
        self.path.clear();
        if self.trees.is_empty() {
            self.rollouts.act::<P>(&mut state, self.seat, action);
        } else {
            self.descend::<P>(&mut state, action);
        }
        let seats = self.path.iter().map(|step| step.seat).collect::<SeatSet>().with(self.seat);
        let values = self.rollouts.play_out::<P>(&state, seats);
        if let Some(tree) = self.trees.get_mut(self.turn) {
            for step in &self.path {
                let edge = &mut tree.nodes[step.node].edges[step.edge];
                edge.visits += 1;
                edge.sum += values[step.seat.index()];
            }
        }
        values[self.seat.index()]
    }

    /// Descends the tree with this action first, up to the first new choice.
    #[inline(always)]
    fn descend<P: FeatureSet>(&mut self, state: &mut RoundState, first: Action) {
        let (mut node, mut seat) = (0, self.seat);
        self.legal.clear();
        self.legal.push(first);
        loop {
            let edge = self.choose_edge(state, node, seat);
            let Edge { action, visits, .. } = self.trees[self.turn].nodes[node].edges[edge];
            self.path.push(Step { node, edge, seat });
            self.rollouts.act::<P>(state, seat, action);
            let goes_on = visits > 0 && self.path.len() < DEEPEST;
            let Some(next) = state.current_seat().filter(|_| goes_on) else { return };
            node = self.trees[self.turn].node_after(node, edge);
            seat = next;
            state.legal_actions_into(self.rules, &mut self.legal);
        }
    }

    /// Chooses one of the edges that are legal in this world.
    fn choose_edge(&mut self, state: &RoundState, node: usize, seat: Seat) -> usize {
        if let [only] = self.legal[..] {
            return self.trees[self.turn].edge(node, only);
        }
        let favored = (self.growth.bias > 0.0).then(|| self.rollouts.policy_action(state, seat));
        let Growth { explore, bias, .. } = self.growth;
        let tree = &mut self.trees[self.turn];
        let mean = tree.nodes[node].mean();
        let mut best = (f64::NEG_INFINITY, 0);
        for &action in &self.legal {
            let i = tree.edge(node, action);
            let edge = &tree.nodes[node].edges[i];
            // Treats each action as if it had been tried once before, with an average result.
            let visits = f64::from(edge.visits + 1);
            let bonus = if favored == Some(action) { bias } else { 0.0 };
            let known = (edge.sum + mean + bonus) / visits;
            let value = known + explore * (f64::from(edge.available + 1).ln() / visits).sqrt();
            if value > best.0 {
                best = (value, i);
            }
        }
        best.1
    }
}

impl Tree {
    /// The edge of a legal action; increments its availability.
    fn edge(&mut self, node: usize, action: Action) -> usize {
        let edges = &mut self.nodes[node].edges;
        let found = edges.iter().position(|edge| edge.action == action).unwrap_or_else(|| {
            edges.push(Edge { action, available: 0, visits: 0, sum: 0.0, to: None });
            edges.len() - 1
        });
        edges[found].available += 1;
        found
    }

    fn node_after(&mut self, node: usize, edge: usize) -> usize {
        if let Some(to) = self.nodes[node].edges[edge].to {
            return to;
        }
        let to = self.nodes.len();
        self.nodes.push(Node::default());
        self.nodes[node].edges[edge].to = Some(to);
        to
    }
}

impl Node {
    /// The average result of the choices made here.
    fn mean(&self) -> f64 {
        let (sum, visits) = self.edges.iter().fold((0.0, 0), |(sum, n), edge| (sum + edge.sum, n + edge.visits));
        if visits == 0 { 0.0 } else { sum / f64::from(visits) }
    }
}

#[cfg(test)]
mod tests {
    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::observation::{NO_SCORES, Observation};
    use unolab_engine::rng::Rng;
    use unolab_engine::rules::{AllFeatures, PresetsOnly, TableSize, load};

    use super::*;
    use crate::goal::Goal;
    use crate::search::policy::{Policies, Policy};
    use crate::search::returns::Returns;
    use crate::search::rollout::RolloutSettings;

    const SEATS: usize = 3;

    /// A round after the deal, and a forest of the first seat.
    fn with_forest(growth: Growth, check: impl FnOnce(&RoundState, Forest<'_>)) {
        let rules = load("classic", &[], TableSize::Seats(SEATS), &PresetsOnly).unwrap().rules;
        let mut rng = Rng::from_seed(3);
        let state = RoundState::deal(&rules, SeatSet::first(SEATS), Seat::new(0), &mut rng, &mut ());
        let (seat, knowledge) = (state.current_seat().unwrap(), Knowledge::default());
        let observation = Observation::of(&rules, &state, &knowledge, &NO_SCORES, seat);
        let playing =
            RolloutSettings { others: Policies::one(Policy::Greedy), own: Policy::Greedy, playouts: 1, laps: 0 };
        let rollouts = Rollouts::new(playing, Returns::new(Goal::Win, &observation), &observation, &mut rng);
        check(&state, Forest::new(growth, &rules, seat, rollouts));
    }

    /// The better of two actions has been tried four times with the sum 2, the other once with the sum 0. With one average
    /// result (2/5) added, their means are 2.4/5 and 0.4/2. Both have been available six times including this choice, so
    /// `explore` times the root of ln 7 / 5 and of ln 7 / 2 is added: 0.48 + 0.624 e and 0.2 + 0.986 e, which are equal at e
    /// = 0.772.
    #[test]
    fn less_tried_action_is_retried_with_high_exploration() {
        for (explore, expected) in [(0.0, 0), (0.76, 0), (0.78, 1), (5.0, 1)] {
            with_forest(Growth { trees: 1, explore, bias: 0.0 }, |state, mut forest| {
                let edge = |action, visits, sum| Edge { action, available: 5, visits, sum, to: None };
                forest.trees[0].nodes[0].edges = vec![edge(Action::Draw, 4, 2.0), edge(Action::Keep, 1, 0.0)];
                forest.legal = vec![Action::Draw, Action::Keep];
                assert_eq!(forest.choose_edge(state, 0, forest.seat), expected, "{explore}");
                assert!(forest.trees[0].nodes[0].edges.iter().all(|edge| edge.available == 6));
            });
        }
    }

    #[test]
    fn policy_action_with_prior_wins_is_tried_first() {
        for bias in [0.0, 50.0] {
            with_forest(Growth { trees: 1, explore: 0.1, bias }, |state, mut forest| {
                let favored = forest.rollouts.policy_action(state, forest.seat);
                forest.legal = state.legal_actions(forest.rules);
                forest.legal.sort_by_key(|&action| action == favored);
                assert!(forest.legal.len() > 1);
                let chosen = forest.choose_edge(state, 0, forest.seat);
                assert_eq!(forest.legal[chosen] == favored, bias > 0.0, "of equals the first");
            });
        }
    }

    /// Tries the first two actions in turn in this many worlds, which all have the same state.
    fn grow(state: &RoundState, forest: &mut Forest<'_>, worlds: u32) -> Vec<[f64; 2]> {
        let actions = state.legal_actions(forest.rules);
        let try_both = |_| {
            forest.begin_world(state);
            [0, 1].map(|i| forest.try_action::<AllFeatures>(state, actions[i]))
        };
        (0..worlds).map(try_both).collect()
    }

    /// The depth of the tree below this node, after checking all counts: of the descents that reached an edge, the first
    /// ended there, and others only at the end of a round or at the maximum depth.
    fn depth(tree: &Tree, node: usize) -> usize {
        let below = tree.nodes[node].edges.iter().map(|edge| {
            assert!(edge.visits <= edge.available, "{edge:?}");
            assert!((0.0..=f64::from(edge.visits)).contains(&edge.sum), "{edge:?}");
            let Some(to) = edge.to else { return 1 };
            let visits: u32 = tree.nodes[to].edges.iter().map(|edge| edge.visits).sum();
            assert!(0 < visits && visits < edge.visits, "{visits} below {edge:?}");
            1 + depth(tree, to)
        });
        below.max().unwrap_or(0)
    }

    #[test]
    fn trial_is_counted_once_per_edge() {
        with_forest(Growth { trees: 2, explore: 0.1, bias: 50.0 }, |state, mut forest| {
            let values = grow(state, &mut forest, 1_000);
            for (number, tree) in forest.trees.iter().enumerate() {
                // The worlds are assigned in turn, starting with the second tree.
                let own = values.iter().skip(1 - number).step_by(2);
                for (i, edge) in tree.nodes[0].edges.iter().enumerate() {
                    let sum: f64 = own.clone().map(|values| values[i]).sum();
                    assert_eq!((edge.visits, edge.available), (500, 500));
                    assert!((edge.sum - sum).abs() < 1e-9, "{edge:?} {sum}");
                }
                assert_eq!(depth(tree, 0), DEEPEST);
            }
        });
    }

    #[test]
    fn trial_without_trees_is_deterministic_in_world() {
        with_forest(Growth { trees: 0, explore: 0.1, bias: 0.0 }, |state, mut forest| {
            let action = state.legal_actions(forest.rules)[0];
            let mut values = Vec::new();
            for _ in 0..50 {
                forest.begin_world(state);
                let mut value = || forest.try_action::<AllFeatures>(state, action);
                let first = value();
                assert!((0..3).all(|_| (value() - first).abs() < 1e-12));
                values.push(first);
            }
            assert!(values.contains(&0.0) && values.contains(&1.0), "in another world it may not");
        });
    }

    #[test]
    fn search_stops_before_next_trial_of_stopped_run() {
        with_forest(Growth { trees: 1, explore: 0.1, bias: 0.0 }, |state, mut forest| {
            let flag = std::sync::atomic::AtomicBool::new(true);
            assert_eq!(stop::unless_stopped(&flag, || grow(state, &mut forest, 1)), Err(stop::Stopped));
        });
    }

    #[test]
    fn next_seat_chooses_after_number_card() {
        with_forest(Growth { trees: 1, explore: 0.1, bias: 0.0 }, |state, mut forest| {
            let is_number = |action: &Action| matches!(action, Action::Play(card) if forest.rules.code(*card).ends_with(|c: char| c.is_ascii_digit()));
            let number = state.legal_actions(forest.rules).into_iter().find(is_number).expect("a number card");
            forest.begin_world(state);
            for _ in 0..20 {
                forest.try_action::<AllFeatures>(state, number);
            }
            let next = state.others(forest.seat).next();
            assert_eq!((forest.path[0].seat, forest.path.get(1).map(|step| step.seat)), (forest.seat, next));
        });
    }
}
