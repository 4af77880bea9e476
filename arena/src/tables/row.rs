//! [`Row`] and its macro: each column is declared once, with its meaning.

/// The rows of a table, and the meanings of their columns.
pub trait Row {
    /// The name of the table's file.
    const FILE: &'static str;
    /// The meaning of a row.
    const ROW: &'static str;
    /// The columns in order, each with its meaning.
    const COLUMNS: &'static [(&'static str, &'static str)];
}

/// Declares the row of a table: a struct whose fields are the columns of the file, in order. The doc comment of a field
/// is the meaning of the column, both in the README of a run and in the documentation of the code.
///
/// ```
/// use serde::Serialize;
/// use unolab_arena::tables::{Row, row};
///
/// row! {
///     /// How long a game was.
///     #[derive(Debug, Default, Serialize)]
///     pub struct LengthRow in "lengths.csv", "one game" {
///         /// its number,
///         /// from 0
///         game: u64,
///         /// turns of all seats
///         turns: u32,
///     }
/// }
/// assert_eq!(LengthRow::COLUMNS, [("game", "its number, from 0"), ("turns", "turns of all seats")]);
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
        pub struct $name {
            $($(#[doc = $meaning])+ pub $column: $type,)+
        }

        impl $crate::tables::row::Row for $name {
            const FILE: &'static str = $file;
            const ROW: &'static str = $row;
            const COLUMNS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($column), concat!($($meaning),+).trim_ascii())),+];
        }
    };
}

pub use crate::row;
