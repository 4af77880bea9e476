//! 95% confidence intervals.
//!
//! References: "Student", "The probable error of a mean", Biometrika 6 (1908); E. B. Wilson, "Probable inference, the
//! law of succession, and statistical inference", JASA 22 (1927).

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// The probability that an interval covers the true value.
pub const CONFIDENCE: f64 = 0.95;

/// With fewer sets, all may have the same result by chance, so that an error of zero is meaningless. The confidence sequence,
/// which is asymptotic, does not have bounds yet.
pub const FEW_SETS: u64 = 10;

/// The normal quantile that belongs to [`CONFIDENCE`].
const NORMAL_QUANTILE: f64 = 1.959_963_984_540_054;

/// The sense in which an interval covers the true value with [`CONFIDENCE`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coverage {
    /// This interval alone, at one number of sets that was fixed in advance.
    Pointwise,
    /// All of this number of intervals together, by Bonferroni's correction.
    Simultaneous(usize),
    /// At every number of sets at once, which allows stopping at any time: the asymptotic confidence sequence of I.
    /// Waudby-Smith et al., "Time-uniform central limit theory and asymptotic confidence sequences", Annals of Statistics 52
    /// (2024), theorem 2.2.
    Anytime,
    /// `Anytime` for this number of intervals together.
    AnytimeTogether(usize),
}

/// The number of sets at which the confidence sequence is narrowest, relative to a pointwise interval.
const SETS_OF_NARROWEST_SEQUENCE: f64 = 1000.0;

impl Coverage {
    /// Whether it has bounds at this number of sets.
    #[must_use]
    pub const fn has_begun(self, sets: u64) -> bool {
        match self {
            Self::Pointwise | Self::Simultaneous(_) => true,
            Self::Anytime | Self::AnytimeTogether(_) => sets >= FEW_SETS,
        }
    }

    /// The number of standard errors to each side, if they are known exactly.
    ///
    /// # Panics
    /// Never: the normal distribution has quantiles.
    #[must_use]
    pub fn normal_reach(self, sets: u64) -> f64 {
        match self {
            Self::Pointwise | Self::Simultaneous(0 | 1) => NORMAL_QUANTILE,
            Self::Simultaneous(intervals) => {
                -Normal::standard().inverse_cdf((1.0 - CONFIDENCE) / 2.0 / intervals as f64)
            }
            Self::Anytime => reach_of_sequence(1.0 - CONFIDENCE, sets),
            Self::AnytimeTogether(intervals) => reach_of_sequence((1.0 - CONFIDENCE) / intervals.max(1) as f64, sets),
        }
    }

    /// The width of its intervals, over many sets, relative to a pointwise interval.
    #[must_use]
    pub fn times_as_wide(self, sets: u64) -> f64 {
        self.normal_reach(sets) / NORMAL_QUANTILE
    }

    /// [`Coverage::normal_reach`] for errors estimated from this number of sets, with Student's quantile instead of the
    /// normal one. `None` for fewer than two sets.
    #[must_use]
    pub fn student_reach(self, sets: u64) -> Option<f64> {
        let distribution = student(sets)?;
        let normal = self.normal_reach(sets);
        Some(if sets > MANY_SETS {
            quantile_of_many(normal, sets)
        } else if self == Self::Pointwise {
            distribution.inverse_cdf(0.5 + CONFIDENCE / 2.0)
        } else {
            -distribution.inverse_cdf(Normal::standard().cdf(-normal))
        })
    }
}

/// The number of standard errors of a confidence sequence that is wrong at any time with this probability.
fn reach_of_sequence(error: f64, sets: u64) -> f64 {
    let best = -2.0 * error.ln() + (-2.0 * error.ln()).ln() + 1.0;
    let scaled = sets as f64 * best / SETS_OF_NARROWEST_SEQUENCE;
    (2.0 * (scaled + 1.0) / scaled * ((scaled + 1.0).sqrt() / error).ln()).sqrt()
}

/// An interval that contains the true value with [`CONFIDENCE`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower bound.
    pub low: f64,
    /// Upper bound.
    pub high: f64,
}

impl Interval {
    /// Student's interval of a mean with this standard error, estimated from this number of independent sets. `None` for
    /// fewer than two sets.
    #[must_use]
    pub fn student(mean: f64, standard_error: f64, sets: u64) -> Option<Self> {
        Self::of_mean(mean, standard_error, sets, Coverage::Pointwise)
    }

    /// The same with any coverage.
    #[must_use]
    pub fn of_mean(mean: f64, standard_error: f64, sets: u64, coverage: Coverage) -> Option<Self> {
        let reach = coverage.student_reach(sets)? * standard_error;
        Some(Self { low: mean - reach, high: mean + reach })
    }

    /// Wilson's interval of a proportion in this number of independent trials. `None` without trials.
    #[must_use]
    pub fn wilson(share: f64, trials: f64) -> Option<Self> {
        Self::wilson_reaching(share, trials, NORMAL_QUANTILE)
    }

    /// Wilson's interval with this number of standard errors to each side.
    #[must_use]
    pub fn wilson_reaching(share: f64, trials: f64, z: f64) -> Option<Self> {
        if trials <= 0.0 {
            return None;
        }
        let z_squared = z * z;
        let center = (share + z_squared / (2.0 * trials)) / (1.0 + z_squared / trials);
        let reach = z / (1.0 + z_squared / trials)
            * (share * (1.0 - share) / trials + z_squared / (4.0 * trials * trials)).sqrt();
        Some(Self { low: center - reach, high: center + reach })
    }

    /// The interval of an estimate from its values in the replicates of a bootstrap over this number of independent sets.
    ///
    /// Percentiles, widened as Student's interval if there are few sets: the expanded percentile interval of T. C.
    /// Hesterberg, "What teachers should know about the bootstrap", The American Statistician 69 (2015), 4.2. `None` without
    /// replicates, or for fewer than two sets.
    #[must_use]
    pub fn of_bootstrap(mut replicates: Vec<f64>, sets: u64) -> Option<Self> {
        let reach = bootstrap_reach(sets)?;
        let tail = Normal::standard().cdf(-reach);
        replicates.sort_by(f64::total_cmp);
        let last = replicates.len().checked_sub(1)?;
        let quantile = |part: f64| {
            let place = part * last as f64;
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a place in the list")]
            let below = place as usize;
            replicates[below] + (replicates[last.min(below + 1)] - replicates[below]) * place.fract()
        };
        Some(Self { low: quantile(tail), high: quantile(1.0 - tail) })
    }

    /// The interval with the distance of each bound from this estimate multiplied by a factor.
    #[must_use]
    pub const fn widened(self, estimate: f64, times: f64) -> Self {
        Self { low: estimate - times * (estimate - self.low), high: estimate + times * (self.high - estimate) }
    }

    /// The smallest interval that includes both.
    #[must_use]
    pub const fn including(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// The interval on the other side of the estimate: the basic bootstrap interval, for percentiles (A. C. Davison and D. V. Hinkley,
    /// "Bootstrap Methods and their Application", 1997, 5.2).
    pub(crate) const fn reflected(self, estimate: f64) -> Self {
        Self { low: 2.0 * estimate - self.high, high: 2.0 * estimate - self.low }
    }

    /// The interval with each bound at least this far from the estimate.
    #[must_use]
    pub const fn reaching_at_least(self, estimate: f64, reach: f64) -> Self {
        self.including(Self { low: estimate - reach, high: estimate + reach })
    }

    /// The interval with an exact bound if a share is 0 or 1, without the rounding error of equal numbers.
    pub(crate) const fn with_exact_ends(self, share: f64) -> Self {
        Self { low: if share <= 0.0 { 0.0 } else { self.low }, high: if share >= 1.0 { 1.0 } else { self.high } }
    }

    /// The interval of `factor` × value + `shift`, for a nonnegative factor.
    #[must_use]
    pub const fn scaled(self, factor: f64, shift: f64) -> Self {
        Self { low: factor * self.low + shift, high: factor * self.high + shift }
    }

    /// All possible values of a share.
    pub const ANY_SHARE: Self = Self { low: 0.0, high: 1.0 };

    /// The interval clamped to the range of a share, from 0 to 1.
    #[must_use]
    pub const fn clamped_to_share(self) -> Self {
        Self { low: self.low.clamp(0.0, 1.0), high: self.high.clamp(0.0, 1.0) }
    }
}

/// Whether the error is zero only because few sets all had the same result.
pub(crate) fn few_sets_agree(standard_error: f64, sets: u64) -> bool {
    standard_error == 0.0 && sets < FEW_SETS
}

/// Student's distribution for a mean of this number of sets.
fn student(sets: u64) -> Option<StudentsT> {
    let degrees_of_freedom = sets.checked_sub(1)?;
    StudentsT::new(0.0, 1.0, degrees_of_freedom as f64).ok()
}

/// The number of bootstrap standard errors of an interval: bootstrap errors are too small by a factor, and Student's
/// intervals are wider than normal ones.
fn bootstrap_reach(sets: u64) -> Option<f64> {
    Some(Coverage::Pointwise.student_reach(sets)? * (sets as f64 / (sets as f64 - 1.0)).sqrt())
}

/// The factor by which [`Interval::of_bootstrap`] widens a bound from a bootstrap over this number of sets. `None` for fewer
/// than two sets.
#[must_use]
pub fn bootstrap_stretch(sets: u64) -> Option<f64> {
    bootstrap_reach(sets).map(|reach| reach / NORMAL_QUANTILE)
}

/// From here on the library's quantile has fewer correct digits than [`quantile_of_many`].
const MANY_SETS: u64 = 200;

/// The expansion of Student's quantile in powers of one over the degrees of freedom (Fisher and Cornish 1960; Abramowitz and
/// Stegun 26.7.5), accurate to twelve digits for two hundred sets and more.
fn quantile_of_many(z: f64, sets: u64) -> f64 {
    let per_degree = 1.0 / (sets - 1) as f64;
    let z2 = z * z;
    let coefficients = [
        z,
        z * (z2 + 1.0) / 4.0,
        z * ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0,
        z * (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0,
        z * ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92_160.0,
    ];
    coefficients.iter().rev().fold(0.0, |sum, coefficient| sum * per_degree + coefficient)
}

/// The one-sided confidence that the true mean is above a threshold, if the estimate from this number of sets is this number
/// of standard errors above it.
#[must_use]
pub fn student_likelihood_above(standard_errors: f64, sets: u64) -> Option<f64> {
    Some(student(sets)?.cdf(standard_errors))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() <= 1e-9 * expected.abs().max(1.0), "found {found}, expected {expected}");
    }

    /// Two degrees of freedom have closed forms: cdf(t) = 1/2 + t / (2 sqrt(2 + t²)), so quantile(p) =
    /// (2p − 1) sqrt(2 / (1 − (2p − 1)²)); one degree is the Cauchy distribution: quantile(p) = tan(pi (p − 1/2)).
    /// The others are from Student's tables with more digits (R: qt(0.975, df)).
    #[test]
    fn student_quantiles_match_published_tables() {
        let student_quantile = |sets| Coverage::Pointwise.student_reach(sets);
        assert_eq!(student_quantile(0), None);
        assert_eq!(student_quantile(1), None);
        assert_close(student_quantile(2).unwrap(), (std::f64::consts::PI * 0.475).tan());
        assert_close(student_quantile(3).unwrap(), 0.95 * (2.0 / (1.0_f64 - 0.95 * 0.95)).sqrt());
        assert_close(student_quantile(5).unwrap(), 2.776_445_105_198);
        assert_close(student_quantile(11).unwrap(), 2.228_138_851_965);
        assert_close(student_quantile(101).unwrap(), 1.983_971_518_449_7);
        assert_close(student_quantile(1_000_000_001).unwrap(), NORMAL_QUANTILE + 2.372e-9);
    }

    #[test]
    fn student_quantile_methods_agree_at_boundary() {
        let by_library = |sets| student(sets).unwrap().inverse_cdf(0.975);
        for sets in [MANY_SETS - 50, MANY_SETS, MANY_SETS + 50] {
            assert_close(quantile_of_many(NORMAL_QUANTILE, sets), by_library(sets));
        }
        let far = Coverage::Simultaneous(100);
        let (below, above) = (far.student_reach(MANY_SETS).unwrap(), far.student_reach(MANY_SETS + 1).unwrap());
        assert!(below > above && below - above < 1e-3, "{below} {above}");
    }

    /// z of 0.05/2/10 is 2.807034 (R: qnorm(1 - 0.0025)); with one degree of freedom it is Cauchy's quantile, 127.32.
    #[test]
    fn simultaneous_intervals_are_wider() {
        let ten = Coverage::Simultaneous(10);
        assert!((ten.normal_reach(7) - 2.807_033_768).abs() < 1e-6);
        assert!((ten.student_reach(2).unwrap() - 127.321_336).abs() < 1e-2);
        assert_close(Coverage::Simultaneous(1).normal_reach(7), NORMAL_QUANTILE);
    }

    /// At a thousand sets, t rho² = 5.991465 + ln 5.991465 + 1 = 8.781800, and at a hundred thousand a hundred times that: the root
    /// of 2 (t rho² + 1) / t rho² · ln(√(t rho² + 1) / 0.05).
    #[test]
    fn confidence_sequence_width_is_bounded_by_interval() {
        for (sets, scaled) in [(1000, 8.781_800_f64), (100_000, 878.180_0)] {
            let reach = (2.0 * (scaled + 1.0) / scaled * ((scaled + 1.0).sqrt() / 0.05).ln()).sqrt();
            assert!((Coverage::Anytime.normal_reach(sets) - reach).abs() < 1e-6, "{sets}: {reach}");
        }
        for sets in [30, 100, 10_000, 1_000_000, 1_000_000_000] {
            let reach = Coverage::Anytime.normal_reach(sets);
            assert!((3.0..5.5).contains(&reach), "{sets}: {reach}");
            assert_close(Coverage::Anytime.times_as_wide(sets) * NORMAL_QUANTILE, reach);
            assert_close(Coverage::AnytimeTogether(1).normal_reach(sets), reach);
            assert!(Coverage::AnytimeTogether(28).normal_reach(sets) > reach);
        }
    }

    /// 0 of 10: low 0, high z²/(10 + z²) = 3.8414588/13.8414588. 5 of 10 is symmetric about 1/2, with half width
    /// z sqrt(1/4/10 + z²/400)/(1 + z²/10) = 1.9599640 sqrt(0.025 + 0.0096036470)/1.3841459 = 0.2634069.
    #[test]
    fn wilson_interval_matches_hand_computation() {
        let none_of_ten = Interval::wilson(0.0, 10.0).unwrap();
        assert!(none_of_ten.low.abs() < 1e-15);
        assert!((none_of_ten.high - 0.277_532_8).abs() < 1e-7);
        let half_of_ten = Interval::wilson(0.5, 10.0).unwrap();
        assert!((half_of_ten.high - 0.763_406_9).abs() < 1e-7);
        assert!((half_of_ten.low + half_of_ten.high - 1.0).abs() < 1e-15);
        assert_eq!(Interval::wilson(0.5, 0.0), None);
    }

    #[test]
    fn widened_interval_keeps_estimate() {
        let wide = Interval { low: 1.0, high: 4.0 }.widened(2.0, 1.5);
        assert_eq!(wide, Interval { low: 0.5, high: 5.0 });
    }

    /// Replicates 0, 1, ..., 1000 with very many sets: percentiles 2.5 and 97.5. With two sets Student's quantile is 12.7,
    /// and the percentiles are the extremes.
    #[test]
    fn bootstrap_percentiles_match_hand_computation() {
        let replicates: Vec<f64> = (0..=1000).rev().map(f64::from).collect();
        let many = Interval::of_bootstrap(replicates.clone(), 1_000_000_000).unwrap();
        assert!((many.low - 25.0).abs() < 1e-4 && (many.high - 975.0).abs() < 1e-4, "{many:?}");
        let few = Interval::of_bootstrap(replicates, 2).unwrap();
        assert!(few.low < 1e-9 && few.high > 1000.0 - 1e-9, "{few:?}");
        assert_eq!((Interval::of_bootstrap(vec![], 10), Interval::of_bootstrap(vec![1.0], 1)), (None, None));
    }

    /// Student's quantile for ten degrees of freedom over the normal one, and errors that are too small by 10/11.
    #[test]
    fn bootstrap_widening_for_eleven_sets_matches_hand_computation() {
        assert_close(bootstrap_stretch(11).unwrap(), 2.228_138_851_965 / NORMAL_QUANTILE * 1.1_f64.sqrt());
        assert_eq!(bootstrap_stretch(1), None);
    }

    #[test]
    fn likelihood_for_two_sets_is_cauchy() {
        assert_close(student_likelihood_above(1.0, 2).unwrap(), 0.75);
        assert_close(student_likelihood_above(0.0, 2).unwrap(), 0.5);
        assert_eq!(student_likelihood_above(1.0, 1), None);
    }

    /// For an even number n of degrees of freedom the probability between −t and t is a finite sum with θ = atan(t / √n):
    /// sin θ (1 + 1/2 cos² θ + 1·3/(2·4) cos⁴ θ + …), up to the power n − 2 (Abramowitz and Stegun 26.7.4).
    #[test]
    fn quantiles_of_many_sets_have_twelve_correct_digits() {
        let between = |t: f64, degrees: u32| {
            let theta = (t / f64::from(degrees).sqrt()).atan();
            let (mut term, mut sum) = (1.0, 1.0);
            for k in (2..degrees).step_by(2) {
                term *= f64::from(k - 1) / f64::from(k) * theta.cos().powi(2);
                sum += term;
            }
            theta.sin() * sum
        };
        assert_close(between((2.0_f64).sqrt(), 2), 2.0_f64.sqrt() / 2.0);
        for degrees in [200, 202, 300, 1000, 5000] {
            let t = Coverage::Pointwise.student_reach(u64::from(degrees) + 1).unwrap();
            // With a density of 0.057 on both sides this is half of the twelfth digit of t.
            assert!(
                (between(t, degrees) - CONFIDENCE).abs() < 5e-13,
                "{degrees}: {}",
                between(t, degrees) - CONFIDENCE
            );
        }
    }
}
