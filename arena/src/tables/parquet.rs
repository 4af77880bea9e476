//! The tables as Parquet, made of their CSV.

use std::io::{Read, Write};
use std::sync::Arc;

use ::parquet::basic::{LogicalType, Repetition, Type as Physical};
use ::parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use ::parquet::errors::{ParquetError, Result};
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use ::parquet::schema::types::Type;

use super::Row;
use super::games::Game;

/// Rows that are held in memory at a time.
const ROWS_AT_A_TIME: usize = 50_000;

/// Columns of texts that may look like numbers: names that users choose, and lists by seat.
const TEXTS: [&str; 8] = ["entrant", "agent", "variant", "a", "b", "winner", "kind", "what"];

/// Columns of `games.csv` that are texts. All others are whole numbers.
const TEXTS_OF_GAMES: [&str; 7] = ["variant", "entrants", "winner", "points", "places", "status", "hash"];

/// What the cells of a column are. Any may be empty.
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

/// A table of a run as Parquet. Whole numbers are 64-bit integers, other numbers doubles, empty cells nulls.
///
/// # Errors
/// If it is not CSV.
pub fn to_parquet(csv: &[u8]) -> Result<Vec<u8>> {
    let mut reader = csv::Reader::from_reader(csv);
    let mut kinds: Vec<Option<Kind>> = vec![None; reader.headers().map_err(external)?.len()];
    for row in reader.records() {
        for (kind, cell) in kinds.iter_mut().zip(&row.map_err(external)?) {
            *kind = [*kind, kind_of(cell)].into_iter().flatten().max_by_key(|&kind| kind as u8);
        }
    }
    let mut reader = csv::Reader::from_reader(csv);
    let names = reader.headers().map_err(external)?.clone();
    let kind = |(name, kind): (&str, Option<Kind>)| {
        // A column without a single number: only reals can be undefined.
        (name.to_owned(), if TEXTS.contains(&name) { Kind::Text } else { kind.unwrap_or(Kind::Real) })
    };
    let columns = names.iter().zip(kinds).map(kind).collect();
    let mut bytes = Vec::new();
    write(reader, columns, &mut bytes)?;
    Ok(bytes)
}

/// `games.csv` as Parquet, a stretch at a time.
///
/// # Errors
/// If it is not `games.csv`, or cannot be read or written.
pub fn games_to_parquet(csv: impl Read, out: impl Write + Send) -> Result<()> {
    let kind = |&(name, _): &(&str, &str)| {
        (name.to_owned(), if TEXTS_OF_GAMES.contains(&name) { Kind::Text } else { Kind::Whole })
    };
    write(csv::Reader::from_reader(csv), Game::COLUMNS.iter().map(kind).collect(), out)
}

/// What a cell looks like. In CSV a real always has a point or an exponent.
fn kind_of(cell: &str) -> Option<Kind> {
    if cell.is_empty() {
        None
    } else if cell.parse::<i64>().is_ok() {
        Some(Kind::Whole)
    } else if cell.parse::<f64>().is_ok() {
        Some(Kind::Real)
    } else {
        Some(Kind::Text)
    }
}

fn write(mut csv: csv::Reader<impl Read>, columns: Vec<(String, Kind)>, out: impl Write + Send) -> Result<()> {
    let fields = columns.iter().map(|(name, kind)| field(name, *kind)).collect::<Result<Vec<_>>>()?;
    let schema = Arc::new(Type::group_type_builder("table").with_fields(fields).build()?);
    let created_by = format!("unolab {}", env!("CARGO_PKG_VERSION"));
    let properties = Arc::new(WriterProperties::builder().set_created_by(created_by).build());
    let mut writer = SerializedFileWriter::new(out, schema, properties)?;
    let mut columns: Vec<Column> = columns.into_iter().map(|(_, kind)| Column::new(kind)).collect();
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

    use super::*;

    fn read(parquet: &[u8]) -> (Vec<String>, Vec<String>) {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(parquet).unwrap();
        let reader = SerializedFileReader::new(file).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let types = schema.columns().iter().map(|column| format!("{} {}", column.name(), column.physical_type()));
        (types.collect(), reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect())
    }

    #[test]
    fn cells_have_the_types_of_their_columns() {
        let csv = b"variant,seats,share,elo,name,mixed\n500,2,0.5,,\"a,b\",1\n7,3,1e-7,,,2.5\n";
        let (types, rows) = read(&to_parquet(csv).unwrap());
        let expected =
            ["variant BYTE_ARRAY", "seats INT64", "share DOUBLE", "elo DOUBLE", "name BYTE_ARRAY", "mixed DOUBLE"];
        assert_eq!(types, expected);
        assert_eq!(rows[0], r#"{variant: "500", seats: 2, share: 0.5, elo: null, name: "a,b", mixed: 1.0}"#);
        assert_eq!(rows[1], r#"{variant: "7", seats: 3, share: 0.0000001, elo: null, name: null, mixed: 2.5}"#);
        assert_eq!(read(&to_parquet(b"variant,se\n").unwrap()).1, [] as [&str; 0]);
    }

    #[test]
    fn more_games_than_are_held_at_a_time() {
        let mut csv = String::from_utf8(super::super::header::<Game>()).unwrap();
        for index in 0..ROWS_AT_A_TIME + 3 {
            csv += &format!("{index},0,1,2,500,2,0 1,random,0,5,1 2,1,20,25,0,finished,0000000000000012\n");
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
