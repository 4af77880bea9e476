//! Tables on a terminal.

pub mod balance;
pub mod compare;
pub mod coverage;
pub mod decisions;
pub mod exploit;
pub mod ladder;
pub mod league;
pub mod luck;
pub mod match_result;
mod plain;
pub mod power;

pub mod ratings;
pub mod section;
pub mod spsa;
#[cfg(test)]
mod tests;
pub mod weaknesses;

use std::io;

use unolab_stats::interval::Coverage;

use crate::output::width;

/// Whether a run has all its sets, so that its intervals are fixed-sample intervals.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InterimLooks {
    /// Only one look, at the end.
    One,
    /// The run was stopped, perhaps after looking at its results.
    Any,
}

impl InterimLooks {
    /// The coverage of its intervals.
    #[must_use]
    pub const fn coverage(self) -> Coverage {
        match self {
            Self::One => Coverage::Pointwise,
            Self::Any => Coverage::Anytime,
        }
    }
}

/// The screen of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Screen {
    /// The most columns of a line.
    pub width: u16,
    /// Whether rows may be colored.
    pub color: ColorUse,
}

impl Screen {
    /// For standard output; respects `NO_COLOR` and similar variables.
    pub(crate) fn of_standard_output() -> Self {
        let color = match anstream::AutoStream::choice(&io::stdout()) {
            anstream::ColorChoice::Never => ColorUse::None,
            _ => ColorUse::Allowed,
        };
        Self { width: width(), color }
    }
}

/// Whether the output has colors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ColorUse {
    /// Rows significantly above or below their fair share are colored, and the leader's row is bold.
    Allowed,
    /// Only text.
    None,
}
