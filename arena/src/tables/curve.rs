//! `curve.csv`: how a training went.

use serde::{Deserialize, Serialize};

use super::Row;

/// A point of a learning curve.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct CurveRow {
    pub stage: u64,
    pub choices: u64,
    pub rounds: u64,
    pub loss: f64,
    pub win_share: Option<f64>,
    pub unfinished: u64,
    pub against_field: Option<f64>,
    pub against_champion: Option<f64>,
    pub verdict: String,
}

impl Row for CurveRow {
    const FILE: &'static str = "curve.csv";
    const ROW: &'static str = "a stretch of a training, in order";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("stage", "0 while heuristic teaches, then the number of the round of play"),
        ("choices", "choices learnt from so far"),
        ("rounds", "rounds of cards played since the row before"),
        ("loss", "mean logarithmic loss of the net's chances to win in these rounds, each before it learnt from them"),
        ("win_share", "share of these rounds that the net won, with its random choices; empty while heuristic teaches"),
        ("unfinished", "those of them that nobody won: given up after 2,000 decisions, or blocked"),
        (
            "against_field",
            "at the end of a stage: its share of wins in test rounds against the field, without random choices",
        ),
        ("against_champion", "at the end of a stage: the same against the last champion; empty where there was none"),
        ("verdict", "at the end of a stage: `champion` if it wins its fair share against the last one, or `refused`"),
    ];
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_columns_are_the_fields;
    use super::*;

    #[test]
    fn columns_are_the_fields() {
        assert_columns_are_the_fields(&CurveRow::default());
    }
}
