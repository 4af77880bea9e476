//! Rows of `metrics.csv`, `sweep.csv` and `points.csv`.

use serde::Serialize;

use crate::tables::Row;

/// One metric of a variant.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct MetricsRow {
    pub variant: String,
    pub seats: usize,
    pub field: String,
    pub metric: String,
    pub value: Option<f64>,
    pub se: Option<f64>,
    pub ci_low: Option<f64>,
    pub ci_high: Option<f64>,
    pub n: Option<u64>,
}

impl Row for MetricsRow {
    const FILE: &'static str = "metrics.csv";
    const ROW: &'static str = "one metric of one variant at one number of seats";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules played"),
        ("seats", "the number of seats"),
        ("field", "the agents at the tables"),
        ("metric", "what is measured (see below); `match_` before it: of whole matches"),
        ("value", "its value"),
        ("se", "standard error, over sets"),
        ("ci_low", "lower bound of the 95 % interval"),
        ("ci_high", "upper bound"),
        ("n", "over how many games, turns, decisions or rounds, as the metric says"),
    ];
}

/// One metric of an arm beside the base.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct SweepRow {
    pub variant: String,
    pub seats: usize,
    pub field: String,
    pub arm: String,
    pub metric: String,
    pub value: Option<f64>,
    pub base: Option<f64>,
    pub difference: f64,
    pub se: Option<f64>,
    pub ci_low: Option<f64>,
    pub ci_high: Option<f64>,
    pub p: Option<f64>,
    pub p_holm: Option<f64>,
    pub sets: u64,
}

impl Row for SweepRow {
    const FILE: &'static str = "sweep.csv";
    const ROW: &'static str = "one metric of one arm beside the base, on the same deals";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules of the base"),
        ("seats", "the number of seats"),
        ("field", "the agents at the tables"),
        (
            "arm",
            "what is different: the changed keys, separated by spaces; `void:CARD`: a card without its effect; \
             `dealt:CARD`: one seat's first card exchanged for it; `null`: nothing but the deals, so that its \
             differences are noise",
        ),
        ("metric", "what is measured, as in metrics.csv"),
        ("value", "its value in the arm; empty for `dealt`"),
        ("base", "its value in the base"),
        ("difference", "value less base"),
        ("se", "standard error of the difference, paired by sets"),
        ("ci_low", "lower bound of the 95 % interval of the difference"),
        ("ci_high", "upper bound"),
        ("p", "two-sided, that there is no difference"),
        ("p_holm", "the same, by Holm's method over all rows of this file but those of the null arm"),
        ("sets", "sets in both"),
    ];
}

/// One number about the points that winners take.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct PointsRow {
    pub variant: String,
    pub seats: usize,
    pub field: String,
    pub unit: &'static str,
    pub arm: String,
    pub statistic: String,
    pub value: Option<f64>,
    pub se: Option<f64>,
    pub ci_low: Option<f64>,
    pub ci_high: Option<f64>,
    pub n: u64,
}

impl Row for PointsRow {
    const FILE: &'static str = "points.csv";
    const ROW: &'static str = "one number about the points left in the other hands when somebody goes out";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules of the base"),
        ("seats", "the number of seats"),
        ("field", "the agents at the tables"),
        ("unit", "single rounds, or the rounds of matches"),
        ("arm", "`base`, or what is different, as in sweep.csv"),
        ("statistic", "mean, sd, quantiles q05 to q95, or share(CARD): which part of all points lay in such cards"),
        ("value", "its value"),
        ("se", "standard error, over sets; none for sd and quantiles"),
        ("ci_low", "lower bound of the 95 % interval"),
        ("ci_high", "upper bound"),
        ("n", "rounds that somebody won; for shares, points"),
    ];
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::tests::assert_columns_are_the_fields;

    #[test]
    fn columns_are_the_fields() {
        assert_columns_are_the_fields(&MetricsRow::default());
        assert_columns_are_the_fields(&SweepRow::default());
        assert_columns_are_the_fields(&PointsRow::default());
    }
}
