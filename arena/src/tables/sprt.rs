//! `sprt.csv`: how a sequential test went.

use serde::Serialize;
use unolab_stats::sprt::{Hypotheses, State};

use super::{Row, bounds};

/// One look at a test under way.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct SprtRow {
    pub variant: String,
    pub seats: usize,
    pub a: String,
    pub b: String,
    pub sets: u64,
    pub games: u64,
    pub win_share: f64,
    pub anytime_low: Option<f64>,
    pub anytime_high: Option<f64>,
    pub sigma: f64,
    pub nelo: Option<f64>,
    pub nelo_low: Option<f64>,
    pub nelo_high: Option<f64>,
    pub llr: f64,
    pub lower: f64,
    pub upper: f64,
    pub verdict: String,
}

impl Row for SprtRow {
    const FILE: &'static str = "sprt.csv";
    const ROW: &'static str = "one look at the sequential test, in order; the last one decides";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules played"),
        ("seats", "the number of seats"),
        ("a", "the entrant tested: one seat, in turn every one"),
        ("b", "the entrant in all other seats"),
        ("sets", "deals so far"),
        ("games", "games so far: deals times seatings"),
        ("win_share", "a's share of wins"),
        (
            "anytime_low",
            "lower bound of the win share that holds at every number of sets at once, and so although the test stops when it \
             is sure: an asymptotic confidence sequence (Waudby-Smith and others 2024)",
        ),
        ("anytime_high", "upper bound"),
        ("sigma", "standard deviation of one game's result, from the sets"),
        ("nelo", "normalised Elo: 800/ln 10 times (win share − fair share) / sigma; empty where nothing varies"),
        ("nelo_low", "lower bound of nelo that holds at every number of sets at once"),
        ("nelo_high", "upper bound"),
        (
            "llr",
            "logarithm of the likelihood ratio of nelo1 against nelo0: exact, each hypothesis with the likeliest distribution \
             of set results that has its effect",
        ),
        ("lower", "at or below it nelo0 is accepted: ln(beta / (1 − alpha))"),
        ("upper", "at or above it nelo1 is accepted: ln((1 − beta) / alpha)"),
        ("verdict", "`open`, `accept_h0` or `accept_h1`"),
    ];
}

/// Who is tested, where.
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
            win_share: state.mean,
            anytime_low,
            anytime_high,
            sigma: state.sigma,
            nelo: state.nelo,
            nelo_low,
            nelo_high,
            llr: state.llr,
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

    use super::super::tests::assert_columns_are_the_fields;
    use super::*;
    use crate::play::record::WIN;

    #[test]
    fn columns_are_the_fields() {
        let hypotheses = Hypotheses { nelo0: 0.0, nelo1: 5.0, alpha: 0.05, beta: 0.05 };
        let duel = Duel { variant: "classic", seats: 2, a: "greedy", b: "random" };
        let set = SetUnit { win: WIN, games: 2, fair_share: 0.5 };
        let row = SprtRow::of(duel, &hypotheses, &hypotheses.state(&SetTotals::default(), set));
        assert_columns_are_the_fields(&row);
        assert_eq!((row.verdict.as_str(), row.sets), ("open", 0));
    }
}
