//! `coverage.csv`: how often the intervals of simulated runs hold the truth.

use serde::Serialize;
use unolab_arena::tables::Row;
use unolab_arena::words::counted;

use super::{plain_table, with_bounds};

/// One interval that the tool prints, over many runs.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct CoverageRow {
    pub variant: String,
    pub seats: usize,
    pub agents: String,
    pub sets: u64,
    pub quantity: String,
    pub of: String,
    pub interval: String,
    pub runs: u64,
    pub covered: u64,
    pub coverage: f64,
    pub ci_low: Option<f64>,
    pub ci_high: Option<f64>,
    pub truth: f64,
    pub mean: f64,
    pub half_width: f64,
}

impl Row for CoverageRow {
    const FILE: &'static str = "coverage.csv";
    const ROW: &'static str = "one interval of 95 %, over many runs that differ in their seeds";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("variant", "the rules played"),
        ("seats", "the number of seats"),
        ("agents", "the entrants"),
        ("sets", "deals of a run"),
        (
            "quantity",
            "what is estimated: win_share, points_mean, share (of a pair), win_share_adjusted, a method of ratings.csv, a metric of \
             metrics.csv, or mean_regret",
        ),
        ("of", "of which entrant or pair; empty for the whole table"),
        (
            "interval",
            "`ci`: pointwise; `simultaneous`: made for all rows of a table at once, here counted one by one; `anytime`: held against the \
             truth at ten looks of each run, which must all hold it",
        ),
        ("runs", "runs that have such an interval"),
        ("covered", "how many of them hold the truth"),
        ("coverage", "covered / runs"),
        ("ci_low", "lower bound of the coverage, Wilson's"),
        ("ci_high", "upper bound of the coverage"),
        ("truth", "the same number made of all runs together"),
        ("mean", "mean of what the runs estimate"),
        ("half_width", "mean of half the width of the intervals"),
    ];
}

/// How often intervals held the truth.
#[must_use]
pub fn coverage_table(rows: &[CoverageRow], width: u16) -> String {
    let mut text = String::new();
    for section in rows.chunk_by(|a, b| (&a.variant, a.seats) == (&b.variant, b.seats)) {
        let Some(first) = section.first() else { continue };
        let cells = |row: &CoverageRow| {
            let percent = |share: f64| format!("{:.1}", 100.0 * share);
            vec![
                row.quantity.clone(),
                row.of.clone(),
                row.interval.clone(),
                with_bounds(Some(row.coverage), row.ci_low, row.ci_high, percent),
                format!("{:.4}", row.half_width),
            ]
        };
        let header = vec!["quantity", "of", "interval", "holds the truth % [95 %]", "half width"];
        let table = plain_table(header, section.iter().map(cells), width, 3);
        let (runs, sets) = (counted(first.runs, "run"), counted(first.sets, "set"));
        text += &format!("{}, {} seats, {runs} of {sets}\n{table}\n\n", first.variant, first.seats);
    }
    text
}
