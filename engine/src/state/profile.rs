//! [`Profile`]: what code is compiled for, so that rules which a game does not have cost it nothing.

use std::fmt;
use std::marker::PhantomData;

use crate::machine::{Baseline, Machine};
use crate::rules::{Features, Rules};

/// Which features the code is compiled for. What a profile cannot have costs nothing; the rules are the same text for
/// all. Choose one for a batch of games: [`Plain`] wherever [`Profile::fits`], [`Everything`] elsewhere.
pub trait Profile: Copy + fmt::Debug + Default + Send + Sync + 'static {
    /// The features that rules played under this profile may have.
    const MAY_HAVE: Features;
    /// The machine it is compiled for.
    type Machine: Machine;

    /// Can these rules be played under this profile?
    #[must_use]
    fn fits(rules: &Rules) -> bool {
        Self::MAY_HAVE.contains(rules.features())
    }
}

/// The plain game: no card with several steps, no house rule, calls made by themselves.
#[derive(Debug, Clone, Copy, Default)]
pub struct Plain<M = Baseline>(PhantomData<M>);

impl<M: Machine> Profile for Plain<M> {
    const MAY_HAVE: Features = Features::CHALLENGES;
    type Machine = M;
}

/// Every rule there is.
#[derive(Debug, Clone, Copy, Default)]
pub struct Everything<M = Baseline>(PhantomData<M>);

impl<M: Machine> Profile for Everything<M> {
    const MAY_HAVE: Features = Features::ALL;
    type Machine = M;
}
