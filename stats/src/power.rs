//! The number of sets that detects a difference.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::interval::CONFIDENCE;

/// The quantile of the standard normal distribution.
///
/// # Panics
/// Never for a probability from 0 to 1.
pub(crate) fn normal_quantile(probability: f64) -> f64 {
    Normal::standard().inverse_cdf(probability)
}

/// The probability that a standard normal variable is below this value.
///
/// # Panics
/// Never: the distribution exists.
#[must_use]
pub fn normal_below(value: f64) -> f64 {
    Normal::standard().cdf(value)
}

/// The number of sets with which a two-sided test at [`CONFIDENCE`] detects an edge of this size with this power, if the
/// results of sets have this standard deviation: ((z of confidence + z of power) · deviation / edge)², at least two.
///
/// # Panics
/// Never: the normal distribution has quantiles.
#[must_use]
pub fn sets_needed(deviation: f64, edge: f64, power: f64) -> u64 {
    let reach = normal_quantile(0.5 + CONFIDENCE / 2.0) + normal_quantile(power);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "rounded up, and not negative")]
    let sets = (reach * deviation / edge).powi(2).ceil() as u64;
    sets.max(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (1.959964 + 0.841621)² = 7.848879: a deviation fifty times the edge needs 2500 times as many sets.
    #[test]
    fn sets_for_power_of_four_fifths_match_hand_computation() {
        assert_eq!(sets_needed(0.5, 0.01, 0.8), 19_623);
        assert_eq!(sets_needed(0.5, 0.02, 0.8), 4_906);
        assert_eq!(sets_needed(0.0, 0.01, 0.8), 2);
    }
}
