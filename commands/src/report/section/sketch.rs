//! A plot without its place on the page.

use maud::Markup;

use crate::report::plot::Plot;
use crate::report::plot::intervals::{self, Axis, MeasuredValue};

/// A plot that does not have its section yet.
pub(super) struct Sketch {
    pub(super) name: String,
    pub(super) title: String,
    pub(super) description: String,
    pub(super) note: String,
    pub(super) drawing: (Markup, f64),
}

impl Sketch {
    pub(super) fn plot(self, section: &str, stem: &str) -> Plot {
        let Self { name, title, description, note, drawing: (drawing, height) } = self;
        Plot { name: format!("{stem}-{name}"), title, subtitle: section.into(), description, note, height, drawing }
    }
}

/// `games won (%): greedy 51.20 [50.10, 52.30]; …`.
pub(super) fn describe_rows(rows: &[MeasuredValue<'_>], axis: &Axis<'_>) -> String {
    let row = |row: &MeasuredValue<'_>| format!("{} {}", row.name, intervals::numbers(row, axis));
    format!("{}: {}", axis.label, rows.iter().map(row).collect::<Vec<_>>().join("; "))
}
