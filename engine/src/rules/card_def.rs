//! [`CardDef`]: the definition of a kind of card, and the cards that every variant can have.

use serde::{Deserialize, Serialize};

use super::effect::Effect;
use super::parameters::Parameters;
use super::value::NumberPoints;
use crate::card::{Card, CardSet, Face};
use crate::color::Color;

/// A special card that is printed in some edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Special {
    /// Wild, `W`.
    Wild,
    /// Wild Draw Four, `W4`.
    WildDrawFour,
    /// Villain Draw 4, `WV`.
    VillainDrawFour,
    /// Cheese Touch, `yC`: the one special card with a color.
    CheeseTouch,
    /// Wild Swap Hands, `WS`.
    SwapHands,
    /// Victory Lap, `WL`.
    VictoryLap,
    /// Wild Discard All 1 Color, `WA`.
    DiscardAll,
}

impl Special {
    /// Every special card.
    pub const ALL: [Self; 7] = [
        Self::Wild,
        Self::WildDrawFour,
        Self::VillainDrawFour,
        Self::CheeseTouch,
        Self::SwapHands,
        Self::VictoryLap,
        Self::DiscardAll,
    ];

    /// Its code in the notation.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Wild => "W",
            Self::WildDrawFour => "W4",
            Self::VillainDrawFour => "WV",
            Self::CheeseTouch => "yC",
            Self::SwapHands => "WS",
            Self::VictoryLap => "WL",
            Self::DiscardAll => "WA",
        }
    }

    /// Its name in variant files, as in `deck.wild`.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Wild => "wild",
            Self::WildDrawFour => "wild_draw_four",
            Self::VillainDrawFour => "villain_draw_four",
            Self::CheeseTouch => "cheese_touch",
            Self::SwapHands => "swap_hands",
            Self::VictoryLap => "victory_lap",
            Self::DiscardAll => "discard_all",
        }
    }

    /// Its color, if it has one.
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        match self {
            Self::CheeseTouch => Some(Color::Yellow),
            _ => None,
        }
    }

    const fn points(self, parameters: &Parameters) -> u32 {
        match self {
            Self::Wild => parameters.points_wild,
            Self::WildDrawFour => parameters.points_wild_draw_four,
            Self::VillainDrawFour => parameters.points_villain_draw_four,
            Self::CheeseTouch => parameters.points_cheese_touch,
            Self::SwapHands => parameters.points_swap_hands,
            Self::VictoryLap => parameters.points_victory_lap,
            Self::DiscardAll => parameters.points_discard_all,
        }
        .get()
    }
}

/// The type of a kind of card.
#[derive(Debug, Clone, PartialEq)]
pub enum CardKind {
    /// A number, Skip, Reverse or Draw Two in a color.
    Ordinary(Color, Face),
    /// A special card of some edition.
    Special(Special),
    /// A Blank card, as the variant file defines it.
    Custom(CustomCard),
}

/// A Blank card as a variant file writes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomCard {
    /// Its name; its code by default.
    #[serde(default)]
    pub name: String,
    /// Its code in the notation: a color letter or `W`, then a capital.
    pub code: String,
    /// Its color, or `wild`.
    pub color: CustomColor,
    /// Its symbol: cards with the same symbol can be played on each other.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub symbol: Option<String>,
    /// The number of copies in the deck, 0 to 15; a card without copies can be added by `deck.CODE`.
    #[serde(default = "one")]
    pub copies: u8,
    /// Its points, 0 to 1000; 0 by default (SW-04).
    #[serde(default)]
    pub points: u16,
    /// The cards on which it can be played.
    #[serde(rename = "match", default)]
    pub matches: CustomMatch,
    /// Its behavior as the start card.
    #[serde(default)]
    pub start: CustomStart,
    /// Its effects, in order.
    #[serde(default)]
    pub effects: Vec<Effect>,
}

/// The color of a custom card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CustomColor {
    /// Red.
    Red,
    /// Yellow.
    Yellow,
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// None: a wild.
    Wild,
}

impl CustomColor {
    /// The color, unless wild.
    #[must_use]
    pub const fn color(self) -> Option<Color> {
        match self {
            Self::Red => Some(Color::Red),
            Self::Yellow => Some(Color::Yellow),
            Self::Green => Some(Color::Green),
            Self::Blue => Some(Color::Blue),
            Self::Wild => None,
        }
    }
}

/// The cards on which a custom card can be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum CustomMatch {
    /// Its color.
    #[default]
    Color,
    /// Anything.
    Any,
    /// Its color, and every card that shows this face; and those can be played on it.
    Face(Face),
}

impl TryFrom<String> for CustomMatch {
    type Error = String;
    fn try_from(word: String) -> Result<Self, String> {
        match word.as_str() {
            "color" => Ok(Self::Color),
            "any" => Ok(Self::Any),
            face => Face::from_name(face).map(Self::Face).ok_or_else(|| {
                format!("`match` cannot be \"{word}\"; allowed: \"color\", \"any\", \"0\" to \"9\", \"skip\", \"reverse\", \"draw_two\"")
            }),
        }
    }
}

impl From<CustomMatch> for String {
    fn from(matches: CustomMatch) -> Self {
        match matches {
            CustomMatch::Color => "color".into(),
            CustomMatch::Any => "any".into(),
            CustomMatch::Face(face) => face.name(),
        }
    }
}

/// A custom card turned up as the start card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CustomStart {
    /// It stays without effect (SW-05).
    Plain,
    /// It is returned and the next card is turned up; the default (SW-05).
    #[default]
    Return,
}

const fn one() -> u8 {
    1
}

/// A kind of card in a variant.
#[derive(Debug, Clone, PartialEq)]
pub struct CardDef {
    /// Its kind.
    pub kind: CardKind,
    /// Its code in the notation.
    pub code: String,
    /// Its color; `None` for a wild.
    pub color: Option<Color>,
    /// The number of copies in the deck.
    pub copies: u32,
    /// Its points in a hand at the end of a round.
    pub points: u32,
}

impl CardDef {
    pub(super) fn ordinary(color: Color, face: Face, copies: u32, parameters: &Parameters) -> Self {
        let points = match (face, parameters.points_number) {
            (Face::Number(number), NumberPoints::Face) => u32::from(number),
            (Face::Number(_), NumberPoints::Flat(points)) => points,
            (Face::Skip, _) => parameters.points_skip.get(),
            (Face::Reverse, _) => parameters.points_reverse.get(),
            (Face::DrawTwo, _) => parameters.points_draw_two.get(),
        };
        Self {
            kind: CardKind::Ordinary(color, face),
            code: ordinary_code(color, face),
            color: Some(color),
            copies,
            points,
        }
    }

    pub(super) fn special(special: Special, copies: u32, parameters: &Parameters) -> Self {
        Self {
            kind: CardKind::Special(special),
            code: special.code().into(),
            color: special.color(),
            copies,
            points: special.points(parameters),
        }
    }

    pub(super) fn custom(card: &CustomCard) -> Self {
        Self {
            code: card.code.clone(),
            color: card.color.color(),
            copies: u32::from(card.copies),
            points: u32::from(card.points),
            kind: CardKind::Custom(card.clone()),
        }
    }

    /// The face by which other cards may match it, if it has one.
    #[must_use]
    pub const fn face(&self) -> Option<Face> {
        match &self.kind {
            CardKind::Ordinary(_, face) | CardKind::Custom(CustomCard { matches: CustomMatch::Face(face), .. }) => {
                Some(*face)
            }
            _ => None,
        }
    }

    /// The symbol of a custom card, if it has one.
    #[must_use]
    pub fn symbol(&self) -> Option<&str> {
        match &self.kind {
            CardKind::Custom(card) => card.symbol.as_deref(),
            _ => None,
        }
    }

    /// Which special card it is, if it is one.
    #[must_use]
    pub const fn as_special(&self) -> Option<Special> {
        match self.kind {
            CardKind::Special(special) => Some(special),
            _ => None,
        }
    }

    /// Whether it is a Wild Draw Four or a Villain Draw 4.
    #[must_use]
    pub const fn is_draw_four(&self) -> bool {
        matches!(self.as_special(), Some(Special::WildDrawFour | Special::VillainDrawFour))
    }

    /// Whether it is a command card, whose symbol can no longer be matched after it is played as protection (DI-29). Number
    /// cards are not (DI-31).
    #[must_use]
    pub const fn is_command(&self) -> bool {
        !matches!(self.face(), Some(Face::Number(_)))
    }
}

/// The kinds among these for which `is_wanted` is true.
pub(super) fn set_of(kinds: &[CardDef], is_wanted: impl Fn(&CardDef) -> bool) -> CardSet {
    kinds.iter().enumerate().filter(|(_, def)| is_wanted(def)).map(|(i, _)| Card::new(i)).collect()
}

/// The keys of `deck` for one card in every color.
pub(super) const COLORED_ACTIONS: [(&str, Face); 3] =
    [("skip", Face::Skip), ("reverse", Face::Reverse), ("draw_two", Face::DrawTwo)];

/// The code of an ordinary card.
pub(super) fn ordinary_code(color: Color, face: Face) -> String {
    format!("{}{}", color.letter(), face.letter())
}

/// Whether it is the code of a built-in card.
pub(crate) fn is_built_in_code(code: &str) -> bool {
    Special::ALL.into_iter().any(|special| special.code() == code)
        || Color::ALL.into_iter().any(|color| Face::ALL.into_iter().any(|face| ordinary_code(color, face) == code))
}
