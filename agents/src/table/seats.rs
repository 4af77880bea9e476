//! [`Table`]: the agents in their seats and their round, and [`Counts`] of their play.

use unolab_engine::rules::Rules;
use unolab_engine::seat::BySeat;
use unolab_engine::state::RoundState;

/// One table: the rules, the agent of each seat, and the round that they play.
#[derive(Debug)]
pub struct Table<'a, A, C> {
    /// The rules in force.
    pub rules: &'a Rules,
    /// The agent in each seat, by its number.
    pub agents: &'a mut [A],
    /// The match scores by seat, before the round.
    pub scores: &'a BySeat<u32>,
    /// The round.
    pub state: &'a mut RoundState,
    /// The source of the cards that are drawn.
    pub chance: &'a mut C,
}

impl<A, C> Table<'_, A, C> {
    #[inline(always)]
    pub(super) fn reborrow(&mut self) -> Table<'_, A, C> {
        let Self { rules, agents, scores, state, chance } = self;
        Table { rules, agents, scores, state, chance }
    }
}

/// The counts of a played round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// The turns of all seats. A turn begins with a `turn` decision; missed turns are not counted.
    pub turns: u32,
    /// Decisions of all seats, forced ones too.
    pub decisions: u32,
}
