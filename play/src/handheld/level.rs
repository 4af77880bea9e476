//! [`Level`].

use serde::Serialize;

/// The strength of the machine: its agent, how often it calls UNO early, and its speed in pressing UNO (HH-08, HH-11). The rules
/// are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// I (HH-12).
    Easy,
    /// II.
    Hard,
}

impl Level {
    /// The agent that plays the machine's hands.
    #[must_use]
    pub const fn agent(self) -> &'static str {
        match self {
            Self::Easy => "greedy",
            Self::Hard => "heuristic",
        }
    }

    /// The percentage of next-to-last cards with which it calls UNO before playing them; for the others it has to press in the
    /// race. With these values a person who plays any card that fits and presses UNO after 0.6 seconds wins about half of the
    /// matches with two players at level II, and nearly all at level I.
    #[must_use]
    pub const fn early_calls_percent(self) -> u32 {
        match self {
            Self::Easy => 10,
            Self::Hard => 20,
        }
    }

    /// The shortest and the longest time until it presses UNO, in milliseconds.
    #[must_use]
    pub const fn reaction_ms(self) -> (u64, u64) {
        match self {
            Self::Easy => (1_500, 3_000),
            Self::Hard => (700, 1_600),
        }
    }

    /// Its name on the screen.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "I (easy)",
            Self::Hard => "II (hard)",
        }
    }

    pub(super) const fn other(self) -> Self {
        match self {
            Self::Easy => Self::Hard,
            Self::Hard => Self::Easy,
        }
    }
}
