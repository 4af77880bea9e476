//! Tables as JSON: a list with one object per row, and the columns of the CSV as keys.

use serde_json::{Map, Value};

/// Columns that hold text, in any table; in all other columns a cell that is a valid number is one.
const TEXTS: [&str; 23] = [
    "a",
    "agent",
    "arm",
    "b",
    "best",
    "cards",
    "chosen",
    "entrant",
    "field",
    "file",
    "kind",
    "measure",
    "method",
    "metric",
    "record",
    "sha256",
    "statistic",
    "table",
    "unit",
    "values",
    "variant",
    "verdict",
    "what",
];

/// The rows of a CSV. An empty cell, and a number that is not finite, is null.
///
/// # Errors
/// If it is not valid CSV.
pub fn rows_of_csv(csv: &[u8]) -> csv::Result<Vec<Value>> {
    let mut reader = csv::Reader::from_reader(csv);
    let columns = reader.headers()?.clone();
    let row = |record: csv::StringRecord| {
        let mut cells = Map::new();
        for (column, cell) in columns.iter().zip(&record) {
            cells.insert(column.to_owned(), value(column, cell));
        }
        Value::Object(cells)
    };
    reader.records().map(|record| record.map(row)).collect()
}

fn value(column: &str, cell: &str) -> Value {
    if cell.is_empty() {
        return Value::Null;
    }
    if TEXTS.contains(&column) {
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
    use serde::Serialize;

    use super::*;
    use crate::experiment::balance::faults::FaultRow as BalanceFaultRow;
    use crate::tables::balance::{MetricsRow, PointsRow, SweepRow};
    use crate::tables::{
        Row, compare, curve, decisions, distributions, faults, league, luck, pairs, quality, ratings, seats, sprt,
        summary, to_csv, weights,
    };

    fn assert_texts_are_named<R: Row + Serialize + Default>() {
        let row = serde_json::to_value(R::default()).unwrap();
        for (column, cell) in row.as_object().unwrap() {
            assert!(!cell.is_string() || TEXTS.contains(&&**column), "{}: {column} is a text", R::FILE);
            assert!(!cell.is_number() || !TEXTS.contains(&&**column), "{}: {column} is a number", R::FILE);
        }
    }

    #[test]
    fn every_column_of_texts_is_one_in_all_tables() {
        assert_texts_are_named::<BalanceFaultRow>();
        assert_texts_are_named::<MetricsRow>();
        assert_texts_are_named::<PointsRow>();
        assert_texts_are_named::<SweepRow>();
        assert_texts_are_named::<compare::CompareRow>();
        assert_texts_are_named::<curve::CurveRow>();
        assert_texts_are_named::<decisions::DecisionRow>();
        assert_texts_are_named::<distributions::DistributionsRow>();
        assert_texts_are_named::<faults::FaultRow>();
        assert_texts_are_named::<league::LeagueRow>();
        assert_texts_are_named::<luck::LuckRow>();
        assert_texts_are_named::<pairs::PairsRow>();
        assert_texts_are_named::<quality::QualityRow>();
        assert_texts_are_named::<ratings::RatingsRow>();
        assert_texts_are_named::<seats::SeatsRow>();
        assert_texts_are_named::<sprt::SprtRow>();
        assert_texts_are_named::<summary::SummaryRow>();
        assert_texts_are_named::<weights::WeightsRow>();
    }

    #[test]
    fn json_names_are_strings_and_undefined_values_null() {
        let row = ratings::RatingsRow { entrant: "7".into(), rating: -1.5, ..ratings::RatingsRow::default() };
        let [row] = &rows_of_csv(&to_csv(&[row])).unwrap()[..] else { panic!("one row") };
        assert_eq!((&row["entrant"], &row["rating"], &row["low"]), (&"7".into(), &(-1.5).into(), &Value::Null));
        assert!(row["seats"].is_u64());
        assert_eq!(value("se", "NaN"), Value::Null);
    }
}
