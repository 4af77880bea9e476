//! Tables of the page: complete without the script, sortable with it.

use maud::{Markup, html};
use unolab_arena::words::grouped;

use super::glossary::meaning;
use super::numbers::of_any_kind;

/// A table under construction.
pub(super) struct Table {
    /// The description for screen readers.
    pub(super) label: String,
    pub(super) columns: Vec<Column>,
    pub(super) rows: Vec<Vec<Cell>>,
}

/// The head of a column.
pub(super) struct Column {
    pub(super) title: String,
    pub(super) holds: ColumnType,
}

/// How a column is set and sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ColumnType {
    Text,
    Numbers,
}

/// A cell, and its sort key.
pub(super) struct Cell {
    pub(super) shown: Markup,
    /// An empty cell sorts last, in either order.
    pub(super) key: String,
}

impl Column {
    pub(super) fn text(title: &str) -> Self {
        Self { title: title.into(), holds: ColumnType::Text }
    }

    pub(super) fn numbers(title: &str) -> Self {
        Self { title: title.into(), holds: ColumnType::Numbers }
    }
}

impl Cell {
    pub(super) fn name(name: &str) -> Self {
        Self { shown: html! { bdi.name title=(name) { (name) } }, key: name.into() }
    }

    /// The name of an unrated entrant.
    pub(super) fn unrated(name: &str) -> Self {
        let why = "sees all cards, or is tailored to one agent";
        let shown = html! { bdi.name title=(name) { (name) } " " span.bounds title=(why) { "(not rated)" } };
        Self { shown, key: name.into() }
    }

    /// A number in this format; an empty cell if there is none.
    pub(super) fn number(number: Option<f64>, show: impl FnOnce(f64) -> String) -> Self {
        let text = number.map(show);
        Self { shown: html! { @if let Some(text) = text { (text) } }, key: key(number) }
    }

    /// A number with its interval.
    pub(super) fn with_bounds(number: Option<f64>, bounds: [Option<f64>; 2], show: impl Fn(f64) -> String) -> Self {
        let [low, high] = bounds;
        let shown = html! {
            @if let Some(number) = number { (show(number)) }
            @if let (Some(low), Some(high)) = (low, high) { " " span.bounds { "[" (show(low)) ", " (show(high)) "]" } }
        };
        Self { shown, key: key(number) }
    }

    /// A number with its standard error.
    pub(super) fn with_error(number: Option<f64>, standard_error: Option<f64>, show: impl Fn(f64) -> String) -> Self {
        let shown = html! {
            @if let Some(number) = number { (show(number)) }
            @if let Some(error) = standard_error { " " span.bounds { "± " (show(error)) } }
        };
        Self { shown, key: key(number) }
    }

    /// A cell of an unknown table.
    pub(super) fn of_any_kind(cell: &str, holds: ColumnType) -> Self {
        let text = match holds {
            ColumnType::Numbers => of_any_kind(cell).unwrap_or_default(),
            ColumnType::Text => cell.into(),
        };
        Self { shown: html! { bdi { (text) } }, key: cell.into() }
    }

    pub(super) fn count(number: u64) -> Self {
        Self { shown: html! { (grouped(number)) }, key: number.to_string() }
    }
}

fn key(number: Option<f64>) -> String {
    number.map_or_else(String::new, |number| number.to_string())
}

impl Table {
    /// The table, in a frame that scrolls sideways if it is too wide, and the meanings of its terms. Empty columns are
    /// omitted.
    pub(super) fn to_html(&self) -> Markup {
        let is_empty = |column: usize| self.rows.iter().all(|row| row[column].key.is_empty());
        let shown: Vec<usize> = (0..self.columns.len()).filter(|&column| !is_empty(column)).collect();
        let titles = shown.iter().map(|&column| &*self.columns[column].title);
        let words: Vec<(&str, &str)> = titles.filter_map(|title| Some((title, meaning(title)?))).collect();
        html! {
            div.frame role="region" tabindex="0" aria-label=(self.label) {
                table.sortable {
                    thead {
                        tr {
                            @for Column { title, holds } in shown.iter().map(|&column| &self.columns[column]) {
                                th scope="col" class=[holds.class()] {
                                    @if let Some(meaning) = meaning(title) { abbr title=(meaning) { (title) } }
                                    @else { (title) }
                                }
                            }
                        }
                    }
                    tbody {
                        @for row in &self.rows {
                            tr {
                                @for &column in &shown {
                                    @let Cell { shown, key } = &row[column];
                                    td class=[self.columns[column].holds.class()] data-key=(key) { (shown) }
                                }
                            }
                        }
                    }
                }
            }
            @if !words.is_empty() {
                details {
                    summary { "Words" }
                    dl { @for (word, meaning) in words { dt { (word) } dd { (meaning) } } }
                }
            }
        }
    }
}

impl ColumnType {
    const fn class(self) -> Option<&'static str> {
        match self {
            Self::Text => None,
            Self::Numbers => Some("numbers"),
        }
    }
}
