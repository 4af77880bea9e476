//! A table as files: CSV, and Parquet on request.

use serde::Serialize;

use super::parquet::{Columns, ParquetError, to_parquet};
use super::{Row, to_csv};

/// A table, serialized.
#[derive(Debug, Clone)]
pub struct Table {
    file: &'static str,
    csv: Vec<u8>,
    columns: Columns,
}

impl Table {
    /// The table of these rows. Even without rows every column has its type; that is the use of `Default`.
    #[must_use]
    pub fn of<R: Row + Serialize + Default>(rows: &[R]) -> Self {
        Self { file: R::FILE, csv: to_csv(rows), columns: Columns::of(rows) }
    }

    /// The name of its file as CSV.
    #[must_use]
    pub const fn file(&self) -> &'static str {
        self.file
    }

    /// Its bytes as CSV.
    #[must_use]
    pub fn csv(&self) -> &[u8] {
        &self.csv
    }

    /// Its bytes as Parquet. Whole numbers are 64-bit integers, other numbers doubles, empty cells nulls.
    ///
    /// # Errors
    /// If a whole number does not fit 64 bits with a sign.
    pub fn to_parquet(&self) -> Result<Vec<u8>, ParquetError> {
        let mut bytes = Vec::new();
        to_parquet(&mut &*self.csv, &self.columns, &mut bytes)?;
        Ok(bytes)
    }
}
