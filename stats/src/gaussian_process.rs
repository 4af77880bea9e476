//! A Gaussian process over combinations of a few keys: a surrogate for results that are expensive to measure.
//!
//! The covariance of two combinations is the sum of three parts: the keys one by one, every pair of keys, and the combination
//! itself (additive kernels: D. Duvenaud, H. Nickisch and C. E. Rasmussen, "Additive Gaussian processes", NeurIPS 2011). So
//! the effect of a single key is learned from every combination that contains it. The shares of the parts, the length scale
//! of numbers, and the variance are chosen from a small grid by maximum likelihood (C. E. Rasmussen and C. K. I. Williams,
//! "Gaussian Processes for Machine Learning", 2006, 5.4.1).

use std::sync::Arc;

/// The values of a key.
#[derive(Debug, Clone, PartialEq)]
pub enum Levels {
    /// This number of unordered values.
    Categories(usize),
    /// Numbers, of which close ones are similar.
    Numbers(Vec<f64>),
}

/// A measured combination.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The index of the value of each key.
    pub point: Vec<usize>,
    /// The measured value.
    pub value: f64,
    /// The variance of its error.
    pub variance: f64,
}

/// The distribution of the true value at a combination.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prediction {
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
}

/// The shares of the three parts in the variance: keys, pairs, and the combination itself.
const SHARES: [[f64; 3]; 5] =
    [[0.92, 0.07, 0.01], [0.75, 0.2, 0.05], [0.5, 0.4, 0.1], [0.4, 0.3, 0.3], [0.98, 0.015, 0.005]];

/// The length scales of numbers, as a part of their range.
const LENGTHS: [f64; 3] = [0.25, 0.6, 1.5];

/// The variances, relative to the observed one.
const SCALES: [f64; 3] = [0.5, 1.5, 4.0];

/// The maximum number of observations for the choice of the covariance, which takes cubic time.
const MOST_FOR_CHOICE: usize = 120;

/// By key: the similarity of each pair of values.
type Similarities = Vec<Vec<Vec<f64>>>;

/// The covariance of two combinations.
#[derive(Debug, Clone)]
struct Covariance {
    similar: Arc<Similarities>,
    shares: [f64; 3],
    variance: f64,
}

impl Covariance {
    /// The similarities of all values, where numbers have this length scale.
    fn similarities(keys: &[Levels], length: f64) -> Arc<Similarities> {
        let similarity = |levels: &Levels| match levels {
            Levels::Categories(number) => {
                (0..*number).map(|a| (0..*number).map(|b| f64::from(u8::from(a == b))).collect()).collect()
            }
            Levels::Numbers(numbers) => {
                let low = numbers.iter().copied().fold(f64::INFINITY, f64::min);
                let span = (numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max) - low).max(f64::MIN_POSITIVE);
                let near = |a: f64, b: f64| (-0.5 * ((a - b) / span / length).powi(2)).exp();
                numbers.iter().map(|&a| numbers.iter().map(|&b| near(a, b)).collect()).collect()
            }
        };
        Arc::new(keys.iter().map(similarity).collect())
    }

    fn of(&self, a: &[usize], b: &[usize]) -> f64 {
        let (mut sum, mut squares, mut is_same) = (0.0, 0.0, true);
        for ((similar, &a), &b) in self.similar.iter().zip(a).zip(b) {
            let near = similar[a][b];
            sum += near;
            squares += near * near;
            is_same &= a == b;
        }
        let keys = self.similar.len() as f64;
        let alone = sum / keys;
        let pairs = if keys > 1.0 { (sum * sum - squares) / (keys * (keys - 1.0)) } else { alone };
        let [of_keys, of_pairs, own] = self.shares;
        self.variance * (of_keys * alone + of_pairs * pairs + if is_same { own } else { 0.0 })
    }
}

/// A process conditioned on observations.
#[derive(Debug, Clone)]
pub struct Process {
    covariance: Covariance,
    observations: Vec<Observation>,
    mean: f64,
    /// The lower Cholesky factor of the covariance of the observations.
    factor: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl Process {
    /// The process conditioned on these observations; `None` without observations.
    #[must_use]
    pub fn fit(keys: &[Levels], observations: Vec<Observation>) -> Option<Self> {
        let few = &observations[..observations.len().min(MOST_FOR_CHOICE)];
        let mean = few.iter().map(|seen| seen.value).sum::<f64>() / few.len().max(1) as f64;
        let spread = few.iter().map(|seen| (seen.value - mean).powi(2)).sum::<f64>() / few.len().max(1) as f64;
        let noise = few.iter().map(|seen| seen.variance).sum::<f64>() / few.len().max(1) as f64;
        let scale = (spread - noise).max(0.05 * spread).max(1e-12 * (1.0 + mean * mean));
        let mut best: Option<(f64, Covariance)> = None;
        for length in LENGTHS {
            let similar = Covariance::similarities(keys, length);
            for shares in SHARES {
                for times in SCALES {
                    let covariance = Covariance { similar: Arc::clone(&similar), shares, variance: times * scale };
                    let Some(fitted) = Self::with(covariance, few.to_vec()) else { continue };
                    let likelihood = fitted.log_likelihood();
                    if best.as_ref().is_none_or(|(most, _)| likelihood > *most) {
                        best = Some((likelihood, fitted.covariance));
                    }
                }
            }
        }
        Self::with(best?.1, observations)
    }

    /// The process with this covariance; `None` without observations, or if rounding errors are too large.
    fn with(covariance: Covariance, observations: Vec<Observation>) -> Option<Self> {
        let jitter = 1e-9 * covariance.variance;
        let row = |i: usize| -> Vec<f64> {
            let own = &observations[i];
            let others = observations[..i].iter().map(|other| covariance.of(&own.point, &other.point));
            others.chain([covariance.of(&own.point, &own.point) + own.variance + jitter]).collect()
        };
        let mut factor: Vec<Vec<f64>> = (0..observations.len()).map(row).collect();
        factorize(&mut factor)?;
        let values: Vec<f64> = observations.iter().map(|seen| seen.value).collect();
        // The mean by generalized least squares.
        let solve = |right: Vec<f64>| backward(&factor, forward(&factor, right));
        let ones = solve(vec![1.0; values.len()]);
        let below: f64 = ones.iter().sum();
        let mean = ones.iter().zip(&values).map(|(one, value)| one * value).sum::<f64>() / below;
        let weights = solve(values.iter().map(|value| value - mean).collect());
        (mean.is_finite()).then_some(Self { covariance, mean, factor, weights, observations })
    }

    fn log_likelihood(&self) -> f64 {
        let products =
            self.weights.iter().zip(&self.observations).map(|(weight, seen)| weight * (seen.value - self.mean));
        let determinant: f64 = self.factor.iter().enumerate().map(|(i, row)| row[i].ln()).sum();
        -0.5 * products.sum::<f64>() - determinant
    }

    /// The distribution of the true value at a combination.
    #[must_use]
    pub fn predict(&self, point: &[usize]) -> Prediction {
        let with_observed: Vec<f64> =
            self.observations.iter().map(|seen| self.covariance.of(point, &seen.point)).collect();
        let mean = self.mean + with_observed.iter().zip(&self.weights).map(|(a, b)| a * b).sum::<f64>();
        let known: f64 = forward(&self.factor, with_observed).iter().map(|part| part * part).sum();
        let variance = (self.covariance.of(point, point) - known).max(1e-12 * self.covariance.variance);
        Prediction { mean, deviation: variance.sqrt() }
    }
}

/// The joint distribution of the true values at several combinations.
#[derive(Debug, Clone)]
pub struct Joint {
    means: Vec<f64>,
    factor: Vec<Vec<f64>>,
}

impl Process {
    /// The joint distribution of the true values at these combinations.
    #[must_use]
    pub fn joint(&self, points: &[Vec<usize>]) -> Joint {
        let known: Vec<Vec<f64>> = points
            .iter()
            .map(|point| self.observations.iter().map(|seen| self.covariance.of(point, &seen.point)).collect())
            .map(|with_observed| forward(&self.factor, with_observed))
            .collect();
        let covariance = |a: usize, b: usize| {
            let explained: f64 = known[a].iter().zip(&known[b]).map(|(a, b)| a * b).sum();
            self.covariance.of(&points[a], &points[b]) - explained
        };
        // Equal combinations have equal values, and rounding errors grow with the number of observations.
        let mut jitter = 1e-9 * self.covariance.variance;
        let factor = loop {
            let row = |a: usize| (0..=a).map(|b| covariance(a, b) + if a == b { jitter } else { 0.0 }).collect();
            let mut factor: Vec<Vec<f64>> = (0..points.len()).map(row).collect();
            if factorize(&mut factor).is_some() {
                break factor;
            }
            jitter *= 10.0;
        };
        Joint { means: points.iter().map(|point| self.predict(point).mean).collect(), factor }
    }
}

impl Joint {
    /// A sample of true values, from standard normal numbers.
    pub fn draw(&self, mut normal: impl FnMut() -> f64) -> Vec<f64> {
        let normals: Vec<f64> = self.means.iter().map(|_| normal()).collect();
        let with_error =
            |(mean, row): (&f64, &Vec<f64>)| mean + row.iter().zip(&normals).map(|(a, b)| a * b).sum::<f64>();
        self.means.iter().zip(&self.factor).map(with_error).collect()
    }
}

/// Replaces the lower triangle of a matrix by its Cholesky factor; `None` if the matrix is not positive definite.
fn factorize(rows: &mut [Vec<f64>]) -> Option<()> {
    for i in 0..rows.len() {
        let (above, own) = rows.split_at_mut(i);
        let own = &mut own[0];
        for j in 0..i {
            let dot: f64 = own[..j].iter().zip(&above[j][..j]).map(|(a, b)| a * b).sum();
            own[j] = (own[j] - dot) / above[j][j];
        }
        let rest = own[i] - own[..i].iter().map(|entry| entry * entry).sum::<f64>();
        own[i] = (rest > 0.0 && rest.is_finite()).then(|| rest.sqrt())?;
    }
    Some(())
}

fn forward(factor: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    for (i, row) in factor.iter().enumerate() {
        let dot: f64 = row[..i].iter().zip(&right).map(|(a, b)| a * b).sum();
        right[i] = (right[i] - dot) / row[i];
    }
    right
}

fn backward(factor: &[Vec<f64>], mut right: Vec<f64>) -> Vec<f64> {
    for i in (0..factor.len()).rev() {
        right[i] /= factor[i][i];
        let own = right[i];
        right[..i].iter_mut().zip(&factor[i]).for_each(|(entry, below)| *entry -= own * below);
    }
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys() -> Vec<Levels> {
        vec![
            Levels::Numbers(vec![5.0, 6.0, 7.0, 8.0, 9.0]),
            Levels::Categories(3),
            Levels::Numbers(vec![0.0, 1.0, 2.0]),
        ]
    }

    fn truth(point: &[usize]) -> f64 {
        3.0 * point[0] as f64 + [0.0, 5.0, -2.0][point[1]] + 0.5 * (point[2] * point[0]) as f64
    }

    fn all() -> Vec<Vec<usize>> {
        (0..45).map(|number| vec![number % 5, number / 5 % 3, number / 15]).collect()
    }

    #[test]
    fn unseen_combination_is_predicted_from_its_keys() {
        let seen = |point: &Vec<usize>| Observation { point: point.clone(), value: truth(point), variance: 1e-4 };
        let process = Process::fit(&keys(), all().iter().step_by(2).map(seen).collect()).unwrap();
        for point in all().iter().skip(1).step_by(2) {
            let Prediction { mean, deviation } = process.predict(point);
            assert!((mean - truth(point)).abs() < 1.0, "{point:?}: {mean}, not {}", truth(point));
            assert!((mean - truth(point)).abs() < 5.0 * deviation + 0.05, "{point:?}: {mean} ± {deviation}");
        }
    }

    /// One observation y with error variance v, mean y: the deviation at the point is √(k v / (k + v)).
    #[test]
    fn error_of_observation_bounds_deviation() {
        let point = vec![1, 1, 1];
        let similar = Covariance::similarities(&keys(), 0.5);
        let covariance = Covariance { similar, shares: [0.5, 0.3, 0.2], variance: 2.0 };
        let seen = Observation { point: point.clone(), value: 4.0, variance: 0.5 };
        let Prediction { mean, deviation } = Process::with(covariance, vec![seen]).unwrap().predict(&point);
        assert!((mean - 4.0).abs() < 1e-9 && (deviation - (2.0_f64 * 0.5 / 2.5).sqrt()).abs() < 1e-6, "{deviation}");
        assert!(Process::fit(&keys(), Vec::new()).is_none());
    }

    /// The same combination twice has the same value in every sample, with the mean and the deviation of a single prediction.
    #[test]
    fn joint_draws_agree_with_predictions() {
        let seen = |point: &Vec<usize>| Observation { point: point.clone(), value: truth(point), variance: 1.0 };
        let process = Process::fit(&keys(), all().iter().step_by(4).map(seen).collect()).unwrap();
        let points = vec![vec![2, 1, 1], vec![4, 2, 2], vec![2, 1, 1]];
        let joint = process.joint(&points);
        let still = joint.draw(|| 0.0);
        assert!((still[0] - process.predict(&points[0]).mean).abs() < 1e-9);
        let moved = joint.draw(|| 1.0);
        assert!((moved[0] - moved[2]).abs() < 1e-2, "{moved:?}");
        assert!((moved[0] - still[0] - process.predict(&points[0]).deviation).abs() < 1e-3);
    }

    #[test]
    fn equal_observations_give_their_value_everywhere() {
        let seen = |point: Vec<usize>| Observation { point, value: 0.25, variance: 0.0 };
        let process = Process::fit(&keys(), all().into_iter().take(20).map(seen).collect()).unwrap();
        assert!(all().iter().all(|point| (process.predict(point).mean - 0.25).abs() < 1e-6));
    }
}
