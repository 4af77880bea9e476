//! The page that people read on a terminal.

use std::collections::BTreeSet;

use comfy_table::{CellAlignment, LineStyle, Table, TableStyle};
use unolab_arena::experiment::balance::offences::OffenceRow;
use unolab_arena::experiment::balance::results::Tables;
use unolab_arena::experiment::balance::spec::CONTROL;
use unolab_arena::tables::balance::{MetricsRow, SweepRow};
use unolab_arena::words::{counted, grouped};

const STYLE: TableStyle = TableStyle::new()
    .top_border(LineStyle::none().fill('─').junction('─'))
    .header_separator(LineStyle::none().fill('─').junction('─'))
    .bottom_border(LineStyle::none().fill('─').junction('─'));

/// Rows of the method, which the files have and the page leaves out.
const LEFT_OUT: [&str; 3] = ["control_mean", "model_brier", "truncated_share"];

/// Everything that was found, at most so many columns wide. Of a sweep only what is different from the base by Holm's
/// method, and how often the control arm says so.
#[must_use]
pub fn page(tables: &Tables, width: u16) -> String {
    let mut text = String::new();
    for rows in tables.metrics.chunk_by(|a, b| (&a.variant, a.seats) == (&b.variant, b.seats)) {
        text += &format!("{}, {} seats; field: {}\n", rows[0].variant, rows[0].seats, rows[0].field);
        let shown = rows.iter().filter(|row| !LEFT_OUT.iter().any(|name| row.metric.contains(name)));
        text += &table(&["metric", "value", "95 %", "n"], width, shown.map(metric_cells));
    }
    if !tables.sweep.is_empty() {
        text += &sweep_page(&tables.sweep, width);
    }
    text + &offences_in_words(&tables.offences)
}

/// A line for each agent that lost games by offences, with one of them.
fn offences_in_words(offences: &[OffenceRow]) -> String {
    let mut told = BTreeSet::new();
    let first = offences.iter().filter(|row| told.insert((&row.variant, row.seats, &row.entrant)));
    first
        .map(|OffenceRow { variant, seats, entrant, arm, index, decision, what, .. }| {
            format!(
                "{entrant} in {variant} at {seats} seats lost games by offences, such as game {index} ({arm}), \
                 decision {decision}: {what}\n"
            )
        })
        .collect()
}

fn sweep_page(sweep: &[SweepRow], width: u16) -> String {
    let claims = sweep.iter().filter(|row| row.arm != CONTROL && row.p.is_some());
    let found: Vec<&SweepRow> = claims.clone().filter(|row| row.p_holm.is_some_and(|p| p < 0.05)).collect();
    let shown = found.iter().filter(|row| !row.metric.contains("points_from"));
    let control = || sweep.iter().filter(|row| row.arm == CONTROL && row.p.is_some());
    let by_chance = control().filter(|row| row.p.is_some_and(|p| p < 0.05)).count();
    let mut text = format!(
        "different from the base (Holm, 5 %): {} of {}; noise: {by_chance} of {} of the control arm have p < 5 %\n",
        found.len(),
        counted(claims.count() as u64, "comparison"),
        control().count(),
    );
    let cells = shown.map(|row| {
        let value = |value: Option<f64>| value.map_or_else(String::new, number);
        let head = format!("{}, {} seats", row.variant, row.seats);
        let difference = format!("{:+}", Signed(row.difference));
        vec![
            head,
            row.arm.clone(),
            row.metric.clone(),
            value(row.base),
            value(row.value),
            difference,
            bounds(row.ci_low, row.ci_high),
        ]
    });
    text += &table(&["rules", "arm", "metric", "base", "arm's", "difference", "95 %"], width, cells);
    text
}

fn metric_cells(row: &MetricsRow) -> Vec<String> {
    vec![
        row.metric.clone(),
        row.value.map_or_else(String::new, number),
        bounds(row.ci_low, row.ci_high),
        row.n.map_or_else(String::new, grouped),
    ]
}

fn table(header: &[&str], width: u16, rows: impl Iterator<Item = Vec<String>>) -> String {
    let mut table = Table::new();
    table.load_style(STYLE).set_width(width).set_header(header.to_vec()).add_rows(rows);
    let words = header.iter().filter(|name| ["rules", "arm", "metric"].contains(name)).count();
    for numbers in table.column_iter_mut().skip(words) {
        numbers.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt() + "\n\n"
}

fn bounds(low: Option<f64>, high: Option<f64>) -> String {
    low.zip(high).map_or_else(String::new, |(low, high)| format!("[{}, {}]", number(low), number(high)))
}

/// Four digits that count.
fn number(number: f64) -> String {
    match number.abs() {
        size if size >= 1000.0 => format!("{number:.0}"),
        size if size >= 100.0 => format!("{number:.1}"),
        size if size >= 10.0 => format!("{number:.2}"),
        _ => format!("{number:.4}"),
    }
}

struct Signed(f64);

impl std::fmt::Display for Signed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0 >= 0.0 { "+" } else { "" })?;
        f.write_str(&number(self.0))
    }
}
