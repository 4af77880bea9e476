//! Corrections for many comparisons.

use statrs::distribution::{ChiSquared, ContinuousCDF};

#[cfg(doc)]
use crate::interval::FEW_SETS;
use crate::interval::{Coverage, Interval, few_sets_agree, student_likelihood_above};
use crate::unequal::UnequalSets;

/// A mean with its standard error over a number of sets, compared with a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Comparison {
    /// The mean minus the value with which it is compared.
    pub difference: f64,
    /// The standard error of the mean.
    pub standard_error: f64,
    /// The number of sets.
    pub sets: u64,
    /// Its unequal sets, if they are few.
    pub unequal: Option<UnequalSets>,
}

impl Comparison {
    /// The 95% confidence interval of the difference: Student's, wider where [few sets are unequal](crate::unequal). `None`
    /// for fewer than two sets.
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        let reach = self.unequal.map_or(0.0, |unequal| unequal.reach(Coverage::Pointwise));
        let student = Interval::student(self.difference, self.standard_error, self.sets)?;
        Some(student.reaching_at_least(self.difference, reach))
    }

    /// The two-sided p-value of no difference: Student's test, or the [exact test](UnequalSets::p_value) if few sets are
    /// unequal and its p-value is larger. `None` for fewer than two sets, and for [few](FEW_SETS) sets without an error.
    #[must_use]
    pub fn p_different(&self) -> Option<f64> {
        if few_sets_agree(self.standard_error, self.sets) {
            return None;
        }
        if self.difference == 0.0 {
            return (self.sets > 1).then_some(1.0);
        }
        let above = student_likelihood_above(-self.difference.abs() / self.standard_error, self.sets)?;
        let exact = self.unequal.map_or(0.0, |unequal| unequal.p_value(self.difference));
        Some((2.0 * above).max(exact).min(1.0))
    }

    /// The p-value of a difference of `margin` or more to either side: two one-sided tests (D. J. Schuirmann, 1987). A small
    /// value shows equivalence. `None` for fewer than two sets, and for few sets without an error.
    #[must_use]
    pub fn p_not_equivalent(&self, margin: f64) -> Option<f64> {
        if few_sets_agree(self.standard_error, self.sets) {
            return None;
        }
        let room = margin - self.difference.abs();
        let exact = match self.unequal {
            Some(unequal) if room > 0.0 => unequal.p_value(room),
            _ => 0.0,
        };
        if self.standard_error == 0.0 {
            return (self.sets > 1).then_some(if room > 0.0 { exact } else { 1.0 });
        }
        Some(student_likelihood_above(-room / self.standard_error, self.sets)?.max(exact))
    }
}

/// The p-values adjusted so that the probability of any wrong claim below a level is at most this level: S. Holm, "A simple
/// sequentially rejective multiple test procedure", Scandinavian Journal of Statistics 6 (1979).
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
    let (mut adjusted, mut largest) = (vec![1.0; p_values.len()], 0.0_f64);
    for (rank, &index) in order.iter().enumerate() {
        largest = largest.max((p_values.len() - rank) as f64 * p_values[index]).min(1.0);
        adjusted[index] = largest;
    }
    adjusted
}

/// The probability that a chi-squared variable with these degrees of freedom exceeds this value; `None` without degrees of
/// freedom.
#[must_use]
pub fn chi_squared_above(value: f64, degrees_of_freedom: f64) -> Option<f64> {
    ChiSquared::new(degrees_of_freedom).ok().map(|distribution| distribution.sf(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "found {found}, expected {expected}");
    }

    /// 0.01 · 4, 0.02 · 3 → 0.06, 0.03 · 2 = 0.06, 0.04 · 1 stays at 0.06 (R: p.adjust(c(.01, .04, .03, .02), "holm")).
    #[test]
    fn holm_correction_matches_hand_computation() {
        let adjusted = holm(&[0.01, 0.04, 0.03, 0.02]);
        adjusted.iter().zip([0.04, 0.06, 0.06, 0.06]).for_each(|(&found, expected)| assert_close(found, expected));
        assert_eq!(holm(&[0.9, 0.8]), [1.0, 1.0]);
        assert!(holm(&[]).is_empty());
    }

    /// Two sets have one degree of freedom, the Cauchy distribution: at t = 1 each tail is 1/4.
    #[test]
    fn two_sided_p_value_matches_hand_computation() {
        let comparison = Comparison { difference: -0.1, standard_error: 0.1, sets: 2, unequal: None };
        assert_close(comparison.p_different().unwrap(), 0.5);
        assert_close(comparison.p_not_equivalent(0.2).unwrap(), 0.25);
        assert_close(comparison.p_not_equivalent(0.0).unwrap(), 0.75);
    }

    #[test]
    fn p_value_without_error_is_zero_or_one() {
        let tie = Comparison { difference: 0.0, standard_error: 0.0, sets: 10, unequal: None };
        assert_eq!((tie.p_different(), tie.p_not_equivalent(0.01)), (Some(1.0), Some(0.0)));
        let always = Comparison { difference: 0.5, ..tie };
        assert_eq!((always.p_different(), always.p_not_equivalent(0.01)), (Some(0.0), Some(1.0)));
        for few in [1, 9] {
            let few = Comparison { sets: few, ..always };
            assert_eq!((few.p_different(), few.p_not_equivalent(0.01)), (None, None));
        }
    }
}
