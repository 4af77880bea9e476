//! [`Counts`] of a played round.

/// The counts of a played round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// The turns of all seats. A turn begins with a `turn` decision; missed turns are not counted.
    pub turns: u32,
    /// Decisions of all seats, forced ones too.
    pub decisions: u32,
}
