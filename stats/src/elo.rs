//! Elo differences at tables of any size.
//!
//! Reference: A. E. Elo, "The Rating of Chessplayers" (1978), for two seats. With N seats, an entrant against N − 1 equal
//! others wins with probability g/(g + N − 1), where g = 10^(elo/400) is its relative strength (Plackett and Luce).

use crate::interval::Interval;

/// The Elo difference of an entrant with this win share from N − 1 equal others. `None` at a share of 0 or 1.
#[must_use]
pub fn elo(share: f64, seats: usize) -> Option<f64> {
    let others = seats as f64 - 1.0;
    (share > 0.0 && share < 1.0).then(|| 400.0 * (share * others / (1.0 - share)).log10())
}

/// The Elo points of both bounds.
#[must_use]
pub fn elo_bounds(share: Interval, seats: usize) -> (Option<f64>, Option<f64>) {
    (elo(share.low, seats), elo(share.high, seats))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tenfold_strength_is_400_elo_at_any_table() {
        for seats in [2, 4, 10] {
            let share = 10.0 / (10.0 + seats as f64 - 1.0);
            assert!((elo(share, seats).unwrap() - 400.0).abs() < 1e-9);
            assert!(elo(1.0 / seats as f64, seats).unwrap().abs() < 1e-9);
        }
    }

    /// The two-seat formula in its usual form: −400 log10(1/s − 1), at 3/4: 400 log10 3 = 190.8485.
    #[test]
    fn two_seat_elo_matches_standard_formula() {
        assert!((elo(0.75, 2).unwrap() - 190.848_501_9).abs() < 1e-6);
    }

    #[test]
    fn elo_of_extreme_share_is_undefined() {
        assert_eq!((elo(0.0, 4), elo(1.0, 4)), (None, None));
        assert_eq!(elo_bounds(Interval { low: 0.0, high: 0.5 }, 2), (None, Some(0.0)));
    }
}
