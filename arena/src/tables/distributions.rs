//! `distributions.csv`: the distribution of lengths and points of games.

use unolab_stats::histogram::Bin;

use super::{PlayedSection, row};
use crate::count::tally::Sizes;

row! {
    /// The number of games in a bin.
    pub struct DistributionsRow in "distributions.csv", "a bin of one quantity; empty bins are left out" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// the counted quantity, once per game: `turns` of all seats, `decisions` of all seats, `rounds` dealt;
        /// `winner_points`: points credited to the winner, in finished games only
        what: String,
        /// the smallest size in the bin
        bin_low: u32,
        /// the largest size in the bin: sizes below 128 have one bin each, and each power of two above has 64 bins
        bin_high: u32,
        /// the number of games
        count: u64,
    }
}

/// The rows of a section.
#[must_use]
pub fn rows(played: PlayedSection<'_>) -> Vec<DistributionsRow> {
    let Sizes { turns, decisions, rounds, winner_points } = played.tally.sizes();
    let by_name = [("turns", turns), ("decisions", decisions), ("rounds", rounds), ("winner_points", winner_points)];
    let row = |what: &str, bin: Bin| DistributionsRow {
        variant: played.variant().name.clone(),
        seats: played.section.seats,
        what: what.into(),
        bin_low: bin.low,
        bin_high: bin.high,
        count: bin.count,
    };
    by_name.into_iter().flat_map(|(what, histogram)| histogram.bins().map(move |bin| row(what, bin))).collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::Played;
    use super::*;

    #[test]
    fn game_counts_once_in_each_distribution() {
        let played = Played::new(&["random", "greedy", "first-legal"], &[2]);
        let rows: Vec<DistributionsRow> = played.sections().flat_map(rows).collect();
        for what in ["turns", "decisions", "rounds", "winner_points"] {
            // Three tables at two seatings, ten deals.
            assert_eq!(rows.iter().filter(|row| row.what == what).map(|row| row.count).sum::<u64>(), 60, "{what}");
        }
        // The pattern's games have 50 turns each, and points that grow by seven from deal to deal.
        assert_eq!(
            rows[0],
            DistributionsRow {
                variant: "classic".into(),
                seats: 2,
                what: "turns".into(),
                bin_low: 50,
                bin_high: 50,
                count: 60
            }
        );
        let points: Vec<u32> = rows.iter().filter(|row| row.what == "winner_points").map(|row| row.bin_low).collect();
        assert_eq!(points, [20, 27, 34, 41, 48, 55, 62, 69, 76, 83]);
    }
}
