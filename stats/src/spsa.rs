//! Simultaneous perturbation stochastic approximation (Spall 1992): tunes several numbers at once by noisy comparisons.
//!
//! Each step compares two points: every number is moved up in one and down in the other, or the reverse, at random. The numbers
//! then move toward the better point. Moves and perturbations shrink with the exponents that Spall (1998) recommends.

/// The exponent of the moves.
const ALPHA: f64 = 0.602;
/// The exponent of the perturbations.
const GAMMA: f64 = 0.101;
/// The part of all steps by which the first moves are damped.
const STABILITY: f64 = 0.1;
/// The result is the mean of one of this number of parts of the steps: the last part.
const PARTS: usize = 4;

/// The bounds of a number, and the size of its perturbation in the last step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Axis {
    /// The lowest value.
    pub low: f64,
    /// The highest value.
    pub high: f64,
    /// The perturbation in the last step; earlier ones are larger.
    pub step: f64,
}

/// The size of moves and perturbations over all steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Schedule {
    /// The number of steps.
    pub steps: u64,
    /// The move of a number in the last step, in units of [`Axis::step`], for a point that always wins.
    pub gain: f64,
}

impl Schedule {
    /// The perturbation in a step, counted from 0, in units of [`Axis::step`].
    fn perturbation(self, step: u64) -> f64 {
        (self.steps as f64 / (step + 1) as f64).powf(GAMMA)
    }

    /// The gain of a step.
    fn gain(self, step: u64) -> f64 {
        let stability = STABILITY * self.steps as f64;
        self.gain * ((stability + self.steps as f64) / (stability + (step + 1) as f64)).powf(ALPHA)
    }

    /// The two points to compare in a step, counted from 0; `ups` tells for each number whether it is higher in the first.
    #[must_use]
    pub fn points(self, step: u64, axes: &[Axis], values: &[f64], ups: &[bool]) -> [Vec<f64>; 2] {
        let moved = |sign: f64| {
            let of_axis = |((axis, value), up): ((&Axis, &f64), &bool)| {
                let sign = if *up { sign } else { -sign };
                (value + sign * self.perturbation(step) * axis.step).clamp(axis.low, axis.high)
            };
            axes.iter().zip(values).zip(ups).map(of_axis).collect()
        };
        [moved(1.0), moved(-1.0)]
    }

    /// The values after a step; `lead` is the result of the first point against the second, from -1 to 1.
    #[must_use]
    pub fn moved(self, step: u64, axes: &[Axis], values: &[f64], ups: &[bool], lead: f64) -> Vec<f64> {
        let of_axis = |((axis, value), up): ((&Axis, &f64), &bool)| {
            let sign = if *up { 1.0 } else { -1.0 };
            let change = sign * self.gain(step) * lead / self.perturbation(step);
            (value + change * axis.step).clamp(axis.low, axis.high)
        };
        axes.iter().zip(values).zip(ups).map(of_axis).collect()
    }

    /// The result: the mean of the last quarter of these values, one element for each step.
    #[must_use]
    pub fn result(self, values: &[Vec<f64>]) -> Vec<f64> {
        let last = &values[values.len() - values.len().div_ceil(PARTS)..];
        let mean = |axis: usize| last.iter().map(|values| values[axis]).sum::<f64>() / last.len() as f64;
        (0..last.first().map_or(0, Vec::len)).map(mean).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random as _;
    use crate::random::tests::Pcg;

    const AXES: [Axis; 2] = [Axis { low: 0.0, high: 10.0, step: 0.5 }, Axis { low: -100.0, high: 100.0, step: 5.0 }];

    /// The points of a noisy bowl with its best point at (7, -20).
    #[test]
    fn noisy_comparisons_lead_to_the_best_point() {
        let mut random = Pcg::numbered(3);
        let mut coin = || random.below(2) == 0;
        let schedule = Schedule { steps: 400, gain: 1.0 };
        let merit = |values: &[f64]| -(0.05 * (values[0] - 7.0)).powi(2) - (0.005 * (values[1] + 20.0)).powi(2);
        let (mut values, mut all) = (vec![2.0, 50.0], Vec::new());
        for step in 0..schedule.steps {
            let ups = [coin(), coin()];
            let [one, other] = schedule.points(step, &AXES, &values, &ups);
            let noise = if coin() { 0.05 } else { -0.05 };
            let lead = (4.0 * (merit(&one) - merit(&other)) + noise).clamp(-1.0, 1.0);
            values = schedule.moved(step, &AXES, &values, &ups, lead);
            all.push(values.clone());
        }
        let found = schedule.result(&all);
        assert!((found[0] - 7.0).abs() < 1.5 && (found[1] + 20.0).abs() < 15.0, "{found:?}");
    }

    #[test]
    fn points_and_values_stay_within_bounds() {
        let schedule = Schedule { steps: 10, gain: 50.0 };
        let [one, other] = schedule.points(0, &AXES, &[10.0, -100.0], &[true, true]);
        assert_eq!((one[0], other[1]), (10.0, -100.0));
        assert!(other[0] < 10.0 && one[1] > -100.0);
        assert_eq!(schedule.moved(0, &AXES, &[9.0, 0.0], &[true, false], 1.0), [10.0, -100.0]);
        assert_eq!(schedule.moved(0, &AXES, &[9.0, 0.0], &[true, false], 0.0), [9.0, 0.0]);
        assert_eq!(schedule.result(&[vec![1.0], vec![2.0], vec![3.0], vec![5.0]]), [5.0]);
    }

    #[test]
    fn last_step_has_the_perturbation_and_gain_of_the_schedule() {
        let schedule = Schedule { steps: 100, gain: 2.0 };
        assert!((schedule.perturbation(99) - 1.0).abs() < 1e-12 && (schedule.gain(99) - 2.0).abs() < 1e-12);
        assert!(schedule.perturbation(0) > 1.5 && schedule.gain(0) > 7.0);
    }
}
