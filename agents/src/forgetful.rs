//! `forgetful`: another agent that sometimes forgets to call UNO or to catch (`uno.calls = "explicit"`).

use unolab_engine::action::{Action, Call};
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;

use crate::agent::PerfectInformationAgent;
use crate::agent::{Agent, EventSubscription, GameResult};
use crate::fault::Fault;
use crate::player::Player;

/// How often the agent forgets; each decision is independent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Forgetfulness {
    /// The probability of staying silent instead of calling, in time or late.
    pub call: f64,
    /// The probability of missing a catch.
    pub catch: f64,
}

/// Plays like the wrapped agent, but sometimes forgets.
#[derive(Debug)]
pub struct Forgetful {
    within: Player,
    forgets: Forgetfulness,
    rng: Rng,
}

impl Forgetful {
    /// The wrapped agent keeps its own stream, so it plays as it would without the wrapper; `rng` decides what is forgotten.
    #[must_use]
    pub const fn new(within: Player, forgets: Forgetfulness, rng: Rng) -> Self {
        Self { within, forgets, rng }
    }
}

#[deny(clippy::missing_trait_methods)]
impl Agent for Forgetful {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.within.choose(observation)
    }

    fn perfect_information(&mut self) -> Option<&mut dyn PerfectInformationAgent> {
        self.within.perfect_information()
    }

    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        if self.rng.chance(self.forgets.call) { Call::Silent } else { self.within.call(observation, action) }
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let chosen = self.within.interrupt(observation, options);
        let forgets = match chosen {
            Action::Uno => self.rng.chance(self.forgets.call),
            Action::Catch(_) => self.rng.chance(self.forgets.catch),
            _ => false,
        };
        if forgets { Action::Silent } else { chosen }
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.within.begin_round(observation);
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.within.observe(seen, observation);
    }

    fn subscription(&self) -> EventSubscription {
        self.within.subscription()
    }

    fn take_note(&mut self) -> Option<String> {
        self.within.take_note()
    }

    fn fault(&self) -> Option<&Fault> {
        self.within.fault()
    }

    fn game_over(&mut self, result: &GameResult) {
        self.within.game_over(result);
    }
}
