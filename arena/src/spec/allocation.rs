//! How the deals of a run are divided among its sections.

use serde::{Deserialize, Serialize};
use unolab_stats::interval::Coverage;

/// Which sections get how many deals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Allocation {
    /// Each gets all of them.
    #[default]
    Even,
    /// Each gets them until the order of its entrants is clear.
    Open,
}

impl Allocation {
    /// The coverage that intervals need: a section that ends by its results was looked at any number of times.
    #[must_use]
    pub const fn coverage(self) -> Coverage {
        match self {
            Self::Even => Coverage::Pointwise,
            Self::Open => Coverage::Anytime,
        }
    }

    /// Runs from before there was a choice have none written down.
    pub(super) const fn is_even(&self) -> bool {
        matches!(self, Self::Even)
    }
}
