//! Control variates: subtracts quantities of mean zero from a result to reduce its error.
//!
//! Results and controls are integers, and the coefficients are fixed before use, so adjusted results are also integers
//! (Lavenberg and Welch, "A perspective on the use of control variables", 1981).

use crate::linear::solve;

/// Controls are counted in millionths.
pub const CONTROL: i64 = 1_000_000;

/// The unit of an adjusted result, as parts of the unit of a result.
pub const FINE: i64 = 1_000;

/// The fixed coefficient of each control: the growth of the result for a control of one, in [`FINE`] parts of the
/// result's unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coefficients<const N: usize>([i64; N]);

impl<const N: usize> Default for Coefficients<N> {
    fn default() -> Self {
        Self([0; N])
    }
}

impl<const N: usize> Coefficients<N> {
    /// A result minus the part that the controls explain, in 1/([`FINE`] · [`CONTROL`]) of the result's unit.
    #[must_use]
    pub fn adjust(&self, result: i64, controls: &[i64; N]) -> i64 {
        let explained: i64 = self.0.iter().zip(controls).map(|(coefficient, control)| coefficient * control).sum();
        result * FINE * CONTROL - explained
    }
}

/// Collects results with their controls, and computes the least-squares coefficients.
#[derive(Debug, Clone)]
pub struct Regression<const N: usize> {
    products: [[f64; N]; N],
    with_result: [f64; N],
    squares: f64,
    count: f64,
    fair: f64,
}

impl<const N: usize> Regression<N> {
    /// Sums for results with a mean near `fair`.
    #[must_use]
    pub const fn new(fair: f64) -> Self {
        Self { products: [[0.0; N]; N], with_result: [0.0; N], squares: 0.0, count: 0.0, fair }
    }

    /// Adds one result, with its controls in parts of 1/[`CONTROL`].
    pub fn add(&mut self, result: i64, controls: &[i64; N]) {
        let controls = controls.map(|control| control as f64 / CONTROL as f64);
        let result = result as f64 - self.fair;
        for (i, row) in self.products.iter_mut().enumerate() {
            self.with_result[i] += controls[i] * result;
            row.iter_mut().zip(controls).for_each(|(product, other)| *product += controls[i] * other);
        }
        self.squares += result * result;
        self.count += 1.0;
    }

    /// The coefficients; 0 for controls that were always 0.
    ///
    /// They are shrunk toward 0 by the part of the explained variance that is expected by chance, so that a small pilot does
    /// no harm (James and Stein, 1961).
    #[must_use]
    pub fn coefficients(&self) -> Coefficients<N> {
        let mut matrix: Vec<Vec<f64>> = self.products.iter().map(|row| row.to_vec()).collect();
        (0..N).for_each(|i| matrix[i][i] += 1.0);
        let solution = solve(matrix, self.with_result.to_vec()).unwrap_or_else(|| vec![0.0; N]);
        let explained: f64 = solution.iter().zip(&self.with_result).map(|(worth, with)| worth * with).sum();
        let left = (self.squares - explained).max(0.0) / self.count.max(1.0);
        let fitted = (0..N).filter(|&i| self.products[i][i] > 0.0).count() as f64;
        let kept = if explained > 0.0 { (1.0 - fitted * left / explained).max(0.0) } else { 0.0 };
        #[expect(clippy::cast_possible_truncation, reason = "a result has some thousand units: far below the limit")]
        let whole = |worth: f64| (kept * worth * FINE as f64).round() as i64;
        Coefficients(std::array::from_fn(|i| whole(solution[i])))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn true_coefficients_are_recovered() {
        let mut regression = Regression::<7>::new(0.0);
        for i in 0..1000_i64 {
            let luck: [i64; 7] = std::array::from_fn(|control| (i * (control as i64 + 3) * 7919 % 1000 - 500) * 10_000);
            regression.add((3 * luck[0] - 2 * luck[5]) / 1_000, &luck);
        }
        let Coefficients(found) = regression.coefficients();
        // A card is a million units: coefficients of three thousand and minus two thousand per card.
        let is_near = |found: i64, expected: i64| (found - expected).abs() * 50 < expected.abs();
        assert!(is_near(found[0], 3_000 * FINE) && is_near(found[5], -2_000 * FINE), "{found:?}");
        assert_eq!(Coefficients([FINE, 0, 0, 0, 0, 0, 0]).adjust(2, &[CONTROL, 7, 7, 7, 7, 7, 7]), FINE * CONTROL);
    }
}
