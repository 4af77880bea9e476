//! Strengths by maximum likelihood: Bradley and Terry's model for two sides, Plackett and Luce's for more.
//!
//! Each entrant has a strength γ and each position in the turn order a strength θ. An entrant wins with the probability of
//! its γθ divided by the sum of γθ at the table. The fit uses the MM (minorize-maximize) algorithm of D. R. Hunter, "MM
//! algorithms for generalized Bradley-Terry models", Annals of Statistics 32 (2004), sections 2, 4 and 5. It needs only the
//! wins of each entrant, the wins of each position, and the lineups.
//!
//! A maximum exists only if wins connect the entrants in both directions (Hunter's assumption 1). If they do not, every entrant
//! gets one tied game against an average opponent: a weak prior.

use super::matches::{Design, Totals};

/// Strengths of entrants and of places in the order of play; the geometric mean of each is 1.
#[derive(Debug, Clone, PartialEq)]
pub struct Strengths {
    /// γ by entrant.
    pub entrants: Vec<f64>,
    /// θ by place in the order of play.
    pub places: Vec<f64>,
    /// The data that determine them.
    pub basis: RatingInput,
}

/// The basis of strengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RatingInput {
    /// Only the games.
    Games,
    /// The games, and one tied game of each entrant against an average opponent.
    WeakPrior,
}

impl RatingInput {
    fn of(totals: &Totals) -> Self {
        if totals.connect_everyone() { Self::Games } else { Self::WeakPrior }
    }
}

/// Iteration ends when no strength changes by more than this relative amount.
const TOLERANCE: f64 = 1e-11;
/// The tolerance of the many fits of a bootstrap.
const TOLERANCE_OF_MANY: f64 = 1e-8;
/// The maximum number of iterations, reached only if wins barely connect the entrants.
const MOST_ITERATIONS: usize = 5_000;

impl Strengths {
    /// Equal strengths for these numbers of entrants and positions.
    #[must_use]
    pub fn equal(num_entrants: usize, num_places: usize) -> Self {
        Self { entrants: vec![1.0; num_entrants], places: vec![1.0; num_places], basis: RatingInput::Games }
    }

    /// The maximum of the likelihood, or of the posterior with the weak prior.
    ///
    /// If few games leave the strengths of positions undetermined, they are taken as equal.
    #[must_use]
    pub fn fit(design: &Design, totals: &Totals) -> Self {
        let equal = Self::equal(design.num_entrants, design.num_places);
        let mut both = Self { basis: RatingInput::of(totals), ..equal.clone() };
        // A place without a win would have the strength 0.
        let may_differ = !totals.wins_by_place.contains(&0.0);
        let step = |strengths: &mut Self| {
            strengths.improve_entrants(design, totals).max(strengths.improve_places(design, totals))
        };
        if may_differ && both.climb(TOLERANCE, step).is_some() {
            return both;
        }
        let mut entrants = Self { basis: both.basis, ..equal };
        entrants.climb(TOLERANCE, |strengths| strengths.improve_entrants(design, totals));
        entrants
    }

    /// Refits the entrants to other totals, with the strengths of places unchanged: every entrant has every place equally
    /// often, so the places do not affect differences between entrants.
    #[must_use]
    pub fn refit(&self, design: &Design, totals: &Totals) -> Self {
        let mut strengths = Self { basis: RatingInput::of(totals), ..self.clone() };
        strengths.climb(TOLERANCE_OF_MANY, |strengths| strengths.improve_entrants(design, totals));
        strengths
    }

    /// Iterates until convergence. `None` if that takes too long.
    fn climb(&mut self, tolerance: f64, step: impl Fn(&mut Self) -> f64) -> Option<()> {
        (0..MOST_ITERATIONS).find(|_| step(self) < tolerance).map(drop)
    }

    /// The entrants' strengths in Elo points: their mean is 0.
    #[must_use]
    pub fn elo(&self) -> Vec<f64> {
        self.entrants.iter().map(|&strength| elo_of(strength)).collect()
    }

    /// One MM step for the entrants: wins divided by the expected wins per unit of strength. Returns the largest relative
    /// change.
    fn improve_entrants(&mut self, design: &Design, totals: &Totals) -> f64 {
        let mut wins = totals.wins.clone();
        let mut expected = vec![0.0; self.entrants.len()];
        self.for_each_seat(design, totals, |entrant, place, per_strength| {
            expected[entrant] += per_strength * self.places[place];
        });
        if self.basis == RatingInput::WeakPrior {
            for ((wins, expected), strength) in wins.iter_mut().zip(&mut expected).zip(&self.entrants) {
                *wins += 0.5;
                *expected += 1.0 / (strength + 1.0);
            }
        }
        replace(&mut self.entrants, &wins, &expected, self.basis)
    }

    fn improve_places(&mut self, design: &Design, totals: &Totals) -> f64 {
        let mut expected = vec![0.0; self.places.len()];
        self.for_each_seat(design, totals, |entrant, place, per_strength| {
            expected[place] += per_strength * self.entrants[entrant];
        });
        replace(&mut self.places, &totals.wins_by_place, &expected, RatingInput::Games)
    }

    /// Calls back for every seat of every lineup: entrant, place, and games over the sum of strengths at the table.
    fn for_each_seat(&self, design: &Design, totals: &Totals, mut visit: impl FnMut(usize, usize, f64)) {
        for (lineups, &sets) in design.lineups.iter().zip(&totals.sets) {
            for lineup in lineups {
                let sum: f64 =
                    lineup.iter().zip(&self.places).map(|(&entrant, place)| self.entrants[entrant] * place).sum();
                lineup.iter().enumerate().for_each(|(place, &entrant)| visit(entrant, place, sets / sum));
            }
        }
    }

    /// The expected wins of each entrant.
    #[must_use]
    pub fn expected_wins(&self, design: &Design, totals: &Totals) -> Vec<f64> {
        let mut expected = vec![0.0; self.entrants.len()];
        self.for_each_seat(design, totals, |entrant, place, per_strength| {
            expected[entrant] += per_strength * self.places[place] * self.entrants[entrant];
        });
        expected
    }
}

/// A strength in Elo points.
#[must_use]
pub fn elo_of(strength: f64) -> f64 {
    400.0 * strength.log10()
}

/// New strengths, with a geometric mean of 1 without the prior; with it, the average opponent's strength is 1.
fn replace(strengths: &mut [f64], wins: &[f64], expected: &[f64], basis: RatingInput) -> f64 {
    let mut new: Vec<f64> = wins
        .iter()
        .zip(expected)
        .zip(&*strengths)
        .map(|((wins, expected), &old)| if *expected > 0.0 { wins / expected } else { old })
        .collect();
    if basis == RatingInput::Games {
        let mean = (new.iter().map(|strength| strength.ln()).sum::<f64>() / new.len() as f64).exp();
        new.iter_mut().for_each(|strength| *strength /= mean);
    }
    let change = new.iter().zip(&*strengths).map(|(new, old)| (new / old - 1.0).abs()).fold(0.0, f64::max);
    strengths.copy_from_slice(&new);
    change
}

#[cfg(test)]
mod tests {
    use super::*;

    fn design(num_entrants: usize, lineups: &[&[usize]]) -> Design {
        let num_places = lineups[0].len();
        Design { num_entrants, num_places, lineups: vec![lineups.iter().map(|lineup| lineup.to_vec()).collect()] }
    }

    fn totals(sets: f64, wins: &[f64], by_place: &[f64]) -> Totals {
        let num_pairs = wins.len() * (wins.len() - 1) / 2;
        Totals {
            sets: vec![sets],
            wins: wins.to_vec(),
            wins_by_place: by_place.to_vec(),
            won: crate::ratings::matches::pairs(wins.len()).map(|(a, b)| [wins[a], wins[b]]).collect(),
            meetings: vec![1.0; num_pairs],
        }
    }

    fn assert_close(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6, "found {found}, expected {expected}");
    }

    /// Two entrants, 100 games in each order; A wins 80 of 200 wins more often... by hand: without an effect of places the
    /// odds are the ratio of wins, 150 : 50, and 400 log10 3 = 190.8485.
    #[test]
    fn strengths_of_two_entrants_match_win_odds() {
        let strengths =
            Strengths::fit(&design(2, &[&[0, 1], &[1, 0]]), &totals(100.0, &[150.0, 50.0], &[100.0, 100.0]));
        let elo = strengths.elo();
        assert_close(elo[0] - elo[1], 190.848_501_9);
        assert_close(elo[0] + elo[1], 0.0);
        assert_eq!(strengths.basis, RatingInput::Games);
    }

    /// With γ = 3 : 1 and θ = 2 : 1, A wins 6/7 when first and 3/5 when last: of 35 games each, 30 and 21. The first
    /// place wins 30 + 14.
    #[test]
    fn position_effects_are_separated_from_entrants() {
        let strengths = Strengths::fit(&design(2, &[&[0, 1], &[1, 0]]), &totals(35.0, &[51.0, 19.0], &[44.0, 26.0]));
        assert_close(strengths.entrants[0] / strengths.entrants[1], 3.0);
        assert_close(strengths.places[0] / strengths.places[1], 2.0);
    }

    /// At the maximum of the likelihood, every player has as many wins as expected.
    #[test]
    fn wins_match_expectation_at_maximum() {
        let lineups: [&[usize]; 6] = [&[0, 1, 2], &[1, 2, 0], &[2, 0, 1], &[0, 1, 3], &[1, 3, 0], &[3, 0, 1]];
        let (design, totals) = (design(4, &lineups), totals(50.0, &[120.0, 90.0, 35.0, 55.0], &[110.0, 98.0, 92.0]));
        let strengths = Strengths::fit(&design, &totals);
        for (expected, wins) in strengths.expected_wins(&design, &totals).iter().zip(&totals.wins) {
            assert_close(*expected, *wins);
        }
    }

    /// An entrant without a win is still rated, far below: half a win in 21 games.
    #[test]
    fn weak_prior_connects_disconnected_entrants() {
        let strengths = Strengths::fit(&design(2, &[&[0, 1], &[1, 0]]), &totals(10.0, &[20.0, 0.0], &[10.0, 10.0]));
        assert_eq!(strengths.basis, RatingInput::WeakPrior);
        let elo = strengths.elo();
        assert!(elo[0] > 200.0 && elo[1] < -200.0 && elo.iter().all(|elo| elo.is_finite()), "{elo:?}");
    }

    /// Two games, both won by the first player: they do not determine the advantage of the first place.
    #[test]
    fn unidentifiable_positions_are_equal() {
        let strengths = Strengths::fit(&design(2, &[&[0, 1], &[1, 0]]), &totals(1.0, &[1.0, 1.0], &[2.0, 0.0]));
        assert_eq!(strengths, Strengths::equal(2, 2));
        // Four games: b wins only one of those in which it is first.
        let strengths = Strengths::fit(&design(2, &[&[0, 1], &[1, 0]]), &totals(2.0, &[3.0, 1.0], &[3.0, 1.0]));
        assert_eq!(strengths.places, [1.0, 1.0]);
        assert_close(strengths.entrants[0] / strengths.entrants[1], 3.0);
    }

    #[test]
    fn other_totals_are_fitted_with_same_positions() {
        let design = design(2, &[&[0, 1], &[1, 0]]);
        let strengths = Strengths::fit(&design, &totals(35.0, &[51.0, 19.0], &[44.0, 26.0]));
        let other = strengths.refit(&design, &totals(35.0, &[19.0, 51.0], &[0.0, 0.0]));
        assert_close(other.entrants[1] / other.entrants[0], 3.0);
        assert!(other.places == strengths.places);
    }

    #[test]
    fn equal_wins_give_exactly_equal_strengths() {
        let strengths =
            Strengths::fit(&design(2, &[&[0, 1], &[1, 0]]), &totals(100.0, &[100.0, 100.0], &[110.0, 90.0]));
        assert_eq!(strengths.elo(), [0.0, 0.0]);
    }
}
