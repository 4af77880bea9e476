//! `weights.csv`: what a training has made.

use serde::Serialize;

use super::Row;

/// A file of weights.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct WeightsRow {
    pub file: String,
    pub bytes: u64,
    pub sha256: String,
    pub cards: String,
    pub seats_min: u8,
    pub seats_max: u8,
    pub caution: u8,
    pub choices: u64,
}

impl Row for WeightsRow {
    const FILE: &'static str = "weights.csv";
    const ROW: &'static str = "a file of weights";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("file", "its name"),
        ("bytes", "its length"),
        ("sha256", "the SHA-256 of its content"),
        ("cards", "the cards it was trained for: `plain`, or `special` for any"),
        ("seats_min", "the fewest seats it was trained for"),
        ("seats_max", "the most"),
        (
            "caution",
            "by how much the odds of an action must be better to be taken before that of heuristic: as a logarithm, in hundredths",
        ),
        ("choices", "choices that were learnt from, in all stages"),
    ];
}

#[cfg(test)]
mod tests {
    use super::super::tests::assert_columns_are_the_fields;
    use super::*;

    #[test]
    fn columns_are_the_fields() {
        assert_columns_are_the_fields(&WeightsRow::default());
    }
}
