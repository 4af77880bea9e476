//! [`RoundState`]: the place of every card and the pending decision, without the legal actions.

use super::phase::{Outcome, Phase};
use crate::card::Card;
use crate::cards::Cards;
use crate::color::Color;
use crate::cpu::simd::weighted_sums;
use crate::rules::{COLOR_ONLY, Rules};
use crate::seat::{BySeat, Direction, MAX_SEATS, Ring, Seat, SeatSet};

/// A round of the game, as plain data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct RoundState {
    pub(crate) hands: [Cards; MAX_SEATS],
    /// The cards of the draw pile, without an order.
    pub(crate) draw_pile: Cards,
    /// Every card that takes part in this round.
    pub(crate) deck: Cards,
    pub(crate) ring: Ring,
    pub(crate) phase: Phase,
    pub(crate) in_round: SeatSet,
    /// The seats that were dealt cards and are out of the round (`house.hand_limit`).
    pub(crate) out: SeatSet,
    pub(crate) draw_pile_len: u16,
    pub(crate) to_act: Seat,
    pub(crate) dealer: Seat,
    pub(crate) first_seat: Seat,
    pub(crate) first_direction: Direction,
    pub(crate) direction: Direction,
    pub(crate) top: Card,
    /// The row of the top card in the table of playable cards: its kind, or the row for only its color.
    pub(crate) match_row: u8,
    pub(crate) color: Option<Color>,
    /// The seats that have passed since the last draw or play.
    pub(crate) passed: SeatSet,
    /// Seats with one card that have not called UNO and can be caught.
    pub(crate) uncalled: SeatSet,
    /// Seats that do not owe a call for their card, because they have called or have been caught.
    pub(crate) called: SeatSet,
    /// Whether an identical card may be played out of turn now.
    pub(crate) jump: JumpIn,
    pub(crate) reshuffles: u16,
    /// Turns that each seat still has to miss.
    pub(crate) missed_turns: [u8; MAX_SEATS],
}

/// Whether the top card has just been played, so that an identical one may jump in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum JumpIn {
    Closed,
    Open,
}

impl RoundState {
    /// The decision that the round waits for.
    #[must_use]
    #[inline]
    pub const fn phase(&self) -> Phase {
        self.phase
    }

    /// The seat with the ordinary decision; `None` when the round is over.
    #[must_use]
    #[inline]
    pub const fn current_seat(&self) -> Option<Seat> {
        match self.phase {
            Phase::Over(_) => None,
            _ => Some(self.to_act),
        }
    }

    /// Whether the round is over.
    #[must_use]
    #[inline]
    pub const fn is_terminal(&self) -> bool {
        matches!(self.phase, Phase::Over(_))
    }

    /// The outcome; `None` if the round is not over.
    #[must_use]
    #[inline]
    pub const fn outcome(&self) -> Option<Outcome> {
        match self.phase {
            Phase::Over(outcome) => Some(outcome),
            _ => None,
        }
    }

    /// The cards of a seat. Only for code that may see hidden cards: agents get an
    /// [`Observation`](crate::observation::Observation).
    #[must_use]
    #[inline]
    pub const fn hand(&self, seat: Seat) -> Cards {
        self.hands[seat.index()]
    }

    /// The cards of the draw pile.
    #[must_use]
    #[inline]
    pub const fn draw_pile(&self) -> Cards {
        self.draw_pile
    }

    /// Every card that takes part in this round.
    #[must_use]
    pub const fn deck(&self) -> Cards {
        self.deck
    }

    /// The discard pile, top card included.
    #[must_use]
    #[inline(always)]
    pub fn discard_pile(&self) -> Cards {
        let mut pile = self.deck;
        pile.take_all(self.not_discarded());
        pile
    }

    /// All cards of the draw pile and of the hands.
    #[must_use]
    #[inline(always)]
    pub(crate) fn not_discarded(&self) -> Cards {
        // A seat that does not take part has no cards.
        let hands = &self.hands[..self.in_round.end()];
        hands.iter().fold(self.draw_pile, |cards, &hand| cards.plus_hand(hand))
    }

    /// The number of cards in the draw pile.
    #[must_use]
    #[inline]
    pub const fn draw_pile_len(&self) -> u32 {
        self.draw_pile_len as u32
    }

    /// The number of cards in the discard pile, including the top card.
    #[must_use]
    pub fn discard_pile_len(&self) -> u32 {
        self.deck.len() - self.draw_pile_len() - self.seats().map(|seat| self.hand(seat).len()).sum::<u32>()
    }

    /// The card on top of the discard pile.
    #[must_use]
    #[inline]
    pub const fn top(&self) -> Card {
        self.top
    }

    /// Whether the word of the top card is dead, so that only its color can be followed (DI-29).
    #[must_use]
    pub const fn is_top_symbol_inactive(&self) -> bool {
        self.match_row as usize == COLOR_ONLY
    }

    /// The color in force; `None` before one is named, and after a last wild.
    #[must_use]
    #[inline]
    pub const fn color(&self) -> Option<Color> {
        self.color
    }

    /// The direction of play.
    #[must_use]
    #[inline]
    pub const fn direction(&self) -> Direction {
        self.direction
    }

    /// The seat that dealt.
    #[must_use]
    pub const fn dealer(&self) -> Seat {
        self.dealer
    }

    /// The seat that took the first turn, after the start card's effect.
    #[must_use]
    pub const fn first_seat(&self) -> Seat {
        self.first_seat
    }

    /// The direction of play at the first turn.
    #[must_use]
    pub const fn first_direction(&self) -> Direction {
        self.first_direction
    }

    /// The seats that take part and are not out, lowest number first.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        self.in_round.iter()
    }

    /// The seats that take part and are not out, as a set.
    #[must_use]
    pub const fn seat_set(&self) -> SeatSet {
        self.in_round
    }

    /// The seats that are out of the round because they held too many cards (`house.hand_limit`).
    #[must_use]
    pub const fn out(&self) -> SeatSet {
        self.out
    }

    /// The seats that were dealt cards, whether or not they are out.
    #[must_use]
    pub const fn dealt_seats(&self) -> SeatSet {
        self.in_round.union(self.out)
    }

    /// These seats are out of the round.
    pub(crate) fn leave(&mut self, seats: SeatSet) {
        self.in_round = self.in_round - seats;
        self.out = self.out.union(seats);
        self.ring = Ring::of(self.in_round);
        for set in [&mut self.passed, &mut self.called, &mut self.uncalled] {
            *set = *set - seats;
        }
        seats.iter().for_each(|seat| self.missed_turns[seat.index()] = 0);
    }

    /// The turn order.
    #[must_use]
    #[inline]
    pub const fn ring(&self) -> Ring {
        self.ring
    }

    /// The seat after this one in the direction of play.
    #[must_use]
    #[inline]
    pub const fn next_seat(&self, seat: Seat) -> Seat {
        self.ring.after(seat, self.direction)
    }

    /// The other seats in order of play, beginning after `seat`.
    pub fn others(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let (ring, direction) = (self.ring, self.direction);
        let first = ring.after(seat, direction);
        // A seat that is out never comes again: its circle ends where it began.
        let following = move |&other: &Seat| Some(ring.after(other, direction)).filter(|&next| next != first);
        std::iter::successors(Some(first), following).take_while(move |&other| other != seat)
    }

    /// Seats with one card that have not called UNO and can be caught.
    #[must_use]
    pub const fn uncalled(&self) -> SeatSet {
        self.uncalled
    }

    /// Seats that have passed since anything was last drawn or played.
    #[must_use]
    pub const fn passed(&self) -> SeatSet {
        self.passed
    }

    /// Turns that a seat still has to miss.
    #[must_use]
    pub const fn missed_turns(&self, seat: Seat) -> u8 {
        self.missed_turns[seat.index()]
    }

    /// The number of reshuffles.
    #[must_use]
    pub const fn reshuffles(&self) -> u32 {
        self.reshuffles as u32
    }

    /// Points left in each hand.
    #[must_use]
    #[inline(always)]
    pub fn points_left(&self, rules: &Rules) -> BySeat<u32> {
        let count = self.in_round.end();
        BySeat::new(weighted_sums(&rules.tables.point_bits, count, |seat| self.hands[seat].planes()))
    }
}
