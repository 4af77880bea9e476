//! The errors of Parquet files.

use std::io;

/// Why the file cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ParquetError {
    /// The table cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A cell that is not a number, or a whole number that is too large.
    #[error("{column}: `{cell}` is not a number that fits 64 bits")]
    Cell {
        /// The column.
        column: &'static str,
        /// The content of the cell.
        cell: String,
    },
}
