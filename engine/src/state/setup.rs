//! Creates a position in the middle of a round from its parts, and lists all errors.

use std::fmt;

use super::phase::Phase;
use super::round_state::{JumpIn, RoundState};
use crate::card::{Card, MAX_KINDS};
use crate::cards::Cards;
use crate::color::Color;
use crate::rules::{COLOR_ONLY, Rules};
use crate::seat::{BySeat, Direction, MAX_SEATS, Ring, Seat, SeatSet};

/// The parts of a position at the beginning of a seat's turn. The fields may have any values; [`RoundState::from_setup`]
/// checks them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoundSetup {
    /// The seats that take part.
    pub seats: SeatSet,
    /// The dealer.
    pub dealer: Seat,
    /// The direction of play.
    pub direction: Direction,
    /// The seat whose turn begins.
    pub to_act: Seat,
    /// The hand of each seat.
    pub hands: BySeat<Cards>,
    /// The top card.
    pub top: Card,
    /// The cards under the top card.
    pub under_top: Cards,
    /// The color in force; optional if the top card has a color.
    pub color: Option<Color>,
    /// The cards of the draw pile.
    pub draw_pile: Cards,
}

/// The reason why a position is impossible.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SetupError {
    /// Fewer than two seats take part.
    TooFewSeats,
    /// The dealer or the seat to act does not take part.
    SeatNotInRound(Seat),
    /// A seat that takes part holds no card.
    EmptyHand(Seat),
    /// A seat that does not take part holds cards.
    HandOutsideRound(Seat),
    /// There are more copies of a card than the deck has.
    TooManyCopies {
        /// The card.
        card: Card,
        /// The number in the position.
        found: u32,
        /// The number in the deck.
        deck: u32,
    },
    /// The top card is wild and no color is given.
    ColorMissing,
    /// The top card has another color.
    ColorContradictsTop(Color),
}

impl SetupError {
    /// The reason in the notation of these rules.
    #[must_use]
    pub fn describe(&self, rules: &Rules) -> String {
        match *self {
            Self::TooManyCopies { card, found, deck } if rules.deck().contains(card) => {
                format!("{found} copies of {}; the deck has {deck}", rules.code(card))
            }
            other => other.to_string(),
        }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFewSeats => f.write_str("fewer than two seats take part"),
            Self::SeatNotInRound(seat) => write!(f, "seat {seat} takes no part in the round"),
            Self::EmptyHand(seat) => write!(f, "seat {seat} holds no card: the round would be over"),
            Self::HandOutsideRound(seat) => write!(f, "seat {seat} takes no part but holds cards"),
            Self::TooManyCopies { card, found, deck } => {
                write!(f, "{found} copies of kind {}; the deck has {deck}", card.index())
            }
            Self::ColorMissing => f.write_str("the top card is wild: the color in force must be given"),
            Self::ColorContradictsTop(color) => {
                write!(f, "the color in force cannot be {color}: the top card has another")
            }
        }
    }
}

impl std::error::Error for SetupError {}

impl RoundSetup {
    /// The cards except the top card, by location.
    fn parts(&self) -> impl Iterator<Item = Cards> + '_ {
        self.hands.iter().copied().chain([self.draw_pile, self.under_top])
    }

    /// The kinds with more copies in the position than in the deck, including kinds that the deck does not contain. The
    /// counts are integers, because a sum of [`Cards`] could overflow.
    fn too_many_copies(&self, rules: &Rules) -> impl Iterator<Item = SetupError> {
        (0..MAX_KINDS).map(Card::new).filter_map(|card| {
            let in_parts: u32 = self.parts().map(|part| part.count(card)).sum();
            let (found, deck) = (in_parts + u32::from(self.top == card), rules.deck().count(card));
            (found > deck).then_some(SetupError::TooManyCopies { card, found, deck })
        })
    }
}

impl RoundState {
    /// The round of this position. A seat with one card counts as having called UNO.
    ///
    /// # Errors
    /// Everything that makes the position impossible.
    ///
    /// # Panics
    /// Never: a position without too many copies has at most 512 cards.
    pub fn from_setup(setup: &RoundSetup, rules: &Rules) -> Result<Self, Vec<SetupError>> {
        let mut errors = Vec::new();
        if setup.seats.len() < 2 {
            errors.push(SetupError::TooFewSeats);
        }
        for seat in [setup.dealer, setup.to_act] {
            if !setup.seats.contains(seat) {
                errors.push(SetupError::SeatNotInRound(seat));
            }
        }
        for seat in Seat::first(MAX_SEATS) {
            let hand = setup.hands[seat];
            match (setup.seats.contains(seat), hand.is_empty()) {
                (true, true) => errors.push(SetupError::EmptyHand(seat)),
                (false, false) => errors.push(SetupError::HandOutsideRound(seat)),
                _ => {}
            }
        }
        errors.extend(setup.too_many_copies(rules));
        let printed = rules.color_of(setup.top);
        let color = setup.color.or(printed);
        if color.is_none() {
            errors.push(SetupError::ColorMissing);
        }
        if let (Some(given), Some(printed)) = (setup.color, printed)
            && given != printed
            && !rules.names_color().contains(setup.top)
        {
            errors.push(SetupError::ColorContradictsTop(given));
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        let mut deck = setup.parts().fold(Cards::EMPTY, Cards::plus);
        deck.add(setup.top);
        let mut state = Self::empty(setup.seats, setup.dealer, setup.top, deck);
        state.hands = *setup.hands.as_array();
        state.draw_pile = setup.draw_pile;
        state.draw_pile_len = u16::try_from(setup.draw_pile.len()).expect("a deck has at most 512 cards");
        state.direction = setup.direction;
        state.first_direction = setup.direction;
        state.to_act = setup.to_act;
        state.first_seat = setup.to_act;
        state.color = color;
        state.called = state.seats().filter(|&seat| state.hand(seat).is_single()).collect();
        Ok(state)
    }

    /// A round before the deal.
    #[inline(always)]
    pub(crate) fn empty(seats: SeatSet, dealer: Seat, top: Card, deck: Cards) -> Self {
        #[expect(clippy::cast_possible_truncation, reason = "below 64")]
        let match_row = top.index() as u8;
        const { assert!(COLOR_ONLY <= u8::MAX as usize) };
        Self {
            hands: [Cards::EMPTY; MAX_SEATS],
            draw_pile: deck,
            deck,
            ring: Ring::of(seats),
            phase: Phase::Turn,
            in_round: seats,
            out: SeatSet::EMPTY,
            draw_pile_len: u16::try_from(deck.len()).expect("a deck has at most 512 cards"),
            to_act: dealer,
            dealer,
            first_seat: dealer,
            first_direction: Direction::Left,
            direction: Direction::Left,
            top,
            match_row,
            color: None,
            passed: SeatSet::EMPTY,
            uncalled: SeatSet::EMPTY,
            called: SeatSet::EMPTY,
            jump: JumpIn::Closed,
            reshuffles: 0,
            missed_turns: [0; MAX_SEATS],
        }
    }
}
