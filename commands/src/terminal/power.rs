//! The tables of the power of a number of sets, and of the decisions of sequential tests.

use unolab_arena::tables::sprt_errors::SprtErrorsRow;
use unolab_arena::words::grouped;

use super::plain::{plain_table, with_bounds};

/// The sets that each entrant needs: name, deviation, sets for two powers, games.
#[must_use]
pub fn power_table(rows: Vec<[String; 5]>, width: u16) -> String {
    let header = ["entrant", "SD per set", "sets, power 80%", "sets, power 90%", "games, power 80%"];
    plain_table(header.into(), rows.into_iter().map(Vec::from), width, 1)
}

/// The decisions of simulated sequential tests, by the true effect.
#[must_use]
pub fn sprt_errors_table(rows: &[SprtErrorsRow], width: u16) -> String {
    let percent = |share: f64| format!("{:.2}", 100.0 * share);
    let cells = |row: &SprtErrorsRow| {
        vec![
            format!("{:+.1}", row.nelo),
            format!("{:+.1} or {:+.1}", row.nelo0, row.nelo1),
            grouped(row.tests),
            with_bounds(Some(row.share_h1), row.ci_low, row.ci_high, percent),
            percent(row.accept_h0 as f64 / row.tests as f64),
            percent(row.undecided as f64 / row.tests as f64),
            format!("{:.0}", row.sets_mean),
        ]
    };
    let Some(first) = rows.first() else { return String::new() };
    let SprtErrorsRow { seats, alpha, beta, .. } = first;
    let header = ["true nElo", "tested", "tests", "accept h1% [95%]", "accept h0%", "undecided %", "sets per test"];
    let table = plain_table(header.into(), rows.iter().map(cells), width, 0);
    format!("{seats} seats, alpha {alpha}, beta {beta}\n{table}\n")
}
