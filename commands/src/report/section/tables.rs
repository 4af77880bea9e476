//! The tables of a section.

use std::iter;

use unolab_arena::tables::summary::SummaryRow;

use super::MetricGroup;
use crate::report::input::OtherTable;
use crate::report::numbers::{decimal, magnitude_digits, of_any_kind, of_any_size, percent, rounded};
use crate::report::table::{Cell, Column, ColumnType, Table};

/// The result of each entrant, the strongest first.
pub(super) fn summary(found: &MetricGroup<'_>, title: &str) -> Option<Table> {
    let mut lines = found.summary.clone();
    let share = |line: &SummaryRow| line.win_share.unwrap_or(f64::NEG_INFINITY);
    lines.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let has_faults = lines.iter().any(|line| line.crashes + line.timeouts + line.illegal > 0);
    let mut columns = vec![
        Column::text("entrant"),
        Column::numbers("win share %"),
        Column::numbers("Elo"),
        Column::numbers("points per game"),
        Column::numbers("turns per game"),
        Column::numbers("games"),
        Column::numbers("sets"),
        Column::numbers("independent games"),
    ];
    if has_faults {
        columns.extend(["crashes", "timeouts", "illegal"].map(Column::numbers));
    }
    let rows = lines.iter().map(|line| {
        let mut cells = vec![
            if found.is_rated(line) { Cell::name(&line.entrant) } else { Cell::unrated(&line.entrant) },
            Cell::with_bounds(line.win_share, [line.ci_low, line.ci_high], percent),
            found.elo(&line.entrant),
            Cell::with_error(line.points_mean, line.points_se, |points| decimal(points, 2)),
            Cell::number(line.turns_mean, |turns| decimal(turns, 2)),
            Cell::count(line.games),
            Cell::count(line.sets),
            Cell::number(line.n_eff, rounded),
        ];
        if has_faults {
            cells.extend([line.crashes, line.timeouts, line.illegal].map(Cell::count));
        }
        cells
    });
    let rows: Vec<Vec<Cell>> = rows.collect();
    (!rows.is_empty()).then(|| Table { label: format!("{title}: entrants"), columns, rows })
}

/// The other tables, each with its title.
pub(super) fn details(found: &MetricGroup<'_>, title: &str) -> Vec<(String, Table)> {
    let named = |name: &str, columns: Vec<Column>, rows: Vec<Vec<Cell>>| {
        let table = Table { label: format!("{title}: {name}"), columns, rows };
        (!table.rows.is_empty()).then(|| (name.to_owned(), table))
    };
    let others = found.others.iter().filter_map(|(table, rows)| {
        let shown = columns_of(table, rows);
        let heads = shown.iter().map(|shown| Column { title: shown.title.clone(), holds: shown.holds }).collect();
        named(table.file, heads, rows.iter().map(|row| shown.iter().map(|shown| shown.cell(row)).collect()).collect())
    });
    [ratings_table(found, named), pairs_table(found, named), seats_table(found, named)]
        .into_iter()
        .flatten()
        .chain(others)
        .collect()
}

/// A column of a table that is shown unchanged.
struct DisplayColumn {
    column: usize,
    title: String,
    holds: ColumnType,
    /// The columns of its bounds, if it has any.
    bounds: Option<[usize; 2]>,
}

impl DisplayColumn {
    fn cell(&self, row: &[String]) -> Cell {
        let number = |column: usize| row[column].parse().ok().filter(|number: &f64| number.is_finite());
        match self.bounds {
            Some(bounds) => Cell::with_bounds(number(self.column), bounds.map(number), of_any_size),
            None => Cell::of_any_kind(&row[self.column], self.holds),
        }
    }
}

/// The columns of a table. A value with an error and an interval in separate columns is shown with its interval, as
/// everywhere else; the section's title already has the variant and the seats.
fn columns_of(table: &OtherTable, rows: &[&[String]]) -> Vec<DisplayColumn> {
    let bounds = table.column("ci_low").zip(table.column("ci_high")).map(|(low, high)| [low, high]);
    let measured = table.column("se").filter(|_| bounds.is_some()).and_then(|se| se.checked_sub(1));
    let left_out: &[&str] =
        if measured.is_some() { &["variant", "seats", "se", "ci_low", "ci_high"] } else { &["variant", "seats"] };
    let shown = table.columns.iter().enumerate().filter(|(_, name)| !left_out.contains(&&***name));
    shown
        .map(|(column, name)| {
            let mut filled = rows.iter().map(|row| &*row[column]).filter(|cell| !cell.is_empty()).peekable();
            let is_numeric = filled.peek().is_some() && filled.all(|cell| of_any_kind(cell).is_some());
            let bounds = bounds.filter(|_| measured == Some(column));
            let holds = if is_numeric || bounds.is_some() { ColumnType::Numbers } else { ColumnType::Text };
            DisplayColumn { column, title: name.replace('_', " "), holds, bounds }
        })
        .collect()
}

type Named = (String, Table);

fn pairs_table(
    found: &MetricGroup<'_>,
    named: impl FnOnce(&str, Vec<Column>, Vec<Vec<Cell>>) -> Option<Named>,
) -> Option<Named> {
    let columns = vec![
        Column::text("a"),
        Column::text("b"),
        Column::numbers("a wins against b %"),
        Column::numbers("los %"),
        Column::numbers("comparisons"),
    ];
    let rows = found.pairs.iter().map(|line| {
        vec![
            Cell::name(&line.a),
            Cell::name(&line.b),
            Cell::with_bounds(line.share, [line.ci_low, line.ci_high], percent),
            Cell::number(line.los, percent),
            Cell::count(line.games),
        ]
    });
    named("Pairs", columns, rows.collect())
}

fn seats_table(
    found: &MetricGroup<'_>,
    named: impl FnOnce(&str, Vec<Column>, Vec<Vec<Cell>>) -> Option<Named>,
) -> Option<Named> {
    let columns = vec![
        Column::text("entrant"),
        Column::numbers("position in the turn order"),
        Column::numbers("win share %"),
        Column::numbers("points per game"),
        Column::numbers("games"),
    ];
    let rows = found.seats.iter().map(|line| {
        vec![
            Cell::name(&line.entrant),
            Cell::count((line.seat as u64).saturating_add(1)),
            Cell::with_error(line.win_share, line.se, percent),
            Cell::number(line.points_mean, |points| decimal(points, 2)),
            Cell::count(line.games),
        ]
    });
    named("Seats", columns, rows.collect())
}

fn ratings_table(
    found: &MetricGroup<'_>,
    named: impl FnOnce(&str, Vec<Column>, Vec<Vec<Cell>>) -> Option<Named>,
) -> Option<Named> {
    let methods: Vec<&str> = found.methods().collect();
    let head = |method: &&str| Column::numbers(&method.replace('-', " "));
    let columns = iter::once(Column::text("entrant")).chain(methods.iter().map(head)).collect();
    // Methods differ in their units: hundreds of points, or shares.
    let digits = |method: &str| magnitude_digits(found.rated_by(method).map(|line| line.rating));
    let cell = |method: &&str, entrant: &str| {
        let line = found.rated_by(method).find(|line| line.entrant == entrant);
        let bounds = line.map_or([None; 2], |line| [line.low, line.high]);
        Cell::with_bounds(line.map(|line| line.rating), bounds, |rating| decimal(rating, digits(method)))
    };
    let mut entrants: Vec<&str> = Vec::new();
    for line in &found.ratings {
        if !entrants.contains(&&*line.entrant) {
            entrants.push(&line.entrant);
        }
    }
    let row = |entrant: &str| {
        iter::once(Cell::name(entrant)).chain(methods.iter().map(|method| cell(method, entrant))).collect()
    };
    named("Ratings", columns, entrants.into_iter().map(row).collect())
}
