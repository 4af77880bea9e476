//! [`Cells`]: what the cells of a column hold; and what may be wrong with one.

use std::io;

/// Why there is no file.
#[derive(Debug, thiserror::Error)]
pub enum ParquetError {
    /// The table cannot be read.
    #[error(transparent)]
    Csv(#[from] csv::Error),
    /// The file cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A number is none, or a whole number is too large.
    #[error("{column}: `{cell}` is not a number that fits 64 bits")]
    Cell {
        /// The column.
        column: &'static str,
        /// What stands there.
        cell: String,
    },
}

/// What the cells of a column hold, by its number in the format. Any cell may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// Whole numbers of 64 bits.
    Wholes = 2,
    /// Real numbers of 64 bits.
    Reals = 5,
    Texts = 6,
}
