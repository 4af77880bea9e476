//! The allocation of the deals of a run to its sections.

use serde::{Deserialize, Serialize};
use unolab_stats::interval::Coverage;

/// The deals of each section.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Allocation {
    /// Each section plays all deals.
    #[default]
    Even,
    /// Each section plays deals until the order of its entrants is significant.
    Open,
}

impl Allocation {
    /// The kind of intervals: a section that stops by its results needs anytime intervals.
    #[must_use]
    pub const fn coverage(self) -> Coverage {
        match self {
            Self::Even => Coverage::Pointwise,
            Self::Open => Coverage::Anytime,
        }
    }

    /// The default, which is not serialized, as in runs of older versions.
    pub(super) const fn is_even(&self) -> bool {
        matches!(self, Self::Even)
    }
}
