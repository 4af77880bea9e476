//! `compare.csv`: two runs of the same deals, number by number.

use serde::Serialize;

use super::Row;

/// A number of one run and the same number of another, over the deals that both have played.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct CompareRow {
    pub variant: String,
    pub seats: usize,
    pub table: String,
    pub a: String,
    pub b: String,
    pub seat: Option<usize>,
    pub measure: String,
    pub first: Option<f64>,
    pub second: Option<f64>,
    pub difference: Option<f64>,
    pub se: Option<f64>,
    pub ci_low: Option<f64>,
    pub ci_high: Option<f64>,
    pub p: Option<f64>,
    pub p_holm: Option<f64>,
    pub gain: Option<f64>,
    pub sets: u64,
}

impl Row for CompareRow {
    const FILE: &'static str = "compare.csv";
    const ROW: &'static str =
        "a number of the first run and the same number of the second, over the deals that both have played";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules played; where they differ, both"),
        ("seats", "the number of seats"),
        ("table", "the table that has the number: summary.csv, seats.csv or pairs.csv"),
        ("a", "whose it is in the first run; of a pair, the one named first against the other"),
        (
            "b",
            "whose it is in the second run: the entrant of the same name, otherwise the one that takes its place in the list",
        ),
        ("seat", "place in the order of play, in seats.csv"),
        ("measure", "the column of that table; rounds and decisions are means a seat-game"),
        ("first", "the number in the first run, over the common deals"),
        ("second", "the number in the second run"),
        ("difference", "second − first"),
        ("se", "its standard error over deals, each deal compared with itself"),
        ("ci_low", "lower bound of the difference: Student's interval with sets − 1 degrees of freedom"),
        ("ci_high", "upper bound of the difference"),
        (
            "p",
            "how likely so large a difference is where there is none: Student's test; empty where nothing differs in any deal",
        ),
        ("p_holm", "the same, adjusted by Holm's method for all rows that have it"),
        ("gain", "how many times more deals it would take if the runs were of different ones"),
        ("sets", "deals that both have played"),
    ];
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_columns_are_the_fields;
    use super::*;

    #[test]
    fn columns_are_the_fields() {
        assert_columns_are_the_fields(&CompareRow::default());
    }
}
