//! Exact sums of ratios over sets, alone and paired with another arm.
//!
//! Every metric of a balance run is a ratio of two totals: wins over games, card points over all points, legal actions over
//! decisions. Its error over sets is the error of a ratio (Cochran, "Sampling Techniques", 1977, 6.4), and the error of a
//! difference of two arms on the same deals includes the products of both. All sums are integers, so the order in which
//! threads add them does not matter.

use serde::{Deserialize, Serialize};

use crate::hypothesis::Comparison;
use crate::interval::{Coverage, Interval};
use crate::range::Range;
use crate::unequal::UnequalSets;

/// The contribution of one set to a ratio: numerator and denominator.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Part {
    /// The numerator.
    pub x: i64,
    /// The denominator.
    pub y: i64,
}

impl Part {
    /// Adds to the numerator and the denominator.
    #[inline]
    pub const fn add(&mut self, x: i64, y: i64) {
        self.x += x;
        self.y += y;
    }
}

/// Sums over sets of one quantity in one arm, and of its products with the same quantity of the base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Moments {
    sets: u64,
    x: i128,
    y: i128,
    xx: i128,
    xy: i128,
    yy: i128,
    /// Products with the base: the arm's part first.
    x_x: i128,
    x_y: i128,
    y_x: i128,
    y_y: i128,
    /// Sets in which the arm's part is not the base's.
    unequal: u64,
}

/// A ratio with its error over sets.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The ratio, or the difference of two.
    pub value: f64,
    /// Its standard error; `None` for fewer than two sets.
    pub standard_error: Option<f64>,
    /// Sets.
    pub sets: u64,
    /// The unequal sets of a difference, if they are few.
    pub unequal: Option<UnequalSets>,
}

impl Estimate {
    /// The 95% interval: Student's, wider where [few sets are unequal](crate::unequal).
    #[must_use]
    pub fn interval(&self) -> Option<Interval> {
        self.interval_of(Coverage::Pointwise)
    }

    /// The interval of the true value, with this coverage; `None` if it does not have bounds yet.
    #[must_use]
    pub fn interval_of(&self, coverage: Coverage) -> Option<Interval> {
        let begun = coverage.has_begun(self.sets).then_some(self)?;
        let interval = Interval::of_mean(self.value, begun.standard_error?, self.sets, coverage)?;
        Some(interval.reaching_at_least(self.value, self.unequal.map_or(0.0, |unequal| unequal.reach(coverage))))
    }

    /// The p-value of no difference. `None` without an error: if all sets differ by the same, usually because a rule
    /// cannot affect a metric, the sets show no error.
    #[must_use]
    pub fn p_different(&self) -> Option<f64> {
        let Self { value: difference, sets, unequal, .. } = *self;
        let standard_error = self.standard_error.filter(|&error| error > 0.0)?;
        Comparison { difference, standard_error, sets, unequal }.p_different()
    }

    /// The 95% interval for a mean of values in this range: Student's, or, if there are too few events for it, the
    /// score interval of the range.
    #[must_use]
    pub fn interval_in(&self, range: Range) -> Option<Interval> {
        range.interval(self.value, self.standard_error?, self.sets)
    }

    /// The same with any coverage.
    #[must_use]
    pub fn interval_in_of(&self, range: Range, coverage: Coverage) -> Option<Interval> {
        range.interval_of(self.value, self.standard_error?, self.sets, coverage)
    }

    /// The estimate of `factor` × value + `shift`.
    #[must_use]
    pub fn scaled(self, factor: f64, shift: f64) -> Self {
        let standard_error = self.standard_error.map(|error| error * factor.abs());
        let unequal = self.unequal.map(|unequal| unequal.scaled(factor.abs()));
        Self { value: self.value * factor + shift, standard_error, unequal, ..self }
    }
}

/// The relative rounding error of a sum of squares whose exact value is zero.
const NOTHING: f64 = 1e-12;

impl Moments {
    /// Counts one set, paired with the contribution of the base.
    #[inline]
    pub fn add(&mut self, own: Part, base: Part) {
        let [x, y, base_x, base_y] = [own.x, own.y, base.x, base.y].map(i128::from);
        self.sets += 1;
        self.x += x;
        self.y += y;
        self.xx += x * x;
        self.xy += x * y;
        self.yy += y * y;
        self.x_x += x * base_x;
        self.x_y += x * base_y;
        self.y_x += y * base_x;
        self.y_y += y * base_y;
        self.unequal += u64::from(own != base);
    }

    /// Adds other sets.
    pub fn merge(&mut self, other: &Self) {
        self.sets += other.sets;
        self.x += other.x;
        self.y += other.y;
        self.xx += other.xx;
        self.xy += other.xy;
        self.yy += other.yy;
        self.x_x += other.x_x;
        self.x_y += other.x_y;
        self.y_x += other.y_x;
        self.y_y += other.y_y;
        self.unequal += other.unequal;
    }

    /// Whether these can be the sums of this number of sets. Sums too large for others to be added are rejected too.
    #[must_use]
    pub fn can_be_of(&self, sets: u64) -> bool {
        const MOST: u128 = (i128::MAX >> 8) as u128;
        let Self { x, y, xx, xy, yy, x_x, x_y, y_x, y_y, .. } = *self;
        let are_small = [x, y, xx, xy, yy, x_x, x_y, y_x, y_y].iter().all(|sum| sum.unsigned_abs() <= MOST);
        self.sets == sets && self.unequal <= sets && are_small && have_squares(x, sets, xx) && have_squares(y, sets, yy)
    }

    /// Whether these can be the sums of sets in which the denominator is always this number, without a base.
    #[must_use]
    pub const fn have_denominator(&self, each: i128) -> bool {
        let Self { y, xy, x, yy, x_x, x_y, y_x, y_y, .. } = *self;
        y == self.sets as i128 * each
            && yy == y * each
            && xy == x * each
            && x_x == 0
            && x_y == 0
            && y_x == 0
            && y_y == 0
    }

    /// The total of the numerators.
    #[must_use]
    pub const fn numerator(&self) -> i128 {
        self.x
    }

    /// The total of the denominators: the number of games, turns, or decisions.
    #[must_use]
    pub const fn denominator(&self) -> i128 {
        self.y
    }

    /// The number of sets in which the arm's part is not the base's.
    #[must_use]
    pub const fn unequal_sets(&self) -> u64 {
        self.unequal
    }

    /// The ratio; `None` if the denominator is 0.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let value = self.ratio()?;
        let terms = [self.xx as f64, -2.0 * value * self.xy as f64, value * value * self.yy as f64];
        let below = self.y as f64;
        Some(Estimate {
            value,
            standard_error: self.error_of(terms.map(|term| term / (below * below))),
            sets: self.sets,
            unequal: None,
        })
    }

    /// This arm's ratio minus the base's, over the same deals; `None` if either denominator is 0.
    #[must_use]
    pub fn difference(&self, base: &Self) -> Option<Estimate> {
        let (own_ratio, base_ratio) = (self.ratio()?, base.ratio()?);
        let (a, b) = (self.y as f64, base.y as f64);
        let own = [self.xx as f64, -2.0 * own_ratio * self.xy as f64, own_ratio * own_ratio * self.yy as f64];
        let others = [base.xx as f64, -2.0 * base_ratio * base.xy as f64, base_ratio * base_ratio * base.yy as f64];
        let both = [
            self.x_x as f64,
            -base_ratio * self.x_y as f64,
            -own_ratio * self.y_x as f64,
            own_ratio * base_ratio * self.y_y as f64,
        ];
        let terms = own
            .map(|term| term / (a * a))
            .into_iter()
            .chain(others.map(|term| term / (b * b)))
            .chain(both.map(|term| -2.0 * term / (a * b)));
        let (value, standard_error) = (own_ratio - base_ratio, self.error_of(terms));
        let difference = Estimate { value, standard_error, sets: self.sets, unequal: None };
        Some(Estimate { unequal: self.few_unequal_sets(base, difference), ..difference })
    }

    /// The unequal sets behind a difference, if they are few. What such a set changes is not known in advance: it is the root
    /// mean square over those that are seen and one that differs as much as two unrelated sets. The mean of all squares is
    /// SE² (S − 1) plus the square of the mean.
    fn few_unequal_sets(&self, base: &Self, difference: Estimate) -> Option<UnequalSets> {
        let sets = self.sets as f64;
        let variance = |estimate: Estimate| Some(estimate.standard_error?.powi(2) * sets);
        let unrelated = variance(self.estimate()?)? + variance(base.estimate()?)?;
        let squares = sets * (variance(difference)? * (sets - 1.0) / sets + difference.value.powi(2));
        let change = ((squares + unrelated) / (self.unequal + 1) as f64).sqrt();
        UnequalSets::counted(self.unequal, self.sets, change)
    }

    fn ratio(&self) -> Option<f64> {
        (self.y != 0).then(|| self.x as f64 / self.y as f64)
    }

    /// The standard error from the terms of its squared sum.
    fn error_of(&self, terms: impl IntoIterator<Item = f64>) -> Option<f64> {
        if self.sets < 2 {
            return None;
        }
        let (mut sum, mut size) = (0.0, 0.0_f64);
        for term in terms {
            sum += term;
            size += term.abs();
        }
        let sets = self.sets as f64;
        Some(if sum <= NOTHING * size { 0.0 } else { (sum * sets / (sets - 1.0)).sqrt() })
    }
}

/// Whether this many integers can have this sum and this sum of squares, by the Cauchy–Schwarz inequality and parity.
fn have_squares(sum: i128, number: u64, of_squares: i128) -> bool {
    let (most, square) = (number as f64 * of_squares as f64, (sum as f64).powi(2));
    of_squares >= 0 && square <= most * (1.0 + NOTHING) && (sum - of_squares) % 2 == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random as _;
    use crate::random::tests::Pcg;

    /// The numerator and denominator of the arm, then of the base.
    type Sets<'a> = &'a [((i64, i64), (i64, i64))];

    fn moments(parts: Sets<'_>) -> (Moments, Moments) {
        let (mut own, mut base) = (Moments::default(), Moments::default());
        for &((x, y), (base_x, base_y)) in parts {
            let (part, base_part) = (Part { x, y }, Part { x: base_x, y: base_y });
            own.add(part, base_part);
            base.add(base_part, base_part);
        }
        (own, base)
    }

    /// Totals 3/3, 0/1 and 1/2: ratio 2/3, SE² = (3/2)(14/9)/36 = 7/108 (as in `statistics`).
    #[test]
    fn ratio_error_matches_hand_computation() {
        let (own, _) = moments(&[((3, 3), (0, 1)), ((0, 1), (0, 1)), ((1, 2), (0, 1))]);
        let Estimate { value, standard_error, sets, .. } = own.estimate().unwrap();
        assert!((value - 2.0 / 3.0).abs() < 1e-15);
        assert!((standard_error.unwrap() - (7.0_f64 / 108.0).sqrt()).abs() < 1e-12);
        assert_eq!(sets, 3);
    }

    /// Differences of means by set: 1, 0, 2, 1, mean 1, squared deviations 2, SE² = 2/(4·3) = 1/6.
    #[test]
    fn difference_is_paired_by_set() {
        let (own, base) = moments(&[((5, 1), (4, 1)), ((0, 1), (0, 1)), ((9, 1), (7, 1)), ((3, 1), (2, 1))]);
        let Estimate { value, standard_error, .. } = own.difference(&base).unwrap();
        assert!((value - 1.0).abs() < 1e-15);
        assert!((standard_error.unwrap() - (1.0_f64 / 6.0).sqrt()).abs() < 1e-12);
    }

    #[test]
    fn arm_equal_to_base_has_zero_difference() {
        let (own, base) = moments(&[((5, 3), (5, 3)), ((1, 7), (1, 7)), ((9, 2), (9, 2))]);
        let Estimate { value, standard_error, .. } = own.difference(&base).unwrap();
        assert_eq!((value.abs() < 1e-15, standard_error), (true, Some(0.0)));
        assert_eq!(Moments::default().estimate(), None);
    }

    /// By the sign test, five changes to the same side of 400 sets are not significant (p = 2/32), and six are.
    #[test]
    fn few_unequal_sets_widen_interval() {
        let of_changes = |changed: usize| {
            let of_set = |set: usize| {
                let base = i64::from(set.is_multiple_of(2));
                ((base + if set < changed { 2 } else { 0 }, 1), (base, 1))
            };
            let sets: Vec<_> = (0..400).map(of_set).collect();
            let (own, base) = moments(&sets);
            (own.unequal_sets(), own.difference(&base).unwrap().scaled(-10.0, 0.0))
        };
        for changed in 1..10 {
            let (unequal, difference) = of_changes(changed);
            assert_eq!(unequal, changed as u64);
            let interval = difference.interval().unwrap();
            assert!(interval.low <= difference.value && difference.value <= interval.high);
            assert_eq!(interval.high < 0.0, changed > 5, "{changed}: {interval:?}");
            assert_eq!(difference.p_different().unwrap() < 0.05, changed > 5, "{changed}");
        }
        let (_, equal) = of_changes(0);
        assert_eq!(equal.p_different(), None);
        let (_, many) = of_changes(30);
        assert_eq!(many.interval(), Estimate { unequal: None, ..many }.interval());
    }

    /// Changes by one or two, three of four of them to the same side, in a part of the sets. Only runs in which any set
    /// differs have an interval. Of 400 such runs, Student's intervals contain the true difference in fewer than the others.
    #[test]
    fn intervals_of_rare_changes_cover_truth() {
        for rate in [0.003, 0.01, 0.03] {
            let truth = rate * 1.5 * 0.5;
            let (mut runs, mut held, mut held_by_student) = (0, 0, 0);
            for number in 0..500 {
                let mut rng = Pcg::numbered(number);
                let sets: Vec<_> = (0..400)
                    .map(|_| {
                        let size = if rng.chance(0.5) { 1 } else { 2 };
                        let change = if rng.chance(0.75) { size } else { -size };
                        let base = if rng.chance(0.5) { 1 } else { 3 };
                        ((base + if rng.chance(rate) { change } else { 0 }, 1), (base, 1))
                    })
                    .collect();
                let (own, base) = moments(&sets);
                let difference = own.difference(&base).unwrap();
                if own.unequal_sets() == 0 {
                    continue;
                }
                let holds = |estimate: &Estimate| {
                    estimate.interval().is_some_and(|interval| (interval.low..=interval.high).contains(&truth))
                };
                runs += 1;
                held += u32::from(holds(&difference));
                held_by_student += u32::from(holds(&Estimate { unequal: None, ..difference }));
            }
            assert!(f64::from(held) >= 0.94 * f64::from(runs), "{rate}: {held} of {runs}");
            assert!(held_by_student <= held, "{rate}: {held_by_student} against {held}");
            assert!(rate > 0.02 || held_by_student < held, "{rate}: {held_by_student} against {held}");
        }
    }

    #[test]
    fn merging_is_order_independent() {
        let parts = [((5, 3), (4, 1)), ((1, 7), (-3, 2)), ((9, 2), (0, 5))];
        let (whole, _) = moments(&parts);
        let (mut late, early) = (moments(&parts[1..]).0, moments(&parts[..1]).0);
        late.merge(&early);
        assert_eq!(late, whole);
    }

    #[test]
    fn impossible_sums_are_recognized() {
        let (own, _) = moments(&[((5, 3), (4, 1)), ((1, 7), (-3, 2))]);
        assert!(own.can_be_of(2) && !own.can_be_of(1) && !own.can_be_of(3));
        assert!(!Moments { xx: -1, ..own }.can_be_of(2) && !Moments { xx: own.xx + 1, ..own }.can_be_of(2));
        assert!(!Moments { x: own.x + 100, ..own }.can_be_of(2));
        assert!(!Moments { x_y: i128::MIN, ..own }.can_be_of(2));
    }

    /// One event in ten million, then three: 2 ± 1 in ten million.
    #[test]
    fn small_ratio_has_nonzero_error() {
        let (own, _) = moments(&[((1, 10_000_000), (0, 1)), ((3, 10_000_000), (0, 1))]);
        let Estimate { value, standard_error, .. } = own.estimate().unwrap();
        assert!((value * 1e7 - 2.0).abs() < 1e-9 && (standard_error.unwrap() * 1e7 - 1.0).abs() < 1e-6);
    }
}
