//! The tables as Parquet, made of their CSV.

use std::io::{Read, Write};
use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::Type;
use serde::Serialize;
use serde_json::Value;

use super::Row;
use super::games::Game;

/// Rows that are held in memory at a time.
const ROWS_AT_A_TIME: usize = 50_000;

/// Columns of `games.csv` that are texts. All others are whole numbers.
const TEXTS_OF_GAMES: [&str; 7] = ["variant", "entrants", "winner", "points", "places", "status", "hash"];

/// The kind of a column's cells. Any cell may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Whole,
    Real,
    Text,
}

/// A column, as far as it is held in memory.
struct Column {
    kind: Kind,
    /// 1 for a cell that holds something, 0 for an empty one.
    defined: Vec<i16>,
    wholes: Vec<i64>,
    reals: Vec<f64>,
    texts: Vec<ByteArray>,
}

/// The columns of a table, each with what its cells are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Columns(Vec<(&'static str, Kind)>);

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
        Self(R::COLUMNS.iter().map(|&(name, _)| (name, kind(name).unwrap_or(Kind::Real))).collect())
    }

    fn of_games() -> Self {
        let kind = |name| if TEXTS_OF_GAMES.contains(&name) { Kind::Text } else { Kind::Whole };
        Self(Game::COLUMNS.iter().map(|&(name, _)| (name, kind(name))).collect())
    }
}

/// The kind of a cell, unless it is empty.
fn kind_of(cell: &Value) -> Option<Kind> {
    match cell {
        Value::Null => None,
        Value::Number(number) if number.is_f64() => Some(Kind::Real),
        Value::Number(_) => Some(Kind::Whole),
        _ => Some(Kind::Text),
    }
}

/// `games.csv` as Parquet, a stretch at a time.
///
/// # Errors
/// If it is not `games.csv`, or cannot be read or written.
pub fn games_to_parquet(csv: impl Read, out: impl Write + Send) -> Result<()> {
    to_parquet(csv, &Columns::of_games(), out)
}

/// A table as Parquet, made of its CSV, a stretch at a time.
pub(super) fn to_parquet(csv: impl Read, Columns(columns): &Columns, out: impl Write + Send) -> Result<()> {
    let mut csv = csv::Reader::from_reader(csv);
    let fields = columns.iter().map(|(name, kind)| field(name, *kind)).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    let created_by = format!("unolab {}", env!("CARGO_PKG_VERSION"));
    let properties = Arc::new(WriterProperties::builder().set_created_by(created_by).build());
    let mut writer = SerializedFileWriter::new(out, schema, properties)?;
    let mut columns: Vec<Column> = columns.iter().map(|&(_, kind)| Column::new(kind)).collect();
    let mut row = csv::StringRecord::new();
    let mut held = 0;
    loop {
        let is_row = csv.read_record(&mut row).map_err(external)?;
        if is_row {
            for (column, cell) in columns.iter_mut().zip(&row) {
                column.push(cell)?;
            }
            held += 1;
        }
        if held == ROWS_AT_A_TIME || (!is_row && held > 0) {
            let mut group = writer.next_row_group()?;
            for column in &mut columns {
                column.write(&mut group)?;
            }
            group.close()?;
            held = 0;
        }
        if !is_row {
            return writer.close().map(drop);
        }
    }
}

fn field(name: &str, kind: Kind) -> Result<Arc<Type>> {
    let (physical, logical) = match kind {
        Kind::Whole => (Physical::INT64, None),
        Kind::Real => (Physical::DOUBLE, None),
        Kind::Text => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
    };
    let field = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
    field.with_logical_type(logical).build().map(Arc::new)
}

impl Column {
    const fn new(kind: Kind) -> Self {
        Self { kind, defined: Vec::new(), wholes: Vec::new(), reals: Vec::new(), texts: Vec::new() }
    }

    fn push(&mut self, cell: &str) -> Result<()> {
        self.defined.push(i16::from(!cell.is_empty()));
        match self.kind {
            _ if cell.is_empty() => {}
            Kind::Whole => self.wholes.push(cell.parse().map_err(external)?),
            Kind::Real => self.reals.push(cell.parse().map_err(external)?),
            Kind::Text => self.texts.push(cell.into()),
        }
        Ok(())
    }

    /// Writes what is held, and forgets it.
    fn write<W: Write + Send>(&mut self, group: &mut SerializedRowGroupWriter<'_, W>) -> Result<()> {
        match self.kind {
            Kind::Whole => write_column::<Int64Type, W>(group, &self.wholes, &self.defined)?,
            Kind::Real => write_column::<DoubleType, W>(group, &self.reals, &self.defined)?,
            Kind::Text => write_column::<ByteArrayType, W>(group, &self.texts, &self.defined)?,
        }
        self.defined.clear();
        self.wholes.clear();
        self.reals.clear();
        self.texts.clear();
        Ok(())
    }
}

fn write_column<T: DataType, W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    values: &[T::T],
    defined: &[i16],
) -> Result<()> {
    let mut column = group.next_column()?.ok_or_else(|| ParquetError::General("more columns than names".into()))?;
    column.typed::<T>().write_batch(values, Some(defined), None)?;
    column.close()
}

fn external(error: impl std::error::Error + Send + Sync + 'static) -> ParquetError {
    ParquetError::External(Box::new(error))
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
    fn a_table_without_rows_has_its_types_too() {
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
        games_to_parquet(csv.as_bytes(), &mut bytes).unwrap();
        let (types, rows) = read(&bytes);
        assert_eq!((rows.len(), types.len()), (ROWS_AT_A_TIME + 3, Game::COLUMNS.len()));
        assert!(types.contains(&"winner_seat INT64".to_owned()), "{types:?}");
        let last = r#"index: 50002, table: 0, set: 1, seating: 2, variant: "500", seats: 2, entrants: "0 1""#;
        assert!(rows[ROWS_AT_A_TIME + 2].contains(last), "{}", rows[ROWS_AT_A_TIME + 2]);
    }
}
