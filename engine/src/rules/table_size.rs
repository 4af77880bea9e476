//! The number of players for which rules are loaded.

/// The number of seats of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableSize {
    /// Every number from `seats.min` to `seats.max` must be possible.
    Any,
    /// Just this one.
    Seats(usize),
}
