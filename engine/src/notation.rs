//! The text notation of cards and actions in scenarios, records and logs.
//!
//! A card is a color letter and a face (`r7`, `gS`, `W4`); an action is a word and its object (`play r7`, `play W g uno`,
//! `catch 1`).

use std::fmt;
use std::str::FromStr;

use crate::action::{Action, Call, OptionNumber};
use crate::card::{Card, CardSet};
use crate::cards::{Cards, MAX_COPIES};
use crate::color::Color;
use crate::rules::{Rules, is_built_in_code};
use crate::seat::Seat;

/// An error in a text.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// No card has this code.
    #[error("`{0}` is not the code of a card, such as r7, gS or W4")]
    UnknownCard(String),
    /// The card with this code is not in this variant's deck.
    #[error("{0} is not in the deck of this variant")]
    NotInDeck(String),
    /// There are more copies of this card than any deck can have.
    #[error("too many copies of {0}; allowed: at most {most}", most = MAX_COPIES)]
    TooManyCopies(String),
    /// The text is not an action.
    #[error(
        "`{0}` is not an action; allowed: play CARD [COLOR], draw, keep, pass, color COLOR, challenge, accept, \
         take, swap SEAT, no-swap, keep-hand, rotate, target SEAT, discard-all CARD, discard-none, protect CARD, \
         choose OPTION, uno, catch SEAT, silent, and uno after an action"
    )]
    NotAnAction(String),
    /// The text is not a seat.
    #[error("`{0}` is not a seat; allowed: 0 to 9")]
    UnknownSeat(String),
    /// The text is not the number of an option.
    #[error("`{0}` is not an option; allowed: 0 to {last}", last = OptionNumber::COUNT - 1)]
    UnknownOption(String),
    /// The text is not a color.
    #[error("`{0}` is not a color; allowed: r, y, g, b")]
    UnknownColor(String),
}

/// An action as written, and whether UNO is called with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ActionWithCall {
    /// The action.
    pub action: Action,
    /// The call.
    pub call: Call,
}

impl Rules {
    /// The card of this code.
    ///
    /// # Errors
    /// The card is unknown, or not in this variant.
    pub fn parse_card(&self, code: &str) -> Result<Card, NotationError> {
        self.card(code).ok_or_else(|| {
            if is_built_in_code(code) {
                NotationError::NotInDeck(code.into())
            } else {
                NotationError::UnknownCard(code.into())
            }
        })
    }

    /// A list of cards separated by spaces, in order.
    ///
    /// # Errors
    /// As [`Rules::parse_card`].
    pub fn parse_card_list(&self, text: &str) -> Result<Vec<Card>, NotationError> {
        text.split_whitespace().map(|code| self.parse_card(code)).collect()
    }

    /// A list of cards separated by spaces, without their order.
    ///
    /// # Errors
    /// As [`Rules::parse_card`], or more copies than any deck can have.
    pub fn parse_cards(&self, text: &str) -> Result<Cards, NotationError> {
        Cards::try_from_list(&self.parse_card_list(text)?)
            .map_err(|card| NotationError::TooManyCopies(self.code(card).into()))
    }

    /// The codes of these cards, separated by spaces.
    #[must_use]
    pub fn write_cards(&self, cards: Cards) -> String {
        self.display(cards).to_string()
    }

    /// The code of a card.
    #[must_use]
    pub fn code(&self, card: Card) -> &str {
        &self.card_def(card).code
    }

    /// The action in this text, legal or not.
    ///
    /// # Errors
    /// The text is not an action of the notation.
    pub fn parse_action(&self, text: &str) -> Result<ActionWithCall, NotationError> {
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let call = match words.as_slice() {
            [_, .., "uno"] => {
                words.pop();
                Call::Uno
            }
            _ => Call::Silent,
        };
        let action = match words.as_slice() {
            ["play", card] => Action::Play(self.parse_card(card)?),
            ["play", card, color] => Action::PlayNaming(self.parse_card(card)?, parse_color(color)?),
            ["draw"] => Action::Draw,
            ["keep"] => Action::Keep,
            ["pass"] => Action::Pass,
            ["color", color] => Action::NameColor(parse_color(color)?),
            ["challenge"] => Action::Challenge,
            ["accept"] => Action::Accept,
            ["take"] => Action::Take,
            ["swap", seat] => Action::Swap(parse_seat(seat)?),
            ["no-swap"] => Action::NoSwap,
            ["keep-hand"] => Action::KeepHand,
            ["rotate"] => Action::Rotate,
            ["target", seat] => Action::Target(parse_seat(seat)?),
            ["discard-all", card] => Action::DiscardAll(self.parse_card(card)?),
            ["discard-none"] => Action::DiscardNone,
            ["protect", card] => Action::Protect(self.parse_card(card)?),
            ["choose", option] => Action::Choose(parse_option(option)?),
            ["uno"] => Action::Uno,
            ["catch", seat] => Action::Catch(parse_seat(seat)?),
            ["silent"] => Action::Silent,
            _ => return Err(NotationError::NotAnAction(text.into())),
        };
        Ok(ActionWithCall { action, call })
    }

    /// An action as text, followed by its call.
    #[must_use]
    pub fn write_action(&self, spoken: ActionWithCall) -> String {
        self.display(spoken).to_string()
    }

    /// A value that can be written with `{}` in its notation: an action, a card, or cards.
    ///
    /// ```
    /// use unolab_engine::{Action, Rules};
    ///
    /// let rules = Rules::preset("classic");
    /// let red_seven = rules.parse_card("r7")?;
    /// assert_eq!(rules.display(Action::Play(red_seven)).to_string(), "play r7");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn display<T: Notation>(&self, item: T) -> NotationDisplay<'_, T> {
        NotationDisplay { rules: self, item }
    }
}

/// A value with a notation under given rules: the rules give the code of a card.
pub trait Notation {
    /// Writes it.
    ///
    /// # Errors
    /// If `f` cannot be written to.
    fn write(&self, rules: &Rules, f: &mut impl fmt::Write) -> fmt::Result;
}

/// A value in the notation of its rules; see [`Rules::display`].
#[derive(Debug, Clone, Copy)]
pub struct NotationDisplay<'a, T> {
    rules: &'a Rules,
    item: T,
}

impl<T: Notation> fmt::Display for NotationDisplay<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.item.write(self.rules, f)
    }
}

impl Notation for Card {
    fn write(&self, rules: &Rules, f: &mut impl fmt::Write) -> fmt::Result {
        f.write_str(rules.code(*self))
    }
}

impl Notation for Cards {
    fn write(&self, rules: &Rules, f: &mut impl fmt::Write) -> fmt::Result {
        write_list(self.iter(), rules, f)
    }
}

impl Notation for CardSet {
    fn write(&self, rules: &Rules, f: &mut impl fmt::Write) -> fmt::Result {
        write_list(self.iter(), rules, f)
    }
}

fn write_list(cards: impl Iterator<Item = Card>, rules: &Rules, f: &mut impl fmt::Write) -> fmt::Result {
    for (place, card) in cards.enumerate() {
        f.write_str(if place == 0 { "" } else { " " })?;
        card.write(rules, f)?;
    }
    Ok(())
}

impl Notation for Action {
    fn write(&self, rules: &Rules, f: &mut impl fmt::Write) -> fmt::Result {
        // A refused answer may name a card of another variant, which is written too.
        let code = |card: Card| rules.kinds().get(card.index()).map_or("?", |kind| &*kind.code);
        match *self {
            Self::Play(card) => {
                f.write_str("play ")?;
                f.write_str(code(card))
            }
            Self::PlayNaming(card, color) => {
                f.write_str("play ")?;
                f.write_str(code(card))?;
                f.write_char(' ')?;
                f.write_char(color.letter())
            }
            Self::Draw => f.write_str("draw"),
            Self::Keep => f.write_str("keep"),
            Self::Pass => f.write_str("pass"),
            Self::NameColor(color) => write!(f, "color {}", color.letter()),
            Self::Challenge => f.write_str("challenge"),
            Self::Accept => f.write_str("accept"),
            Self::Take => f.write_str("take"),
            Self::Swap(seat) => write!(f, "swap {seat}"),
            Self::NoSwap => f.write_str("no-swap"),
            Self::KeepHand => f.write_str("keep-hand"),
            Self::Rotate => f.write_str("rotate"),
            Self::Target(seat) => write!(f, "target {seat}"),
            Self::DiscardAll(card) => write!(f, "discard-all {}", code(card)),
            Self::DiscardNone => f.write_str("discard-none"),
            Self::Protect(card) => write!(f, "protect {}", code(card)),
            Self::Choose(option) => write!(f, "choose {option}"),
            Self::Uno => f.write_str("uno"),
            Self::Catch(seat) => write!(f, "catch {seat}"),
            Self::Silent => f.write_str("silent"),
        }
    }
}

impl Notation for ActionWithCall {
    fn write(&self, rules: &Rules, f: &mut impl fmt::Write) -> fmt::Result {
        self.action.write(rules, f)?;
        match self.call {
            Call::Silent => Ok(()),
            Call::Uno => f.write_str(" uno"),
        }
    }
}

impl From<Action> for ActionWithCall {
    fn from(action: Action) -> Self {
        Self { action, call: Call::Silent }
    }
}

/// Parses the number of a seat.
impl FromStr for Seat {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Self, NotationError> {
        parse_seat(text)
    }
}

/// Parses the letter or the name of a color.
impl FromStr for Color {
    type Err = NotationError;
    fn from_str(text: &str) -> Result<Self, NotationError> {
        Self::from_name(text).map_or_else(|| parse_color(text), Ok)
    }
}

/// The color of one letter.
///
/// # Errors
/// It is none of r, y, g, b.
pub fn parse_color(text: &str) -> Result<Color, NotationError> {
    let mut letters = text.chars();
    match (letters.next().and_then(Color::from_letter), letters.next()) {
        (Some(color), None) => Ok(color),
        _ => Err(NotationError::UnknownColor(text.into())),
    }
}

/// The seat of this number.
///
/// # Errors
/// It is not a number from 0 to 9.
pub fn parse_seat(text: &str) -> Result<Seat, NotationError> {
    text.parse().ok().and_then(Seat::try_new).ok_or_else(|| NotationError::UnknownSeat(text.into()))
}

/// The option of this number.
fn parse_option(text: &str) -> Result<OptionNumber, NotationError> {
    text.parse().ok().and_then(OptionNumber::try_new).ok_or_else(|| NotationError::UnknownOption(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::action::ActionId;

    #[test]
    fn action_text_round_trips() {
        let rules = Rules::preset("disney");
        for id in ActionId::all() {
            let action = id.action();
            if action.card().is_some_and(|card| card.index() >= rules.kinds().len()) {
                continue;
            }
            for call in [Call::Silent, Call::Uno] {
                let spoken = ActionWithCall { action, call };
                assert_eq!(rules.parse_action(&rules.write_action(spoken)), Ok(spoken));
            }
        }
    }

    #[test]
    fn displayed_seats_and_colors_round_trip() {
        for seat in Seat::first(10) {
            assert_eq!(seat.to_string().parse(), Ok(seat));
        }
        for color in Color::ALL {
            assert_eq!([color.to_string().parse(), color.letter().to_string().parse()], [Ok(color), Ok(color)]);
        }
        assert_eq!("10".parse::<Seat>(), Err(NotationError::UnknownSeat("10".into())));
        assert_eq!("purple".parse::<Color>(), Err(NotationError::UnknownColor("purple".into())));
    }

    #[test]
    fn invalid_action_is_named() {
        let rules = Rules::preset("classic");
        assert_eq!(rules.parse_action("play r77"), Err(NotationError::UnknownCard("r77".into())));
        assert_eq!(rules.parse_action("play WV"), Err(NotationError::NotInDeck("WV".into())));
        assert_eq!(rules.parse_action("play W x"), Err(NotationError::UnknownColor("x".into())));
        assert_eq!(rules.parse_action("choose 4"), Err(NotationError::UnknownOption("4".into())));
        assert_eq!(rules.parse_action("catch 12"), Err(NotationError::UnknownSeat("12".into())));
        for text in ["", "Draw", "play", "play r5 r extra", "uno uno uno"] {
            assert_eq!(rules.parse_action(text), Err(NotationError::NotAnAction(text.into())));
        }
    }
}
