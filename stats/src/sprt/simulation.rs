//! The error rates and the length of the sequential test, from simulated tests with a known true effect.
//!
//! Sets are sampled with replacement from sets that real agents played; the true effect is then their effect, for any
//! distribution of results. Or sets are generated for an agent whose probability of winning varies from set to set, like the
//! luck of the deal, so games of a set are correlated.

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{Hypotheses, NELO, SetUnit, Verdict, next_look};
use crate::interval::Interval;
use crate::random::Random;
use crate::set_totals::SetTotals;
use crate::unequal::Stake;

/// The amount by which the deal changes the probability of winning, as a part of the fair share.
const LUCK_OF_THE_DEAL: f64 = 0.4;

/// The units of a win, as at the table.
pub const WIN: u64 = 2520;

/// The source of the sets of a simulated test.
#[derive(Debug, Clone, PartialEq)]
pub enum Sets {
    /// An agent of this true effect in normalized Elo.
    OfEffect(f64),
    /// Sets sampled from these, counted in parts of a win (`WIN`).
    Played(SetTotals),
}

/// Tests of one true effect.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// The hypotheses.
    pub hypotheses: Hypotheses,
    /// The number of seats, and of games in a set.
    pub seats: usize,
    /// The source of its sets.
    pub sets: Sets,
    /// The number of sets after which a test stops undecided.
    pub max_sets: u64,
}

/// The results of tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Outcomes {
    /// The null hypothesis was accepted.
    pub null: u64,
    /// The alternative was accepted.
    pub alternative: u64,
    /// No decision.
    pub open: u64,
    /// Sets played in all.
    pub sets: u64,
    /// The tests whose interval of the mean result, at the end of the test, contained the true value.
    pub mean_held: u64,
    /// The tests whose interval of the normalized Elo, at the end of the test, contained the true value.
    pub nelo_held: u64,
}

impl Outcomes {
    /// All tests.
    #[must_use]
    pub const fn tests(&self) -> u64 {
        self.null + self.alternative + self.open
    }

    const fn add(self, other: Self) -> Self {
        Self {
            null: self.null + other.null,
            alternative: self.alternative + other.alternative,
            open: self.open + other.open,
            sets: self.sets + other.sets,
            mean_held: self.mean_held + other.mean_held,
            nelo_held: self.nelo_held + other.nelo_held,
        }
    }
}

impl Simulation {
    /// Runs this number of tests, each with its own random stream.
    #[must_use]
    pub fn run<R: Random>(&self, tests: u32, stream_of: impl Fn(u32) -> R + Sync) -> Outcomes {
        let source = match &self.sets {
            Sets::OfEffect(truth) => Source::Probability(self.probability(*truth)),
            Sets::Played(totals) => Source::Totals(totals.iter().collect()),
        };
        let truth = TrueEffect { mean: self.true_mean(), nelo: self.truth() };
        let run_one = |test| self.run_one(&mut stream_of(test), &source, truth);
        (0..tests).into_par_iter().map(run_one).reduce(Outcomes::default, Outcomes::add)
    }

    /// The true effect in normalized Elo.
    #[must_use]
    pub fn truth(&self) -> f64 {
        match &self.sets {
            Sets::OfEffect(truth) => *truth,
            Sets::Played(totals) => self.hypotheses.state(totals, self.unit()).nelo.unwrap_or_default(),
        }
    }

    /// The true mean result of a game.
    fn true_mean(&self) -> f64 {
        match &self.sets {
            Sets::OfEffect(truth) => self.probability(*truth),
            Sets::Played(totals) => self.hypotheses.state(totals, self.unit()).mean,
        }
    }

    fn unit(&self) -> SetUnit {
        SetUnit { win: WIN, games: self.seats as u64, fair_share: 1.0 / self.seats as f64, stake: Stake::WIN }
    }

    fn run_one(&self, rng: &mut impl Random, source: &Source, truth: TrueEffect) -> Outcomes {
        let (mut wins, mut sets) = (SetTotals::default(), 0);
        let mut state = self.hypotheses.state(&wins, self.unit());
        let mut verdict = Verdict::Open;
        while sets < self.max_sets && verdict == Verdict::Open {
            let until = next_look(sets).min(self.max_sets);
            (sets..until).for_each(|_| wins.add(self.set(source, rng)));
            sets = until;
            state = self.hypotheses.state(&wins, self.unit());
            verdict = self.hypotheses.verdict(&state);
        }
        let holds = |interval: Option<Interval>, truth| {
            u64::from(interval.is_some_and(|of| (of.low..=of.high).contains(&truth)))
        };
        let (mean_held, nelo_held) = (holds(state.mean_interval, truth.mean), holds(state.nelo_interval, truth.nelo));
        let one = Outcomes { sets, mean_held, nelo_held, ..Outcomes::default() };
        match verdict {
            Verdict::AcceptNull => Outcomes { null: 1, ..one },
            Verdict::AcceptAlternative => Outcomes { alternative: 1, ..one },
            Verdict::Open => Outcomes { open: 1, ..one },
        }
    }

    /// The total of one set.
    fn set(&self, source: &Source, rng: &mut impl Random) -> u64 {
        match source {
            Source::Probability(probability) => {
                let luck = if rng.below(2) == 0 { self.luck() } else { -self.luck() };
                (0..self.seats).map(|_| if rng.chance(probability + luck) { WIN } else { 0 }).sum()
            }
            Source::Totals(totals) => {
                let sets: u64 = totals.iter().map(|(_, sets)| sets).sum();
                let mut left = u64::from(rng.below(u32::try_from(sets).unwrap_or(u32::MAX)));
                let drawn = totals.iter().find(|(_, sets)| match left.checked_sub(*sets) {
                    Some(rest) => {
                        left = rest;
                        false
                    }
                    None => true,
                });
                drawn.map_or(0, |(total, _)| *total)
            }
        }
    }

    fn luck(&self) -> f64 {
        LUCK_OF_THE_DEAL / self.seats as f64
    }

    /// The mean probability of winning that has the true effect: with probability p ± d the variance of a set's mean result
    /// is (p (1 − p) − d²) / N + d², and the effect (p − 1/N) over its root times that of N. Found by bisection.
    fn probability(&self, truth: f64) -> f64 {
        let seats = self.seats as f64;
        let d2 = self.luck() * self.luck();
        let effect = |p: f64| (p - 1.0 / seats) / (p * (1.0 - p) - d2 + seats * d2).sqrt() * NELO;
        let (mut low, mut high) = (self.luck(), 1.0 - self.luck());
        for _ in 0..60 {
            let middle = f64::midpoint(low, high);
            if effect(middle) < truth { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    }
}

/// The effect that a test estimates.
#[derive(Debug, Clone, Copy)]
struct TrueEffect {
    /// The mean result of a game.
    mean: f64,
    /// Normalized Elo.
    nelo: f64,
}

/// The distribution from which sets are drawn.
enum Source {
    /// The mean probability of winning.
    Probability(f64),
    /// Totals with their frequencies.
    Totals(Vec<(u64, u64)>),
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::tests::Pcg;

    const HYPOTHESES: Hypotheses = Hypotheses { nelo0: 0.0, nelo1: 60.0, alpha: 0.05, beta: 0.1 };

    fn outcomes(seats: usize, truth: f64) -> Outcomes {
        Simulation { hypotheses: HYPOTHESES, seats, sets: Sets::OfEffect(truth), max_sets: 100_000 }
            .run(400, Pcg::numbered)
    }

    /// Wald's bounds hold approximately: of 400 tests, 20 false alternatives and 40 false nulls, plus three standard
    /// deviations.
    #[test]
    fn error_rates_are_within_nominal() {
        for seats in [2, 4, 10] {
            let (null, alternative) = (outcomes(seats, 0.0), outcomes(seats, 60.0));
            assert!(null.alternative <= 33 && null.open == 0, "{seats} seats: {null:?}");
            assert!(alternative.null <= 58 && alternative.open == 0, "{seats} seats: {alternative:?}");
            // Of 400 intervals that hold at every look at least 93%.
            for held in [null.mean_held, null.nelo_held, alternative.mean_held, alternative.nelo_held] {
                assert!(held >= 372, "{seats} seats: {null:?} {alternative:?}");
            }
        }
    }

    /// A test looks only after every 2% more sets and overshoots a bound, so it takes slightly longer.
    #[test]
    fn test_length_matches_expectation() {
        let hypotheses = Hypotheses { nelo0: 0.0, nelo1: 20.0, alpha: 0.05, beta: 0.05 };
        for truth in [0.0, 10.0, 20.0] {
            let simulation = Simulation { hypotheses, seats: 2, sets: Sets::OfEffect(truth), max_sets: 100_000 };
            let games = 2.0 * simulation.run(400, Pcg::numbered).sets as f64 / 400.0;
            let ratio = games / hypotheses.expected_games(truth);
            assert!((0.9..1.25).contains(&ratio), "{truth}: {ratio}");
        }
    }

    /// Sets of which one of a hundred is unequal, and three of four such sets are won. Of 300 tests, the errors are at most
    /// the nominal number plus three standard deviations of 4, and at least 93% of the intervals hold.
    #[test]
    fn tests_of_rare_differences_keep_nominal_error_rates() {
        let mut played = SetTotals::default();
        [(0, 25), (WIN, 9_900), (2 * WIN, 75)].into_iter().for_each(|(total, sets)| played.add_many(total, sets));
        let truth = 0.005 / 0.01_f64.sqrt() / 2.0_f64.sqrt() * NELO;
        let outcomes = |nelo0, nelo1| {
            let hypotheses = Hypotheses { nelo0, nelo1, alpha: 0.05, beta: 0.05 };
            Simulation { hypotheses, seats: 2, sets: Sets::Played(played.clone()), max_sets: 4_000 }
                .run(300, Pcg::numbered)
        };
        let (at_null, at_alternative) = (outcomes(truth, truth + 40.0), outcomes(truth - 40.0, truth));
        assert!(at_null.alternative <= 27 && at_alternative.null <= 27, "{at_null:?} {at_alternative:?}");
        for held in [at_null.mean_held, at_null.nelo_held, at_alternative.mean_held, at_alternative.nelo_held] {
            assert!(held >= 279, "{at_null:?} {at_alternative:?}");
        }
    }

    #[test]
    fn undecided_test_stops_at_maximum_sets() {
        let short = Simulation { hypotheses: HYPOTHESES, seats: 2, sets: Sets::OfEffect(30.0), max_sets: 100 }
            .run(50, Pcg::numbered);
        assert!(short.open > 0 && short.tests() == 50 && short.sets == 5000, "{short:?}");
    }
}
