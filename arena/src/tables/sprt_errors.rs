//! `sprt_errors.csv`: the decisions of simulated sequential tests.

use unolab_stats::interval::Interval;
use unolab_stats::sprt::simulation::{Outcomes, Simulation};

use super::row;

row! {
    /// Simulated tests of one true effect.
    pub struct SprtErrorsRow in "sprt_errors.csv", "the simulated tests of one true effect" {
        /// the number of seats
        seats: usize,
        /// normalized Elo under the null hypothesis
        nelo0: f64,
        /// normalized Elo under the alternative
        nelo1: f64,
        /// the allowed probability of wrongly accepting the alternative
        alpha: f64,
        /// the allowed probability of wrongly accepting the null hypothesis
        beta: f64,
        /// the true effect in normalized Elo; with --agents, the effect in the played sets from which the tests draw
        nelo: f64,
        /// tests simulated
        tests: u64,
        /// tests that accepted the null hypothesis
        accept_h0: u64,
        /// tests that accepted the alternative
        accept_h1: u64,
        /// tests that ran out of sets
        undecided: u64,
        /// accept_h1 / tests
        share_h1: f64,
        /// lower bound of the share, Wilson's
        ci_low: Option<f64>,
        /// upper bound of the share
        ci_high: Option<f64>,
        /// sets per test
        sets_mean: f64,
        /// games per test
        games_mean: f64,
        /// share of the tests whose 95% interval of the win share, at the end of the test, contained the true value
        share_held: f64,
        /// the same for the interval of the normalized Elo
        nelo_held: f64,
    }
}

impl SprtErrorsRow {
    /// The row of a simulation.
    #[must_use]
    pub fn of(simulation: &Simulation, outcomes: &Outcomes) -> Self {
        let (hypotheses, tests) = (simulation.hypotheses, outcomes.tests());
        let share = outcomes.alternative as f64 / tests as f64;
        let interval = Interval::wilson(share, tests as f64);
        let sets_mean = outcomes.sets as f64 / tests as f64;
        Self {
            seats: simulation.seats,
            nelo0: hypotheses.nelo0,
            nelo1: hypotheses.nelo1,
            alpha: hypotheses.alpha,
            beta: hypotheses.beta,
            nelo: simulation.truth(),
            tests,
            accept_h0: outcomes.null,
            accept_h1: outcomes.alternative,
            undecided: outcomes.open,
            share_h1: share,
            ci_low: interval.map(|interval| interval.low),
            ci_high: interval.map(|interval| interval.high),
            sets_mean,
            games_mean: sets_mean * simulation.seats as f64,
            share_held: outcomes.mean_held as f64 / tests as f64,
            nelo_held: outcomes.nelo_held as f64 / tests as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use unolab_stats::sprt::Hypotheses;
    use unolab_stats::sprt::simulation::Sets;

    use super::*;

    #[test]
    fn sprt_errors_row_counts_and_averages_tests() {
        let hypotheses = Hypotheses { nelo0: 0.0, nelo1: 5.0, alpha: 0.05, beta: 0.05 };
        let simulation = Simulation { hypotheses, seats: 4, sets: Sets::OfEffect(0.0), max_sets: 100 };
        let outcomes = Outcomes { null: 3, alternative: 1, open: 0, sets: 1000, mean_held: 3, nelo_held: 4 };
        let row = SprtErrorsRow::of(&simulation, &outcomes);
        assert_eq!((row.tests, row.sets_mean, row.games_mean), (4, 250.0, 1000.0));
        assert_eq!((row.share_held, row.nelo_held), (0.75, 1.0));
    }
}
