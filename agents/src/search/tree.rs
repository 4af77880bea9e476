//! `Forest`: trees over what the searching seat can see.
//!
//! Single-observer information-set trees (Cowling, Powley and Whitehouse, 2012). A node is a sequence of actions, and stands
//! for every world in which they could be taken. Each descent uses one world and chooses among the legal actions there.
//! Exploration counts how often an action was available, not how often its node was reached. Seats choose in the tree for
//! themselves: each node has the values of the seat that decides there.

use unolab_engine::action::Action;
use unolab_engine::fast::FeatureSet;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::RoundState;

use super::rollout::Rollouts;
use crate::stop;

/// How trees grow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Growth {
    /// The number of trees. The worlds are dealt out to them in turn, and their results are added. 0: only rollouts.
    pub trees: usize,
    /// The weight of exploration in the UCB formula.
    pub explore: f64,
    /// The number of prior wins for the action of the rollout policy at each node.
    pub bias: f64,
}

/// The largest depth of a tree in choices: below it there are too few visits, and each costs time.
const DEEPEST: usize = 8;

/// Trees that grow in turn.
#[derive(Debug)]
pub(crate) struct Forest<'a> {
    rules: &'a Rules,
    seat: Seat,
    growth: Growth,
    rollouts: Rollouts<'a>,
    trees: Vec<Tree>,
    /// The tree that grows in this world.
    turn: usize,
    /// Reused from descent to descent.
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

/// An action, and what became of it.
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

    /// The next world, in which the next tree grows.
    pub(crate) fn begin_world(&mut self, world: &RoundState) {
        self.rollouts.begin_world(world);
        self.turn = (self.turn + 1) % self.trees.len().max(1);
    }

    /// Tries an action in this world: down the tree, and out by rollouts. Gives the value for the searching seat.
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

    /// Goes down the tree by this action first, to the first choice that is new.
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

    /// Which edge to take, of those that are legal in this world.
    fn choose_edge(&mut self, state: &RoundState, node: usize, seat: Seat) -> usize {
        if let [only] = self.legal[..] {
            return self.trees[self.turn].edge(node, only);
        }
        let favoured = (self.growth.bias > 0.0).then(|| self.rollouts.policy_action(state, seat));
        let Growth { explore, bias, .. } = self.growth;
        let tree = &mut self.trees[self.turn];
        let mean = tree.nodes[node].mean();
        let mut best = (f64::NEG_INFINITY, 0);
        for &action in &self.legal {
            let i = tree.edge(node, action);
            let edge = &tree.nodes[node].edges[i];
            // As if each action had been tried once before, with an average result.
            let visits = f64::from(edge.visits + 1);
            let bonus = if favoured == Some(action) { bias } else { 0.0 };
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
    /// The edge of an action that is legal, and so available once more.
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
