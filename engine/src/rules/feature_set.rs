//! [`FeatureSet`]: the features for which code is compiled, so that absent features cost no time.

use std::fmt;
use std::marker::PhantomData;

use super::compile::Features;
use super::ruleset::Rules;
use crate::cpu::isa::{Generic, Isa, Kernel};

/// The features for which code is compiled. Features outside the set cost no time; all sets share the source code of the
/// rules. A [`RulesKernel`] is compiled for the set that fits its rules.
pub trait FeatureSet: Copy + fmt::Debug + Default + Send + Sync + 'static {
    /// The features that the rules may have.
    const MAY_HAVE: Features;
    /// The instruction set for which it is compiled.
    type Isa: Isa;

    /// Whether code with these features can play these rules.
    #[must_use]
    fn fits(rules: &Rules) -> bool {
        Self::MAY_HAVE.contains(rules.features())
    }
}

/// The plain game: no cards with several steps, no house rules, and automatic calls.
#[derive(Debug, Clone, Copy, Default)]
pub struct BasicFeatures<M = Generic>(PhantomData<M>);

impl<M: Isa> FeatureSet for BasicFeatures<M> {
    const MAY_HAVE: Features = Features::CHALLENGES;
    type Isa = M;
}

/// All features.
#[derive(Debug, Clone, Copy, Default)]
pub struct AllFeatures<M = Generic>(PhantomData<M>);

impl<M: Isa> FeatureSet for AllFeatures<M> {
    const MAY_HAVE: Features = Features::ALL;
    type Isa = M;
}

/// Work with certain rules, compiled also for their features: [`BasicFeatures`] if they fit, otherwise [`AllFeatures`].
pub trait RulesKernel: Sized {
    /// The result.
    type Output;

    /// The rules of all its rounds.
    fn rules(&self) -> &Rules;

    /// Does the work. Mark the implementation `#[inline(always)]`, as for [`Kernel::run`].
    fn run_by<P: FeatureSet>(self) -> Self::Output;

    /// Does the work with the features that fit, also on a processor that is not [common](Isa::IS_COMMON).
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
