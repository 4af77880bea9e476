//! [`Cells`]: the cell type of a column; and the errors of a cell.

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

/// The cell type of a column, by its number in the format. Any cell may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cells {
    /// Whole numbers of 64 bits.
    Wholes = 2,
    /// Real numbers of 64 bits.
    Reals = 5,
    Texts = 6,
}
