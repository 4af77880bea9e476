//! [`Action`]: an action of an agent.
//!
//! Every action has a small id that is the same in all rounds of a variant, for logs, bit sets and tensors:
//!
//! | ids | action |
//! |---|---|
//! | 0..320 | play kind *k*, naming no color (5*k*) or color *c* (5*k* + 1 + *c*) |
//! | 320..323 | draw, keep, pass |
//! | 323..327 | name color *c* |
//! | 327..332 | challenge, accept, take, no-swap, keep-hand |
//! | 332..335 | rotate, discard-none, silent |
//! | 335 | uno |
//! | 336..346, 346..356, 356..366 | swap with, target, catch seat *s* |
//! | 366..430, 430..494 | discard-all with *k* on top, protect with *k* |
//! | 494..498 | choose option *n* |

use crate::card::{Card, MAX_KINDS};
use crate::color::Color;
use crate::rules::MOST_OPTIONS;
use crate::seat::{MAX_SEATS, Seat};

/// An action that a seat can choose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(u8)] // the kind is read several times per turn: a separate byte is quicker to read than one shared with a color
pub enum Action {
    /// Play a card. A card that names a color is played with this action only if it ends the round.
    Play(Card),
    /// Play a card and name the color in force.
    PlayNaming(Card, Color),
    /// Draw instead of playing; with stacking, draw the whole sum.
    Draw,
    /// Keep the card just drawn.
    Keep,
    /// Pass: no card can be played and none is left to draw.
    Pass,
    /// Name a color separately from a play.
    NameColor(Color),
    /// Challenge a draw four.
    Challenge,
    /// Accept a draw four.
    Accept,
    /// Take the second two cards of a Cheese Touch.
    Take,
    /// Swap hands with that seat.
    Swap(Seat),
    /// Swap hands with no player.
    NoSwap,
    /// Victory Lap: keep the hand now in front.
    KeepHand,
    /// Victory Lap: pass all hands on.
    Rotate,
    /// The target of the card.
    Target(Seat),
    /// Discard every card of the button's color, with this one on top.
    DiscardAll(Card),
    /// Discard nothing.
    DiscardNone,
    /// Play this card as protection against a Villain Draw 4.
    Protect(Card),
    /// Choose this option of a card's effect.
    Choose(OptionNumber),
    /// Call UNO late.
    Uno,
    /// Catch a seat that has not called UNO.
    Catch(Seat),
    /// Do not use an open window.
    Silent,
}

/// The number of an option of a card's effect, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OptionNumber(u8);

impl OptionNumber {
    /// The most options that a choice can have.
    pub const COUNT: usize = MOST_OPTIONS;

    /// The option with this number, if a choice can have it.
    #[must_use]
    pub fn try_new(index: usize) -> Option<Self> {
        u8::try_from(index).ok().filter(|_| index < Self::COUNT).map(Self)
    }

    /// The number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The first `count` options.
    pub fn first(count: usize) -> impl Iterator<Item = Self> {
        (0..count).filter_map(Self::try_new)
    }
}

impl std::fmt::Display for OptionNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

/// Whether UNO is called together with an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Call {
    /// No call.
    #[default]
    Silent,
    /// `UNO!`
    Uno,
}

/// The id of an action: a number below [`ActionId::COUNT`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionId(u16);

const PLAY_END: usize = 5 * MAX_KINDS;
const SWAP: usize = PLAY_END + 16;
const TARGET: usize = SWAP + MAX_SEATS;
const CATCH: usize = TARGET + MAX_SEATS;
const DISCARD_ALL: usize = CATCH + MAX_SEATS;
const PROTECT: usize = DISCARD_ALL + MAX_KINDS;
const CHOOSE: usize = PROTECT + MAX_KINDS;

/// The actions without data, in the order of their ids.
const BARE: [Action; 16] = [
    Action::Draw,
    Action::Keep,
    Action::Pass,
    Action::NameColor(Color::Red),
    Action::NameColor(Color::Yellow),
    Action::NameColor(Color::Green),
    Action::NameColor(Color::Blue),
    Action::Challenge,
    Action::Accept,
    Action::Take,
    Action::NoSwap,
    Action::KeepHand,
    Action::Rotate,
    Action::DiscardNone,
    Action::Silent,
    Action::Uno,
];

impl ActionId {
    /// The number of ids.
    pub const COUNT: usize = CHOOSE + OptionNumber::COUNT;

    /// The id with this number, if there is one.
    #[must_use]
    pub fn new(index: usize) -> Option<Self> {
        u16::try_from(index).ok().filter(|_| index < Self::COUNT).map(Self)
    }

    /// The number.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The action of this id.
    ///
    /// # Panics
    /// Never: ids are below the count.
    #[must_use]
    pub fn action(self) -> Action {
        let i = self.index();
        match i {
            0..PLAY_END if i.is_multiple_of(5) => Action::Play(Card::new(i / 5)),
            0..PLAY_END => Action::PlayNaming(Card::new(i / 5), Color::from_index(i % 5 - 1)),
            PLAY_END..SWAP => BARE[i - PLAY_END],
            SWAP..TARGET => Action::Swap(Seat::new(i - SWAP)),
            TARGET..CATCH => Action::Target(Seat::new(i - TARGET)),
            CATCH..DISCARD_ALL => Action::Catch(Seat::new(i - CATCH)),
            DISCARD_ALL..PROTECT => Action::DiscardAll(Card::new(i - DISCARD_ALL)),
            PROTECT..CHOOSE => Action::Protect(Card::new(i - PROTECT)),
            _ => Action::Choose(OptionNumber::try_new(i - CHOOSE).expect("below the count")),
        }
    }

    /// Every id.
    pub fn all() -> impl ExactSizeIterator<Item = Self> + Clone {
        #[expect(clippy::cast_possible_truncation, reason = "498 ids")]
        (0..Self::COUNT as u16).map(Self)
    }
}

impl Action {
    /// Its id.
    ///
    /// # Panics
    /// Never: every action without data is in the list.
    #[must_use]
    pub fn id(self) -> ActionId {
        let index = match self {
            Self::Play(card) => 5 * card.index(),
            Self::PlayNaming(card, color) => 5 * card.index() + 1 + color.index(),
            Self::Swap(seat) => SWAP + seat.index(),
            Self::Target(seat) => TARGET + seat.index(),
            Self::Catch(seat) => CATCH + seat.index(),
            Self::DiscardAll(card) => DISCARD_ALL + card.index(),
            Self::Protect(card) => PROTECT + card.index(),
            Self::Choose(option) => CHOOSE + option.index(),
            bare => PLAY_END + BARE.iter().position(|&other| other == bare).expect("every bare action is listed"),
        };
        #[expect(clippy::cast_possible_truncation, reason = "below ActionId::COUNT")]
        ActionId(index as u16)
    }

    /// The card that the action removes from the hand, if any.
    #[must_use]
    pub const fn card(self) -> Option<Card> {
        match self {
            Self::Play(card) | Self::PlayNaming(card, _) | Self::DiscardAll(card) | Self::Protect(card) => Some(card),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn action_ids_round_trip() {
        assert_eq!(ActionId::COUNT, 498);
        for id in ActionId::all() {
            assert_eq!(id.action().id(), id);
        }
    }
}
