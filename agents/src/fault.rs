//! [`Fault`]: an error of an agent that costs it the game.

use serde::{Deserialize, Serialize};
use unolab_engine::record::FaultKind;
use unolab_engine::seat::Seat;

/// The name of the agent that plays on in the place of an agent with a fault.
pub const SUBSTITUTE: &str = "greedy";

/// An agent's fault. An agent has at most one per game, because it is not asked again after it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// The seat that the agent was made for.
    pub seat: Seat,
    /// At which of its decisions in the game, from 1.
    pub decision: u32,
    /// Its kind.
    pub kind: FaultCause,
    /// The description.
    pub what: String,
}

/// The kinds of fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultCause {
    /// The program ended, closed one of its pipes or could not be started again; the agent panicked.
    Crash,
    /// A single decision took too long.
    DecisionTime,
    /// All decisions of the game together took too long.
    GameTime,
    /// An answer that is not one.
    Malformed,
    /// An answer to another decision than the one that was asked.
    Stale,
    /// An answer that chooses an action there is not, or one that is not legal.
    Illegal,
    /// Too much output.
    Flood,
}

impl FaultCause {
    /// Whether the agent took too long.
    #[must_use]
    pub const fn is_timeout(self) -> bool {
        matches!(self, Self::DecisionTime | Self::GameTime)
    }

    /// Its kind in records.
    #[must_use]
    pub const fn recorded_kind(self) -> FaultKind {
        match self {
            Self::Crash => FaultKind::Crash,
            Self::DecisionTime | Self::GameTime => FaultKind::Timeout,
            Self::Malformed | Self::Stale | Self::Illegal | Self::Flood => FaultKind::Illegal,
        }
    }

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::DecisionTime => "decision-time",
            Self::GameTime => "game-time",
            Self::Malformed => "malformed",
            Self::Stale => "stale",
            Self::Illegal => "illegal",
            Self::Flood => "flood",
        }
    }
}
