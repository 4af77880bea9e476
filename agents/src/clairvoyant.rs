//! `clairvoyant`: sees every hand and the draw pile, and searches the true state. No player of the real game can do
//! that; it shows how far luck lets anyone go.

use unolab_engine::action::Action;
use unolab_engine::machine::on_best_machine;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::state::RoundState;

use crate::agent::{Agent, Memory};
use crate::monte_carlo::Settings;
use crate::oracle::Oracle;
use crate::search::goal::Returns;
use crate::search::halving::Halving;
use crate::search::rollout::Rollouts;
use crate::search::worlds::Worlds;

/// Searches the true state; see the module.
#[derive(Debug)]
pub struct Clairvoyant {
    settings: Settings,
    rng: Rng,
}

impl Clairvoyant {
    /// An oracle with its own stream.
    #[must_use]
    pub const fn new(settings: Settings, rng: Rng) -> Self {
        Self { settings, rng }
    }

    fn search(&mut self, worlds: Worlds<'_>, observation: &Observation<'_>) -> Action {
        let actions = observation.legal_actions();
        if let [only] = *actions {
            return only;
        }
        let Settings { budget, policy, goal, .. } = self.settings;
        let mut rng = self.rng.fork();
        let rollouts = Rollouts::new(policy, observation, Returns::new(goal, observation), &mut rng);
        let (rules, actions) = (observation.rules(), &actions[..]);
        on_best_machine(Halving { rules, actions, worlds, rollouts, budget, prior: None, rng: &mut rng })
    }
}

impl Agent for Clairvoyant {
    /// Without the true state it searches what may be.
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.search(Worlds::Uniform(observation), observation)
    }

    fn memory(&self) -> Memory {
        Memory::Shown
    }
}

impl Oracle for Clairvoyant {
    fn choose_seeing(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action {
        self.search(Worlds::True(truth), observation)
    }
}
