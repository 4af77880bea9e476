//! The probability of each seat to win, from public information: a conditional logit model, fitted once.
//!
//! Each seat has a strength exp(Σ weight · feature), and wins with the probability of its strength divided by the sum of all
//! strengths (McFadden, "Conditional logit analysis of qualitative choice behavior", 1973; Plackett and Luce for orders). In
//! a round the features are the number of cards of the seat and the number of turns until it acts; in a match, its score.

use crate::linear::solve;

/// One feature of a seat: the index of its weight, and its value.
pub type Feature = (usize, f64);

/// The features of a seat.
pub type Features<const N: usize = 3> = [Feature; N];

/// An observed position, and its winner.
#[derive(Debug, Clone, PartialEq)]
pub struct Position<const N: usize = 3> {
    /// The features of each seat.
    pub seats: Vec<Features<N>>,
    /// The winner, by index in the list.
    pub winner: usize,
}

/// Steps of Newton's method, each of which doubles the number of correct digits.
const STEPS: usize = 12;

/// A ridge penalty, which keeps weights without data at 0.
const RIDGE: f64 = 0.5;

/// Weights are rounded to this fraction, so that the last digits of a fit do not affect results.
const PARTS: f64 = 1024.0;

/// Frozen weights.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    weights: Vec<f64>,
}

impl Model {
    /// The maximum-likelihood weights for these positions. `None` without positions.
    #[must_use]
    pub fn fit<const N: usize>(positions: &[Position<N>], num_weights: usize) -> Option<Self> {
        if positions.is_empty() {
            return None;
        }
        let mut weights = vec![0.0; num_weights];
        for _ in 0..STEPS {
            let step = newton_step(positions, &weights)?;
            weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step.clamp(-2.0, 2.0));
        }
        weights.iter_mut().for_each(|weight| *weight = (*weight * PARTS).round() / PARTS);
        Some(Self { weights })
    }

    /// The strength of a seat with these features.
    #[must_use]
    pub fn strength(&self, features: &[Feature]) -> f64 {
        strength(&self.weights, features)
    }
}

fn strength(weights: &[f64], features: &[Feature]) -> f64 {
    features.iter().map(|&(weight, amount)| weights[weight] * amount).sum::<f64>().exp()
}

/// The Newton step from the gradient and the Hessian of the log-likelihood.
fn newton_step<const N: usize>(positions: &[Position<N>], weights: &[f64]) -> Option<Vec<f64>> {
    let n = weights.len();
    let mut gradient: Vec<f64> = weights.iter().map(|weight| -RIDGE * weight).collect();
    let mut curvature = vec![vec![0.0; n]; n];
    (0..n).for_each(|i| curvature[i][i] = RIDGE);
    for Position { seats, winner } in positions {
        let strengths: Vec<f64> = seats.iter().map(|features| strength(weights, features)).collect();
        let all: f64 = strengths.iter().sum();
        let mut expected = vec![0.0; n];
        for (features, strength) in seats.iter().zip(&strengths) {
            let share = strength / all;
            for &(i, a) in features {
                expected[i] += share * a;
                for &(j, b) in features {
                    curvature[i][j] += share * a * b;
                }
            }
        }
        seats[*winner].iter().for_each(|&(i, amount)| gradient[i] += amount);
        let seen: Vec<usize> = (0..n).filter(|&i| expected[i] != 0.0).collect();
        for &i in &seen {
            gradient[i] -= expected[i];
            for &j in &seen {
                curvature[i][j] -= expected[i] * expected[j];
            }
        }
    }
    solve(curvature, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random as _;
    use crate::random::tests::Pcg;

    /// Three seats with strengths exp(0.8 a): the weight that generated the winners is recovered.
    #[test]
    fn plackett_luce_recovers_true_weights() {
        let mut rng = Pcg::numbered(3);
        let positions: Vec<Position> = (0..20_000)
            .map(|_| {
                let seats: Vec<Features> =
                    (0..3).map(|_| [(0, f64::from(rng.below(4))), (1, f64::from(rng.below(2))), (1, 0.0)]).collect();
                let strengths = seats.iter().map(|seat| (0.8 * seat[0].1 - 0.5 * seat[1].1).exp());
                let strengths: Vec<f64> = strengths.collect();
                let mut at = rng.unit() * strengths.iter().sum::<f64>();
                let winner = strengths.iter().position(|strength| {
                    at -= strength;
                    at < 0.0
                });
                Position { seats, winner: winner.unwrap_or(2) }
            })
            .collect();
        let Model { weights } = Model::fit(&positions, 2).unwrap();
        assert!((weights[0] - 0.8).abs() < 0.04 && (weights[1] + 0.5).abs() < 0.06, "{weights:?}");
        assert_eq!(Model::fit::<3>(&[], 2), None);
    }
}
