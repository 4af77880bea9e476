//! The tables as Parquet.
//!
//! The crate `parquet` is used only in tests, to read the files, because it and its dependencies would add half a minute to
//! the first build.

mod column;
mod error;
mod thrift;

use std::io::{Read, Write};

use serde_json::Value;

use super::games::GameRow;
use super::{Row, row};
use column::{Cell, Chunk, Column, wide};
pub use error::ParquetError;
use thrift::{Kind, Thrift};

/// Rows that are held in memory at a time.
const ROWS_AT_A_TIME: usize = 50_000;

/// `games.csv` as Parquet, one row group at a time.
///
/// # Errors
/// If it is not `games.csv`, or cannot be read or written.
pub fn games_to_parquet(csv: &mut dyn Read, out: &mut dyn Write) -> Result<(), ParquetError> {
    let mut csv = csv::Reader::from_reader(csv);
    let mut writer = Writer::new(GameRow::COLUMNS, out)?;
    let mut row = csv::StringRecord::new();
    while csv.read_record(&mut row)? {
        writer.push(row.iter().map(Cell::Read))?;
    }
    writer.finish()
}

/// A table as Parquet, from its rows as JSON.
pub(super) fn to_parquet(columns: &'static [row::Column], rows: &[Value]) -> Result<Vec<u8>, ParquetError> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(columns, &mut bytes)?;
    for row in rows {
        writer.push(columns.iter().map(|column| Cell::Of(&row[column.name])))?;
    }
    writer.finish()?;
    Ok(bytes)
}

/// The bytes at the beginning and at the end of each file.
const MARK: &[u8] = b"PAR1";

/// A file under construction, one row group at a time.
struct Writer<'a> {
    out: &'a mut dyn Write,
    columns: Vec<Column>,
    groups: Vec<Vec<Chunk>>,
    rows: usize,
    offset: usize,
}

impl<'a> Writer<'a> {
    fn new(columns: &[row::Column], out: &'a mut dyn Write) -> Result<Self, ParquetError> {
        out.write_all(MARK)?;
        let columns = columns.iter().map(Column::new).collect();
        Ok(Self { out, columns, groups: Vec::new(), rows: 0, offset: MARK.len() })
    }

    fn push<'b>(&mut self, cells: impl Iterator<Item = Cell<'b>>) -> Result<(), ParquetError> {
        self.columns.iter_mut().zip(cells).try_for_each(|(column, cell)| column.push(cell))?;
        self.rows += 1;
        if self.rows.is_multiple_of(ROWS_AT_A_TIME) { self.write_group() } else { Ok(()) }
    }

    fn write_group(&mut self) -> Result<(), ParquetError> {
        let mut bytes = Vec::new();
        self.groups.push(self.columns.iter_mut().map(|column| column.write(&mut bytes, self.offset)).collect());
        self.offset += bytes.len();
        Ok(self.out.write_all(&bytes)?)
    }

    fn finish(mut self) -> Result<(), ParquetError> {
        if !self.rows.is_multiple_of(ROWS_AT_A_TIME) {
            self.write_group()?;
        }
        let footer = footer(&self.columns, &self.groups, self.rows);
        self.out.write_all(&footer)?;
        self.out.write_all(&u32::try_from(footer.len()).expect("it is short").to_le_bytes())?;
        Ok(self.out.write_all(MARK)?)
    }
}

/// The footer of a file: its columns, and the position of each row group.
fn footer(columns: &[Column], groups: &[Vec<Chunk>], rows: usize) -> Vec<u8> {
    Thrift::of(|thrift| {
        thrift.i32(1, 1); // the version
        thrift.list(2, columns.len() + 1, Kind::Struct);
        thrift.element(|root| {
            root.text(4, "table");
            root.i32(5, i32::try_from(columns.len()).expect("a few"));
        });
        columns.iter().for_each(|column| thrift.element(|leaf| column.describe(leaf)));
        thrift.i64(3, wide(rows));
        thrift.list(4, groups.len(), Kind::Struct);
        for chunks in groups {
            thrift.element(|group| {
                group.list(1, chunks.len(), Kind::Struct);
                for (column, chunk) in columns.iter().zip(chunks) {
                    group.element(|thrift| column.locate(chunk, thrift));
                }
                group.i64(2, wide(chunks.iter().map(Chunk::len).sum()));
                group.i64(3, wide(chunks.first().map_or(0, Chunk::cells)));
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

    row! {
        /// A line of this test.
        #[expect(unreachable_pub, reason = "rows are public")]
        pub struct Line in "lines.csv", "a line of this test" {
            /// Text.
            name: String,
            /// A whole number.
            seats: usize,
            /// A real number.
            share: f64,
            /// A real number or nothing.
            elo: Option<f64>,
            /// A whole number or nothing.
            n: Option<u64>,
            /// Text.
            kind: String,
        }
    }

    #[test]
    fn cells_have_field_types() {
        let lines = [
            Line { name: "500".into(), seats: 2, share: 1.0, n: None, ..Line::default() },
            Line { name: "a,b".into(), seats: 3, share: 1e-7, n: Some(7), kind: "12".into(), ..Line::default() },
        ];
        let (types, rows) = read(&Table::of(lines.to_vec()).to_parquet().unwrap());
        let expected = ["name BYTE_ARRAY", "seats INT64", "share DOUBLE", "elo DOUBLE", "n INT64", "kind BYTE_ARRAY"];
        assert_eq!(types, expected);
        assert_eq!(rows[0], r#"{name: "500", seats: 2, share: 1.0, elo: null, n: null, kind: null}"#);
        assert_eq!(rows[1], r#"{name: "a,b", seats: 3, share: 0.0000001, elo: null, n: 7, kind: "12"}"#);
    }

    #[test]
    fn empty_table_has_column_types() {
        let (types, rows) = read(&Table::of::<SweepRow>(Vec::new()).to_parquet().unwrap());
        assert_eq!(rows, [] as [&str; 0]);
        assert_eq!(types.len(), SweepRow::COLUMNS.len());
        for column in ["arm BYTE_ARRAY", "difference DOUBLE", "p_holm DOUBLE", "sets INT64"] {
            assert!(types.contains(&column.to_owned()), "{types:?}");
        }
    }

    #[test]
    fn games_beyond_buffer_are_written() {
        let mut csv = String::from_utf8(super::super::header::<GameRow>()).unwrap();
        for index in 0..ROWS_AT_A_TIME + 3 {
            csv += &format!("{index},0,1,2,500,2,0 1,0,-1,random,0,5,1 2,1,20,25,0,finished,0000000000000012\n");
        }
        let mut bytes = Vec::new();
        games_to_parquet(&mut csv.as_bytes(), &mut bytes).unwrap();
        let (types, rows) = read(&bytes);
        assert_eq!((rows.len(), types.len()), (ROWS_AT_A_TIME + 3, GameRow::COLUMNS.len()));
        assert!(types.contains(&"winner_seat INT64".to_owned()), "{types:?}");
        let last = r#"index: 50002, table: 0, set: 1, seating: 2, variant: "500", seats: 2, entrants: "0 1""#;
        assert!(rows[ROWS_AT_A_TIME + 2].contains(last), "{}", rows[ROWS_AT_A_TIME + 2]);
    }
}
