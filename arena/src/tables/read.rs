//! Reads the rows of a table from its CSV, with errors that name the row and the column.

use std::io::Read;
use std::ops::Deref;
use std::sync::Arc;

use csv::{ErrorKind, StringRecord};
use serde::de::DeserializeOwned;
use thiserror::Error;

use super::row::{Cells, Row};

/// Why a table cannot be read.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The file is not CSV, or cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// A column that the reader needs.
    #[error("the column `{0}` is missing")]
    MissingColumn(String),
    /// A cell with another type than its column, in words.
    #[error("{0}")]
    Cell(String),
}

/// A row of a file, with the text of its cells.
#[derive(Debug, Clone)]
pub struct FileRow<R> {
    row: R,
    /// Its number below the header, from 1.
    number: usize,
    columns: Arc<StringRecord>,
    cells: StringRecord,
}

impl<R> Deref for FileRow<R> {
    type Target = R;

    fn deref(&self) -> &R {
        &self.row
    }
}

impl<R: Row> FileRow<R> {
    /// `games.csv: row 2, column places: "1 9" is not allowed; allowed: ...`.
    #[must_use]
    pub fn not_allowed(&self, column: &str, allowed: &str) -> String {
        let cell = self.columns.iter().position(|name| name == column).and_then(|at| self.cells.get(at));
        format!("{}: {}", R::FILE, not_allowed(self.number, column, cell.unwrap_or_default(), allowed))
    }
}

/// The rows of a table, found by the names of their columns, of which these must be there.
///
/// # Errors
/// If the file cannot be read, or lacks one of the columns. Each row is an error if a cell does not have the type of its
/// column.
pub fn rows_of<R: Row + DeserializeOwned>(
    csv: impl Read,
    needed: &[&str],
) -> Result<impl Iterator<Item = Result<FileRow<R>, ReadError>>, ReadError> {
    let mut reader = csv::Reader::from_reader(csv);
    let columns = Arc::new(reader.headers()?.clone());
    if let Some(&missing) = needed.iter().find(|needed| columns.iter().all(|column| column != **needed)) {
        return Err(ReadError::MissingColumn(missing.to_owned()));
    }
    Ok(reader.into_records().enumerate().map(move |(number, cells)| {
        let (number, cells) = (number + 1, cells?);
        let row = row_of(&columns, &cells, number)?;
        Ok(FileRow { row, number, columns: columns.clone(), cells })
    }))
}

/// The row of these cells, by the names of its columns.
///
/// # Errors
/// If a cell does not have the type of its column.
pub fn row_of<R: Row + DeserializeOwned>(
    columns: &StringRecord,
    cells: &StringRecord,
    number: usize,
) -> Result<R, ReadError> {
    cells.deserialize(Some(columns)).map_err(|error| {
        let ErrorKind::Deserialize { err, .. } = error.kind() else { return error.into() };
        let field = err.field().and_then(|at| usize::try_from(at).ok());
        let Some((column, cell)) = field.and_then(|at| Some((columns.get(at)?, cells.get(at)?))) else {
            return error.into();
        };
        let allowed = match R::COLUMNS.iter().find(|known| known.name == column).map(|known| known.cells) {
            Some(Cells::Whole) => "a whole number",
            Some(Cells::Real) => "a number",
            _ => "a text",
        };
        ReadError::Cell(not_allowed(number, column, cell, allowed))
    })
}

fn not_allowed(row: usize, column: &str, cell: &str, allowed: &str) -> String {
    format!("row {row}, column {column}: \"{cell}\" is not allowed; allowed: {allowed}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::seats::SeatsRow;

    fn read(csv: &str) -> Result<Vec<SeatsRow>, String> {
        let rows = rows_of::<SeatsRow>(csv.as_bytes(), &["seat", "wins"]).map_err(|error| error.to_string())?;
        rows.map(|row| row.map(|row| row.row).map_err(|error| error.to_string())).collect()
    }

    #[test]
    fn older_table_column_is_read_by_name_or_default() {
        let rows = read("wins,other,seat,se\n2.5,x,1,\n").unwrap();
        assert_eq!(rows, [SeatsRow { wins: 2.5, seat: 1, ..SeatsRow::default() }]);
    }

    #[test]
    fn cell_of_wrong_type_is_located_by_row_and_column() {
        assert_eq!(
            read("seat,wins\n0,1\n-1,1\n").unwrap_err(),
            "row 2, column seat: \"-1\" is not allowed; allowed: a whole number"
        );
        let error = read("seat,wins\n0,many\n").unwrap_err();
        assert_eq!(error, "row 1, column wins: \"many\" is not allowed; allowed: a number");
        assert_eq!(read("seat\n0\n").unwrap_err(), "the column `wins` is missing");
        assert!(read("seat,wins\n0\n").unwrap_err().starts_with("CSV error: record 1"));
    }
}
