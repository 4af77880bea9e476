//! The errors of a balance.

use thiserror::Error;

use super::spec::ArmError;
use crate::run::error::RunError;
use crate::schedule::contest::ContestError;

/// More agents would make more tables than anybody wants.
pub const MAX_AGENTS: usize = 12;

/// Why there is no balance.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BalanceError {
    /// Arms that cannot be.
    #[error(transparent)]
    Arm(#[from] ArmError),
    /// Rules, agents and seats that do not go together.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// Partners.
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
    /// A game of a pilot broke off.
    #[error(transparent)]
    Pilot(#[from] RunError),
}
