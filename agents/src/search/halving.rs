//! Sequential halving: which of a few actions is the best, for a budget (Karnin, Koren and Somekh, 2013). With trees
//! below it is the root of a hybrid search (Pepels, Cazenave, Winands and Lanctot, 2014).

use unolab_engine::action::Action;
use unolab_engine::fast::{AllFeatures, BasicFeatures, FeatureSet};
use unolab_engine::fast::{Isa, Kernel};
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;

use super::budget::{Budget, Meter};
use super::determinizer::Determinizer;
use super::tree::Forest;

/// An action with what its trials came to.
#[derive(Debug, Clone, Copy)]
struct Tried {
    action: Action,
    sum: f64,
}

/// A choice between actions: all that are left are tried in the same worlds, and the worse half leaves after each equal
/// part of the budget.
#[derive(Debug)]
pub(crate) struct Halving<'s, 'a> {
    pub(crate) rules: &'a Rules,
    pub(crate) actions: &'s [Action],
    pub(crate) worlds: Determinizer<'s>,
    pub(crate) forest: Forest<'a>,
    pub(crate) budget: Budget,
    /// Favoured by so many rollouts won against the others.
    pub(crate) prior: Option<(Action, f64)>,
    pub(crate) rng: &'s mut Rng,
}

impl Kernel for Halving<'_, '_> {
    type Output = Action;

    #[inline(always)]
    fn run<M: Isa>(self) -> Action {
        if BasicFeatures::<M>::fits(self.rules) {
            self.choose::<BasicFeatures<M>>()
        } else {
            self.choose::<AllFeatures<M>>()
        }
    }
}

impl Halving<'_, '_> {
    #[inline(always)]
    fn choose<P: FeatureSet>(mut self) -> Action {
        let favour = |action| self.prior.filter(|(favoured, _)| *favoured == action).map_or(0.0, |(_, bonus)| bonus);
        let mut left: Vec<Tried> = self.actions.iter().map(|&action| Tried { action, sum: favour(action) }).collect();
        let mut meter = Meter::new(self.budget);
        let mut begun = 0;
        let halvings = left.len().next_power_of_two().trailing_zeros();
        while left.len() > 1 {
            let world = self.worlds.next(self.rng);
            self.forest.begin_world(&world);
            for tried in &mut left {
                tried.sum += self.forest.try_action::<P>(&world, tried.action);
            }
            meter.spend_world(u32::try_from(left.len()).expect("a few actions"));
            if !meter.is_below(f64::from(begun + 1) / f64::from(halvings)) {
                // A stable sort: of equals the earlier action stays.
                left.sort_by(|a, b| b.sum.total_cmp(&a.sum));
                left.truncate(left.len().div_ceil(2));
                begun += 1;
            }
        }
        left[0].action
    }
}
