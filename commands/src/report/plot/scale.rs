//! Scales from values to coordinates.

/// A linear scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
}

impl Scale {
    /// A scale that maps `low` to `from` and `high` to `to`.
    pub(super) fn new([low, high]: [f64; 2], [from, to]: [f64; 2]) -> Self {
        // A single value is in the middle.
        let (low, high) = if high > low { (low, high) } else { (low - 0.5, low + 0.5) };
        Self { low, high, from, to }
    }

    /// A scale with room for all these values and a margin. `None` without values.
    pub(super) fn around(values: impl Iterator<Item = f64> + Clone, paper: [f64; 2]) -> Option<Self> {
        let (low, high) = (values.clone().reduce(f64::min)?, values.reduce(f64::max)?);
        let margin = 0.06 * (high - low);
        Some(Self::new([low - margin, high + margin], paper))
    }

    /// The coordinate of a value; at the edge if it is outside.
    pub(super) fn at(&self, value: f64) -> f64 {
        let part = ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        self.from + part * (self.to - self.from)
    }

    /// Round values to mark, with at most this number of steps between them, and the number of decimals that they need.
    pub(super) fn ticks(&self, most_steps: u8) -> (Vec<f64>, usize) {
        let (step, digits) = round_step((self.high - self.low) / f64::from(most_steps.max(1)));
        let mut ticks = Vec::new();
        let mut number = (self.low / step).ceil();
        while number * step <= self.high && ticks.len() <= usize::from(most_steps) {
            ticks.push(number * step);
            number += 1.0;
        }
        (ticks, digits)
    }
}

/// The smallest of 1, 2 and 5 times a power of ten that is at least this, and its number of decimals.
fn round_step(least: f64) -> (f64, usize) {
    let mut power = 1.0;
    let mut digits = 0;
    while power < least && power < 1e300 {
        power *= 10.0;
    }
    while power >= least && power > 1e-12 {
        power /= 10.0;
        digits += usize::from(power < 0.99);
    }
    for step in [1.0, 2.0, 5.0] {
        if step * power >= least {
            return (step * power, digits);
        }
    }
    (10.0 * power, digits.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_scaled_and_clamped() {
        let scale = Scale::new([0.0, 10.0], [100.0, 200.0]);
        for (value, expected) in [(-5.0, 100.0), (0.0, 100.0), (2.5, 125.0), (10.0, 200.0), (99.0, 200.0)] {
            assert!((scale.at(value) - expected).abs() < 1e-9, "{value}");
        }
        let single = Scale::around([3.0].into_iter(), [0.0, 100.0]).unwrap();
        assert!((single.at(3.0) - 50.0).abs() < 1e-9);
        assert_eq!(Scale::around(std::iter::empty(), [0.0, 1.0]), None);
    }

    #[test]
    fn ticks_are_round() {
        let ticks = |low, high| {
            let (ticks, digits) = Scale::new([low, high], [0.0, 1.0]).ticks(5);
            ticks.iter().map(|tick| format!("{tick:.digits$}")).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(ticks(0.0, 100.0), "0 20 40 60 80 100");
        assert_eq!(ticks(-140.0, 90.0), "-100 -50 0 50");
        assert_eq!(ticks(0.13, 0.47), "0.2 0.3 0.4");
        assert_eq!(ticks(24.81, 25.3), "24.9 25.0 25.1 25.2 25.3");
        assert_eq!(ticks(3.0, 3.0), "2.6 2.8 3.0 3.2 3.4");
    }
}
