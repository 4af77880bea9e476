//! `pairs.csv`: the wins of each pair of entrants at the same table.

use unolab_stats::interval::Coverage;

use super::{PlayedSection, bounds, row};
use crate::play::record::WIN;

row! {
    /// Two entrants compared, seat by seat, in the games that both played.
    pub struct PairsRow in "pairs.csv", "a pair of entrants that played at the same tables; a is the one named first" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// one entrant
        a: String,
        /// the other entrant
        b: String,
        /// deals
        sets: u64,
        /// comparisons: a seat of a with a seat of b in one game
        games: u64,
        /// comparisons in which a's seat won the game; a win shared by k counts 1/k, and a game without a winner does not
        /// count
        a_wins: f64,
        /// comparisons in which b's seat won; in all other comparisons a third entrant won, or there was no winner
        b_wins: f64,
        /// a_wins / (a_wins + b_wins), the share of the games won by either; empty if there are none
        share: Option<f64>,
        /// its standard error as a ratio, over sets
        se: Option<f64>,
        /// lower bound of the share, computed as in summary.csv; near 0 and 1 for share (1 − share) / se² independent games
        ci_low: Option<f64>,
        /// upper bound of the share
        ci_high: Option<f64>,
        /// lower bound that is valid for all pairs of the variant and number of seats together
        simultaneous_low: Option<f64>,
        /// upper bound that is valid for all pairs together
        simultaneous_high: Option<f64>,
        /// lower bound that is valid at every number of sets
        anytime_low: Option<f64>,
        /// upper bound that is valid at every number of sets
        anytime_high: Option<f64>,
        /// likelihood of superiority: one minus the p-value of a one-sided test that a wins at most as often as b (Student's
        /// distribution at (share − 1/2) / se); empty if there are fewer than ten sets and all have the same result
        los: Option<f64>,
        /// comparisons in which a finished ahead of b: in a round the player who went out is first, then the players with the
        /// fewest points in hand; in a match the order is by score. Entrants are ranked by wins, not by this
        a_ahead: u64,
        /// comparisons in which b finished ahead of a; all other comparisons are ties
        b_ahead: u64,
        /// share of comparisons in which a was ahead; ties count half
        share_ahead: Option<f64>,
    }
}

/// The rows of a section: every two entrants that met in it.
#[must_use]
pub fn rows(played: PlayedSection<'_>) -> Vec<PairsRow> {
    let met: Vec<_> = played.tally.by_pair().filter(|(_, _, tally)| tally.comparisons > 0).collect();
    let together = Coverage::Simultaneous(met.len());
    let row = |&(a, b, tally): &(_, _, &crate::count::tally::PairTally)| {
        let share = tally.share(played.section.stake_of_pair(&played.spec.entrants, a, b));
        let (ci_low, ci_high) = bounds(share.interval);
        let (simultaneous_low, simultaneous_high) = bounds(share.interval_of(together));
        let (anytime_low, anytime_high) = bounds(share.interval_of(Coverage::Anytime));
        let level = tally.comparisons - tally.a_ahead - tally.b_ahead;
        PairsRow {
            variant: played.variant().name.clone(),
            seats: played.section.seats,
            a: played.entrant(a).name.clone(),
            b: played.entrant(b).name.clone(),
            sets: tally.sets,
            games: tally.comparisons,
            a_wins: tally.won.total as f64 / WIN as f64,
            b_wins: (tally.won.games - tally.won.total) as f64 / WIN as f64,
            share: share.mean.value,
            se: share.mean.standard_error.filter(|_| share.mean.value.is_some()),
            ci_low,
            ci_high,
            simultaneous_low,
            simultaneous_high,
            anytime_low,
            anytime_high,
            los: share.likelihood_of_superiority(),
            a_ahead: tally.a_ahead,
            b_ahead: tally.b_ahead,
            share_ahead: Some((tally.a_ahead as f64 + 0.5 * level as f64) / tally.comparisons as f64),
        }
    };
    met.iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::Played;
    use super::*;

    #[test]
    fn each_pair_has_one_row() {
        let played = Played::new(&["random", "greedy", "first-legal"], &[2]);
        let rows: Vec<PairsRow> = played.sections().flat_map(rows).collect();
        let pairs: Vec<(&str, &str)> = rows.iter().map(|row| (&*row.a, &*row.b)).collect();
        assert_eq!(pairs, [("random", "greedy"), ("random", "first-legal"), ("greedy", "first-legal")]);
        assert!(rows.iter().all(|row| row.games == 20 && row.a_ahead + row.b_ahead == 20));
        // With two seats the player who is ahead has won.
        assert!(rows.iter().all(|row| (row.a_wins - row.a_ahead as f64).abs() < 1e-9 && row.share == row.share_ahead));
    }

    #[test]
    fn entrants_that_never_met_are_not_compared() {
        let played = Played::new(&["random", "greedy", "first-legal"], &[2]).only_one_game();
        let rows: Vec<PairsRow> = played.sections().flat_map(rows).collect();
        assert_eq!(rows.iter().map(|row| (&*row.a, &*row.b, row.games)).collect::<Vec<_>>(), [("random", "greedy", 1)]);
    }

    /// At three seats a game that the third player wins does not count for the other two, in any order of their places.
    #[test]
    fn wins_of_third_entrant_do_not_count() {
        let played = Played::new(&["random", "greedy", "first-legal"], &[3]);
        let rows: Vec<PairsRow> = played.sections().flat_map(rows).collect();
        let wins: f64 = rows.iter().map(|row| row.a_wins + row.b_wins).sum();
        assert!((wins - 2.0 * 30.0).abs() < 1e-9, "each of thirty games is won by one and counts against two others");
        for row in &rows {
            assert_eq!(row.share, Some(row.a_wins / (row.a_wins + row.b_wins)));
            let widths = [
                (row.ci_low, row.ci_high),
                (row.simultaneous_low, row.simultaneous_high),
                (row.anytime_low, row.anytime_high),
            ]
            .map(|(low, high)| high.unwrap() - low.unwrap());
            assert!(widths[0] < widths[1] && widths[1] < widths[2], "{widths:?}");
        }
    }
}
