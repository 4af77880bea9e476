//! A scenario under way.

use crate::knowledge::Knowledge;
use crate::match_play::{MatchState, RoundPlan};
use crate::script::Script;
use crate::state::RoundState;

/// A scenario while it is played.
pub(super) struct Play {
    pub(super) state: RoundState,
    pub(super) knowledge: Knowledge,
    pub(super) table: MatchState,
    pub(super) plan: RoundPlan,
    pub(super) script: Script,
    pub(super) rounds_dealt: u32,
}

/// The expectation of a step, and the finding.
pub(super) struct Difference {
    pub(super) expected: String,
    pub(super) found: String,
}
