//! `coverage.csv`: how often the intervals of simulated runs contain the true value.

use unolab_arena::tables::row;
use unolab_arena::words::counted;

use super::plain::{plain_table, with_bounds};

row! {
    /// One printed interval, over many runs.
    pub struct CoverageRow in "coverage.csv", "one 95% interval, over many runs with different seeds" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// the entrants
        agents: String,
        /// deals per run
        sets: u64,
        /// the estimate: win_share, points_mean, share (of a pair), win_share_adjusted, a method of ratings.csv, a metric
        /// of metrics.csv, or mean_regret
        quantity: String,
        /// the entrant or pair; empty for the whole table
        of: String,
        /// `ci`: pointwise; `simultaneous`: for all rows of a table together, here counted row by row; `anytime`: checked at
        /// ten interim analyses of each run, all of which must contain the true value
        interval: String,
        /// runs that have such an interval
        runs: u64,
        /// runs whose interval contains the true value
        covered: u64,
        /// covered / runs
        coverage: f64,
        /// lower bound of the coverage, Wilson's
        ci_low: Option<f64>,
        /// upper bound of the coverage
        ci_high: Option<f64>,
        /// the true value, estimated from all runs together
        truth: f64,
        /// mean of the estimates of the runs
        mean: f64,
        /// mean half-width of the intervals
        half_width: f64,
    }
}

/// On a narrower terminal the half-widths are left out.
const WIDE: u16 = 78;

/// How often intervals contained the true value.
#[must_use]
pub fn coverage_table(rows: &[CoverageRow], width: u16) -> String {
    let mut text = String::new();
    for section in rows.chunk_by(|a, b| (&a.variant, a.seats) == (&b.variant, b.seats)) {
        let Some(first) = section.first() else { continue };
        let cells = |row: &CoverageRow| {
            let percent = |share: f64| format!("{:.1}", 100.0 * share);
            let mut cells = vec![
                row.quantity.clone(),
                row.of.clone(),
                row.interval.clone(),
                with_bounds(Some(row.coverage), row.ci_low, row.ci_high, percent),
            ];
            cells.extend((width >= WIDE).then(|| format!("{:.4}", row.half_width)));
            cells
        };
        let mut header = vec!["quantity", "of", "interval", "coverage % [95%]"];
        header.extend((width >= WIDE).then_some("half width"));
        let table = plain_table(header, section.iter().map(cells), width, 3);
        let (runs, sets) = (counted(first.runs, "run"), counted(first.sets, "set"));
        text += &format!("{}, {} seats, {runs} of {sets}\n{table}\n\n", first.variant, first.seats);
    }
    text
}
