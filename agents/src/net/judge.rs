//! [`Judge`]: the values of a seat's actions, by a net.

use std::sync::Arc;

use unolab_engine::action::Action;
use unolab_engine::event::Event;
use unolab_engine::observation::Observation;
use unolab_engine::rules::{Rules, Scoring};
use unolab_engine::seat::Seat;

use super::feature_tracker::FeatureTracker;
use super::inputs::Inputs;
use super::network::{ACTIVATION_ONE, Value, WEIGHT_ONE, logistic};
use super::weights::Weights;
use crate::agent::Observer;
use crate::goal::Goal;

/// Evaluates actions by a net.
#[derive(Debug, Clone)]
pub struct Judge {
    /// `None` for a judge that only encodes inputs.
    weights: Option<Arc<Weights>>,
    tracker: FeatureTracker,
    inputs: Inputs,
    sums: Vec<i32>,
    values: Vec<Value>,
}

impl Judge {
    /// A judge for one game. Without weights it only encodes inputs.
    #[must_use]
    pub fn new(weights: Option<Arc<Weights>>, rules: &Rules) -> Self {
        let (inputs, sums, values) = (Inputs::default(), Vec::new(), Vec::new());
        Self { weights, tracker: FeatureTracker::new(rules), inputs, sums, values }
    }

    /// The tracker of the events that it has seen.
    pub const fn tracker(&mut self) -> &mut FeatureTracker {
        &mut self.tracker
    }

    /// The inputs of the actions that were last valued.
    #[must_use]
    pub const fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The values of these actions, in their order, with the caution of the weights; `None` without weights.
    pub fn values(&mut self, observation: &Observation<'_>, actions: &[Action]) -> &[Value] {
        let Self { weights, tracker, inputs, sums, values } = self;
        inputs.encode(tracker, observation, actions);
        values.clear();
        if let Some(weights) = weights {
            weights.network.values(inputs, sums, values);
            if let Some(hinted) = inputs.hint().and_then(|hint| values.get_mut(hint)) {
                // The caution favors the action of `heuristic`.
                let caution = caution(weights);
                hinted.win += caution;
                hinted.points += caution / POINTS_OF_CAUTION;
            }
        }
        values
    }

    /// The net's value of the action with this number among those last valued, without caution; `None` without weights.
    #[must_use]
    pub fn estimate(&self, number: usize) -> Option<Value> {
        let weights = self.weights.as_ref()?;
        let value = *self.values.get(number)?;
        let caution = if self.inputs.hint() == Some(number) { caution(weights) } else { 0 };
        Some(Value { win: value.win - caution, points: value.points - caution / POINTS_OF_CAUTION })
    }

    /// The value of each of these actions, in their order: the chance to win the round, or the expected points.
    pub fn worths(&mut self, observation: &Observation<'_>, actions: &[Action], of: RoundValue) -> Vec<f64> {
        let worth = |value: &Value| match of {
            RoundValue::ChanceToWin => value.chance_to_win(),
            RoundValue::Points => 100.0 * f64::from(value.points) / ONE,
        };
        self.values(observation, actions).iter().map(worth).collect()
    }

    /// The number of the action of highest value, the first of equals.
    pub fn best(&mut self, observation: &Observation<'_>, actions: &[Action], goal: Goal) -> usize {
        let worth = Objective::of(goal, observation);
        let values = self.values(observation, actions).iter().map(|&value| worth.of_value(value));
        let mut best = (0, f64::NEG_INFINITY);
        for (i, value) in values.enumerate() {
            if value > best.1 {
                best = (i, value);
            }
        }
        best.0
    }
}

impl Observer for Judge {
    fn begin(&mut self, observation: &Observation<'_>) {
        self.tracker.begin_round(observation);
    }

    fn receive(&mut self, event: Event, observation: &Observation<'_>) {
        if let Some(seen) = observation.sees(event) {
            self.tracker.observe(seen, observation);
        }
    }
}

/// The addition to the log-odds of the action that `heuristic` would take.
fn caution(weights: &Weights) -> i32 {
    i32::from(weights.caution) * (WEIGHT_ONE * ACTIVATION_ONE / 100)
}

/// The quantities that a net can value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundValue {
    /// The probability of winning it, from 0 to 1.
    ChanceToWin,
    /// The expected points.
    Points,
}

impl TryFrom<Goal> for RoundValue {
    type Error = UnsupportedGoal;

    fn try_from(goal: Goal) -> Result<Self, UnsupportedGoal> {
        match goal {
            Goal::Win => Ok(Self::ChanceToWin),
            Goal::Points => Ok(Self::Points),
            Goal::Match => Err(UnsupportedGoal),
        }
    }
}

/// The error that a net values rounds, not matches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a net values rounds, not matches; allowed: win or points")]
pub struct UnsupportedGoal;

/// How the two numbers of a [`Value`] are combined.
#[derive(Debug, Clone, Copy)]
enum Objective {
    Win,
    Points,
    /// The chance to win the round, plus this amount for each hundred points.
    Both {
        points: f64,
    },
}

/// The caution in log-odds of the round, divided by this, is the caution in hundreds of points.
const POINTS_OF_CAUTION: i32 = 10;

/// The approximate number of cards in a losing hand.
const CARDS_LEFT: f64 = 5.0;

/// A side that needs this many average rounds to reach the target values the points of a round as highly as winning it.
const FAR_FROM_THE_END: f64 = 4.0;

impl Objective {
    fn of(goal: Goal, observation: &Observation<'_>) -> Self {
        match goal {
            Goal::Win => Self::Win,
            Goal::Points => Self::Points,
            Goal::Match => Self::of_match(observation),
        }
    }

    /// Near the target the next round decides the match, regardless of its points; far from the target its points also count.
    /// If players score their own hands, this seat's score approaches the target, otherwise the highest score does.
    fn of_match(observation: &Observation<'_>) -> Self {
        let rules = observation.rules();
        let deck = rules.deck();
        let a_hand = CARDS_LEFT * f64::from(rules.points_of(deck)) / f64::from(deck.len().max(1));
        let target = f64::from(rules.parameters().target.get());
        let score = |seat: Seat| f64::from(observation.scores()[seat]);
        let own = score(observation.seat());
        let (a_round, left) = match rules.parameters().scoring {
            Scoring::WinnerTakes => {
                let most = observation.others().map(score).fold(own, f64::max);
                (a_hand * observation.others().count() as f64, target - most)
            }
            Scoring::RunningLowest | Scoring::Elimination => (a_hand, target - own),
        };
        let a_round = a_round.max(1.0);
        let distance = ((left - a_round) / (FAR_FROM_THE_END * a_round)).clamp(0.0, 1.0);
        Self::Both { points: distance * 100.0 / a_round }
    }

    fn of_value(self, value: Value) -> f64 {
        match self {
            Self::Win => f64::from(value.win),
            Self::Points => f64::from(value.points),
            Self::Both { points } => logistic(f64::from(value.win) / ONE) + points * f64::from(value.points) / ONE,
        }
    }
}

/// The number that represents 1 in a [`Value`].
const ONE: f64 = (WEIGHT_ONE * ACTIVATION_ONE) as f64;
