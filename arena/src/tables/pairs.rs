//! `pairs.csv`: who comes in ahead of whom at the same table.

use serde::Serialize;
use unolab_stats::share::Share;

use super::{PlayedSection, Row};
use crate::count::tally::AHEAD;

/// Two entrants compared, seat by seat, in the games that both played.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct PairsRow {
    pub variant: String,
    pub seats: usize,
    pub a: String,
    pub b: String,
    pub sets: u64,
    pub games: u64,
    pub a_ahead: u64,
    pub b_ahead: u64,
    pub share: Option<f64>,
    pub se: Option<f64>,
    pub ci_low: Option<f64>,
    pub ci_high: Option<f64>,
    pub superiority: Option<f64>,
}

impl Row for PairsRow {
    const FILE: &'static str = "pairs.csv";
    const ROW: &'static str = "two entrants that sat at the same tables, the one named first as a";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules played"),
        ("seats", "the number of seats"),
        ("a", "one entrant"),
        ("b", "the other"),
        ("sets", "deals"),
        ("games", "comparisons: a seat of a with a seat of b in one game"),
        (
            "a_ahead",
            "in how many a came in before b: within a round who went out, then fewest points left in hand; within a \
             match by the score",
        ),
        ("b_ahead", "in how many b came in before a; the rest are ties"),
        ("share", "share in which a was ahead, ties as half"),
        ("se", "its standard error, over sets"),
        ("ci_low", "lower bound of the share, made as in summary.csv"),
        ("ci_high", "upper bound of the share"),
        (
            "superiority",
            "how likely a is truly ahead of b more often than not: Student's distribution at (share − 1/2) / se",
        ),
    ];
}

/// The rows of a section: every two entrants that met in it.
#[must_use]
pub fn rows(played: PlayedSection<'_>) -> Vec<PairsRow> {
    let met = played.tally.by_pair().filter(|(_, _, tally)| tally.comparisons.by_sets.games > 0);
    met.map(|(a, b, tally)| {
        let share = Share::of(&tally.comparisons, AHEAD);
        PairsRow {
            variant: played.variant().name.clone(),
            seats: played.section.seats,
            a: played.entrant(a).name.clone(),
            b: played.entrant(b).name.clone(),
            sets: share.mean.sets,
            games: share.mean.games,
            a_ahead: tally.a_ahead,
            b_ahead: tally.b_ahead,
            share: share.mean.value,
            se: share.mean.standard_error,
            ci_low: share.interval.map(|interval| interval.low),
            ci_high: share.interval.map(|interval| interval.high),
            superiority: share.superiority(),
        }
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Played, assert_columns_are_the_fields};
    use super::*;

    #[test]
    fn every_two_entrants_once() {
        let played = Played::new(&["random", "greedy", "first-legal"], &[2]);
        let rows: Vec<PairsRow> = played.sections().flat_map(rows).collect();
        assert_columns_are_the_fields(&rows[0]);
        let pairs: Vec<(&str, &str)> = rows.iter().map(|row| (&*row.a, &*row.b)).collect();
        assert_eq!(pairs, [("random", "greedy"), ("random", "first-legal"), ("greedy", "first-legal")]);
        assert!(rows.iter().all(|row| row.games == 20 && row.a_ahead + row.b_ahead == 20));
    }
}
