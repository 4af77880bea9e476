//! [`Mode`].

use unolab::Card;
use unolab::seat::Seat;

/// The mode of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// Machines play all hands, and no button but RESET does anything (HH-15).
    Demo,
    ChoosePlayers,
    ChooseLevel,
    Play,
    /// Naming the color of this card.
    ChooseColor(Card, usize),
    /// Until this person has the machine in hand.
    HandOver(Seat),
    RoundOver,
    MatchOver,
}

impl Mode {
    /// One word for it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Demo => "demo",
            Self::ChoosePlayers => "players",
            Self::ChooseLevel => "level",
            Self::Play => "play",
            Self::ChooseColor(..) => "color",
            Self::HandOver(_) => "hand_over",
            Self::RoundOver => "round_over",
            Self::MatchOver => "match_over",
        }
    }

    /// Is a round being played?
    pub(super) const fn is_in_round(self) -> bool {
        matches!(self, Self::Demo | Self::Play | Self::ChooseColor(..) | Self::HandOver(_))
    }
}
