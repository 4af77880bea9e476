//! [`Worlds`]: where the states come from that a search plays on from.

use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::state::RoundState;

/// A source of states.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Worlds<'a> {
    /// Every deal of the unseen cards that the observation allows, each equally likely.
    Uniform(&'a Observation<'a>),
    /// The true state, for an oracle.
    True(&'a RoundState),
}

impl Worlds<'_> {
    pub(crate) fn next(&self, rng: &mut Rng) -> RoundState {
        match self {
            Self::Uniform(observation) => observation.sample_state(rng),
            Self::True(truth) => **truth,
        }
    }
}
