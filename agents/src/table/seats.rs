//! [`Table`]: the agents in their seats, and [`Counts`] of their play.

use unolab_engine::rules::Rules;
use unolab_engine::seat::BySeat;

/// One table: the rules, and the agent of each seat.
#[derive(Debug)]
pub struct Table<'a, A> {
    /// The rules in force.
    pub rules: &'a Rules,
    /// The agent in each seat, by its number.
    pub agents: &'a mut [A],
    /// The match scores by seat, before the round.
    pub scores: &'a BySeat<u32>,
}

/// The counts of a played round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// The turns of all seats. A turn begins with a `turn` decision; missed turns are not counted.
    pub turns: u32,
    /// Decisions of all seats, forced ones too.
    pub decisions: u32,
}
