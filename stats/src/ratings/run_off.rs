//! The two methods of the Annual Computer Poker Competition to determine a winner: total score and instant run-off.
//!
//! The total score uses all wins. The run-off uses the games that either of two entrants has won, because only these are
//! known for every subset of the entrants.

use super::matches::{Design, Totals};

/// The result of one entrant in the run-off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RunOff {
    /// Its mean share against the remaining entrants when it was dropped or won.
    pub share: f64,
    /// The last remaining entrant is first; entrants that are dropped together share the better place.
    pub place: usize,
}

/// Each entrant's share of wins in all its games.
#[must_use]
pub fn total_scores(design: &Design, totals: &Totals) -> Vec<f64> {
    let mut games = vec![0.0; totals.wins.len()];
    for (lineups, sets) in design.lineups.iter().zip(&totals.sets) {
        lineups.iter().flatten().for_each(|&entrant| games[entrant] += sets);
    }
    totals.wins.iter().zip(games).map(|(wins, games)| if games > 0.0 { wins / games } else { 0.0 }).collect()
}

/// Repeatedly drops the entrant with the lowest mean share against the others, and recomputes the shares among the rest.
/// `None` if some pair never met.
#[must_use]
pub fn run_off(totals: &Totals) -> Option<Vec<RunOff>> {
    let mut left: Vec<usize> = (0..totals.wins.len()).collect();
    let mut results = vec![RunOff { share: 0.5, place: 1 }; left.len()];
    while left.len() > 1 {
        let shares: Vec<f64> = left.iter().map(|&entrant| mean_share(totals, entrant, &left)).collect::<Option<_>>()?;
        let lowest = shares.iter().copied().fold(f64::INFINITY, f64::min);
        let is_dropped: Vec<bool> = shares.iter().map(|&share| share <= lowest).collect();
        let place_of_the_dropped = 1 + is_dropped.iter().filter(|&&dropped| !dropped).count();
        for ((&entrant, &share), &dropped) in left.iter().zip(&shares).zip(&is_dropped) {
            results[entrant] = RunOff { share, place: if dropped { place_of_the_dropped } else { 1 } };
        }
        let mut dropped = is_dropped.into_iter();
        left.retain(|_| !dropped.next().unwrap_or(true));
    }
    Some(results)
}

fn mean_share(totals: &Totals, entrant: usize, field: &[usize]) -> Option<f64> {
    let others = field.iter().filter(|&&other| other != entrant);
    let shares: Vec<f64> = others.map(|&other| totals.share(entrant, other)).collect::<Option<_>>()?;
    (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn totals(won: &[f64]) -> Totals {
        Totals {
            sets: vec![1.0],
            wins: vec![1.0; 3],
            wins_by_place: vec![],
            won: won.iter().map(|won| [*won, 100.0 - won]).collect(),
            meetings: vec![200.0; 3],
        }
    }

    /// A beats the weak C by the largest margin and has the highest total, but loses to B, which wins after C is dropped.
    #[test]
    fn beating_weak_wins_total_and_beating_strong_wins_runoff() {
        let totals = totals(&[45.0, 90.0, 60.0]);
        let shares = [0, 1, 2].map(|entrant| mean_share(&totals, entrant, &[0, 1, 2]).unwrap());
        assert!(shares.iter().zip([0.675, 0.575, 0.25]).all(|(found, expected)| (found - expected).abs() < 1e-12));
        let results = run_off(&totals).unwrap();
        assert_eq!(results.iter().map(|result| result.place).collect::<Vec<_>>(), [2, 1, 3]);
        assert!(results.iter().zip([0.45, 0.55, 0.25]).all(|(found, expected)| (found.share - expected).abs() < 1e-12));
    }

    /// Ten sets of lineups AB, BA, AC, CA and thirty of them: A has played four games per set, the others two.
    #[test]
    fn totals_are_shares_of_wins() {
        let lineups = vec![vec![vec![0, 1], vec![1, 0], vec![0, 2], vec![2, 0]]; 2];
        let design = Design { num_entrants: 3, num_places: 2, lineups };
        let totals = Totals { sets: vec![10.0, 30.0], wins: vec![80.0, 60.0, 20.0], ..totals(&[0.0; 3]) };
        assert_eq!(total_scores(&design, &totals), [0.5, 0.75, 0.25]);
    }

    #[test]
    fn tied_entrants_are_eliminated_together() {
        let places = |won: &[f64]| run_off(&totals(won)).unwrap().iter().map(|result| result.place).collect::<Vec<_>>();
        assert_eq!(places(&[50.0, 50.0, 50.0]), [1, 1, 1]);
        assert_eq!(places(&[60.0, 60.0, 50.0]), [1, 2, 2]);
    }
}
