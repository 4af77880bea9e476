//! [`FloatNet`]: the net during training, in floating point.
//!
//! Sums are computed in a fixed order, on any processor and with any number of threads, so the same steps give the same
//! weights. At the end they are rounded to the integers used in play.

use serde::{Deserialize, Serialize};
use unolab_engine::cpu::{Isa, Kernel, dispatch};
use unolab_engine::rng::Rng;

use super::INPUTS;
use super::hidden_layers::{HiddenLayers, with_widths};
use super::network::{ACTIVATION_ONE, BIAS_MAX, Network, VALUES, WEIGHT_MAX, WEIGHT_ONE, logistic};

/// The largest number between the layers, as in the integer net.
const ACTIVATION_MAX: f32 = (16 * ACTIVATION_ONE - 1) as f32 / ACTIVATION_ONE as f32;
/// The largest weight of a later layer, as in the integer net.
const LATER_MAX: f32 = WEIGHT_MAX as f32 / WEIGHT_ONE as f32;
/// The largest bias, as in the integer net.
const BIAS_LIMIT: f32 = BIAS_MAX as f32 / WEIGHT_ONE as f32;
/// The largest weight of an input.
const FIRST_MAX: f32 = i16::MAX as f32 / WEIGHT_ONE as f32;

/// The weight of an error in points relative to one in the result.
const POINTS_SHARE: f32 = 0.1;

/// The first positions of the parameters of a net: the weights of each input, the first biases, then the second layer's
/// weights by input, and so on.
#[derive(Debug, Clone, Copy)]
struct Positions {
    first_bias: usize,
    second: usize,
    second_bias: usize,
    third: usize,
    third_bias: usize,
}

impl Positions {
    #[inline(always)]
    const fn of([first, second]: [usize; 2]) -> Self {
        let first_bias = INPUTS * first;
        let second_weights = first_bias + first;
        let second_bias = second_weights + first * second;
        let third = second_bias + second;
        Self { first_bias, second: second_weights, second_bias, third, third_bias: third + VALUES * second }
    }

    /// The largest weight at this position, as in the integer net.
    #[inline(always)]
    const fn limit_of(&self, at: usize) -> f32 {
        if at < self.first_bias {
            FIRST_MAX
        } else if (self.second <= at && at < self.second_bias) || (self.third <= at && at < self.third_bias) {
            LATER_MAX
        } else {
            BIAS_LIMIT
        }
    }
}

/// The number of parameters of a net.
#[must_use]
pub const fn parameters(hidden: HiddenLayers) -> usize {
    Positions::of(hidden.widths()).third_bias + VALUES
}

/// The net during training.
#[derive(Debug, Clone, PartialEq)]
pub struct FloatNet {
    hidden: HiddenLayers,
    weights: Vec<f32>,
}

/// One chosen action, and its outcome.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Sample {
    /// The range of its inputs in the list of all inputs.
    pub inputs: (u32, u32),
    /// 1 if the round was won, otherwise 0.
    pub win: f32,
    /// The points of the round, in hundreds.
    pub points: f32,
    /// The weight of the sample.
    pub weight: f32,
}

/// Samples of some games.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Samples {
    /// The active inputs of all samples, one sample after the other.
    pub inputs: Vec<u16>,
    /// The samples.
    pub samples: Vec<Sample>,
}

impl Samples {
    /// The inputs of a sample.
    #[must_use]
    pub fn inputs_of(&self, sample: &Sample) -> &[u16] {
        &self.inputs[sample.inputs.0 as usize..sample.inputs.1 as usize]
    }

    /// Appends the samples of other games.
    ///
    /// # Panics
    /// If there are more than 2^32 inputs.
    pub fn append(&mut self, other: &Self) {
        let shift = u32::try_from(self.inputs.len()).expect("a few million inputs");
        self.inputs.extend(&other.inputs);
        let shifted =
            |sample: &Sample| Sample { inputs: (sample.inputs.0 + shift, sample.inputs.1 + shift), ..*sample };
        self.samples.extend(other.samples.iter().map(shifted));
    }
}

/// The gradient of some samples, and the loss.
#[derive(Debug, Clone, PartialEq)]
pub struct Gradient {
    /// The derivative by each parameter.
    pub slopes: Vec<f32>,
    /// The sum of the samples' logarithmic losses, times their weights.
    pub loss: f64,
    /// The sum of the samples' weights.
    pub weight: f64,
}

impl Gradient {
    /// The gradient of no samples.
    #[must_use]
    pub fn zero(hidden: HiddenLayers) -> Self {
        Self { slopes: vec![0.0; parameters(hidden)], loss: 0.0, weight: 0.0 }
    }
}

/// The numbers between the layers, for one sample.
struct Forward<const FIRST: usize, const SECOND: usize> {
    hidden: [f32; FIRST],
    second: [f32; SECOND],
    values: [f32; VALUES],
}

impl FloatNet {
    /// An untrained net, with small random weights.
    #[must_use]
    pub fn random(hidden: HiddenLayers, rng: &mut Rng) -> Self {
        let mut weights = vec![0.0; parameters(hidden)];
        let mut fill = |from: usize, to: usize, size: f64| {
            #[expect(clippy::cast_possible_truncation, reason = "small random numbers")]
            weights[from..to].iter_mut().for_each(|weight| *weight = (size * (2.0 * rng.unit() - 1.0)) as f32);
        };
        let [first, _] = hidden.widths();
        let at = Positions::of(hidden.widths());
        fill(0, at.first_bias, 0.15);
        // The variance of a sum does not depend on the width.
        fill(at.second, at.second_bias, 2.0 / (first as f64).sqrt());
        fill(at.third, at.third_bias, 0.1);
        Self { hidden, weights }
    }

    /// The net with these parameters; `None` if their number is another.
    #[must_use]
    pub fn with(hidden: HiddenLayers, weights: Vec<f32>) -> Option<Self> {
        (weights.len() == parameters(hidden)).then_some(Self { hidden, weights })
    }

    /// Its hidden layers.
    #[must_use]
    pub const fn hidden(&self) -> HiddenLayers {
        self.hidden
    }

    /// Its parameters.
    #[must_use]
    pub fn weights(&self) -> &[f32] {
        &self.weights
    }

    /// The net with these integer weights.
    #[must_use]
    pub fn of(network: &Network) -> Self {
        let hidden = network.hidden();
        let [first, _] = hidden.widths();
        let mut weights = Vec::with_capacity(parameters(hidden));
        let as_float = |weight: i32| weight as f32 / WEIGHT_ONE as f32;
        weights.extend(network.first.iter().map(|&weight| as_float(weight.into())));
        weights.extend(network.first_bias.iter().copied().map(as_float));
        for from in 0..first {
            weights.extend(network.second.chunks_exact(first).map(|to| as_float(to[from].into())));
        }
        weights.extend(network.second_bias.iter().copied().map(as_float));
        weights.extend(network.third.iter().map(|&weight| as_float(weight.into())));
        weights.extend(network.third_bias.map(as_float));
        Self { hidden, weights }
    }

    /// The nearest integer net.
    #[must_use]
    pub fn to_network(&self) -> Network {
        let near = |weight: f32, limit: i32| {
            (f64::from(weight) * f64::from(WEIGHT_ONE)).round().clamp(-f64::from(limit), f64::from(limit))
        };
        let weights = &self.weights;
        #[expect(clippy::cast_possible_truncation, reason = "within the limit")]
        let whole = |at: usize, limit: i16| near(weights[at], limit.into()) as i16;
        #[expect(clippy::cast_possible_truncation, reason = "within the limit")]
        let bias = |at: usize| near(weights[at], BIAS_MAX) as i32;
        let [first, second] = self.hidden.widths();
        let at = Positions::of(self.hidden.widths());
        let mut network = Network::zero(self.hidden);
        network.first.iter_mut().zip(0..).for_each(|(own, i)| *own = whole(i, i16::MAX));
        network.first_bias.iter_mut().zip(at.first_bias..).for_each(|(own, i)| *own = bias(i));
        for (to, row) in network.second.chunks_exact_mut(first).enumerate() {
            row.iter_mut().enumerate().for_each(|(from, own)| *own = whole(at.second + from * second + to, WEIGHT_MAX));
        }
        network.second_bias.iter_mut().zip(at.second_bias..).for_each(|(own, i)| *own = bias(i));
        network.third.iter_mut().zip(at.third..).for_each(|(own, i)| *own = whole(i, WEIGHT_MAX));
        network.third_bias.iter_mut().zip(at.third_bias..).for_each(|(own, i)| *own = bias(i));
        network
    }

    /// The outputs of the net for these inputs: the log-odds to win, and hundreds of points.
    #[must_use]
    pub fn values(&self, inputs: &[u16]) -> [f32; VALUES] {
        with_widths!(self.hidden, FIRST, SECOND => self.forward::<FIRST, SECOND>(inputs).values)
    }

    #[inline(always)]
    fn forward<const FIRST: usize, const SECOND: usize>(&self, inputs: &[u16]) -> Forward<FIRST, SECOND> {
        let weights = &self.weights[..];
        let at = Positions::of([FIRST, SECOND]);
        let mut hidden = row::<FIRST>(weights, at.first_bias);
        for &input in inputs {
            let weights = row::<FIRST>(weights, usize::from(input) * FIRST);
            hidden.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += weight);
        }
        let hidden = hidden.map(|sum| sum.clamp(0.0, ACTIVATION_MAX));
        let mut second = row::<SECOND>(weights, at.second_bias);
        for (from, number) in hidden.into_iter().enumerate() {
            if number > 0.0 {
                let weights = row::<SECOND>(weights, at.second + from * SECOND);
                second.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += number * weight);
            }
        }
        let second = second.map(|sum| sum.clamp(0.0, ACTIVATION_MAX));
        let values = std::array::from_fn(|value| {
            weights[at.third_bias + value] + dot(&row(weights, at.third + value * SECOND), &second)
        });
        Forward { hidden, second, values }
    }

    /// Adds a sample's gradient.
    #[inline(always)]
    fn learn_from<const FIRST: usize, const SECOND: usize>(
        &self,
        inputs: &[u16],
        sample: &Sample,
        gradient: &mut Gradient,
    ) {
        let Forward { hidden, second, values } = self.forward::<FIRST, SECOND>(inputs);
        let chance = logistic(f64::from(values[0]));
        let expected = f64::from(sample.win);
        let miss = if sample.win > 0.5 { chance } else { 1.0 - chance };
        gradient.loss += f64::from(sample.weight) * loss_of(miss);
        gradient.weight += f64::from(sample.weight);
        #[expect(clippy::cast_possible_truncation, reason = "between -1 and 1")]
        let wrong =
            [sample.weight * (chance - expected) as f32, sample.weight * POINTS_SHARE * (values[1] - sample.points)];
        let (weights, slopes) = (&self.weights[..], &mut gradient.slopes[..]);
        let at = Positions::of([FIRST, SECOND]);
        let mut back = [0.0; SECOND];
        for (value, wrong) in wrong.into_iter().enumerate() {
            slopes[at.third_bias + value] += wrong;
            let own = row::<SECOND>(weights, at.third + value * SECOND);
            back.iter_mut().zip(own).for_each(|(back, weight)| *back += wrong * weight);
            let slopes = row_mut::<SECOND>(slopes, at.third + value * SECOND);
            slopes.iter_mut().zip(second).for_each(|(slope, number)| *slope += wrong * number);
        }
        pass_where_open(&mut back, &second);
        row_mut::<SECOND>(slopes, at.second_bias).iter_mut().zip(back).for_each(|(slope, back)| *slope += back);
        let mut back_hidden = [0.0; FIRST];
        for (from, number) in hidden.into_iter().enumerate() {
            if number > 0.0 {
                let at = at.second + from * SECOND;
                back_hidden[from] = dot(&row(weights, at), &back);
                row_mut::<SECOND>(slopes, at).iter_mut().zip(back).for_each(|(slope, back)| *slope += number * back);
            }
        }
        pass_where_open(&mut back_hidden, &hidden);
        let biases = row_mut::<FIRST>(slopes, at.first_bias);
        biases.iter_mut().zip(back_hidden).for_each(|(slope, back)| *slope += back);
        for &input in inputs {
            let slopes = row_mut::<FIRST>(slopes, usize::from(input) * FIRST);
            slopes.iter_mut().zip(back_hidden).for_each(|(slope, back)| *slope += back);
        }
    }

    /// The gradient of these samples.
    #[must_use]
    pub fn gradient(&self, samples: &Samples, chosen: &[u32]) -> Gradient {
        with_widths!(self.hidden, FIRST, SECOND => {
            dispatch(Learning::<FIRST, SECOND> { net: self, samples, chosen })
        })
    }
}

/// The logarithmic loss of a probability, with operations that give the same result on every machine.
fn loss_of(chance: f64) -> f64 {
    // ln x = 2 artanh((x - 1) / (x + 1)), for a number between 1/2 and 1.
    let (mut number, mut halved) = (chance.max(1e-12), 0.0);
    while number < 0.5 {
        number *= 2.0;
        halved += 1.0;
    }
    let ratio = (number - 1.0) / (number + 1.0);
    let square = ratio * ratio;
    let series = (0..12).rev().fold(0.0, |sum, i| sum * square + 1.0 / f64::from(2 * i + 1));
    halved * std::f64::consts::LN_2 - 2.0 * ratio * series
}

/// A clamped value has no gradient.
#[inline(always)]
fn pass_where_open<const N: usize>(back: &mut [f32; N], numbers: &[f32; N]) {
    for (back, &number) in back.iter_mut().zip(numbers) {
        if number <= 0.0 || number >= ACTIVATION_MAX {
            *back = 0.0;
        }
    }
}

#[inline(always)]
fn row<const N: usize>(weights: &[f32], at: usize) -> [f32; N] {
    weights[at..at + N].try_into().expect("as long as the row")
}

#[inline(always)]
fn row_mut<const N: usize>(weights: &mut [f32], at: usize) -> &mut [f32; N] {
    (&mut weights[at..at + N]).try_into().expect("as long as the row")
}

/// Eight partial sums that are added at the end: a fixed order, and a fast one.
#[inline(always)]
fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut sums = [0.0; 8];
    for (a, b) in a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0) {
        for i in 0..8 {
            sums[i] += a[i] * b[i];
        }
    }
    sums.into_iter().sum()
}

/// A training step, compiled for this instruction set.
struct Learning<'a, const FIRST: usize, const SECOND: usize> {
    net: &'a FloatNet,
    samples: &'a Samples,
    chosen: &'a [u32],
}

impl<const FIRST: usize, const SECOND: usize> Kernel for Learning<'_, FIRST, SECOND> {
    type Output = Gradient;
    #[inline(always)]
    fn run<M: Isa>(self) -> Gradient {
        let mut gradient = Gradient::zero(self.net.hidden);
        for &chosen in self.chosen {
            let sample = &self.samples.samples[chosen as usize];
            self.net.learn_from::<FIRST, SECOND>(self.samples.inputs_of(sample), sample, &mut gradient);
        }
        gradient
    }
}

/// Adam (Kingma and Ba, 2015): each weight moves by its mean gradient, divided by the root of its mean squared gradient.
#[derive(Debug, Clone, PartialEq)]
pub struct Adam {
    /// The means of the gradients.
    pub mean: Vec<f32>,
    /// The means of the squared gradients.
    pub square: Vec<f32>,
    /// The number of steps.
    pub steps: u64,
}

impl Adam {
    const KEPT_OF_MEAN: f32 = 0.9;
    const KEPT_OF_SQUARE: f32 = 0.999;

    /// The optimizer before the first step.
    #[must_use]
    pub fn new(hidden: HiddenLayers) -> Self {
        Self { mean: vec![0.0; parameters(hidden)], square: vec![0.0; parameters(hidden)], steps: 0 }
    }

    /// Updates the weights by the sum of these gradients.
    pub fn step(&mut self, net: &mut FloatNet, gradients: &[Gradient], rate: f64) {
        self.step_in_slices(net, gradients, rate).into_iter().for_each(SliceStep::run);
    }

    /// The update by the sum of these gradients, in slices that threads may process in any order: each weight has its own
    /// sum, in the order of the gradients.
    pub fn step_in_slices<'a>(
        &'a mut self,
        net: &'a mut FloatNet,
        gradients: &'a [Gradient],
        rate: f64,
    ) -> Vec<SliceStep<'a>> {
        self.steps += 1;
        let missing = |kept: f32| 1.0 - power(f64::from(kept), self.steps);
        let rate = rate * missing(Self::KEPT_OF_SQUARE).sqrt() / missing(Self::KEPT_OF_MEAN);
        let weight = gradients.iter().map(|gradient| gradient.weight).sum::<f64>();
        #[expect(clippy::cast_possible_truncation, reason = "small numbers")]
        let (rate, share) = (rate as f32, (1.0 / weight.max(1e-9)) as f32);
        let moments = self.mean.chunks_mut(SLICE).zip(self.square.chunks_mut(SLICE));
        let at = Positions::of(net.hidden.widths());
        let slices = net.weights.chunks_mut(SLICE).zip(moments).enumerate();
        let step = |(slice, (weights, (mean, square)))| SliceStep {
            from: slice * SLICE,
            at,
            weights,
            mean,
            square,
            gradients,
            rate,
            share,
        };
        slices.map(step).collect()
    }
}

/// Exponentiation by squaring, in a fixed order.
fn power(base: f64, exponent: u64) -> f64 {
    let (mut result, mut square, mut left) = (1.0, base, exponent);
    while left > 0 {
        if left % 2 == 1 {
            result *= square;
        }
        square *= square;
        left /= 2;
    }
    result
}

/// The number of weights in a slice: enough work for a thread, and their sums fit into its L1 cache.
const SLICE: usize = 2_048;

/// The update of a slice of weights.
#[derive(Debug)]
pub struct SliceStep<'a> {
    /// The first weight.
    from: usize,
    at: Positions,
    weights: &'a mut [f32],
    mean: &'a mut [f32],
    square: &'a mut [f32],
    gradients: &'a [Gradient],
    rate: f32,
    /// One divided by the weight of all samples.
    share: f32,
}

impl SliceStep<'_> {
    /// Updates the weights.
    pub fn run(self) {
        dispatch(self);
    }
}

impl Kernel for SliceStep<'_> {
    type Output = ();
    #[inline(always)]
    fn run<M: Isa>(self) {
        let Self { from, at, weights, mean, square, gradients, rate, share } = self;
        let mut slopes = [0.0; SLICE];
        for gradient in gradients {
            slopes.iter_mut().zip(&gradient.slopes[from..]).for_each(|(sum, slope)| *sum += slope);
        }
        let moments = mean.iter_mut().zip(square);
        for ((weight, slope), (mean, square)) in weights.iter_mut().zip(slopes).zip(moments) {
            let slope = slope * share;
            *mean += (1.0 - Adam::KEPT_OF_MEAN) * (slope - *mean);
            *square += (1.0 - Adam::KEPT_OF_SQUARE) * (slope * slope - *square);
            *weight -= rate * *mean / (square.sqrt() + 1e-8);
        }
        for (i, weight) in (from..).zip(weights) {
            let limit = at.limit_of(i);
            *weight = weight.clamp(-limit, limit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn samples() -> Samples {
        let inputs: Vec<u16> = vec![0, 7, 100, 3, 7, 500, 548];
        let sample = |inputs, win, points| Sample { inputs, win, points, weight: 0.7 };
        Samples { inputs, samples: vec![sample((0, 3), 1.0, 0.4), sample((3, 7), 0.0, -0.2)] }
    }

    fn loss(net: &FloatNet, samples: &Samples) -> f64 {
        let of = |sample: &Sample| {
            let [win, points] = net.values(samples.inputs_of(sample)).map(f64::from);
            let chance = 1.0 / (1.0 + (-win).exp());
            let miss = if sample.win > 0.5 { chance } else { 1.0 - chance };
            f64::from(sample.weight) * (-miss.ln() + 0.05 * (points - f64::from(sample.points)).powi(2))
        };
        samples.samples.iter().map(of).sum()
    }

    /// The gradients agree with finite differences.
    #[test]
    fn gradient_matches_finite_differences() {
        let net = FloatNet::random(HiddenLayers::default(), &mut Rng::from_seed(3));
        let samples = samples();
        let gradient = net.gradient(&samples, &[0, 1]);
        let (mut checked, mut at_a_bend) = (0, 0);
        let here = loss(&net, &samples);
        for at in (0..net.weights.len()).filter(|&at| gradient.slopes[at].abs() > 1e-3) {
            let moved = |step: f32| {
                let mut other = net.clone();
                other.weights[at] += step;
                loss(&other, &samples)
            };
            let [left, right] = [(here - moved(-2e-3)) / 2e-3, (moved(2e-3) - here) / 2e-3];
            // The derivative does not exist where a number between the layers is about 0.
            if (left - right).abs() > 2e-3 {
                at_a_bend += 1;
                continue;
            }
            let (difference, slope) = (f64::midpoint(left, right), f64::from(gradient.slopes[at]));
            assert!((difference - slope).abs() < 1e-3 + 0.02 * slope.abs(), "{at}: {difference}, {slope}");
            checked += 1;
        }
        assert!(checked > 200 && at_a_bend < checked / 10, "{checked}, {at_a_bend}");
        let expected: f64 = gradient.loss;
        let points = |sample: &Sample| {
            0.05 * f64::from(sample.weight)
                * f64::from(net.values(samples.inputs_of(sample))[1] - sample.points).powi(2)
        };
        assert!((loss(&net, &samples) - expected - samples.samples.iter().map(points).sum::<f64>()).abs() < 1e-6);
    }

    /// The integer net has approximately the same outputs.
    #[test]
    fn quantized_net_approximates_float_net() {
        let net = FloatNet::random(HiddenLayers::Of256And64, &mut Rng::from_seed(4));
        let again = FloatNet::of(&net.to_network());
        for (one, other) in net.weights.iter().zip(&again.weights) {
            assert!((one - other).abs() <= 0.5 / WEIGHT_ONE as f32 + 1e-7);
        }
        let samples = samples();
        for sample in &samples.samples {
            let [a, b] = [&net, &again].map(|net| net.values(samples.inputs_of(sample)));
            assert!((a[0] - b[0]).abs() < 0.01, "{a:?} {b:?}");
        }
    }

    #[test]
    fn optimizer_steps_reduce_loss() {
        let mut net = FloatNet::random(HiddenLayers::Of128And32, &mut Rng::from_seed(5));
        let (samples, mut adam) = (samples(), Adam::new(net.hidden));
        let before = loss(&net, &samples);
        for _ in 0..100 {
            let gradient = net.gradient(&samples, &[0, 1]);
            adam.step(&mut net, std::slice::from_ref(&gradient), 0.002);
        }
        assert!(loss(&net, &samples) < 0.3 * before);
    }

    #[test]
    fn loss_is_logarithmic() {
        for chance in [1.0, 0.9, 0.5, 0.3, 0.01, 1e-9] {
            assert!((loss_of(chance) + f64::ln(chance)).abs() < 1e-9, "{chance}");
        }
    }
}
