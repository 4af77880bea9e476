//! [`Row`] and its macro: each column is declared once, with its meaning. The same struct writes a table and reads it.

/// The rows of a table, and the meanings of their columns.
pub trait Row {
    /// The name of the table's file.
    const FILE: &'static str;
    /// The meaning of a row.
    const ROW: &'static str;
    /// The columns in order.
    const COLUMNS: &'static [Column];
}

/// A column of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name, in the first line of the file.
    pub name: &'static str,
    /// Its meaning.
    pub meaning: &'static str,
    /// The type of its cells.
    pub cells: Cells,
}

/// The type of the cells of a column. A cell of any type may be empty.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cells {
    /// Whole numbers, of 64 bits with a sign in Parquet.
    Whole,
    /// Real numbers of 64 bits.
    Real,
    /// Text.
    Text,
}

/// A type of fields, which determines the type of the cells.
pub trait Field {
    /// The type of the cells.
    const CELLS: Cells;
}

macro_rules! fields {
    ($($type:ty: $cells:ident),+) => {
        $(impl Field for $type {
            const CELLS: Cells = Cells::$cells;
        })+
    };
}

fields!(i8: Whole, u8: Whole, u32: Whole, u64: Whole, usize: Whole, f64: Real, String: Text);

impl<T: Field> Field for Option<T> {
    const CELLS: Cells = T::CELLS;
}

/// Declares the row of a table: a struct whose fields are the columns of the file, in order. The doc comment of a field
/// is the meaning of the column, both in the README of a run and in the documentation of the code. A column that a file
/// lacks is read as the default value.
///
/// ```
/// use unolab_arena::tables::row::{Cells, Column};
/// use unolab_arena::tables::{Row, row};
///
/// row! {
///     /// How long a game was.
///     pub struct LengthRow in "lengths.csv", "one game" {
///         /// its number,
///         /// from 0
///         game: u64,
///         /// turns of all seats
///         turns: u32,
///     }
/// }
/// let game = Column { name: "game", meaning: "its number, from 0", cells: Cells::Whole };
/// assert_eq!(LengthRow::COLUMNS[0], game);
/// ```
#[macro_export]
macro_rules! row {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident in $file:literal, $row:literal {
            $($(#[doc = $meaning:literal])+ $column:ident: $type:ty,)+
        }
    ) => {
        $(#[$attribute])*
        #[derive(Debug, Clone, PartialEq, Default, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(default)]
        pub struct $name {
            $($(#[doc = $meaning])+ pub $column: $type,)+
        }

        impl $crate::tables::row::Row for $name {
            const FILE: &'static str = $file;
            const ROW: &'static str = $row;
            const COLUMNS: &'static [$crate::tables::row::Column] = &[$($crate::tables::row::Column {
                name: stringify!($column),
                meaning: concat!($($meaning),+).trim_ascii(),
                cells: <$type as $crate::tables::row::Field>::CELLS,
            }),+];
        }
    };
}

pub use crate::row;
