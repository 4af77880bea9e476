//! Tables as JSON: a list with one object per row, and the columns of the CSV as keys.

use serde::Serialize;
use serde_json::{Map, Value};

use super::row::{Cells, Column};
use super::{
    Row, balance, curve, distributions, faults, league, luck, pairs, ratings, seats, sprt, summary, tune, weights,
};

/// The columns of each table in a run directory, by the name of its file.
const SCHEMAS: [(&str, &[Column]); 19] = [
    schema::<summary::SummaryRow>(),
    schema::<seats::SeatsRow>(),
    schema::<pairs::PairsRow>(),
    schema::<ratings::RatingsRow>(),
    schema::<distributions::DistributionsRow>(),
    schema::<sprt::SprtRow>(),
    schema::<luck::LuckRow>(),
    schema::<league::LeagueRow>(),
    schema::<balance::MetricsRow>(),
    schema::<balance::SweepRow>(),
    schema::<balance::PointsRow>(),
    schema::<curve::CurveRow>(),
    schema::<weights::WeightsRow>(),
    schema::<tune::GoalRow>(),
    schema::<tune::CandidateRow>(),
    schema::<tune::ContributionRow>(),
    schema::<tune::FrontRow>(),
    schema::<faults::FaultRow>(),
    schema::<balance::FaultRow>(),
];

const fn schema<R: Row>() -> (&'static str, &'static [Column]) {
    (R::FILE, R::COLUMNS)
}

/// These rows. An empty cell, and a number that is not finite, is null.
///
/// # Panics
/// Never: rows are flat.
#[must_use]
pub fn of_rows<R: Row + Serialize>(rows: &[R]) -> Vec<Value> {
    let value = |row: &R| {
        let mut value = serde_json::to_value(row).expect("a flat row can be written");
        let cells = value.as_object_mut().into_iter().flat_map(Map::values_mut);
        cells.filter(|cell| cell.as_str() == Some("")).for_each(|cell| *cell = Value::Null);
        value
    };
    rows.iter().map(value).collect()
}

/// The rows of a file with this name: each cell has the type of its column. In columns that no table has, a cell that is a
/// valid number is one.
///
/// # Errors
/// If it is not valid CSV.
pub fn of_file(file: &str, csv: &[u8]) -> csv::Result<Vec<Value>> {
    let mut reader = csv::Reader::from_reader(csv);
    let names = reader.headers()?.clone();
    let columns: Vec<_> = names.iter().map(|name| (name, cells_of(file, name))).collect();
    let row = |record: csv::StringRecord| {
        let cells = columns.iter().zip(&record);
        Value::Object(cells.map(|(&(name, cells), cell)| (name.to_owned(), value(cells, cell))).collect())
    };
    reader.records().map(|record| record.map(row)).collect()
}

/// The type of a column; `None` if no table of this name has it.
fn cells_of(file: &str, name: &str) -> Option<Cells> {
    let columns = SCHEMAS.iter().filter(|(of, _)| *of == file).flat_map(|(_, columns)| *columns);
    columns.into_iter().find(|column| column.name == name).map(|column| column.cells)
}

fn value(cells: Option<Cells>, cell: &str) -> Value {
    if cell.is_empty() {
        return Value::Null;
    }
    if cells == Some(Cells::Text) {
        return cell.into();
    }
    if let Ok(whole) = cell.parse::<u64>() {
        return whole.into();
    }
    // Infinite and undefined numbers become null.
    cell.parse::<f64>().map_or_else(|_| cell.into(), Value::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::to_csv;

    #[test]
    fn json_names_are_strings_and_undefined_values_null() {
        let row = ratings::RatingsRow { entrant: "7".into(), rating: -1.5, ..ratings::RatingsRow::default() };
        let rows = of_rows(std::slice::from_ref(&row));
        assert_eq!((&rows[0]["entrant"], &rows[0]["rating"]), (&"7".into(), &(-1.5).into()));
        assert_eq!((&rows[0]["low"], &rows[0]["method"]), (&Value::Null, &Value::Null));
        assert!(rows[0]["seats"].is_u64());
        assert_eq!(of_file("ratings.csv", &to_csv(&[row])).unwrap(), rows);
        assert_eq!(value(Some(Cells::Real), "NaN"), Value::Null);
    }

    #[test]
    fn json_table_has_column_types() {
        for table in crate::run::manifest::RESULT_TABLES {
            assert!(SCHEMAS.iter().any(|(file, _)| *file == format!("{table}.csv")), "{table}");
        }
        let [row] = &of_file("unknown.csv", b"a,b\n7,x\n").unwrap()[..] else { panic!("one row") };
        assert_eq!((&row["a"], &row["b"]), (&7.into(), &"x".into()));
    }
}
