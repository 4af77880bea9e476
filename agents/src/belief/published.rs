//! What the search agents infer in the published studies.
//!
//! The studies were played when every seat received the event that another seat kept a drawn card, and when samples ignored what the
//! rules imply about earlier actions. To make search agents infer as everything else does, delete this module, give them a
//! [knowledge with implications](unolab_engine::knowledge::Knowledge::with_implications), and replay the studies.

use unolab_engine::cpu::Generic;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::state::{RoundState, Uniform};

use crate::agent::EventSubscription;

/// The events of search agents, and of the information sets of exact solutions. To be replaced by [`EventSubscription::Events`].
pub const SUBSCRIPTION: EventSubscription = EventSubscription::EventsWithKeptCards;

/// A possible state that ignores what the rules imply. To be replaced by [`Observation::sample_state`].
pub(crate) fn sample_state(observation: &Observation<'_>, rng: &mut Rng) -> RoundState {
    observation.sample_state_dealt::<Generic>(&mut Uniform, rng)
}
