//! [`Searcher`]: the agent that decides by search.

use std::sync::Arc;

use unolab_engine::action::Action;
use unolab_engine::cpu::dispatch;
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::state::RoundState;

use super::budget::Budget;
use super::determinizer::Determinizer;
use super::endgame::winning_actions;
use super::halving::{Halving, Prior};
use super::returns::Returns;
use super::rollout::{RolloutSettings, Rollouts};
use super::tree::{Forest, Growth};
use crate::agent::PerfectInformationAgent;
use crate::agent::{Agent, EventSubscription};
use crate::belief::{Belief, published};
use crate::goal::Goal;
use crate::heuristic::{Heuristic, Style};
use crate::net::judge::Judge;
use crate::net::published::{Size, published_for};

/// The belief about hidden hands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Inference {
    /// All possible deals are equally likely.
    Uniform,
    /// Weighted by the likelihood of the actions of others.
    Inferred,
}

/// The settings of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// The budget of a decision.
    pub budget: Budget,
    /// How trials are played out.
    pub playing: RolloutSettings,
    /// The goal.
    pub goal: Goal,
    /// The belief.
    pub inference: Inference,
    /// The number of prior wins for the action of `heuristic`.
    pub bias: f64,
    /// The weight of the net's value as a prior, in trials, if the goal is to win rounds.
    pub net: f64,
    /// The size of this net.
    pub size: Size,
    /// The number of standard errors by which an action may be behind the best before it is dropped; 0: never drop.
    pub sure: f64,
    /// The trees.
    pub growth: Growth,
}

/// A seat searches at most this many decisions in a round, and then plays like `heuristic`: a round of this length probably
/// never ends. Rounds of the editions are much shorter.
const MOST_SEARCHED: u32 = 300;

/// Plays the best action by search. If only one action is legal, it is played without a search.
#[derive(Debug)]
pub struct Searcher {
    settings: Settings,
    /// Decisions searched in this round.
    searched: u32,
    heuristic: Heuristic,
    belief: Belief,
    judge: Option<Judge>,
    rng: Rng,
}

impl Searcher {
    /// An agent with its own stream.
    #[must_use]
    pub fn new(settings: Settings, rng: Rng) -> Self {
        let heuristic = Heuristic::new(Arc::new(Style { goal: settings.goal, ..Style::STANDARD }));
        Self { settings, searched: 0, heuristic, belief: Belief::default(), judge: None, rng }
    }

    fn decide(&mut self, truth: Option<&RoundState>, observation: &Observation<'_>) -> Action {
        let legal = observation.legal_actions();
        if let [only] = legal[..] {
            return only;
        }
        if self.searched >= MOST_SEARCHED {
            return self.heuristic.choose(observation);
        }
        // A proven win is always taken; if more than winning counts, the search chooses among the winning actions.
        let winning = winning_actions(observation, &legal);
        let actions = match (&winning[..], self.settings.goal) {
            ([action, ..], Goal::Win) | ([action], _) => return *action,
            ([], _) => &legal,
            _ => &winning,
        };
        let prior = self.prior(observation, actions);
        self.search(truth, observation, actions, &prior)
    }

    /// The prior of each action: its value, and its weight in trials.
    fn prior(&mut self, observation: &Observation<'_>, actions: &[Action]) -> Prior {
        let Settings { bias, net, .. } = self.settings;
        if let Some(judge) = &mut self.judge {
            let chances = judge.values(observation, actions).iter().map(|value| net * value.chance_to_win());
            return Prior { trials: net, sums: chances.collect() };
        }
        let favored = (bias > 0.0).then(|| self.heuristic.choose(observation));
        let sum = |&action: &Action| if favored == Some(action) { bias } else { 0.0 };
        Prior { trials: 0.0, sums: actions.iter().map(sum).collect() }
    }

    fn search(
        &mut self,
        truth: Option<&RoundState>,
        observation: &Observation<'_>,
        actions: &[Action],
        prior: &Prior,
    ) -> Action {
        let Settings { budget, playing, goal, inference, sure, growth, .. } = self.settings;
        self.searched += 1;
        self.belief.settle(observation);
        let mut rng = self.rng.fork(); // so that the stream of the next search does not depend on the length of this one
        let worlds = match (truth, inference) {
            (Some(truth), _) => Determinizer::True(truth),
            (None, Inference::Uniform) => Determinizer::Uniform(observation),
            (None, Inference::Inferred) => Determinizer::Inferred(self.belief.deals(observation, &mut rng)),
        };
        let rules = observation.rules();
        let rollouts = Rollouts::new(playing, Returns::new(goal, observation), observation, &mut rng);
        let forest = Forest::new(growth, rules, observation.seat(), rollouts);
        dispatch(Halving { rules, actions, worlds, forest, budget, prior, sure, rng: &mut rng })
    }
}

impl Agent for Searcher {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.decide(None, observation)
    }

    /// Always calls and catches, because they cost nothing; searches whether to jump in.
    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        match options {
            [Action::Uno | Action::Catch(_), ..] => options[0],
            _ if self.searched >= MOST_SEARCHED => options[0],
            jump_ins => {
                let options = [jump_ins, &[Action::Silent]].concat();
                self.search(None, observation, &options, &Prior::none(options.len()))
            }
        }
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.searched = 0;
        self.heuristic.begin_round(observation);
        self.belief.begin_round(observation);
        if self.settings.net > 0.0 && self.settings.goal == Goal::Win {
            let rules = observation.rules();
            let weights = published_for(rules, observation.seats().len(), self.settings.size);
            self.judge = weights.map(|weights| Judge::new(Some(weights), rules));
            self.judge.iter_mut().for_each(|judge| judge.tracker().begin_round(observation));
        }
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.heuristic.observe(seen, observation);
        self.judge.iter_mut().for_each(|judge| judge.tracker().observe(seen, observation));
        if self.settings.inference == Inference::Inferred {
            self.belief.observe(seen, observation);
        }
    }

    fn subscription(&self) -> EventSubscription {
        published::SUBSCRIPTION
    }
}

/// Without the true state, worlds are sampled; with it, only the true state is searched.
impl PerfectInformationAgent for Searcher {
    fn choose_with_perfect_information(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action {
        self.decide(Some(truth), observation)
    }
}
