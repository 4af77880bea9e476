//! A table as rows, and its files: CSV, and Parquet on request.

use std::any::Any;
use std::fmt::Debug;
use std::sync::Arc;

use serde::Serialize;
use serde_json::Value;

use super::distributions::{self, DistributionsRow};
use super::faults::{self, FaultRow};
use super::luck::{self, LuckRow};
use super::parquet::{ParquetError, to_parquet};
use super::ratings::RatingsRow;
use super::row::Column;
use super::sprt::SprtRow;
use super::{PlayedSection, Row, json, pairs, seats, summary, to_csv};

/// A table: its rows until they are written.
#[derive(Debug, Clone)]
pub struct Table {
    file: &'static str,
    columns: &'static [Column],
    rows: Arc<dyn Rows>,
}

/// Rows of one type.
trait Rows: Debug + Send + Sync {
    fn csv(&self) -> Vec<u8>;
    fn json(&self) -> Vec<Value>;
    fn as_any(&self) -> &dyn Any;
}

impl<R: Row + Serialize + Debug + Send + Sync + 'static> Rows for Vec<R> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn csv(&self) -> Vec<u8> {
        to_csv(self)
    }

    fn json(&self) -> Vec<Value> {
        json::of_rows(self)
    }
}

impl Table {
    /// The table of these rows.
    #[must_use]
    pub fn of<R: Row + Serialize + Debug + Send + Sync + 'static>(rows: Vec<R>) -> Self {
        Self { file: R::FILE, columns: R::COLUMNS, rows: Arc::new(rows) }
    }

    /// The name of its file as CSV.
    #[must_use]
    pub const fn file(&self) -> &'static str {
        self.file
    }

    /// Its bytes as CSV.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        self.rows.csv()
    }

    /// Its rows as JSON: objects with the columns as keys. An empty cell is null.
    #[must_use]
    pub fn json(&self) -> Vec<Value> {
        self.rows.json()
    }

    /// Its bytes as Parquet. Whole numbers are 64-bit integers, other numbers doubles, empty cells nulls.
    ///
    /// # Errors
    /// If a whole number does not fit 64 bits with a sign.
    pub fn to_parquet(&self) -> Result<Vec<u8>, ParquetError> {
        to_parquet(self.columns, &self.json())
    }
}

/// The formats of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    /// CSV only.
    Csv,
    /// CSV and Parquet.
    Parquet,
}

/// The name of a file and its content.
type NamedBytes = (String, Vec<u8>);

/// The tables of a result, in order.
#[derive(Debug, Clone, Default)]
pub struct Tables(Vec<Table>);

impl Tables {
    /// No tables yet.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// The tables from the counts of a run, and its ratings.
    #[must_use]
    pub fn of<'a>(sections: impl Iterator<Item = PlayedSection<'a>> + Clone, ratings: Vec<RatingsRow>) -> Self {
        let sections = || sections.clone();
        Self::none()
            .with(sections().flat_map(summary::rows).collect())
            .with(sections().flat_map(seats::rows).collect())
            .with(sections().flat_map(pairs::rows).collect())
            .with(ratings)
            .with::<DistributionsRow>(sections().flat_map(distributions::rows).collect())
            .with_any::<LuckRow>(sections().flat_map(luck::rows).collect())
    }

    /// The tables of a sequential test.
    #[must_use]
    pub fn of_test(looks: Vec<SprtRow>, played: PlayedSection<'_>) -> Self {
        Self::none().with(looks).with_any::<LuckRow>(luck::rows(played))
    }

    /// The faults of a run, if any. They may depend on the time that programs take, so they are not part of the result.
    #[must_use]
    pub fn of_faults<'a>(sections: impl Iterator<Item = PlayedSection<'a>>) -> Self {
        Self::none().with_any::<FaultRow>(sections.flat_map(faults::rows).collect())
    }

    /// Adds this table.
    #[must_use]
    pub fn with<R: Row + Serialize + Debug + Send + Sync + 'static>(mut self, rows: Vec<R>) -> Self {
        self.0.push(Table::of(rows));
        self
    }

    /// Adds this table, if it has any rows.
    #[must_use]
    pub fn with_any<R: Row + Serialize + Debug + Send + Sync + 'static>(self, rows: Vec<R>) -> Self {
        if rows.is_empty() { self } else { self.with(rows) }
    }

    /// The rows of the table of this type; none without such a table.
    #[must_use]
    pub fn rows<R: Row + 'static>(&self) -> &[R] {
        self.iter().find_map(|table| table.rows.as_any().downcast_ref::<Vec<R>>()).map_or(&[], Vec::as_slice)
    }

    /// The tables in order.
    pub fn iter(&self) -> impl Iterator<Item = &Table> {
        self.0.iter()
    }

    /// The names and the bytes of the tables as CSV.
    #[must_use]
    pub fn named(&self) -> Vec<(&'static str, Vec<u8>)> {
        self.iter().map(|table| (table.file(), table.csv())).collect()
    }

    /// The files of the tables, each with its name.
    ///
    /// # Errors
    /// If a table cannot be written as Parquet. The name is the table's.
    pub fn files(&self, format: TableFormat) -> Result<Vec<NamedBytes>, (&'static str, ParquetError)> {
        let mut files = Vec::new();
        for table in self.iter() {
            files.push((table.file().to_owned(), table.csv()));
            if format == TableFormat::Parquet {
                let parquet = table.to_parquet().map_err(|error| (table.file(), error))?;
                files.push((parquet_name(table.file()), parquet));
            }
        }
        Ok(files)
    }
}

/// `summary.parquet` for `summary.csv`.
#[must_use]
pub fn parquet_name(csv: &str) -> String {
    csv.replace(".csv", ".parquet")
}
