//! [`Counts`] of a played round.

/// The counts of a played round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Turns of all seats: a turn begins with a `turn` decision; a missed one is none.
    pub turns: u32,
    /// Decisions of all seats, forced ones too.
    pub decisions: u32,
}
