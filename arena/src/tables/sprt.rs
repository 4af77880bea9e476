//! `sprt.csv`: the looks of a sequential test.

use unolab_stats::sprt::{Hypotheses, State};

use super::{bounds, row};

row! {
    /// One look at a test in progress.
    pub struct SprtRow in "sprt.csv", "one interim analysis of the sequential test, in order; the last one decides" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// the tested entrant: one seat, every seat in turn
        a: String,
        /// the entrant in all other seats
        b: String,
        /// deals so far
        sets: u64,
        /// games so far: deals times seatings
        games: u64,
        /// deals in which a did not win exactly its fair share; in all other deals a and b tie
        unequal_sets: u64,
        /// a's share of wins
        win_share: f64,
        /// lower bound of the win share that is valid at every number of sets, although the stopping time of the test depends
        /// on the results: an asymptotic confidence sequence (Waudby-Smith and others 2024)
        anytime_low: Option<f64>,
        /// upper bound
        anytime_high: Option<f64>,
        /// standard deviation of one game's result, from the sets
        sigma: f64,
        /// normalized Elo: 800/ln 10 times (win share − fair share) / sigma; empty if all sets have the same unfair result
        nelo: Option<f64>,
        /// lower bound of nelo that is valid at every number of sets
        nelo_low: Option<f64>,
        /// upper bound
        nelo_high: Option<f64>,
        /// logarithm of the exact likelihood ratio of nelo1 against nelo0, each with the most likely distribution of set
        /// results that has this effect; empty if all sets have the same unfair result, which decides the test
        llr: Option<f64>,
        /// the bound at or below which nelo0 is accepted: ln(beta / (1 − alpha))
        lower: f64,
        /// the bound at or above which nelo1 is accepted: ln((1 − beta) / alpha)
        upper: f64,
        /// `open`, `accept_h0` or `accept_h1`
        verdict: String,
    }
}

/// The entrants of a test, and their variant.
#[derive(Debug, Clone, Copy)]
pub struct Duel<'a> {
    /// The variant.
    pub variant: &'a str,
    /// The number of seats.
    pub seats: usize,
    /// The entrant tested.
    pub a: &'a str,
    /// The other.
    pub b: &'a str,
}

impl SprtRow {
    /// The row of a look.
    #[must_use]
    pub fn of(duel: Duel<'_>, hypotheses: &Hypotheses, state: &State) -> Self {
        let (lower, upper) = hypotheses.bounds();
        let (anytime_low, anytime_high) = bounds(state.mean_interval);
        let (nelo_low, nelo_high) = bounds(state.nelo_interval);
        Self {
            variant: duel.variant.into(),
            seats: duel.seats,
            a: duel.a.into(),
            b: duel.b.into(),
            sets: state.sets,
            games: state.games,
            unequal_sets: state.unequal_sets,
            win_share: state.mean,
            anytime_low,
            anytime_high,
            sigma: state.sigma,
            nelo: state.nelo,
            nelo_low,
            nelo_high,
            llr: state.llr.is_finite().then_some(state.llr),
            lower,
            upper,
            verdict: hypotheses.verdict(state).name().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use unolab_stats::set_totals::SetTotals;
    use unolab_stats::sprt::SetUnit;
    use unolab_stats::unequal::Stake;

    use super::*;
    use crate::play::record::WIN;

    #[test]
    fn sprt_columns_match_fields() {
        let hypotheses = Hypotheses { nelo0: 0.0, nelo1: 5.0, alpha: 0.05, beta: 0.05 };
        let duel = Duel { variant: "classic", seats: 2, a: "greedy", b: "random" };
        let set = SetUnit { win: WIN, games: 2, fair_share: 0.5, stake: Stake::WIN };
        let row = SprtRow::of(duel, &hypotheses, &hypotheses.state(&SetTotals::default(), set));
        assert_eq!((row.verdict.as_str(), row.sets), ("open", 0));
    }

    /// Of a hundred sets all are lost: the likelihood ratio is infinite, and a bound is an end of the scale.
    #[test]
    fn sprt_of_equal_results_has_finite_cells() {
        let hypotheses = Hypotheses { nelo0: 0.0, nelo1: 5.0, alpha: 0.05, beta: 0.05 };
        let duel = Duel { variant: "classic", seats: 2, a: "greedy", b: "random" };
        let set = SetUnit { win: WIN, games: 2, fair_share: 0.5, stake: Stake::WIN };
        let of = |total: u64| {
            let mut totals = SetTotals::default();
            totals.add_many(total, 100);
            SprtRow::of(duel, &hypotheses, &hypotheses.state(&totals, set))
        };
        let (lost, won) = (of(0), of(2 * WIN));
        assert_eq!((lost.llr, &*lost.verdict, won.llr, &*won.verdict), (None, "accept_h0", None, "accept_h1"));
        assert_eq!((lost.anytime_low, won.anytime_high, lost.unequal_sets), (Some(0.0), Some(1.0), 100));
    }
}
