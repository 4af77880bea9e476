//! A scenario in progress.

use crate::knowledge::Knowledge;
use crate::match_play::{MatchState, RoundPlan};
use crate::script::Script;
use crate::state::RoundState;

/// A scenario in progress.
pub(super) struct Play {
    pub(super) state: RoundState,
    pub(super) knowledge: Knowledge,
    pub(super) table: MatchState,
    pub(super) plan: RoundPlan,
    pub(super) script: Script,
    pub(super) rounds_dealt: u32,
}

/// The expectation of a step, and the actual value.
pub(super) struct Difference {
    pub(super) expected: String,
    pub(super) found: String,
}
