//! The tables as Parquet, converted from their CSV.
//!
//! The crate `parquet` can do this, too, and much else: it would be a twentieth of the binary. It reads the files in the tests.

mod cells;
mod column;
mod thrift;

use std::io::{Read, Write};

use serde::Serialize;
use serde_json::Value;

use super::Row;
use super::games::Game;
use cells::Cells;
pub use cells::ParquetError;
use column::{Chunk, Column, wide};
use thrift::{Kind, Thrift};

/// Rows that are held in memory at a time.
const ROWS_AT_A_TIME: usize = 50_000;

/// Text columns of `games.csv`. All others are whole numbers.
const TEXTS_OF_GAMES: [&str; 7] = ["variant", "entrants", "winner", "points", "places", "status", "hash"];

/// The columns of a table, each with its cell type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns(Vec<(&'static str, Cells)>);

impl Columns {
    /// The kinds of these rows' columns, by their fields, or by the first cell that is not empty. If all are empty, only
    /// reals can be undefined.
    ///
    /// # Panics
    /// Never: rows are flat.
    pub(super) fn of<R: Row + Serialize + Default>(rows: &[R]) -> Self {
        let cells = |row: &R| serde_json::to_value(row).expect("a flat row can be written");
        let default = cells(&R::default());
        let kind = |name| kind_of(&default[name]).or_else(|| rows.iter().find_map(|row| kind_of(&cells(row)[name])));
        Self(R::COLUMNS.iter().map(|&(name, _)| (name, kind(name).unwrap_or(Cells::Reals))).collect())
    }

    fn of_games() -> Self {
        let kind = |name| if TEXTS_OF_GAMES.contains(&name) { Cells::Texts } else { Cells::Wholes };
        Self(Game::COLUMNS.iter().map(|&(name, _)| (name, kind(name))).collect())
    }
}

/// The type of a cell, unless it is empty.
fn kind_of(cell: &Value) -> Option<Cells> {
    match cell {
        Value::Null => None,
        Value::Number(number) if number.is_f64() => Some(Cells::Reals),
        Value::Number(_) => Some(Cells::Wholes),
        _ => Some(Cells::Texts),
    }
}

/// `games.csv` as Parquet, one row group at a time.
///
/// # Errors
/// If it is not `games.csv`, or cannot be read or written.
pub fn games_to_parquet(csv: &mut dyn Read, out: &mut dyn Write) -> Result<(), ParquetError> {
    to_parquet(csv, &Columns::of_games(), out)
}

/// The bytes at the beginning and at the end of each file.
const MARK: &[u8] = b"PAR1";

/// A table as Parquet, converted from its CSV, one row group at a time.
pub(super) fn to_parquet(
    csv: &mut dyn Read,
    Columns(columns): &Columns,
    out: &mut dyn Write,
) -> Result<(), ParquetError> {
    let mut csv = csv::Reader::from_reader(csv);
    let mut columns: Vec<Column> = columns.iter().map(|&(name, cells)| Column::new(name, cells)).collect();
    let mut stretches: Vec<Vec<Chunk>> = Vec::new();
    let mut row = csv::StringRecord::new();
    let (mut rows, mut held, mut offset) = (0, 0, MARK.len());
    out.write_all(MARK)?;
    loop {
        let is_row = csv.read_record(&mut row)?;
        if is_row {
            for (column, cell) in columns.iter_mut().zip(&row) {
                column.push(cell)?;
            }
            held += 1;
        }
        if held == ROWS_AT_A_TIME || (!is_row && held > 0) {
            let mut bytes = Vec::new();
            stretches.push(columns.iter_mut().map(|column| column.write(&mut bytes, offset)).collect());
            out.write_all(&bytes)?;
            offset += bytes.len();
            rows += held;
            held = 0;
        }
        if !is_row {
            break;
        }
    }
    let footer = footer(&columns, &stretches, rows);
    out.write_all(&footer)?;
    out.write_all(&u32::try_from(footer.len()).expect("it is short").to_le_bytes())?;
    Ok(out.write_all(MARK)?)
}

/// The footer of a file: its columns, and the position of each row group.
fn footer(columns: &[Column], stretches: &[Vec<Chunk>], rows: usize) -> Vec<u8> {
    Thrift::of(|thrift| {
        thrift.i32(1, 1); // the version
        thrift.list(2, columns.len() + 1, Kind::Struct);
        thrift.element(|root| {
            root.text(4, "table");
            root.i32(5, i32::try_from(columns.len()).expect("a few"));
        });
        columns.iter().for_each(|column| thrift.element(|leaf| column.describe(leaf)));
        thrift.i64(3, wide(rows));
        thrift.list(4, stretches.len(), Kind::Struct);
        for chunks in stretches {
            thrift.element(|stretch| {
                stretch.list(1, chunks.len(), Kind::Struct);
                for (column, chunk) in columns.iter().zip(chunks) {
                    stretch.element(|thrift| column.locate(chunk, thrift));
                }
                stretch.i64(2, wide(chunks.iter().map(Chunk::len).sum()));
                stretch.i64(3, wide(chunks.first().map_or(0, Chunk::cells)));
            });
        }
        thrift.text(6, concat!("unolab ", env!("CARGO_PKG_VERSION")));
    })
}

#[cfg(test)]
mod tests {
    use ::parquet::file::reader::{FileReader, SerializedFileReader};

    use super::super::table::Table;
    use super::*;
    use crate::tables::balance::SweepRow;

    fn read(parquet: &[u8]) -> (Vec<String>, Vec<String>) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(parquet).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let types = schema.columns().iter().map(|column| format!("{} {}", column.name(), column.physical_type()));
        (types.collect(), reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect())
    }

    #[derive(Debug, Default, Serialize)]
    struct Line {
        name: String,
        seats: usize,
        share: f64,
        elo: Option<f64>,
        n: Option<u64>,
        kind: &'static str,
    }

    impl Row for Line {
        const FILE: &'static str = "lines.csv";
        const ROW: &'static str = "a line of this test";
        const COLUMNS: &'static [(&'static str, &'static str)] =
            &[("name", ""), ("seats", ""), ("share", ""), ("elo", ""), ("n", ""), ("kind", "")];
    }

    #[test]
    fn cells_have_the_types_of_their_fields() {
        let lines = [
            Line { name: "500".into(), seats: 2, share: 1.0, n: None, ..Line::default() },
            Line { name: "a,b".into(), seats: 3, share: 1e-7, n: Some(7), kind: "12", ..Line::default() },
        ];
        let (types, rows) = read(&Table::of(&lines).to_parquet().unwrap());
        let expected = ["name BYTE_ARRAY", "seats INT64", "share DOUBLE", "elo DOUBLE", "n INT64", "kind BYTE_ARRAY"];
        assert_eq!(types, expected);
        assert_eq!(rows[0], r#"{name: "500", seats: 2, share: 1.0, elo: null, n: null, kind: null}"#);
        assert_eq!(rows[1], r#"{name: "a,b", seats: 3, share: 0.0000001, elo: null, n: 7, kind: "12"}"#);
    }

    #[test]
    fn empty_table_has_column_types() {
        let (types, rows) = read(&Table::of::<SweepRow>(&[]).to_parquet().unwrap());
        assert_eq!(rows, [] as [&str; 0]);
        assert_eq!(types.len(), SweepRow::COLUMNS.len());
        for column in ["arm BYTE_ARRAY", "difference DOUBLE", "p_holm DOUBLE", "sets INT64"] {
            assert!(types.contains(&column.to_owned()), "{types:?}");
        }
    }

    #[test]
    fn more_games_than_are_held_at_a_time() {
        let mut csv = String::from_utf8(super::super::header::<Game>()).unwrap();
        for index in 0..ROWS_AT_A_TIME + 3 {
            csv += &format!("{index},0,1,2,500,2,0 1,0,-1,random,0,5,1 2,1,20,25,0,finished,0000000000000012\n");
        }
        let mut bytes = Vec::new();
        games_to_parquet(&mut csv.as_bytes(), &mut bytes).unwrap();
        let (types, rows) = read(&bytes);
        assert_eq!((rows.len(), types.len()), (ROWS_AT_A_TIME + 3, Game::COLUMNS.len()));
        assert!(types.contains(&"winner_seat INT64".to_owned()), "{types:?}");
        let last = r#"index: 50002, table: 0, set: 1, seating: 2, variant: "500", seats: 2, entrants: "0 1""#;
        assert!(rows[ROWS_AT_A_TIME + 2].contains(last), "{}", rows[ROWS_AT_A_TIME + 2]);
    }
}
