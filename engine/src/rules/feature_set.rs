//! [`FeatureSet`]: the rules for which code is compiled, so that absent rules cost nothing.

use std::fmt;
use std::marker::PhantomData;

use super::compile::Features;
use super::ruleset::Rules;
use crate::cpu::isa::{Generic, Isa, Kernel};

/// The features for which the code is compiled. Features outside the set cost nothing; the source of the rules is the same for
/// all. A [`RulesKernel`] is compiled for the set that fits its rules.
pub trait FeatureSet: Copy + fmt::Debug + Default + Send + Sync + 'static {
    /// The features that the rules may have.
    const MAY_HAVE: Features;
    /// The machine it is compiled for.
    type Isa: Isa;

    /// Whether code with these features can play these rules.
    #[must_use]
    fn fits(rules: &Rules) -> bool {
        Self::MAY_HAVE.contains(rules.features())
    }
}

/// The plain game: no card with several steps, no house rule, calls made by themselves.
#[derive(Debug, Clone, Copy, Default)]
pub struct BasicFeatures<M = Generic>(PhantomData<M>);

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

/// Work by certain rules, compiled for their features too: [`BasicFeatures`] where they fit, [`AllFeatures`] elsewhere.
pub trait RulesKernel: Sized {
    /// The result.
    type Output;

    /// The rules of all of its rounds.
    fn rules(&self) -> &Rules;

    /// Does it; mark the implementation `#[inline(always)]`, as that of [`Kernel::run`].
    fn run_by<P: FeatureSet>(self) -> Self::Output;

    /// Does it with the features that fit, on a processor that is not [common](Isa::IS_COMMON) too.
    #[inline(always)]
    fn run_fitting<M: Isa>(self) -> Self::Output {
        if BasicFeatures::<M>::fits(self.rules()) {
            self.run_by::<BasicFeatures<M>>()
        } else {
            self.run_by::<AllFeatures<M>>()
        }
    }
}

impl<K: RulesKernel> Kernel for K {
    type Output = K::Output;

    #[inline(always)]
    fn run<M: Isa>(self) -> K::Output {
        if M::IS_COMMON { self.run_fitting::<M>() } else { self.run_by::<AllFeatures<M>>() }
    }
}
