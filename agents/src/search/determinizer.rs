//! [`Determinizer`]: the source of the states from which a search continues.

use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::state::RoundState;

use crate::belief::{BeliefSampler, published};

/// A source of states.
#[derive(Debug)]
pub(crate) enum Determinizer<'a> {
    /// Every deal of the unseen cards that the observation allows, each equally likely.
    Uniform(&'a Observation<'a>),
    /// The same deals, weighted by the likelihood of the others' actions.
    Inferred(BeliefSampler<'a>),
    /// The true state, for an agent with perfect information.
    True(&'a RoundState),
}

impl Determinizer<'_> {
    pub(crate) fn next(&mut self, rng: &mut Rng) -> RoundState {
        match self {
            Self::Uniform(observation) => published::sample_state(observation, rng),
            Self::Inferred(deals) => deals.next_state(rng),
            Self::True(truth) => **truth,
        }
    }
}
