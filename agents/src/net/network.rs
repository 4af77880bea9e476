//! [`Network`]: the integer net.
//!
//! Three layers: the weights of the active inputs are added to the sums of the first hidden layer, which are clamped and
//! weighted to the sums of the second, which are clamped and weighted to the values. Weights have 16 bits and sums 32 or more,
//! which cannot overflow, so that every machine computes the same values.

use unolab_engine::cpu::{Isa, Kernel, dispatch};

use super::hidden_layers::{HiddenLayers, UnknownWidths, with_widths};
use super::inputs::Inputs;
use super::layout::INPUTS;

/// The net's output for an action: see [`Value`].
pub const VALUES: usize = 2;

/// The number that represents 1 in a weight.
pub const WEIGHT_ONE: i32 = 1 << WEIGHT_BITS;
const WEIGHT_BITS: u32 = 11;
/// The number that represents 1 between the layers.
pub const ACTIVATION_ONE: i32 = 1 << 8;
/// The largest number between the layers.
pub const ACTIVATION_MAX: i32 = 16 * ACTIVATION_ONE - 1;
/// The largest weight of the second and third layer: `BLOCK` times that by the largest number between the layers, with a
/// bias, fits into 32 bits.
pub const WEIGHT_MAX: i16 = 8180;
/// The largest bias.
pub const BIAS_MAX: i32 = 1 << 13;

/// The number of products that are added up in 32 bits.
const BLOCK: usize = 64;

/// The weights. The lengths of the slices follow from the widths of the hidden layers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Network {
    hidden: HiddenLayers,
    /// The weights of each input.
    pub first: Box<[i16]>,
    /// The initial values of the first sums, in [`WEIGHT_ONE`]s.
    pub first_bias: Box<[i32]>,
    /// The weights of each number of the second layer.
    pub second: Box<[i16]>,
    /// The biases, in units of 1/[`WEIGHT_ONE`].
    pub second_bias: Box<[i32]>,
    /// The weights of each value.
    pub third: Box<[i16]>,
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
    pub fn zero(hidden: HiddenLayers) -> Self {
        let [first, second] = hidden.widths();
        Self {
            hidden,
            first: vec![0; INPUTS * first].into(),
            first_bias: vec![0; first].into(),
            second: vec![0; first * second].into(),
            second_bias: vec![0; second].into(),
            third: vec![0; second * VALUES].into(),
            third_bias: [0; VALUES],
        }
    }

    /// The mean of the values of some nets, as one net whose hidden layers are as wide as all of theirs together.
    ///
    /// # Errors
    /// If no net has these widths.
    pub fn mean(nets: &[&Self]) -> Result<Self, UnknownWidths> {
        let widths = nets.iter().map(|net| net.hidden.widths());
        let hidden = HiddenLayers::of(widths.fold([0, 0], |[a, b], [first, second]| [a + first, b + second]))?;
        let [first, second] = hidden.widths();
        let count = i16::try_from(nets.len()).unwrap_or(i16::MAX);
        let mut mean = Self::zero(hidden);
        // The units of each net come after the units of the nets before it, and no weight joins units of different nets.
        let (mut before, mut before_in_second) = (0, 0);
        for net in nets {
            let [own, own_second] = net.hidden.widths();
            let inputs = mean.first.chunks_exact_mut(first);
            let units = mean.second.chunks_exact_mut(first).skip(before_in_second);
            let (of_inputs, of_units) = (net.first.chunks_exact(own), net.second.chunks_exact(own));
            for (row, weights) in inputs.zip(of_inputs).chain(units.zip(of_units)) {
                row[before..before + own].copy_from_slice(weights);
            }
            mean.first_bias[before..before + own].copy_from_slice(&net.first_bias);
            mean.second_bias[before_in_second..before_in_second + own_second].copy_from_slice(&net.second_bias);
            for (row, weights) in mean.third.chunks_exact_mut(second).zip(net.third.chunks_exact(own_second)) {
                for (weight, &of_net) in row[before_in_second..].iter_mut().zip(weights) {
                    *weight = of_net / count;
                }
            }
            before += own;
            before_in_second += own_second;
        }
        let sum = |value: usize| nets.iter().map(|net| net.third_bias[value]).sum::<i32>();
        mean.third_bias = std::array::from_fn(|value| sum(value) / i32::from(count));
        Ok(mean)
    }

    /// Its hidden layers.
    #[must_use]
    pub const fn hidden(&self) -> HiddenLayers {
        self.hidden
    }

    /// The value of every action, in their order.
    pub fn values(&self, inputs: &Inputs, sums: &mut Vec<i32>, values: &mut Vec<Value>) {
        with_widths!(self.hidden, FIRST, SECOND => {
            dispatch(Evaluation { layers: self.layers::<FIRST, SECOND>(), inputs, sums, values });
        });
    }

    /// The weights by rows of these widths.
    fn layers<const FIRST: usize, const SECOND: usize>(&self) -> Layers<'_, FIRST, SECOND> {
        const WIDE: &str = "as wide as the layer";
        Layers {
            first: self.first.as_chunks().0,
            first_bias: (*self.first_bias).try_into().expect(WIDE),
            second: self.second.as_chunks().0.try_into().expect(WIDE),
            second_bias: (*self.second_bias).try_into().expect(WIDE),
            third: self.third.as_chunks().0.try_into().expect(WIDE),
            third_bias: &self.third_bias,
        }
    }
}

/// The weights of a [`Network`] with these widths of its hidden layers.
#[derive(Clone, Copy)]
struct Layers<'a, const FIRST: usize, const SECOND: usize> {
    first: &'a [[i16; FIRST]],
    first_bias: &'a [i32; FIRST],
    second: &'a [[i16; FIRST]; SECOND],
    second_bias: &'a [i32; SECOND],
    third: &'a [[i16; SECOND]; VALUES],
    third_bias: &'a [i32; VALUES],
}

impl<const FIRST: usize, const SECOND: usize> Layers<'_, FIRST, SECOND> {
    #[inline(always)]
    fn value(self, sums: &[i32; FIRST]) -> Value {
        let mut hidden = [0_i16; FIRST];
        for (hidden, &sum) in hidden.iter_mut().zip(sums) {
            *hidden = cut(sum / (WEIGHT_ONE / ACTIVATION_ONE));
        }
        let mut second = [0_i16; SECOND];
        for ((second, weights), bias) in second.iter_mut().zip(self.second).zip(self.second_bias) {
            let blocks = weights.as_chunks::<BLOCK>().0.iter().zip(hidden.as_chunks::<BLOCK>().0);
            let sum: i64 = blocks.map(|(weights, numbers)| i64::from(dot(weights, numbers))).sum();
            // Unlike a division, a shift rounds down, which matters only for negative sums; both become 0.
            #[expect(clippy::cast_possible_truncation, reason = "a few millions")]
            let shifted = ((sum + i64::from(bias * ACTIVATION_ONE)) >> WEIGHT_BITS) as i32;
            *second = cut(shifted);
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
struct Evaluation<'a, const FIRST: usize, const SECOND: usize> {
    layers: Layers<'a, FIRST, SECOND>,
    inputs: &'a Inputs,
    sums: &'a mut Vec<i32>,
    values: &'a mut Vec<Value>,
}

impl<const FIRST: usize, const SECOND: usize> Kernel for Evaluation<'_, FIRST, SECOND> {
    type Output = ();
    #[inline(always)]
    fn run<M: Isa>(self) {
        let Self { layers, inputs, sums, values } = self;
        sums.clear();
        values.clear();
        for shared in inputs.shared() {
            let mut sum = *layers.first_bias;
            for &input in &shared.on {
                add(&mut sum, &layers.first[usize::from(input)]);
            }
            sums.extend_from_slice(&sum);
        }
        for &own in inputs.own() {
            let mut sum = sums.as_chunks::<FIRST>().0[own.shared];
            for &input in inputs.added(own) {
                add(&mut sum, &layers.first[usize::from(input)]);
            }
            for &input in inputs.removed(own) {
                for (sum, &weight) in sum.iter_mut().zip(&layers.first[usize::from(input)]) {
                    *sum -= i32::from(weight);
                }
            }
            values.push(layers.value(&sum));
        }
    }
}

#[inline(always)]
fn add<const N: usize>(sum: &mut [i32; N], weights: &[i16; N]) {
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
        for hidden in HiddenLayers::ALL {
            let mut network = Network::zero(hidden);
            network.first.fill(i16::MAX);
            network.first_bias.fill(BIAS_MAX);
            network.second.fill(WEIGHT_MAX);
            network.second_bias.fill(BIAS_MAX);
            network.third.fill(WEIGHT_MAX);
            let win = |network: &Network| {
                with_widths!(hidden, FIRST, SECOND => {
                    let layers = network.layers::<FIRST, SECOND>();
                    let mut sum = *layers.first_bias;
                    layers.first.iter().for_each(|weights| add(&mut sum, weights));
                    layers.value(&sum).win
                })
            };
            assert!(win(&network) > 0);
            network.second.fill(-WEIGHT_MAX);
            network.second_bias.fill(-BIAS_MAX);
            assert_eq!(win(&network), 0);
        }
    }
}
