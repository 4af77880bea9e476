//! `monte-carlo`: each legal action is tried in rollouts from states that may be the true one; the best is played.
//!
//! See [`search`](crate::search) for what is done about luck, strategy fusion and knowledge leaks.

use unolab_engine::action::Action;
use unolab_engine::event::Seen;
use unolab_engine::machine::on_best_machine;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;

use crate::agent::{Agent, Memory};
use crate::heuristic::{Heuristic, TableWeights};
use crate::search::Budget;
use crate::search::goal::{Goal, Returns};
use crate::search::halving::Halving;
use crate::search::policy::Policy;
use crate::search::rollout::Rollouts;
use crate::search::worlds::Worlds;

/// How it searches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// How long it thinks about a decision.
    pub budget: Budget,
    /// Who plays the rollouts.
    pub policy: Policy,
    /// What it wants.
    pub goal: Goal,
    /// How many won rollouts the answer of `heuristic` is given in advance.
    pub bias: f64,
}

/// Plays what did best in rollouts; see the module.
#[derive(Debug)]
pub struct MonteCarlo {
    settings: Settings,
    heuristic: Heuristic,
    rng: Rng,
}

impl MonteCarlo {
    /// An agent with its own stream.
    #[must_use]
    pub fn new(settings: Settings, rules: &Rules, rng: Rng) -> Self {
        Self { settings, heuristic: Heuristic::new(TableWeights::STANDARD, rules), rng }
    }

    fn search(&mut self, observation: &Observation<'_>, actions: &[Action], favoured: Option<Action>) -> Action {
        let Settings { budget, policy, goal, bias } = self.settings;
        let mut rng = self.rng.fork(); // however much a search uses, the next one begins with the same stream
        let rollouts = Rollouts::new(policy, observation, Returns::new(goal, observation), &mut rng);
        let worlds = Worlds::Uniform(observation);
        let prior = favoured.map(|action| (action, bias));
        let rules = observation.rules();
        on_best_machine(Halving { rules, actions, worlds, rollouts, budget, prior, rng: &mut rng })
    }
}

impl Agent for MonteCarlo {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let favoured = self.heuristic.choose(observation);
        match *observation.legal_actions() {
            [only] => only,
            ref actions => self.search(observation, actions, Some(favoured)),
        }
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        match options {
            [Action::Uno | Action::Catch(_), ..] => options[0],
            jump_ins => self.search(observation, &[jump_ins, &[Action::Silent]].concat(), None),
        }
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.heuristic.begin_round(observation);
    }

    fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        self.heuristic.observe(seen, observation);
    }

    fn memory(&self) -> Memory {
        Memory::Events
    }
}
