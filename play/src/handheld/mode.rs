//! [`Mode`].

use unolab::Card;
use unolab::seat::Seat;

/// The mode of the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// The machine is off until ENTER or UNO turns it on (HH-22).
    Off,
    /// Machines play all hands, and only RESET has an effect (HH-15).
    Demo,
    ChoosePlayers,
    ChooseLevel,
    Play,
    /// The color of this card is being named.
    ChooseColor(Card, usize),
    /// The machine is being handed to this person.
    HandOver(Seat),
    RoundOver,
    MatchOver,
}

impl Mode {
    /// Its name in messages to the page.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
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

    /// Whether a round is being played.
    pub(super) const fn is_in_round(self) -> bool {
        matches!(self, Self::Demo | Self::Play | Self::ChooseColor(..) | Self::HandOver(_))
    }
}
