//! [`self_play`] and [`best_response`]: a policy against itself, and the best response to it.

use std::collections::HashMap;

use unolab_engine::action::Action;
use unolab_engine::seat::Seat;

use super::information_set::InformationSet;
use super::policy::Policy;
use super::tree::{SEATS, Tree, TreeEnd, TreeError, TreeRound, WeightedRound};

/// Exact values of a game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Values {
    /// The expected share of the win of each seat; a truncated round counts half for both.
    pub shares: [f64; 2],
    /// The probability that a round is truncated.
    pub unfinished: f64,
    /// The total probability of all paths: 1, up to rounding.
    pub probability: f64,
}

impl Values {
    fn add(&mut self, end: TreeEnd, weight: f64) {
        self.probability += weight;
        let shares = match end {
            TreeEnd::Shares(shares) => shares,
            TreeEnd::Cut => {
                self.unfinished += weight;
                [0.5; 2]
            }
        };
        self.shares.iter_mut().zip(shares).for_each(|(sum, share)| *sum += weight * share);
    }

    fn add_values(&mut self, other: &Self) {
        self.shares.iter_mut().zip(other.shares).for_each(|(sum, share)| *sum += share);
        self.unfinished += other.unfinished;
        self.probability += other.probability;
    }
}

/// A decision of the best-responding seat.
#[derive(Debug)]
pub struct Choice<'c, 'a> {
    /// The events that the seat has seen and its choices.
    pub story: InformationSet,
    /// One of the rounds that the seat cannot distinguish here.
    pub round: &'c TreeRound<'a>,
    /// The probability of reaching this decision, if the seat chooses every action that leads here.
    pub reach: f64,
    /// The legal actions, each with the seat's expected share of the win under the best continuation.
    pub values: &'c [(Action, f64)],
}

/// The policy in both seats.
///
/// # Errors
/// The tree is too large.
pub fn self_play(tree: &mut Tree<'_>, policy: &mut dyn Policy) -> Result<Values, TreeError> {
    let mut values = Values::default();
    for world in tree.deals()? {
        follow(tree, policy, world, &mut values)?;
    }
    Ok(values)
}

fn follow<'a>(
    tree: &mut Tree<'a>,
    policy: &mut dyn Policy,
    world: WeightedRound<'a>,
    values: &mut Values,
) -> Result<(), TreeError> {
    let (None, Some(seat)) = (tree.end(&world), world.round.current_seat()) else {
        if let Some(end) = tree.end(&world) {
            values.add(end, world.weight);
        }
        return Ok(());
    };
    for &(action, probability) in &*policy.mixture(&world.round, world.stories[seat.index()]) {
        for next in tree.after(&world, action, probability)? {
            follow(tree, policy, next, values)?;
        }
    }
    Ok(())
}

/// The best result of `seat` against this policy in the other seat, if it knows the policy but not the hidden cards: at each
/// of its information sets it takes the action of highest expected value. Each of its decisions is passed to `each`.
///
/// # Errors
/// The tree is too large.
pub fn best_response<'a>(
    tree: &mut Tree<'a>,
    policy: &mut dyn Policy,
    seat: Seat,
    each: &mut dyn FnMut(&Choice<'_, 'a>),
) -> Result<Values, TreeError> {
    let deals = tree.deals()?;
    let mut response = Response { tree, policy, seat, each };
    let mut values = Values::default();
    let mut decisions = Decisions::default();
    for world in deals {
        response.follow_to_decision(world, &mut values, &mut decisions)?;
    }
    response.decide(decisions, &mut values)?;
    Ok(values)
}

/// The worlds in which the seat has to decide, by information set, in the order in which they were found, so that sums are
/// reproducible.
#[derive(Default)]
struct Decisions<'a> {
    worlds: Vec<(InformationSet, Vec<WeightedRound<'a>>)>,
    by_story: HashMap<InformationSet, usize>,
}

impl<'a> Decisions<'a> {
    fn add(&mut self, story: InformationSet, world: WeightedRound<'a>) {
        let at = *self.by_story.entry(story).or_insert(self.worlds.len());
        if at == self.worlds.len() {
            self.worlds.push((story, Vec::new()));
        }
        self.worlds[at].1.push(world);
    }
}

struct Response<'r, 'a> {
    tree: &'r mut Tree<'a>,
    policy: &'r mut dyn Policy,
    seat: Seat,
    each: &'r mut dyn FnMut(&Choice<'_, 'a>),
}

impl<'a> Response<'_, 'a> {
    /// Follows the policy to the end of the round, or to the next decision of the seat.
    fn follow_to_decision(
        &mut self,
        world: WeightedRound<'a>,
        values: &mut Values,
        decisions: &mut Decisions<'a>,
    ) -> Result<(), TreeError> {
        if let Some(end) = self.tree.end(&world) {
            values.add(end, world.weight);
            return Ok(());
        }
        if world.round.current_seat() == Some(self.seat) {
            decisions.add(world.stories[self.seat.index()], world);
            return Ok(());
        }
        let other = SEATS[1 - self.seat.index()];
        for &(action, probability) in &*self.policy.mixture(&world.round, world.stories[other.index()]) {
            for next in self.tree.after(&world, action, probability)? {
                self.follow_to_decision(next, values, decisions)?;
            }
        }
        Ok(())
    }

    /// Adds the seat's results from these decisions on.
    fn decide(&mut self, decisions: Decisions<'a>, values: &mut Values) -> Result<(), TreeError> {
        for (story, worlds) in decisions.worlds {
            values.add_values(&self.best(story, &worlds)?);
        }
        Ok(())
    }

    /// The seat's result with its best action, in worlds that it cannot distinguish.
    fn best(&mut self, story: InformationSet, worlds: &[WeightedRound<'a>]) -> Result<Values, TreeError> {
        let actions = worlds[0].round.legal_actions();
        let reach: f64 = worlds.iter().map(|world| world.weight).sum();
        let seat = self.seat.index();
        let mut best: Option<Values> = None;
        let mut by_action = Vec::with_capacity(actions.len());
        for &action in actions {
            let (mut values, mut decisions) = (Values::default(), Decisions::default());
            for world in worlds {
                debug_assert_eq!(world.round.legal_actions(), actions, "a seat knows its legal actions");
                for next in self.tree.after(world, action, 1.0)? {
                    self.follow_to_decision(next, &mut values, &mut decisions)?;
                }
            }
            self.decide(decisions, &mut values)?;
            by_action.push((action, values.shares[seat] / reach));
            if best.is_none_or(|best| values.shares[seat] > best.shares[seat]) {
                best = Some(values);
            }
        }
        (self.each)(&Choice { story, round: &worlds[0].round, reach, values: &by_action });
        Ok(best.expect("there is always a legal action"))
    }
}
