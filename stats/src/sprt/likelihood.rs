//! The exact likelihood of results under a hypothesis about their mean in standard deviations.
//!
//! Results take few values. Among all distributions over these values with the effect t = (μ − reference) / σ of a
//! hypothesis, this module finds the one with the maximum likelihood. The logarithm of the ratio of two such likelihoods is
//! exact, and accounts for a variance that changes with the mean (M. Van den Bergh, "The generalized maximum likelihood ratio
//! for the expectation value of a distribution" and "Comments on normalized Elo", 2020; fishtest computes the same).

/// Values with their frequencies.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Distribution {
    /// Each value less the reference, with its frequency; the frequencies sum to 1.
    points: Vec<(f64, f64)>,
    /// The number of results.
    count: f64,
}

/// The weight, in results, of a possible value that was never observed, so that no hypothesis is impossible.
const NEVER_SEEN: f64 = 1e-3;

/// Moments of a distribution about its mean.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Moments {
    /// The mean less the reference.
    pub(super) effect: f64,
    /// The standard deviation.
    pub(super) deviation: f64,
    /// The third moment in standard deviations.
    pub(super) skewness: f64,
    /// The fourth moment in standard deviations.
    pub(super) kurtosis: f64,
}

impl Distribution {
    /// A distribution from values and counts; every value is possible, observed or not.
    pub(super) fn of(values: impl Iterator<Item = (f64, f64)>, reference: f64) -> Self {
        let mut points: Vec<(f64, f64)> =
            values.map(|(value, count)| (value - reference, if count > 0.0 { count } else { NEVER_SEEN })).collect();
        let count: f64 = points.iter().map(|(_, count)| count).sum();
        points.iter_mut().for_each(|(_, frequency)| *frequency /= count);
        Self { points, count }
    }

    pub(super) fn moments(&self) -> Moments {
        let mean = |of: &dyn Fn(f64) -> f64| self.points.iter().map(|&(value, p)| p * of(value)).sum::<f64>();
        let effect = mean(&|value| value);
        let about = |power| mean(&|value| (value - effect).powi(power));
        let deviation = about(2).sqrt();
        Moments { effect, deviation, skewness: about(3) / deviation.powi(3), kurtosis: about(4) / deviation.powi(4) }
    }

    /// The log-likelihood ratio of effect `t1` against effect `t0`. `None` if one of them is impossible with these values.
    pub(super) fn log_ratio(&self, t0: f64, t1: f64) -> Option<f64> {
        let (under0, under1) = (self.likeliest(t0)?, self.likeliest(t1)?);
        let each = self.points.iter().zip(under0.iter().zip(&under1));
        Some(self.count * each.map(|((_, frequency), (p0, p1))| frequency * (p1 / p0).ln()).sum::<f64>())
    }

    /// The maximum-likelihood probabilities of the values under which the effect is `t`.
    ///
    /// With Lagrange's multipliers they are p / (1 + λ h), h(a) = a (1 + t²) − t a² / (2 σ) − t σ (1 + t²) / 2 for values a
    /// less the reference, where λ makes the mean of h zero and σ is the standard deviation that results: a fixed point
    /// in σ alone.
    fn likeliest(&self, t: f64) -> Option<Vec<f64>> {
        const ROUNDS: usize = 200;
        let mut sigma = self.moments().deviation;
        for _ in 0..ROUNDS {
            let found = self.tilted(t, sigma)?;
            let next = deviation(&self.points, &found);
            if (next / sigma - 1.0).abs() < 1e-10 {
                return self.is_effect(t, &found).then_some(found);
            }
            sigma = next;
        }
        self.likeliest_by_bisection(t)
    }

    /// The same if the iteration does not converge: the fixed point is bracketed on a grid and found by bisection.
    fn likeliest_by_bisection(&self, t: f64) -> Option<Vec<f64>> {
        const STEPS: i32 = 200;
        let largest = self.points.iter().map(|(value, _)| value.abs()).fold(0.0, f64::max);
        let excess = |sigma: f64| Some(deviation(&self.points, &self.tilted(t, sigma)?) - sigma);
        let at = |step: i32| largest * 1e-4_f64.powf(f64::from(step) / f64::from(STEPS));
        let mut best: Option<(f64, Vec<f64>)> = None;
        for step in 0..STEPS {
            let (mut high, mut low) = (at(step), at(step + 1));
            let (Some(above), Some(below)) = (excess(high), excess(low)) else { continue };
            if above.signum() == below.signum() {
                continue;
            }
            for _ in 0..60 {
                let middle = f64::midpoint(low, high);
                match excess(middle) {
                    Some(found) if found.signum() == below.signum() => low = middle,
                    _ => high = middle,
                }
            }
            let Some(found) = self.tilted(t, low).filter(|found| self.is_effect(t, found)) else { continue };
            let likelihood: f64 = self.points.iter().zip(&found).map(|((_, frequency), p)| frequency * p.ln()).sum();
            if best.as_ref().is_none_or(|(most, _)| likelihood > *most) {
                best = Some((likelihood, found));
            }
        }
        best.map(|(_, found)| found)
    }

    /// Whether these probabilities have this effect: the equations have another solution, far away.
    fn is_effect(&self, t: f64, probabilities: &[f64]) -> bool {
        let mean: f64 = self.points.iter().zip(probabilities).map(|((value, _), p)| value * p).sum();
        (mean / deviation(&self.points, probabilities) - t).abs() < 1e-6
    }

    /// p / (1 + λ h) with the λ that makes the mean of h zero. `None` if h does not change sign.
    fn tilted(&self, t: f64, sigma: f64) -> Option<Vec<f64>> {
        let squared = 1.0 + t * t;
        let h = |a: f64| a * squared - t * a * a / (2.0 * sigma) - t * sigma * squared / 2.0;
        let h: Vec<f64> = self.points.iter().map(|&(value, _)| h(value)).collect();
        let (least, most) =
            h.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &h| (low.min(h), high.max(h)));
        if !(least < 0.0 && most > 0.0) {
            return None;
        }
        // Within these bounds every 1 + λ h is positive; the sum falls from +∞ to −∞ between them.
        let (mut low, mut high) = (-1.0 / most, -1.0 / least);
        let sum = |lambda: f64| -> (f64, f64) {
            let each = self.points.iter().zip(&h).map(|((_, p), h)| {
                let part = h / (1.0 + lambda * h);
                (p * part, -p * part * part)
            });
            each.fold((0.0, 0.0), |(sum, slope), (of_sum, of_slope)| (sum + of_sum, slope + of_slope))
        };
        let mut lambda = 0.0;
        for _ in 0..100 {
            let (value, slope) = sum(lambda);
            if value > 0.0 {
                low = lambda;
            } else {
                high = lambda;
            }
            let newton = lambda - value / slope;
            let next = if newton > low && newton < high { newton } else { f64::midpoint(low, high) };
            if (next - lambda).abs() <= 1e-15 * (high - low).abs().max(next.abs()) {
                break;
            }
            lambda = next;
        }
        Some(self.points.iter().zip(&h).map(|((_, p), h)| p / (1.0 + lambda * h)).collect())
    }
}

fn deviation(points: &[(f64, f64)], probabilities: &[f64]) -> f64 {
    let mean =
        |of: &dyn Fn(f64) -> f64| points.iter().zip(probabilities).map(|((value, _), p)| p * of(*value)).sum::<f64>();
    let center = mean(&|value| value);
    mean(&|value| (value - center).powi(2)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wins of two games in pairs that a far stronger side plays: skewed, and far from the reference.
    fn skewed() -> Distribution {
        let counts = [10.0, 30.0, 160.0, 240.0, 560.0];
        Distribution::of((0..5).map(|half| f64::from(half) / 4.0).zip(counts), 0.5)
    }

    /// Small changes of the probabilities along the constraint of a constant effect reduce the likelihood.
    #[test]
    fn maximum_likelihood_estimate_is_local_maximum() {
        let distribution = skewed();
        let likelihood = |p: &[f64]| distribution.points.iter().zip(p).map(|((_, f), p)| f * p.ln()).sum::<f64>();
        for t in [-0.9, -0.3, 0.0, 0.2, 0.68, 1.2, 2.0] {
            let best = distribution.likeliest(t).unwrap();
            assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{t}: {best:?}");
            assert!(distribution.is_effect(t, &best));
            // Two directions that change three probabilities, and a third that brings the effect back to first order.
            for moved in 0..3 {
                for step in [1e-4, -1e-4] {
                    let mut other = best.clone();
                    other[moved] += step;
                    other[moved + 1] -= step;
                    let back = distribution.along_constraint(t, other, moved + 2);
                    assert!(likelihood(&back) < likelihood(&best) + 1e-12, "{t}, {moved}, {step}");
                }
            }
        }
    }

    impl Distribution {
        /// Moves probability between a value and its neighbor until the effect is `t` again.
        fn along_constraint(&self, t: f64, from: Vec<f64>, place: usize) -> Vec<f64> {
            let other = if place + 1 < from.len() { place + 1 } else { 0 };
            let moved = |by: f64| {
                let mut p = from.clone();
                p[place] += by;
                p[other] -= by;
                p
            };
            let error = |by: f64| {
                let p = moved(by);
                let mean: f64 = self.points.iter().zip(&p).map(|((value, _), p)| value * p).sum();
                mean / deviation(&self.points, &p) - t
            };
            let (mut by, mut before) = (1e-5, 0.0);
            for _ in 0..20 {
                let (now, then) = (error(by), error(before));
                if (now - then).abs() < 1e-18 {
                    break;
                }
                (before, by) = (by, by - now * (by - before) / (now - then));
            }
            moved(by)
        }
    }

    /// Near the reference and with many results, both formulas of the ratio agree, because t² is small.
    #[test]
    fn likelihood_near_zero_effect_matches_approximation() {
        let distribution = Distribution::of([(0.0, 4e4), (0.5, 1.2e5), (1.0, 4.1e4)].into_iter(), 0.5);
        let t = {
            let moments = distribution.moments();
            moments.effect / moments.deviation
        };
        let (t0, t1) = (0.0, 0.01);
        let approximate = 201_000.0 / 2.0 * ((1.0 + (t - t0) * (t - t0)).ln() - (1.0 + (t - t1) * (t - t1)).ln());
        let exact = distribution.log_ratio(t0, t1).unwrap();
        assert!((exact / approximate - 1.0).abs() < 1e-3, "{exact} {approximate}");
    }

    #[test]
    fn impossible_likelihood_is_none() {
        let above = Distribution::of([(0.6, 10.0), (0.7, 5.0)].into_iter(), 0.5);
        assert_eq!(above.log_ratio(0.0, 0.1), None);
    }

    /// One of five: variance pq = 0.16, skewness (1 − 2p) / √pq = 1.5, kurtosis 3 + (1 − 6pq) / pq = 3.25.
    #[test]
    fn moments_match_hand_computation() {
        let Moments { effect, deviation, skewness, kurtosis } =
            Distribution::of([(0.0, 80.0), (1.0, 20.0)].into_iter(), 0.5).moments();
        for (found, expected) in [(effect, -0.3), (deviation, 0.4), (skewness, 1.5), (kurtosis, 3.25)] {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
    }
}
