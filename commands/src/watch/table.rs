//! [`Table`]: the cards on the table and in the hands, from one point of view.

use serde::Serialize;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;
use unolab_engine::state::{Phase, RoundState};

/// The point of view on the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Perspective {
    /// Every hand is open.
    #[default]
    All,
    /// Only the hand of one seat.
    Seat(Seat),
    /// A view without a seat in this round: no hand is open.
    Bystander,
}

impl Perspective {
    /// Whether the hand of this seat is open from this point of view.
    #[must_use]
    pub fn see_hand(self, of: Seat) -> bool {
        match self {
            Self::All => true,
            Self::Seat(seat) => seat == of,
            Self::Bystander => false,
        }
    }
}

/// A hand from a point of view.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Hand {
    /// Every card, as codes.
    Open(String),
    /// Only the number of cards.
    Closed(u32),
    /// The number of cards, and the known cards among them.
    Known {
        /// The number of cards.
        n: u32,
        /// Their codes.
        known: String,
    },
}

impl Hand {
    /// The number of cards.
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Open(cards) => cards.split_whitespace().count(),
            Self::Closed(count) | Self::Known { n: count, .. } => *count as usize,
        }
    }

    /// Whether it has no cards.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A table at one moment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Table {
    /// The hand of each seat, by its number; `None` for a seat that does not take part.
    pub hands: Vec<Option<Hand>>,
    /// The code of the top card; empty before there is one.
    pub top: String,
    /// Only the color of the top card can be followed (DI-29).
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub dead: bool,
    /// The letter of the color in force, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub color: Option<char>,
    /// 1 to the left, -1 to the right.
    pub dir: i8,
    /// Cards to draw.
    pub draw: u32,
    /// Cards on the discard pile, the top card included.
    pub pile: u32,
    /// The seat that acts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub act: Option<usize>,
    /// The pending decision in the notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ask: Option<&'static str>,
    /// Seats with one card that have not called and can be caught.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncalled: Vec<usize>,
}

impl Table {
    /// The table from this point of view.
    #[must_use]
    pub fn of(rules: &Rules, state: &RoundState, knowledge: &Knowledge, eyes: Perspective) -> Self {
        let hand = |seat: Seat| {
            if !state.seat_set().contains(seat) {
                return None;
            }
            let cards = state.hand(seat);
            // During a lap, only the player of the card sees the hand in front (CA-16).
            let is_passed_on = matches!(state.phase(), Phase::Lap(_)) && state.current_seat() != Some(seat);
            let known = match eyes {
                Perspective::Seat(by) if by == seat && is_passed_on => return Some(Hand::Closed(cards.len())),
                _ if eyes.see_hand(seat) => return Some(Hand::Open(rules.write_cards(cards))),
                Perspective::Seat(by) => knowledge.of(by, seat),
                _ => return Some(Hand::Closed(cards.len())),
            };
            Some(if known.is_empty() {
                Hand::Closed(cards.len())
            } else {
                Hand::Known { n: cards.len(), known: rules.write_cards(known) }
            })
        };
        Self {
            hands: Seat::first(state.dealt_seats().end()).map(hand).collect(),
            top: rules.code(state.top()).to_owned(),
            dead: state.is_top_symbol_inactive(),
            color: state.color().map(|color| color.letter()),
            dir: match state.direction() {
                unolab_engine::seat::Direction::Left => 1,
                unolab_engine::seat::Direction::Right => -1,
            },
            draw: state.draw_pile_len(),
            pile: state.discard_pile_len(),
            act: state.current_seat().map(Seat::index),
            ask: state.phase().decision(),
            uncalled: state.uncalled().iter().filter(|&seat| state.hand(seat).len() == 1).map(Seat::index).collect(),
        }
    }
}
