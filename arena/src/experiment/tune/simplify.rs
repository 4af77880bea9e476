//! Changes without an effect are put back: the finalists play the deals of the search against themselves with one change put back
//! at a time. On common deals equal rules give equal games, so a change that matters to no goal leaves no difference at all.

use super::Tuning;
use super::counts::{Job, TuneCounts};
use super::quantity::TrialCounts;
use super::search::whole;
use super::space::Point;
use super::trial::Phase;

/// The part of the budget of each round of comparisons.
const COMPARISONS: f64 = 0.01;

/// A comparison has this number of deals, if there are enough rounds, and none with fewer than the least.
const MOST_SETS: u64 = 200;
const LEAST_SETS: u64 = 4;

impl Tuning {
    /// A rule set, and the same with each of its keys at its usual value, if these rules can be played.
    pub(super) fn simpler_versions(&self, point: &Point) -> Vec<Point> {
        let with_usual_value = |key: usize| {
            let mut other = point.clone();
            other[key] = self.space.usual_value(key);
            other
        };
        let others = (0..point.len()).map(with_usual_value);
        let others = others.filter(|other| other != point && self.space.rules(other).is_ok());
        std::iter::once(point.clone()).chain(others).collect()
    }

    /// Comparisons of these finalists with themselves; none if none has a change, or there are too few rounds.
    pub(super) fn plan_comparisons(&self, counts: &mut TuneCounts, finalists: &[usize]) -> Vec<Job> {
        counts.versions = vec![vec![Vec::new(); self.trials.len()]; counts.finalists.len()];
        let arms = |&finalist: &usize| self.simpler_versions(&counts.finalists[finalist].point).len();
        let changed: Vec<usize> = finalists.iter().copied().filter(|finalist| arms(finalist) > 1).collect();
        let per_set = changed.iter().map(arms).sum::<usize>() as f64 * self.rounds_per_set(counts);
        let pilots = changed.len() as f64 * self.pilot_cost(Phase::Comparisons);
        let sets = whole((COMPARISONS * counts.budget as f64 - pilots).max(0.0) / per_set).min(MOST_SETS);
        if changed.is_empty() || sets < LEAST_SETS {
            return Vec::new();
        }
        let jobs_of = |&finalist: &usize| {
            let point = counts.finalists[finalist].point.clone();
            let trials = 0..self.trials.len();
            trials.map(move |trial| self.job(Phase::Comparisons, trial, &point, finalist, 0..sets))
        };
        changed.iter().flat_map(jobs_of).collect()
    }

    /// Puts back the first change of each finalist that has no effect on any goal. Finalists that become equal are merged. Returns
    /// the finalists that have become simpler.
    pub(super) fn simplify(&self, counts: &mut TuneCounts) -> Vec<usize> {
        let mut simpler = vec![false; counts.finalists.len()];
        for (finalist, is_simpler) in simpler.iter_mut().enumerate() {
            let arms = self.simpler_versions(&counts.finalists[finalist].point);
            let without_effect = (1..arms.len()).find(|&arm| self.is_without_effect(counts, finalist, arm));
            if let Some(arm) = without_effect {
                counts.finalists[finalist].point.clone_from(&arms[arm]);
                *is_simpler = true;
            }
        }
        let mut number = 0;
        let points: Vec<Point> = counts.finalists.iter().map(|finalist| finalist.point.clone()).collect();
        let is_first: Vec<bool> = (0..points.len()).map(|own| !points[..own].contains(&points[own])).collect();
        counts.finalists.retain(|_| {
            number += 1;
            is_first[number - 1]
        });
        let left = simpler.into_iter().zip(is_first).filter(|(_, is_first)| *is_first);
        left.enumerate().filter(|(_, (is_simpler, _))| *is_simpler).map(|(finalist, _)| finalist).collect()
    }

    /// Whether a finalist with this change put back played as before, by every goal; no if it was not compared.
    fn is_without_effect(&self, counts: &TuneCounts, finalist: usize, arm: usize) -> bool {
        let point = &counts.finalists[finalist].point;
        let tried = counts.candidates.iter().find(|tried| tried.point == *point);
        let is_equal = |claim: &super::Claim| {
            let arms = &counts.versions[finalist][claim.trial];
            let (Some(base), Some(arm)) = (arms.first(), arms.get(arm)) else { return false };
            let known: Option<&TrialCounts> = tried.map(|tried| &tried.trials[claim.trial]);
            let known = known.filter(|known| known.sets > base.sets).unwrap_or(base);
            self.trials[claim.trial].is_equal(&claim.quantity, arm, base, known)
        };
        self.claims.iter().all(is_equal)
    }
}
