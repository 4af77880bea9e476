//! The settings that all games of a batch share, and the players of their seats.

use std::sync::Arc;

use unolab_agents::registry::AgentSpec;
use unolab_engine::round::DecisionOrder;
use unolab_engine::rules::{Rules, Teams};

use crate::table::{ArgumentError, Table};

/// The unit of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// One round.
    Round,
    /// Rounds until a player has won the match; each player keeps one seat throughout.
    Match,
}

impl Unit {
    pub(crate) fn named(name: &str, rules: &Rules) -> Result<Self, ArgumentError> {
        match name {
            "round" => Ok(Self::Round),
            "match" if matches!(rules.parameters().teams, Teams::None | Teams::Fixed) => Ok(Self::Match),
            "match" => {
                Err(ArgumentError("unit: `match` is not available, because partners change; allowed: `round`".into()))
            }
            _ => Err(ArgumentError(format!("unit: \"{name}\" is not known; allowed: round, match"))),
        }
    }
}

/// A player in a seat that is not the learner's.
#[derive(Debug, Clone)]
pub(crate) enum Opponent {
    /// A built-in agent.
    Agent(AgentSpec),
    /// A policy of the caller, by its number: its decisions are rows, like the learner's.
    Policy(i16),
}

/// The number of the learner among the policies of the caller.
pub(crate) const LEARNER: i16 = -1;

/// The settings that all games share.
#[derive(Debug)]
pub(crate) struct Setting {
    pub(crate) unit: Unit,
    pub(crate) table: Arc<Table>,
    /// For each seat after the learner's, the candidates, one of which plays in each game; empty if the learner plays every
    /// seat.
    pub(crate) opponents: Vec<Vec<Opponent>>,
    pub(crate) max_decisions: u32,
    /// Whether the rules have decisions out of turn.
    pub(crate) has_interruptions: bool,
}

impl Setting {
    pub(crate) fn new(unit: Unit, table: Arc<Table>, opponents: Vec<Vec<Opponent>>, max_decisions: u32) -> Self {
        let has_interruptions = DecisionOrder::has_interruptions(&table.rules);
        Self { unit, table, opponents, max_decisions, has_interruptions }
    }

    pub(crate) fn rules(&self) -> &Rules {
        &self.table.rules
    }
}
