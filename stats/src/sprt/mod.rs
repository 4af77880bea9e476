//! A sequential test of one agent against another, which plays until it is decided.
//!
//! A. Wald, "Sequential Tests of Statistical Hypotheses" (1945), with the generalized likelihood ratio (GSPRT). The effect is
//! t = (μ − fair share) / σ, in standard deviations of one game: μ is the mean result over sets, and σ is the standard
//! deviation of a set's mean result times the root of its number of games. In normalized Elo an effect t is 800/ln 10 · t, at
//! any number of seats. The likelihoods are exact for the observed set totals (`likelihood.rs`): the variance of a result
//! depends on its mean, and a test that assumes a fixed variance exceeds its error rates away from zero.
//!
//! Estimates have an interval that is valid although the results determine the end of the test: a confidence sequence
//! ([`Coverage::Anytime`]).

mod likelihood;
pub mod simulation;

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::interval::{Coverage, Interval};
use crate::set_totals::SetTotals;
use crate::share::Share;
use crate::unequal::{Stake, are_few};
use likelihood::{Distribution, Moments};

/// The hypotheses: the effect `nelo0` against the effect `nelo1`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Hypotheses {
    /// Effect under the null hypothesis, in normalized Elo.
    pub nelo0: f64,
    /// Effect under the alternative, above `nelo0`.
    pub nelo1: f64,
    /// The allowed probability of accepting the alternative although the null hypothesis is true: between 0 and 1,
    /// exclusive.
    pub alpha: f64,
    /// The allowed probability of accepting the null hypothesis although the alternative is true.
    pub beta: f64,
}

/// All numbers are finite.
impl Eq for Hypotheses {}

/// Hypotheses that cannot be tested.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum HypothesesError {
    /// The hypotheses are in the wrong order.
    #[error("--nelo1 {nelo1} must be above --nelo0 {nelo0}, by {LEAST_WIDTH} at least")]
    Order {
        /// The lower one.
        nelo0: f64,
        /// The upper one.
        nelo1: f64,
    },
    /// An effect that is too large.
    #[error("{flag} {nelo:?} is not allowed; allowed: -{MOST_NELO} to {MOST_NELO}")]
    Effect {
        /// The option.
        flag: &'static str,
        /// The effect.
        nelo: f64,
    },
    /// Invalid error rates.
    #[error("--alpha {alpha} and --beta {beta} must be above 0 and together below 1")]
    Rates {
        /// The rate of falsely accepted alternatives.
        alpha: f64,
        /// The rate of falsely accepted null hypotheses.
        beta: f64,
    },
}

/// The unit of the test: a set.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SetUnit {
    /// The units of a win.
    pub win: u64,
    /// Games of a set.
    pub games: u64,
    /// The share of an agent as good as the others.
    pub fair_share: f64,
    /// The wins at stake in a game.
    pub stake: Stake,
}

/// The advantage of an agent in the sets so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// Sets played.
    pub sets: u64,
    /// Games played.
    pub games: u64,
    /// Mean result.
    pub mean: f64,
    /// Its interval; `None` for fewer than two sets.
    pub mean_interval: Option<Interval>,
    /// Standard deviation of one game's result.
    pub sigma: f64,
    /// The effect in normalized Elo; `None` if all sets have the same unfair result.
    pub nelo: Option<f64>,
    /// Its interval; `None` if the results do not vary, unless the sets tie by chance.
    pub nelo_interval: Option<Interval>,
}

/// The state of a test after the sets so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct State {
    /// Sets played.
    pub sets: u64,
    /// Games played.
    pub games: u64,
    /// Sets in which the agent did not win exactly its fair share.
    pub unequal_sets: u64,
    /// Mean result.
    pub mean: f64,
    /// Its anytime interval; `None` for fewer than two sets.
    pub mean_interval: Option<Interval>,
    /// Standard deviation of one game's result.
    pub sigma: f64,
    /// The effect in normalized Elo; `None` if all sets have the same unfair result.
    pub nelo: Option<f64>,
    /// Its anytime interval; `None` if the results do not vary, unless the sets tie by chance.
    pub nelo_interval: Option<Interval>,
    /// The log-likelihood ratio of the alternative; infinite if at least [`FIRST_LOOK`] sets all have the same unfair result,
    /// which decides the test.
    pub llr: f64,
}

/// The verdict of the test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The test is not decided yet.
    Open,
    /// The null hypothesis is accepted: the effect is below the alternative's.
    AcceptNull,
    /// The alternative is accepted: the effect is above the null hypothesis's.
    AcceptAlternative,
}

impl Verdict {
    /// Its name in the tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::AcceptNull => "accept_h0",
            Self::AcceptAlternative => "accept_h1",
        }
    }
}

/// The number of sets before the first look; each later look comes after 2% more sets. The looks do not depend on the number
/// of threads. The normal approximation needs a hundred sets: a test with a smaller maximum is never decided.
pub const FIRST_LOOK: u64 = 100;

/// The smallest distance between the hypotheses: a test of closer ones would take too many games.
const LEAST_WIDTH: f64 = 0.01;

/// The sets of the next look after a look at `sets` (0: no look yet).
#[must_use]
pub const fn next_look(sets: u64) -> u64 {
    if sets < FIRST_LOOK {
        FIRST_LOOK
    } else if sets / 50 > 10 {
        sets + sets / 50
    } else {
        sets + 10
    }
}

impl Hypotheses {
    /// The hypotheses, if they can be tested.
    ///
    /// # Errors
    /// If the effects are too large or in the wrong order, or the rates are invalid.
    pub fn checked(self) -> Result<Self, HypothesesError> {
        let Self { nelo0, nelo1, alpha, beta } = self;
        for (flag, nelo) in [("--nelo0", nelo0), ("--nelo1", nelo1)] {
            if !(-MOST_NELO..=MOST_NELO).contains(&nelo) {
                return Err(HypothesesError::Effect { flag, nelo });
            }
        }
        if nelo1 - nelo0 < LEAST_WIDTH {
            return Err(HypothesesError::Order { nelo0, nelo1 });
        }
        if !(alpha > 0.0 && beta > 0.0 && alpha + beta < 1.0) {
            return Err(HypothesesError::Rates { alpha, beta });
        }
        Ok(self)
    }

    /// At or below the first number the null hypothesis is accepted, at or above the second the alternative.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The state after sets with these totals of wins.
    #[must_use]
    pub fn state(&self, totals: &SetTotals, set: SetUnit) -> State {
        let effect = set.effect(totals, Coverage::Anytime);
        let Effect { sets, games, mean, mean_interval, sigma, nelo, nelo_interval } = effect;
        let unequal_sets = set.unequal_sets(totals);
        let llr = match nelo {
            Some(nelo) if sigma > 0.0 => {
                // The effect in standard deviations of a set's mean result.
                let of_set = |nelo: f64| nelo / NELO * (set.games as f64).sqrt();
                let exact = distribution(totals, set).log_ratio(of_set(self.nelo0), of_set(self.nelo1));
                exact.unwrap_or_else(|| self.approximate_llr(nelo / NELO, games))
            }
            Some(_) => self.approximate_llr(0.0, games),
            None if sets < FIRST_LOOK => 0.0,
            // At least a hundred sets with the same unfair result: the decision is certain.
            None => (mean - set.fair_share).signum() * f64::INFINITY,
        };
        State { sets, games, unequal_sets, mean, mean_interval, sigma, nelo, nelo_interval, llr }
    }

    /// The logarithm of the ratio for normal results with a variance independent of the mean, used if the exact one is
    /// not available.
    fn approximate_llr(&self, t: f64, games: u64) -> f64 {
        let misfit = |nelo: f64| (t - nelo / NELO).powi(2);
        games as f64 / 2.0 * (misfit(self.nelo0).ln_1p() - misfit(self.nelo1).ln_1p())
    }

    /// Whether all sets tie exactly and the test can never be decided, because the hypotheses are equally far from zero.
    #[must_use]
    pub fn is_hopeless(&self, state: &State) -> bool {
        const SETS: u64 = 10_000;
        state.sets >= SETS && state.sigma == 0.0 && state.llr == 0.0
    }

    /// The mean number of games of a test for this effect, by Wald's approximation: the logarithm of the ratio drifts
    /// from game to game from 0 to a bound, with the variance common to both hypotheses.
    #[must_use]
    pub fn expected_games(&self, nelo: f64) -> f64 {
        let (lower, upper) = self.bounds();
        let [t0, t1, t] = [self.nelo0, self.nelo1, nelo].map(|nelo| nelo / NELO);
        let (drift, variance) = ((t1 - t0) * (t - f64::midpoint(t0, t1)), (t1 - t0).powi(2));
        let tilt = -2.0 * drift / variance;
        if tilt.abs() < 1e-9 {
            return -lower * upper / variance;
        }
        let above = -(tilt * lower).exp_m1() / ((tilt * upper).exp() - (tilt * lower).exp());
        (above * upper + (1.0 - above) * lower) / drift
    }

    /// The verdict of the test; open while there are too few sets.
    #[must_use]
    pub fn verdict(&self, state: &State) -> Verdict {
        let (lower, upper) = self.bounds();
        if state.sets < FIRST_LOOK {
            Verdict::Open
        } else if state.llr <= lower {
            Verdict::AcceptNull
        } else if state.llr >= upper {
            Verdict::AcceptAlternative
        } else {
            Verdict::Open
        }
    }
}

impl SetUnit {
    /// The effect in sets with these totals of wins, and its intervals with this coverage.
    #[must_use]
    pub fn effect(self, totals: &SetTotals, coverage: Coverage) -> Effect {
        let sums = totals.sums(self.games);
        let (sets, unit) = (sums.sets as f64, (self.win * self.games) as f64);
        let mean = if sums.sets == 0 { self.fair_share } else { sums.total as f64 / (unit * sets) };
        // S ΣT² − (ΣT)² in integers, so that a variance of 0 is exact.
        let total = u128::from(sums.total);
        let spread = u128::from(sums.sets) * sums.totals_squared - total * total;
        let sigma = (spread as f64).sqrt() / (unit * sets.max(1.0)) * (self.games as f64).sqrt();
        let effect = mean - self.fair_share;
        let (mut nelo_interval, nelo) = if sigma > 0.0 {
            let moments = distribution(totals, self).moments();
            (nelo_interval(moments, sums.sets, self, coverage), Some(effect / sigma * NELO))
        } else {
            (None, (effect.abs() < 1e-12).then_some(0.0))
        };
        if sums.sets < 2 {
            nelo_interval = None;
        }
        let share = Share::of_set_sums(&sums, self.win, self.stake);
        let mean_interval = share.interval_of(coverage);
        // Sets that are all won are equal too, but do not tie.
        let mostly_tie = share.unequal.is_some() && are_few(self.unequal_sets(totals), sums.sets);
        if let (true, Some(bounds), true) = (mostly_tie, mean_interval, coverage.has_begun(sums.sets)) {
            let rare = self.largest_effects(bounds);
            nelo_interval = Some(nelo_interval.map_or(rare, |interval| interval.including(rare)));
        }
        let games = sums.sets * self.games;
        Effect { sets: sums.sets, games, mean, mean_interval, sigma, nelo, nelo_interval }
    }

    /// The number of sets in which the agent did not win exactly its fair share.
    fn unequal_sets(self, totals: &SetTotals) -> u64 {
        let unit = (self.win * self.games) as f64;
        let is_unequal = |&(total, _): &(u64, u64)| (total as f64 / unit - self.fair_share).abs() > 1e-12;
        totals.iter().filter(is_unequal).map(|(_, sets)| sets).sum()
    }

    /// The largest effects, in normalized Elo, of a mean within these bounds, if sets tie unless a game changes sides. A mean
    /// of x games above the fair share requires at least this rate of unequal sets, so the standard deviation is at least √(x
    /// (1 − x)).
    fn largest_effects(self, mean: Interval) -> Interval {
        let change = self.stake.in_set_of(self.games as f64);
        let effect = |bound: f64| {
            let rate = ((bound - self.fair_share).abs() / change).min(1.0);
            let of_set = (rate / (1.0 - rate)).sqrt().copysign(bound - self.fair_share);
            (of_set / (self.games as f64).sqrt() * NELO).clamp(-MOST_NELO, MOST_NELO)
        };
        Interval { low: effect(mean.low).min(0.0), high: effect(mean.high).max(0.0) }
    }
}

/// The mean results of sets with their counts. Every integer number of wins is possible.
fn distribution(totals: &SetTotals, set: SetUnit) -> Distribution {
    let mut counts: BTreeMap<u64, f64> = (0..=set.games).map(|wins| (wins * set.win, 0.0)).collect();
    counts.extend(totals.iter().map(|(total, sets)| (total, sets as f64)));
    let unit = (set.win * set.games) as f64;
    Distribution::of(counts.into_iter().map(|(total, sets)| (total as f64 / unit, sets)), set.fair_share)
}

/// The interval of the effect in normalized Elo. By the delta method the variance of t̂ from S results is
/// (1 − γ t + (κ − 1) t² / 4) / S, with the skewness γ and the kurtosis κ.
fn nelo_interval(of_sets: Moments, sets: u64, set: SetUnit, coverage: Coverage) -> Option<Interval> {
    let Moments { effect, deviation, skewness, kurtosis } = of_sets;
    let t = effect / deviation;
    let variance = (1.0 - skewness * t + (kurtosis - 1.0) * t * t / 4.0).max(0.0) / sets as f64;
    let in_nelo = NELO / (set.games as f64).sqrt();
    Interval::of_mean(t * in_nelo, variance.sqrt() * in_nelo, sets, coverage)
}

/// The largest effect of a hypothesis, in normalized Elo: nearly thirty standard deviations of a game.
const MOST_NELO: f64 = 10_000.0;

/// The normalized Elo of an effect of one standard deviation per game.
pub const NELO: f64 = 800.0 / LN_10;

#[cfg(test)]
mod tests {
    use super::*;
    /// Parts of a win.
    const WIN: u64 = 2520;

    const USUAL: Hypotheses = Hypotheses { nelo0: 0.0, nelo1: 2.0, alpha: 0.05, beta: 0.05 };

    /// This many sets with 0, 1/2, 1, 3/2 ... wins.
    fn sets(counts: &[u64]) -> SetTotals {
        let mut totals = SetTotals::default();
        (0..).zip(counts).for_each(|(half_wins, &count)| totals.add_many(half_wins * WIN / 2, count));
        totals
    }

    const PAIR: SetUnit = SetUnit { win: WIN, games: 2, fair_share: 0.5, stake: Stake::WIN };

    /// Counts of pairs of games of published tests of chess engines (fishtest): LL, LD, DD or WL, WD, WW.
    #[test]
    fn two_seat_tests_match_published_results() {
        for (counts, nelo0, nelo1, llr, nelo) in [
            ([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, 2.25, None),
            ([379, 10_170, 21_828, 10_640, 343], 0.0, 2.0, 2.946, Some(3.05)),
            ([39, 8_843, 26_675, 9_240, 44], 0.5, 2.5, 2.942, None),
        ] {
            let hypotheses = Hypotheses { nelo0, nelo1, ..USUAL };
            let state = hypotheses.state(&sets(&counts), PAIR);
            assert!((state.llr - llr).abs() < 1e-3, "{counts:?}: {state:?}");
            assert!(nelo.is_none_or(|nelo: f64| (state.nelo.unwrap() - nelo).abs() < 1e-3), "{state:?}");
            let expected = if llr > 2.944_4 { Verdict::AcceptAlternative } else { Verdict::Open };
            assert_eq!(hypotheses.verdict(&state), expected);
        }
    }

    /// A few sets never decide the test, even with extreme results.
    #[test]
    fn few_sets_give_no_verdict() {
        let hypotheses = Hypotheses { nelo0: 0.0, nelo1: 200.0, ..USUAL };
        for (pairs, verdict) in [(99, Verdict::Open), (100, Verdict::AcceptAlternative)] {
            let state = hypotheses.state(&sets(&[0, 0, 1, 0, pairs - 1]), PAIR);
            assert!(state.llr > hypotheses.bounds().1 && hypotheses.verdict(&state) == verdict, "{state:?}");
        }
    }

    /// ln(0.05 / 0.95) = −2.9444, ln(0.9 / 0.01) = 4.4998.
    #[test]
    fn bounds_match_hand_computation() {
        let (lower, upper) = USUAL.bounds();
        assert!((lower + 2.944_438_979).abs() < 1e-9 && (upper - 2.944_438_979).abs() < 1e-9);
        let (lower, upper) = Hypotheses { alpha: 0.01, beta: 0.1, ..USUAL }.bounds();
        assert!((lower + 2.292_534_757).abs() < 1e-9 && (upper - 4.499_809_670).abs() < 1e-9);
    }

    /// Without an effect, 5% of the tests end at 2.944 and the others at −2.944; the drift is −(20 / 347.4)² / 2 per game.
    #[test]
    fn expected_games_match_hand_computation() {
        let hypotheses = Hypotheses { nelo1: 20.0, ..USUAL };
        let (bound, squared) = (2.944_438_979, (20.0 / NELO).powi(2));
        for (nelo, expected) in
            [(0.0, 1.8 * bound / squared), (20.0, 1.8 * bound / squared), (10.0, bound * bound / squared)]
        {
            let games = hypotheses.expected_games(nelo);
            assert!((games / expected - 1.0).abs() < 1e-6, "{nelo}: {games} for {expected}");
        }
        assert!(hypotheses.expected_games(40.0) < hypotheses.expected_games(20.0));
    }

    /// Four seats, sets of four games with 1 or 2 wins in proportion 3 : 1: mean 0.3125, σ_set = 0.25 √(3/16), σ = 2 σ_set.
    /// With two values, the effect t determines the distribution: if a set has 2 wins with probability p, its mean result is
    /// (1 + p)/4 and σ_set = √(p (1 − p))/4, so t_set = √(p/(1 − p)) and p = t²/(1 + t²). Pseudo-counts of the other values do
    /// not change the compared digits.
    #[test]
    fn four_seat_test_matches_hand_computation() {
        let set = SetUnit { win: WIN, games: 4, fair_share: 0.25, stake: Stake::WIN };
        let hypotheses = Hypotheses { nelo0: 100.0, nelo1: 101.0, ..USUAL };
        let state = hypotheses.state(&sets(&[0, 0, 3_000, 0, 1_000]), set);
        let sigma = 2.0 * 0.25 * (3.0_f64 / 16.0).sqrt();
        assert_eq!((state.sets, state.games), (4_000, 16_000));
        assert!((state.mean - 0.3125).abs() < 1e-12 && (state.sigma - sigma).abs() < 1e-12);
        assert!((state.nelo.unwrap() - 0.0625 / sigma * NELO).abs() < 1e-9);
        let likelihood = |nelo: f64| {
            let squared = (2.0 * nelo / NELO).powi(2);
            let p = squared / (1.0 + squared);
            3_000.0 * (1.0 - p).ln() + 1_000.0 * p.ln()
        };
        let llr = likelihood(101.0) - likelihood(100.0);
        assert!((state.llr / llr - 1.0).abs() < 1e-2, "{} {llr}", state.llr);
        let (share, nelo) = (state.mean_interval.unwrap(), state.nelo_interval.unwrap());
        assert!(share.low < 0.3125 && 0.3125 < share.high && share.high - share.low < 0.02, "{share:?}");
        assert!(
            nelo.low < state.nelo.unwrap() && state.nelo.unwrap() < nelo.high && nelo.high - nelo.low < 30.0,
            "{nelo:?}"
        );
    }

    #[test]
    fn sets_without_variance_have_expected_verdicts() {
        let tie = USUAL.state(&sets(&[0, 0, 1000]), PAIR);
        assert_eq!((tie.nelo, USUAL.verdict(&tie)), (Some(0.0), Verdict::Open));
        let long = Hypotheses { nelo1: 20.0, ..USUAL };
        assert_eq!(long.verdict(&long.state(&sets(&[0, 0, 20_000]), PAIR)), Verdict::AcceptNull);
        let always = USUAL.state(&sets(&[0, 0, 0, 0, 100]), PAIR);
        assert_eq!(USUAL.verdict(&always), Verdict::AcceptAlternative);
        assert_eq!(USUAL.verdict(&USUAL.state(&SetTotals::default(), PAIR)), Verdict::Open);
        let symmetric = Hypotheses { nelo0: -5.0, nelo1: 5.0, ..USUAL };
        assert!(symmetric.is_hopeless(&symmetric.state(&sets(&[0, 0, 20_000]), PAIR)));
        assert!(!symmetric.is_hopeless(&symmetric.state(&sets(&[0, 0, 2_000]), PAIR)));
        assert!(!symmetric.is_hopeless(&symmetric.state(&sets(&[0, 1, 20_000, 1]), PAIR)));
        assert!(!USUAL.is_hopeless(&USUAL.state(&sets(&[0, 0, 20_000]), PAIR)));
    }

    /// Four of five with a fair share of a half: t = 0.3 / 0.4, and the variance 1 + 1.5 · 0.75 + 2.25 · 0.75² / 4 = 2.44140625.
    #[test]
    fn effect_interval_matches_hand_computation() {
        let moments = Moments { effect: 0.3, deviation: 0.4, skewness: -1.5, kurtosis: 3.25 };
        let Interval { low, high } = nelo_interval(moments, 10_000, PAIR, Coverage::Anytime).unwrap();
        let reach = Coverage::Anytime.student_reach(10_000).unwrap() * (2.441_406_25_f64 / 10_000.0).sqrt();
        for (bound, t) in [(low, 0.75 - reach), (high, 0.75 + reach)] {
            assert!((bound - t * NELO / 2.0_f64.sqrt()).abs() < 1e-9, "{bound} {t}");
        }
    }

    #[test]
    fn running_mean_starts_fair_and_follows_sets() {
        let mean = |counts: &[u64]| USUAL.state(&sets(counts), PAIR).mean;
        assert_eq!((mean(&[]), mean(&[1])), (0.5, 0.0));
    }

    /// None of 150 sets is unequal: bounds 1 − 0.002^(1/150) = 4.06% of sets to each side, half as much of the share, and an
    /// effect of √(0.0406 / 0.9594) standard deviations of a set.
    #[test]
    fn sets_tied_by_chance_leave_effect_undecided() {
        let state = USUAL.state(&sets(&[0, 0, 150]), PAIR);
        let (mean, nelo) = (state.mean_interval.unwrap(), state.nelo_interval.unwrap());
        assert_eq!((state.unequal_sets, state.nelo), (0, Some(0.0)));
        assert!((mean.high - 0.520_29).abs() < 1e-5 && (mean.low - 0.479_71).abs() < 1e-5, "{mean:?}");
        let effect = (0.040_58_f64 / 0.959_42).sqrt() / 2.0_f64.sqrt() * NELO;
        assert!((nelo.high - effect).abs() < 0.1 && (nelo.low + effect).abs() < 0.1, "{nelo:?} {effect}");
        let twins = USUAL.state(&sets(&[0, 0, 150]), SetUnit { stake: Stake::NONE, ..PAIR });
        assert_eq!((twins.mean_interval, twins.nelo_interval), (Some(Interval { low: 0.5, high: 0.5 }), None));
        assert_eq!(USUAL.state(&sets(&[1, 2, 150, 0, 4]), PAIR).unequal_sets, 7);
    }

    /// 196 sets of two wins and four of one: t = 0.49 / σ, far above 0, although few sets differ from the usual result.
    #[test]
    fn interval_of_far_stronger_agent_excludes_zero() {
        for coverage in [Coverage::Pointwise, Coverage::Anytime] {
            let effect = PAIR.effect(&sets(&[0, 0, 4, 0, 196]), coverage);
            let Interval { low, high } = effect.nelo_interval.unwrap();
            assert!(0.0 < low && low < effect.nelo.unwrap() && effect.nelo.unwrap() < high, "{effect:?}");
            let always = PAIR.effect(&sets(&[0, 0, 0, 0, 200]), coverage);
            assert_eq!((always.nelo, always.nelo_interval), (None, None));
        }
    }

    #[test]
    fn looks_become_rarer() {
        let looks: Vec<u64> = std::iter::successors(Some(0), |&sets| Some(next_look(sets))).take(5).collect();
        assert_eq!(looks, [0, 100, 110, 120, 130]);
        assert_eq!((next_look(10_000), next_look(1_000_000)), (10_200, 1_020_000));
    }

    #[test]
    fn untestable_hypotheses_are_rejected() {
        let refused = |hypotheses: Hypotheses| hypotheses.checked().unwrap_err().to_string();
        assert!(refused(Hypotheses { nelo1: 0.0, ..USUAL }).contains("--nelo1 0 must be above --nelo0 0"));
        assert!(refused(Hypotheses { nelo0: f64::NAN, ..USUAL }).contains("--nelo0"));
        for (alpha, beta) in [(0.6, 0.4), (0.0, 0.05), (0.05, 0.0), (-0.1, 0.05), (0.05, -0.1), (0.05, f64::NAN)] {
            assert!(refused(Hypotheses { alpha, beta, ..USUAL }).contains("together below 1"), "{alpha} {beta}");
        }
    }
}
