//! `seats.csv`: the effect of the turn order.

use unolab_stats::share::Mean;

use super::{PlayedSection, row};
use crate::play::record::WIN;

row! {
    /// The results of one entrant at one position in the turn order.
    pub struct SeatsRow in "seats.csv", "one entrant at one position in the turn order" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// its name
        entrant: String,
        /// position in the turn order: 0 takes the first turn of the (first) round, after the start card's effect; the
        /// others follow in the direction of play
        seat: usize,
        /// its seat-games at this position
        games: u64,
        /// games won; a shared win counts in part
        wins: f64,
        /// wins / games
        win_share: Option<f64>,
        /// standard error of the win share, over sets
        se: Option<f64>,
        /// mean card points per seat-game: the points that the winner scores, with losses as 0; if every player is charged
        /// for their own hand, these are penalty points, and fewer are better
        points_mean: Option<f64>,
    }
}

/// The rows of a section.
#[must_use]
pub fn rows(played: PlayedSection<'_>) -> Vec<SeatsRow> {
    let mut rows = Vec::new();
    for (tally, entrant) in played.tally.by_entrant().iter().zip(&played.spec.entrants) {
        for (seat, results) in tally.by_order_of_play.iter().enumerate() {
            let wins = Mean::of_sets(&results.wins, WIN);
            rows.push(SeatsRow {
                variant: played.variant().name.clone(),
                seats: played.section.seats,
                entrant: entrant.name.clone(),
                seat,
                games: wins.games,
                wins: results.wins.total as f64 / WIN as f64,
                win_share: wins.value,
                se: wins.standard_error,
                points_mean: (wins.games > 0).then(|| results.points as f64 / wins.games as f64),
            });
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::super::tests::Played;
    use super::*;

    #[test]
    fn entrants_have_every_position_equally_often() {
        let played = Played::new(&["random", "greedy", "first-legal"], &[4]);
        let rows: Vec<SeatsRow> = played.sections().flat_map(rows).collect();
        assert_eq!(rows.iter().map(|row| row.seat).collect::<Vec<_>>(), [0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 2, 3]);
        // Twelve games of four seats, ten times: 480 seat-games, equally for three entrants and four places.
        assert!(rows.iter().all(|row| row.games == 40));
        assert!((rows.iter().map(|row| row.wins).sum::<f64>() - 120.0).abs() < 1e-9);
    }

    #[test]
    fn points_are_defined_only_with_games() {
        let played = Played::new(&["random", "greedy"], &[2]).only_one_game();
        let rows = played.sections().flat_map(rows);
        let points: Vec<_> = rows.map(|row| (row.entrant, row.seat, row.points_mean)).collect();
        let of = |entrant: &str, seat, points| (entrant.to_owned(), seat, points);
        let random = [of("random", 0, Some(7.0)), of("random", 1, None)];
        assert_eq!(points, [&random[..], &[of("greedy", 0, None), of("greedy", 1, Some(0.0))]].concat());
    }
}
