//! Intervals of a mean to which few sets contribute a difference.
//!
//! Two versions of an agent tie in every deal in which they play alike. If they differ in one deal of a hundred, most runs of
//! a hundred sets have no unequal set or one, and Student's interval is much too narrow or has no width. The number of
//! unequal sets has an exact bound instead. If k of S sets are unequal, the expected number is at most u, where a binomial
//! variable of S trials with the mean u is k or less with the probability of an error (C. J. Clopper and E. S. Pearson, "The
//! use of confidence or fiducial limits illustrated in the case of the binomial", Biometrika 26, 1934). For k = 0 and an
//! error of 5% this is the rule of three, u = 3 (J. A. Hanley and A. Lippman-Hand, "If nothing goes wrong, is everything all
//! right?", JAMA 249, 1983). If the u − k sets that chance withheld all favored one side by one game each, the mean would be
//! off by u − k games in S sets. The interval extends by this to each side, or by Student's reach if that is larger. The far
//! side has the whole error: with differences in one direction the near bound is almost never wrong, and with differences in
//! both the mean is off by less.
//!
//! Student's interval alone is used from [`FEW_UNEQUAL_SETS`] on, and if more than a tenth of the sets are unequal. There it is
//! about as wide and covers the true value in 94% of runs or more. Bounds at every number of sets at once share the error among
//! the numbers of unequal sets below that limit. With all differences on one side, the mean is outside such bounds at some
//! number of sets with k unequal ones only if the next unequal set comes too late, which has the probability of one part.

use crate::interval::{CONFIDENCE, Coverage};

/// With fewer unequal sets, the bound of a rare event is needed.
pub const FEW_UNEQUAL_SETS: u64 = 25;

/// Unequal sets are rare if at most one in this number of sets is unequal.
const ONE_OF: u64 = 10;

/// Whether the bound of a rare event is needed for this number of unequal sets among all sets.
#[must_use]
pub const fn are_few(unequal: u64, sets: u64) -> bool {
    unequal < FEW_UNEQUAL_SETS && unequal.saturating_mul(ONE_OF) <= sets
}

/// The wins at stake in one game: the change of the total of a set if another side wins it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stake(f64);

impl Stake {
    /// Nothing: an agent that plays against itself ties in every set by construction, so a mean without an error is exact.
    pub const NONE: Self = Self(0.0);

    /// One win.
    pub const WIN: Self = Self(1.0);

    /// This number of wins.
    #[must_use]
    pub const fn wins(wins: f64) -> Self {
        Self(wins)
    }

    /// The change of the mean result of a set with this number of games.
    #[must_use]
    pub fn in_set_of(self, games: f64) -> f64 {
        self.0 / games
    }
}

/// The unequal sets among all sets of a mean, if they are few.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnequalSets {
    number: u64,
    sets: u64,
    /// The change of the mean result of a set that is unequal.
    change: f64,
}

impl UnequalSets {
    /// The unequal sets behind a standard error over this number of sets, if each changes the result of its set by `change`:
    /// SE² S (S − 1) / change², rounded up. `None` if they are not few, or if no set can be unequal (`change` is 0).
    #[must_use]
    pub fn behind(standard_error: f64, sets: u64, change: f64) -> Option<Self> {
        const ROUNDING: f64 = 1e-6;
        let squares = standard_error * standard_error * sets as f64 * (sets as f64 - 1.0) / (change * change);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not negative, and the limit is small"
        )]
        let number = (squares - ROUNDING).ceil().max(0.0) as u64;
        Self::counted(number, sets, change)
    }

    /// The same for a counted number of unequal sets.
    #[must_use]
    pub fn counted(number: u64, sets: u64, change: f64) -> Option<Self> {
        (are_few(number, sets) && change > 0.0 && change.is_finite() && sets > 0).then_some(Self {
            number,
            sets,
            change,
        })
    }

    /// The same sets, if results are multiplied by a positive factor.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self { change: self.change * factor, ..self }
    }

    /// The unequal sets of two samples together, if they are still few.
    #[must_use]
    pub fn joined(self, other: Self) -> Option<Self> {
        Self::counted(self.number + other.number, self.sets + other.sets, self.change.max(other.change))
    }

    /// All sets, equal and unequal.
    #[must_use]
    pub const fn sets(self) -> u64 {
        self.sets
    }

    /// A lower bound on the distance from the mean to each bound of its interval.
    #[must_use]
    pub fn reach(self, coverage: Coverage) -> f64 {
        (self.most_expected(error_of(coverage)) - self.number as f64) / self.sets as f64 * self.change
    }

    /// An upper bound on the standard deviation of a set's mean result: the largest expected share of unequal sets, each of which
    /// changes its set by the same amount.
    #[must_use]
    pub fn largest_deviation(self) -> f64 {
        (self.most_expected(error_of(Coverage::Pointwise)) / self.sets as f64).sqrt() * self.change
    }

    /// The error probability at which a bound is this far from the mean: a lower bound on the p-value of a two-sided test.
    #[must_use]
    pub fn p_value(self, difference: f64) -> f64 {
        let missing = difference.abs() / self.change * self.sets as f64;
        self.probability_of_no_more((self.number as f64 + missing) / self.sets as f64)
    }

    /// The largest expected number of unequal sets at which the observed number or fewer still have this probability.
    fn most_expected(self, error: f64) -> f64 {
        const STEPS: u32 = 64;
        let sets = self.sets as f64;
        let (mut low, mut high) = (self.number as f64 / sets, 1.0);
        for _ in 0..STEPS {
            let middle = f64::midpoint(low, high);
            if self.probability_of_no_more(middle) > error { low = middle } else { high = middle }
        }
        high * sets
    }

    /// The probability that no more sets are unequal, if each is unequal with probability `rate`.
    fn probability_of_no_more(self, rate: f64) -> f64 {
        if rate <= 0.0 {
            return 1.0;
        }
        if rate >= 1.0 {
            return if self.number < self.sets { 0.0 } else { 1.0 };
        }
        let odds = rate / (1.0 - rate);
        let mut of_number = (self.sets as f64 * (-rate).ln_1p()).exp();
        let mut sum = of_number;
        for number in 0..self.number {
            of_number *= odds * (self.sets - number) as f64 / (number + 1) as f64;
            sum += of_number;
        }
        sum.min(1.0)
    }
}

/// The probability that the bound of a rare event is wrong.
fn error_of(coverage: Coverage) -> f64 {
    let together = |intervals: usize| (1.0 - CONFIDENCE) / intervals.max(1) as f64;
    match coverage {
        Coverage::Pointwise => together(1),
        Coverage::Simultaneous(intervals) => together(intervals),
        Coverage::Anytime => together(1) / FEW_UNEQUAL_SETS as f64,
        Coverage::AnytimeTogether(intervals) => together(intervals) / FEW_UNEQUAL_SETS as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hypothesis::Comparison;
    use crate::random::Random as _;
    use crate::random::tests::Pcg;
    use crate::set_totals::SetTotals;
    use crate::share::Share;

    const WIN: u64 = 2520;

    fn assert_near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
    }

    /// The share in sets of two games: the numbers of sets with two wins and with two losses are given, and all others tie.
    fn share(won: u64, lost: u64, sets: u64, stake: Stake) -> Share {
        let mut totals = SetTotals::default();
        for (total, number) in [(0, lost), (WIN, sets - won - lost), (2 * WIN, won)] {
            totals.add_many(total, number);
        }
        Share::of_set_sums(&totals.sums(2), WIN, stake)
    }

    /// The probability of each number of successes that matters.
    fn binomial(trials: u64, probability: f64) -> Vec<(u64, f64)> {
        if probability >= 1.0 {
            return vec![(trials, 1.0)];
        }
        let odds = probability / (1.0 - probability);
        let mut of_number = (trials as f64 * (-probability).ln_1p()).exp();
        let mut all = Vec::new();
        for number in 0..=trials {
            if of_number > 1e-9 {
                all.push((number, of_number));
            }
            of_number *= odds * (trials - number) as f64 / (number + 1) as f64;
        }
        all
    }

    /// The probability that the interval contains the true share, if each set is unequal at this rate and one side wins this
    /// part of the unequal sets: over all possible results, without simulation.
    fn coverage_of(sets: u64, rate: f64, part: f64, contains: impl Fn(u64, u64, f64) -> bool) -> f64 {
        let truth = 0.5 + rate * (part - 0.5);
        let of_number = |(number, probability): (u64, f64)| {
            let results = binomial(number, part).into_iter();
            let held =
                results.filter(|&(won, _)| contains(won, number - won, truth)).map(|(_, probability)| probability);
            probability * held.sum::<f64>()
        };
        binomial(sets, rate).into_iter().map(of_number).sum()
    }

    const SETS: [u64; 4] = [20, 100, 400, 2000];
    const RATES: [f64; 4] = [0.003, 0.01, 0.03, 0.1];
    /// The part of the unequal sets that one side wins.
    const PARTS: [f64; 3] = [0.5, 0.75, 1.0];

    /// By the formula for no unequal set, 1 − error^(1/S); for one of a hundred by its tail (1 + 99 p) (1 − p)^99 = 0.05: p = 0.0465598.
    #[test]
    fn bounds_match_clopper_pearson() {
        let reach = |number, coverage| UnequalSets::counted(number, 100, 0.5).unwrap().reach(coverage);
        assert_near(reach(0, Coverage::Pointwise), 0.5 * (1.0 - 0.05_f64.powf(0.01)));
        assert_near(reach(0, Coverage::Simultaneous(10)), 0.5 * (1.0 - 0.005_f64.powf(0.01)));
        assert_near(reach(0, Coverage::Anytime), 0.5 * (1.0 - 0.002_f64.powf(0.01)));
        assert_near(reach(0, Coverage::AnytimeTogether(10)), 0.5 * (1.0 - 0.000_2_f64.powf(0.01)));
        assert_near(reach(1, Coverage::Pointwise), 0.5 * (0.046_559_8 - 0.01));
    }

    /// None of 200 sets is unequal: at most a rate of 1 − 0.05^(1/200), each of which changes its set by one half.
    #[test]
    fn largest_deviation_matches_rule_of_three() {
        let none = UnequalSets::counted(0, 200, 0.5).unwrap();
        assert_near(none.largest_deviation(), 0.5 * (1.0 - 0.05_f64.powf(1.0 / 200.0)).sqrt());
        let two = UnequalSets::counted(2, 200, 0.5).unwrap();
        assert!(two.largest_deviation() > none.largest_deviation());
    }

    #[test]
    fn pointwise_intervals_cover_rare_differences() {
        for sets in SETS {
            for rate in RATES {
                for part in PARTS {
                    let contains = |stake: Stake| {
                        coverage_of(sets, rate, part, |won, lost, truth| {
                            let interval = share(won, lost, sets, stake).interval.unwrap();
                            (interval.low..=interval.high).contains(&truth)
                        })
                    };
                    assert!(contains(Stake::WIN) > 0.94, "{sets} {rate} {part}: {}", contains(Stake::WIN));
                    if sets as f64 * rate < 3.0 && part > 0.5 {
                        assert!(
                            contains(Stake::NONE) < 0.9,
                            "Student's, {sets} {rate} {part}: {}",
                            contains(Stake::NONE)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn simultaneous_intervals_cover_rare_differences() {
        let few = |&(sets, rate): &(u64, f64)| sets as f64 * rate < 20.0;
        for (sets, rate) in SETS.into_iter().flat_map(|sets| RATES.map(|rate| (sets, rate))).filter(few) {
            for part in PARTS {
                let found = coverage_of(sets, rate, part, |won, lost, truth| {
                    let interval = share(won, lost, sets, Stake::WIN).interval_of(Coverage::Simultaneous(10)).unwrap();
                    (interval.low..=interval.high).contains(&truth)
                });
                assert!(found > 0.993, "{sets} {rate} {part}: {found}");
            }
        }
    }

    #[test]
    fn comparison_intervals_cover_truth_and_agree_with_p_values() {
        let comparison = |won: u64, lost: u64| {
            let Share { mean, unequal, .. } = share(won, lost, 100, Stake::WIN);
            let (difference, standard_error) = (mean.value.unwrap() - 0.5, mean.standard_error.unwrap());
            Comparison { difference, standard_error, sets: 100, unequal }
        };
        for (rate, part) in RATES.into_iter().flat_map(|rate| PARTS.map(|part| (rate, part))) {
            let found = coverage_of(100, rate, part, |won, lost, truth| {
                let interval = comparison(won, lost).interval().unwrap();
                (interval.low..=interval.high).contains(&(truth - 0.5))
            });
            assert!(found > 0.94, "{rate} {part}: {found}");
        }
        for won in 0..=12 {
            let comparison = comparison(won, 0);
            let excludes_zero = comparison.interval().unwrap().low > 0.0;
            assert_eq!(comparison.p_different().unwrap() < 0.05, excludes_zero, "{won} sets won");
        }
        // None of a hundred sets unequal: within 2 points of even with p = 0.96^100, but not within 1 point.
        assert_near(comparison(0, 0).p_not_equivalent(0.02).unwrap(), 0.96_f64.powi(100));
        assert!(comparison(0, 0).p_not_equivalent(0.01).unwrap() > 0.1);
        // Six sets won of six unequal ones: a sign test has p = 2 / 2^6 = 0.031.
        assert!((0.031..0.05).contains(&comparison(6, 0).p_different().unwrap()));
    }

    /// The number of simulated runs whose interval contains the true share at all looks.
    fn runs_that_hold(rate: f64, part: f64, runs: u32, stake: Stake) -> u32 {
        let truth = 0.5 + rate * (part - 0.5);
        let holds = |run: &u32| {
            let (mut rng, mut won, mut lost, mut next) = (Pcg::numbered(*run), 0, 0, 10);
            (1..=1000_u64).all(|sets| {
                if rng.chance(rate) {
                    if rng.chance(part) { won += 1 } else { lost += 1 }
                }
                if sets < next {
                    return true;
                }
                next += next / 10;
                let interval = share(won, lost, sets, stake).interval_of(Coverage::Anytime).unwrap();
                (interval.low..=interval.high).contains(&truth)
            })
        };
        u32::try_from((0..runs).filter(holds).count()).unwrap()
    }

    /// Of 200 runs at least 190 less two standard deviations of 3.
    #[test]
    fn anytime_intervals_cover_rare_differences() {
        for (rate, part) in RATES.into_iter().flat_map(|rate| [(rate, 0.75), (rate, 1.0)]) {
            let held = runs_that_hold(rate, part, 200, Stake::WIN);
            assert!(held >= 184, "{rate} {part}: {held} of 200");
        }
        assert!(runs_that_hold(0.01, 1.0, 200, Stake::NONE) < 100, "Student's does not");
    }

    /// At the last number of unequal sets that counts as few, and everywhere below, one more set makes the interval
    /// less than a quarter narrower and less than three times as wide; and no interval is without width.
    #[test]
    fn one_more_unequal_set_changes_width_little() {
        let coverages =
            [Coverage::Pointwise, Coverage::Simultaneous(28), Coverage::Anytime, Coverage::AnytimeTogether(28)];
        for (sets, coverage) in SETS.into_iter().flat_map(|sets| coverages.map(|coverage| (sets, coverage))) {
            for one_sided in [false, true] {
                let width = |unequal: u64| {
                    let won = if one_sided { unequal } else { unequal / 2 };
                    let interval = share(won, unequal - won, sets, Stake::WIN).interval_of(coverage).unwrap();
                    interval.high - interval.low
                };
                assert!(width(0) > 0.0);
                for unequal in 1..(sets / 5).min(60) {
                    let ratio = width(unequal) / width(unequal - 1);
                    assert!((0.75..3.0).contains(&ratio), "{sets} {coverage:?} {unequal}: {ratio}");
                }
            }
        }
    }

    #[test]
    fn many_unequal_sets_and_exact_ties_use_student() {
        for (won, sets) in [(3, 20), (12, 100), (25, 1000)] {
            assert_eq!(share(won, 0, sets, Stake::WIN).unequal, None, "{won} of {sets}");
            assert_eq!(share(won, 0, sets, Stake::WIN), share(won, 0, sets, Stake::NONE));
        }
        assert_eq!(share(0, 0, 100, Stake::NONE).unequal, None);
        assert!(share(24, 0, 1000, Stake::WIN).unequal.is_some());
        let few = UnequalSets::counted(10, 200, 0.5).unwrap();
        assert_eq!(few.joined(few), UnequalSets::counted(20, 400, 0.5));
        assert_eq!(few.joined(few).unwrap().joined(few), None);
    }
}
