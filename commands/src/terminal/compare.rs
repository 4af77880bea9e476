//! The table of the differences between two runs.

use unolab_agents::printable::printable;
use unolab_arena::tables::compare::CompareRow;
use unolab_arena::words::{counted, grouped};

use super::plain::{plain_table, with_bounds};

/// The differences between two runs; results by seat are only in the file.
#[must_use]
pub fn compare_table(rows: &[CompareRow], width: u16) -> String {
    let mut text = String::new();
    for section in rows.chunk_by(|a, b| (&a.variant, a.seats) == (&b.variant, b.seats)) {
        let cells = |row: &CompareRow| {
            let is_share = row.measure.contains("share");
            let write = |value: f64| if is_share { format!("{:.2}", 100.0 * value) } else { format!("{value:.2}") };
            let signed = |value: f64| format!("{}{}", if value > 0.0 { "+" } else { "" }, write(value));
            let whose = if row.a == row.b { row.a.clone() } else { format!("{} → {}", row.a, row.b) };
            vec![
                whose,
                if is_share { format!("{}%", row.measure) } else { row.measure.clone() },
                row.first.map_or_else(String::new, write),
                row.second.map_or_else(String::new, write),
                with_bounds(row.difference, row.ci_low, row.ci_high, signed),
                row.unequal_sets.map_or_else(String::new, grouped),
                row.p_holm.map_or_else(String::new, |p| format!("{p:.4}")),
                row.relative_efficiency.map_or_else(String::new, |ratio| format!("{ratio:.1}")),
            ]
        };
        let header =
            vec!["entrant", "measure", "first", "second", "difference [95%]", "differ", "p (Holm)", "rel. efficiency"];
        let shown = section.iter().filter(|row| row.seat.is_none());
        let table = plain_table(header, shown.map(cells), width, 2);
        let Some(first) = section.first() else { continue };
        let deals = counted(section.iter().map(|row| row.sets).max().unwrap_or(0), "common deal");
        text += &format!("{}, {} seats, {deals}\n{table}\n\n", printable(&first.variant), first.seats);
    }
    text
}
