//! [`Network`]: the integer net.
//!
//! Three layers: the weights of the active inputs are added to [`HIDDEN`] sums, which are clamped and weighted to [`SECOND`]
//! sums, which are clamped and weighted to the values. Weights have 16 bits and sums 32, which cannot overflow, so that every
//! machine computes the same values.

use unolab_engine::cpu::{Isa, Kernel, dispatch};

use super::inputs::Inputs;
use super::layout::INPUTS;

/// The width of the first layer.
pub const HIDDEN: usize = 64;
/// The width of the second layer.
pub const SECOND: usize = 32;
/// The net's output for an action: see [`Value`].
pub const VALUES: usize = 2;

/// The number that represents 1 in a weight.
pub const WEIGHT_ONE: i32 = 1 << 11;
/// The number that represents 1 between the layers.
pub const ACTIVATION_ONE: i32 = 1 << 8;
/// The largest number between the layers.
pub const ACTIVATION_MAX: i32 = 16 * ACTIVATION_ONE - 1;
/// The largest weight of the second and third layer: 64 times that by the largest number between the layers, with a bias,
/// fits into 32 bits.
pub const WEIGHT_MAX: i16 = 8180;
/// The largest bias.
pub const BIAS_MAX: i32 = 1 << 13;

/// The weights.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    /// The weights of each input.
    pub first: Vec<[i16; HIDDEN]>,
    /// The initial values of the first sums, in [`WEIGHT_ONE`]s.
    pub first_bias: [i32; HIDDEN],
    /// The weights of each number of the second layer.
    pub second: [[i16; HIDDEN]; SECOND],
    /// The biases, in units of 1/[`WEIGHT_ONE`].
    pub second_bias: [i32; SECOND],
    /// The weights of each value.
    pub third: [[i16; SECOND]; VALUES],
    /// The biases, in units of 1/[`WEIGHT_ONE`].
    pub third_bias: [i32; VALUES],
}

/// The value of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Value {
    /// The log-odds to win the round; 2^19 represents 1.
    pub win: i32,
    /// The expected points of the round, in hundreds; 2^19 represents 1.
    pub points: i32,
}

impl Value {
    /// The probability of winning the round.
    #[must_use]
    pub fn chance_to_win(self) -> f64 {
        logistic(f64::from(self.win) / f64::from(WEIGHT_ONE * ACTIVATION_ONE))
    }
}

impl Network {
    /// A net whose weights are all 0.
    #[must_use]
    pub fn zero() -> Self {
        Self {
            first: vec![[0; HIDDEN]; INPUTS],
            first_bias: [0; HIDDEN],
            second: [[0; HIDDEN]; SECOND],
            second_bias: [0; SECOND],
            third: [[0; SECOND]; VALUES],
            third_bias: [0; VALUES],
        }
    }

    /// The value of every action, in their order.
    pub fn values(&self, inputs: &Inputs, sums: &mut Vec<[i32; HIDDEN]>, values: &mut Vec<Value>) {
        dispatch(Evaluation { network: self, inputs, sums, values });
    }

    #[inline(always)]
    fn value(&self, sums: &[i32; HIDDEN]) -> Value {
        let mut hidden = [0_i16; HIDDEN];
        for (hidden, &sum) in hidden.iter_mut().zip(sums) {
            *hidden = cut(sum / (WEIGHT_ONE / ACTIVATION_ONE));
        }
        let mut second = [0_i16; SECOND];
        for ((second, weights), bias) in second.iter_mut().zip(&self.second).zip(self.second_bias) {
            *second = cut((dot(weights, &hidden) + bias * ACTIVATION_ONE) / WEIGHT_ONE);
        }
        let [win, points]: [i32; VALUES] =
            std::array::from_fn(|i| dot(&self.third[i], &second) + self.third_bias[i] * ACTIVATION_ONE);
        Value { win, points }
    }
}

/// Clamps a sum to a number between the layers.
#[inline(always)]
fn cut(sum: i32) -> i16 {
    sum.clamp(0, ACTIVATION_MAX) as i16
}

#[inline(always)]
fn dot<const N: usize>(weights: &[i16; N], numbers: &[i16; N]) -> i32 {
    weights.iter().zip(numbers).map(|(&weight, &number)| i32::from(weight) * i32::from(number)).sum()
}

/// The evaluation of the actions of a decision, compiled for this instruction set.
struct Evaluation<'a> {
    network: &'a Network,
    inputs: &'a Inputs,
    sums: &'a mut Vec<[i32; HIDDEN]>,
    values: &'a mut Vec<Value>,
}

impl Kernel for Evaluation<'_> {
    type Output = ();
    #[inline(always)]
    fn run<M: Isa>(self) {
        let Self { network, inputs, sums, values } = self;
        sums.clear();
        values.clear();
        for shared in inputs.shared() {
            let mut sum = network.first_bias;
            for &input in &shared.on {
                add(&mut sum, &network.first[usize::from(input)]);
            }
            sums.push(sum);
        }
        for &own in inputs.own() {
            let mut sum = sums[own.shared];
            for &input in inputs.added(own) {
                add(&mut sum, &network.first[usize::from(input)]);
            }
            for &input in inputs.removed(own) {
                for (sum, &weight) in sum.iter_mut().zip(&network.first[usize::from(input)]) {
                    *sum -= i32::from(weight);
                }
            }
            values.push(network.value(&sum));
        }
    }
}

#[inline(always)]
fn add(sum: &mut [i32; HIDDEN], weights: &[i16; HIDDEN]) {
    for (sum, &weight) in sum.iter_mut().zip(weights) {
        *sum += i32::from(weight);
    }
}

/// `1 / (1 + e^-x)`, by additions, multiplications, and one division, so that every machine computes the same number.
#[must_use]
pub fn logistic(x: f64) -> f64 {
    let x = x.clamp(-40.0, 40.0);
    // e^-|x| as the 1024th power of a number near 1.
    let small = -x.abs() / 1024.0;
    let series = [1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];
    let root = series.into_iter().fold(1.0 / 120.0, |sum, term| sum * small + term);
    let power = (0..10).fold(root, |power, _| power * power);
    let upper = 1.0 / (1.0 + power);
    if x >= 0.0 { upper } else { 1.0 - upper }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logistic_function_matches_library() {
        for x in -400..=400 {
            let x = f64::from(x) / 10.0;
            assert!((logistic(x) - 1.0 / (1.0 + (-x).exp())).abs() < 1e-12, "{x}");
        }
    }

    /// No weights cause an overflow, which would panic in tests.
    #[test]
    fn largest_weights_do_not_overflow() {
        let mut network = Network::zero();
        network.first.iter_mut().flatten().for_each(|weight| *weight = i16::MAX);
        network.first_bias = [BIAS_MAX; HIDDEN];
        network.second = [[WEIGHT_MAX; HIDDEN]; SECOND];
        network.second_bias = [BIAS_MAX; SECOND];
        network.third = [[WEIGHT_MAX; SECOND]; VALUES];
        let mut sum = network.first_bias;
        (0..INPUTS).for_each(|input| add(&mut sum, &network.first[input]));
        assert!(network.value(&sum).win > 0);
        network.second = [[-WEIGHT_MAX; HIDDEN]; SECOND];
        network.second_bias = [-BIAS_MAX; SECOND];
        assert_eq!(network.value(&sum).win, 0);
    }
}
