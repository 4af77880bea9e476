//! [`Goal`]: what an agent plays for.

use std::str::FromStr;

/// The goal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Goal {
    /// To win the round: 1 if the agent's side goes out, 0 if another side does.
    #[default]
    Win,
    /// Points: the round's credit to the agent's own side, or the negative of its charge.
    Points,
    /// To win the match: the probability of a win, given the scores after the round.
    Match,
}

impl Goal {
    /// The names, for messages.
    pub const NAMES: &str = "win, points or match";

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Points => "points",
            Self::Match => "match",
        }
    }
}

impl FromStr for Goal {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::Win, Self::Points, Self::Match].into_iter().find(|goal| goal.name() == text).ok_or(())
    }
}
