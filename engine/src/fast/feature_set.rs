//! [`FeatureSet`]: the rules for which code is compiled, so that absent rules cost nothing.

use std::fmt;
use std::marker::PhantomData;

use crate::fast::isa::{Generic, Isa};
use crate::rules::{Features, Rules};

/// Which features the code is compiled for. What a profile cannot have costs nothing; the rules are the same text for
/// all. Choose one for a batch of games: [`BasicFeatures`] where it [pays](BasicFeatures::pays_for), [`AllFeatures`] elsewhere.
pub trait FeatureSet: Copy + fmt::Debug + Default + Send + Sync + 'static {
    /// The features that rules played under this profile may have.
    const MAY_HAVE: Features;
    /// The machine it is compiled for.
    type Isa: Isa;

    /// Can these rules be played under this profile?
    #[must_use]
    fn fits(rules: &Rules) -> bool {
        Self::MAY_HAVE.contains(rules.features())
    }
}

/// The plain game: no card with several steps, no house rule, calls made by themselves.
#[derive(Debug, Clone, Copy, Default)]
pub struct BasicFeatures<M = Generic>(PhantomData<M>);

impl<M: Isa> BasicFeatures<M> {
    /// Whether rounds by these rules are played under this profile on this machine, and not under [`AllFeatures`].
    #[must_use]
    #[inline]
    pub fn pays_for(rules: &Rules) -> bool {
        M::IS_COMMON && Self::fits(rules)
    }
}

impl<M: Isa> FeatureSet for BasicFeatures<M> {
    const MAY_HAVE: Features = Features::CHALLENGES;
    type Isa = M;
}

/// Every rule there is.
#[derive(Debug, Clone, Copy, Default)]
pub struct AllFeatures<M = Generic>(PhantomData<M>);

impl<M: Isa> FeatureSet for AllFeatures<M> {
    const MAY_HAVE: Features = Features::ALL;
    type Isa = M;
}
