//! The page of a ladder: the last update, the ranking, the cross table, and all pairs.

use maud::{DOCTYPE, PreEscaped, html};

use super::page::{SCRIPT, STYLE, head};
use super::table::{Cell, Column, ColumnType, Table};
use crate::terminal::ratings::TableRows;

/// A variant at one number of seats.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LadderSection {
    /// The heading.
    pub title: String,
    /// The results of new versions.
    pub sentences: Vec<String>,
    /// Tables with their titles.
    pub tables: Vec<(String, TableRows)>,
}

/// The page of a ladder.
#[must_use]
pub fn ladder_page(title: &str, sections: &[LadderSection]) -> String {
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            (head(title, &[STYLE]))
            body {
                header {
                    p.program { "unolab ladder" }
                    h1 { (title) }
                    @for sentence in sections.iter().flat_map(|section| &section.sentences) {
                        p.answer { bdi { (sentence) } }
                    }
                }
                main {
                    @for section in sections {
                        section {
                            h2 { bdi { (section.title) } }
                            @for (title, rows) in &section.tables {
                                p.note { (title) }
                                (table(title, rows).to_html())
                            }
                        }
                    }
                }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    page.into_string()
}

/// The table of these rows; a column after the names is sorted by the number at the beginning of its cells.
fn table(label: &str, TableRows { header, rows, names }: &TableRows) -> Table {
    let first_number = |cell: &str| cell.split(' ').next().and_then(|word| word.parse::<f64>().ok());
    let holds = |column: usize| {
        let has_number = rows.iter().any(|row| first_number(&row[column]).is_some());
        if column >= *names && has_number { ColumnType::Numbers } else { ColumnType::Text }
    };
    let columns = header.iter().enumerate().map(|(at, title)| Column { title: title.clone(), holds: holds(at) });
    let cell = |(at, text): (usize, &String)| match holds(at) {
        ColumnType::Text => Cell::name(text),
        ColumnType::Numbers => Cell {
            shown: html! { (text) },
            key: first_number(text).map_or_else(String::new, |number| number.to_string()),
        },
    };
    let rows = rows.iter().map(|row| row.iter().enumerate().map(cell).collect()).collect();
    Table { label: label.into(), columns: columns.collect(), rows }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ladder_page_escapes_names_and_sorts_numbers() {
        let rows = TableRows {
            header: vec!["version".into(), "Elo [95%]".into()],
            rows: vec![vec!["<b>@1".into(), "+12 [-3, +27]".into()], vec!["greedy".into(), "-12".into()]],
            names: 1,
        };
        let section = LadderSection {
            title: "classic, 2 seats".into(),
            sentences: vec!["<b>@1 is better".into()],
            tables: vec![("Strongest first".into(), rows)],
        };
        let page = ladder_page("ladder", &[section]);
        assert!(page.contains("&lt;b&gt;@1 is better") && !page.contains("<b>"), "{page}");
        assert!(page.contains("data-key=\"12\"") && page.contains("+12 [-3, +27]"), "{page}");
    }
}
