//! `first-legal`: the first legal action in the engine's order, for tests and for speed.

use unolab_engine::action::Action;
use unolab_engine::observation::Observation;

use crate::agent::{Agent, EventSubscription};

/// Plays the first legal action.
#[derive(Debug, Clone, Copy, Default)]
pub struct FirstLegal;

impl Agent for FirstLegal {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        observation.legal_actions()[0]
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Nothing
    }
}
