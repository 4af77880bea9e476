//! The range of a mean's values, and intervals for too few events for Student's interval.
//!
//! The mean of a rare event is skewed, and its error is estimated from few events: over 30 deals without an event, Student's
//! interval is 0 ± 0. A score interval avoids this. It contains every mean μ that is compatible with the observed mean:
//! (observed − μ)² ≤ t² φ V(μ). V is the variance of the range, μ (1 − μ) for shares and μ for counts; φ = SE² / V(observed)
//! is the dispersion of the mean of these sets (R. W. M. Wedderburn, "Quasi-likelihood functions", Biometrika 61, 1974). For
//! independent shares this is Wilson's interval.

use crate::interval::{Coverage, Interval};

/// Student's interval is used from this number of independent events on.
const ENOUGH_EVENTS: f64 = 20.0;

/// The values that a mean can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Range {
    /// From 0 to 1.
    Share,
    /// From 0 to 1, plus a number with mean zero: luck-adjusted shares.
    AdjustedShare,
    /// Integers from this number on, in each game.
    CountFrom(u32),
    /// Any numbers.
    Any,
}

impl Range {
    /// The 95% interval around this mean of this many sets. `None` for fewer than two, and without an error if
    /// the range implies none: all sets are equal, or only one contributes.
    #[must_use]
    pub fn interval(self, mean: f64, standard_error: f64, sets: u64) -> Option<Interval> {
        self.interval_of(mean, standard_error, sets, Coverage::Pointwise)
    }

    /// The same with any coverage.
    #[must_use]
    pub fn interval_of(self, mean: f64, standard_error: f64, sets: u64, coverage: Coverage) -> Option<Interval> {
        let student = Interval::of_mean(mean, standard_error, sets, coverage)?;
        let reach = coverage.student_reach(sets)?;
        // Without an error each set counts as one game.
        let trials = |variance: f64| {
            if standard_error > 0.0 { variance / (standard_error * standard_error) } else { sets as f64 }
        };
        match self {
            Self::Share if (0.0..=1.0).contains(&mean) => {
                let trials = trials(mean * (1.0 - mean));
                if trials * mean.min(1.0 - mean) < ENOUGH_EVENTS {
                    return Interval::wilson_reaching(mean, trials, reach)
                        .map(|interval| interval.with_exact_ends(mean));
                }
                Some(student.clamped_to_share())
            }
            Self::CountFrom(least) if mean >= f64::from(least) => {
                let count = mean - f64::from(least);
                let trials = trials(count);
                if trials * count < ENOUGH_EVENTS {
                    return Some(score_interval_of_count(count, trials, reach).scaled(1.0, f64::from(least)));
                }
                (standard_error > 0.0).then_some(student)
            }
            // Near 0 and 1 the variance of a share vanishes, but not the variance of the added number.
            Self::AdjustedShare => {
                let of_share = Self::Share.interval_of(mean, standard_error, sets, coverage)?;
                Some(of_share.including(student))
            }
            _ => (standard_error > 0.0).then_some(student),
        }
    }
}

/// All counts μ with (count − μ)² ≤ reach² μ / trials.
fn score_interval_of_count(count: f64, trials: f64, reach: f64) -> Interval {
    let half = reach * reach / (2.0 * trials);
    let (center, width) = (count + half, (2.0 * half * count + half * half).sqrt());
    Interval { low: (center - width).max(0.0), high: center + width }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(range: Range, mean: f64, standard_error: f64, sets: u64) -> [f64; 2] {
        let Interval { low, high } = range.interval(mean, standard_error, sets).unwrap();
        [low, high]
    }

    /// Over ten sets t is 2.262. Of shares: none in ten is Wilson's interval with t, t² / (10 + t²) at most. Of counts: none is
    /// at most t² / 10.
    #[test]
    fn unseen_event_has_nonzero_upper_bound() {
        let t_squared = 2.262_157_f64.powi(2);
        let close = |found: f64, expected: f64| (found - expected).abs() < 1e-5;
        let [low, high] = bounds(Range::Share, 0.0, 0.0, 10);
        assert!(low <= 0.0 && close(high, t_squared / (10.0 + t_squared)), "{high}");
        let [low, high] = bounds(Range::Share, 1.0, 0.0, 10);
        assert!(close(low, 10.0 / (10.0 + t_squared)) && high >= 1.0, "{low}");
        let [low, high] = bounds(Range::CountFrom(1), 1.0, 0.0, 10);
        assert!(close(low, 1.0) && close(high, 1.0 + t_squared / 10.0), "{high}");
        assert_eq!(Range::Any.interval(7.0, 0.0, 10), None, "equal sets do not show the error of any number");
        assert_eq!(Range::CountFrom(1).interval(14.0, 0.0, 2), None, "nor do equal large counts");
        assert_eq!(Range::Share.interval(0.0, 0.0, 1), None);
    }

    /// At both bounds the distance is t standard errors, with the variance at the bound.
    #[test]
    fn bounds_have_nominal_error() {
        let t = Coverage::Pointwise.student_reach(30).unwrap();
        let (mean, error) = (0.2, 0.08);
        for (range, variance) in
            [(Range::Share, (|mean| mean * (1.0 - mean)) as fn(f64) -> f64), (Range::CountFrom(0), |mean| mean)]
        {
            let dispersion = error * error / variance(mean);
            for bound in bounds(range, mean, error, 30) {
                assert!(
                    ((mean - bound).powi(2) - t * t * dispersion * variance(bound)).abs() < 1e-9,
                    "{range:?} {bound}"
                );
            }
        }
    }

    #[test]
    fn simultaneous_bounds_are_wider_for_rare_and_for_common_events() {
        for (mean, error) in [(0.001, 0.001), (0.4, 0.02)] {
            let [one, ten] = [Coverage::Simultaneous(1), Coverage::Simultaneous(10)]
                .map(|coverage| Range::Share.interval_of(mean, error, 1000, coverage).unwrap());
            assert!(ten.low < one.low && ten.high > one.high, "{one:?} {ten:?}");
            assert_eq!(Some(one), Range::Share.interval(mean, error, 1000));
        }
    }

    #[test]
    fn interval_of_many_events_is_students() {
        let student = Interval::student(0.4, 0.02, 1000);
        assert_eq!(Range::Share.interval(0.4, 0.02, 1000), student);
        assert_eq!(Range::CountFrom(0).interval(0.4, 0.02, 1000), student);
    }

    /// 0.99 with an error of 0.01 over 100 sets: Student's interval reaches beyond 1, the score interval further down.
    #[test]
    fn interval_of_adjusted_share_includes_students() {
        let student = Interval::student(0.99, 0.01, 100).unwrap();
        let score = Range::Share.interval(0.99, 0.01, 100).unwrap();
        let adjusted = Range::AdjustedShare.interval(0.99, 0.01, 100).unwrap();
        assert!(score.low < student.low && score.high < 1.0 && student.high > 1.0);
        assert_eq!(adjusted, Interval { low: score.low, high: student.high });
        assert_eq!(Range::AdjustedShare.interval(0.4, 0.02, 1000), Interval::student(0.4, 0.02, 1000));
        assert_eq!(Range::AdjustedShare.interval(1.1, 0.02, 2), Interval::student(1.1, 0.02, 2));
        assert_eq!(Range::AdjustedShare.interval(0.0, 0.0, 10), Range::Share.interval(0.0, 0.0, 10));
    }
}
