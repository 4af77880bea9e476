//! The errors of a balance run.

use thiserror::Error;

use super::spec::ArmError;
use crate::run::error::RunError;
use crate::schedule::contest::ContestError;

/// The maximum number of agents, because the number of tables grows fast with it.
pub const MAX_AGENTS: usize = 12;

/// Why a balance run cannot start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BalanceError {
    /// Invalid arms.
    #[error(transparent)]
    Arm(#[from] ArmError),
    /// Rules, agents and seats that are incompatible.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// The variant has partners.
    #[error(
        "{variant}: balance measures every seat for itself; match.teams must be \"none\", as with --set match.teams=none"
    )]
    Teams {
        /// The variant.
        variant: String,
    },
    /// Too many agents.
    #[error("--agents names {0} agents; a field has at most {MAX_AGENTS}")]
    Agents(usize),
    /// A game of a pilot failed.
    #[error(transparent)]
    Pilot(#[from] RunError),
}
