//! [`RoundState`]: one round, from the deal until a player goes out.
//!
//! Plain data that copies in tens of nanoseconds. The draw pile is a set until a card is drawn, and the cards under the top
//! card are those that are nowhere else, so neither needs an order. Each decision of the rules is a [`Phase`].

mod answers;
mod calls;
mod draw_fours;
mod legal;
mod play;
mod sample;
mod setup;
mod start;
mod steps;
mod text;

pub(crate) use legal::is_honest;
pub use play::IllegalAction;
pub(crate) use play::Table;
pub use sample::{Dealing, Uniform};
pub use setup::{RoundSetup, SetupError};
pub use start::StartError;
pub use text::TextError;

use crate::card::Card;
use crate::cards::Cards;
use crate::color::Color;
use crate::fast::simd;
use crate::rules::{COLOR_ONLY, Rules};
use crate::seat::{Direction, MAX_SEATS, Ring, Seat, SeatSet};

/// The decision that the round waits for. The seat to decide is [`RoundState::current_seat`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Phase {
    /// Play, draw or pass.
    Turn,
    /// Play or keep the card just drawn.
    Drawn(Card),
    /// Name a colour apart from a play, and what comes then.
    NameColor(AfterColor),
    /// Challenge or accept a draw four.
    Challenge(DrawFour),
    /// Answer a Cheese Touch with a yellow card, or take two more.
    Cheese,
    /// Swap hands, or decline.
    Swap(SwapFor),
    /// Keep this hand, or pass all hands on; the number of passes so far.
    Lap(u8),
    /// Choose the target.
    Target(TargetFor),
    /// Discard every card of this colour, or none.
    Discard(Color),
    /// Lay a card of this colour as protection.
    Protect(Protection),
    /// Answer a draw card, or draw the sum.
    Stack(Stack),
    /// The round is over.
    Over(Outcome),
}

impl Phase {
    /// The word of the notation for the decision; `None` when the round is over.
    #[must_use]
    pub const fn decision(self) -> Option<&'static str> {
        Some(match self {
            Self::Turn => "turn",
            Self::Drawn(_) => "drawn",
            Self::NameColor(_) => "color",
            Self::Challenge(_) => "challenge",
            Self::Cheese => "cheese",
            Self::Swap(_) => "swap",
            Self::Lap(_) => "lap",
            Self::Target(_) => "target",
            Self::Discard(_) => "discard",
            Self::Protect(_) => "protect",
            Self::Stack(_) => "stack",
            Self::Over(_) => return None,
        })
    }
}

/// What follows after a colour is named separately from a play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AfterColor {
    /// The same player's turn: the start card was a Wild.
    OwnTurn,
    /// The same player may swap hands first: the start card was a Wild Swap Hands.
    OwnSwap,
    /// The next player's turn: a Victory Lap has ended.
    NextTurn,
}

/// A draw four that is being challenged or accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DrawFour {
    /// The seat that played it.
    pub by: Seat,
    /// The top card before, as a row of the table of playable cards.
    pub(crate) match_row: u8,
    /// The colour in force before.
    pub color_before: Color,
    /// How it was played; judged by the hand of that moment (SW-14), and hidden from everybody else.
    pub(crate) honesty: Honesty,
    /// Penalty cards that its player has drawn since.
    pub(crate) drawn_since: u8,
    /// Cards that the victim would draw: four, or the whole sum under stacking.
    pub sum: u8,
}

/// Whether a draw four could honestly be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Honesty {
    Honest,
    Bluff,
}

/// Why a swap is on offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SwapFor {
    /// The start card was a Wild Swap Hands: the player's own turn follows.
    StartCard,
    /// A card that was played.
    Effect(Cursor),
}

/// The reason for choosing a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TargetFor {
    /// The button matched the Draw Two.
    ButtonDrawTwo,
    /// A custom card.
    Effect(Cursor),
}

/// The position in a card's list of steps after a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Cursor {
    /// The seat that played the card.
    pub player: Seat,
    /// The card.
    pub card: Card,
    /// The next step, as a place in the card's list of steps.
    pub(crate) next: u8,
    /// The chosen target, once there is one.
    pub(crate) target: Option<Seat>,
    /// The number of players that lose a turn at the end.
    pub(crate) skips: SkipCount,
    /// Whether it was the last card.
    pub(crate) ending: Ending,
}

/// The number of players that lose a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum SkipCount {
    Next(u8),
    All,
}

/// Whether the round ends with the card being played.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Ending {
    GoesOn,
    GoesOut,
}

/// A Villain Draw 4 while protections are laid.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Protection {
    /// The seat that played it.
    pub by: Seat,
    /// The colour of the button.
    pub color: Color,
    /// A wrong challenger has drawn already (DI-14).
    pub(crate) exempt: Option<Seat>,
}

/// Draw cards that have been laid on each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Stack {
    /// Cards to draw.
    pub sum: u8,
}

/// How a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This seat went out.
    WentOut(Seat),
    /// Everybody had to pass in turn and nothing could be drawn: nobody scores.
    Void,
}

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
    pub(crate) draw_pile_len: u16,
    pub(crate) to_act: Seat,
    pub(crate) dealer: Seat,
    pub(crate) first_seat: Seat,
    pub(crate) first_direction: Direction,
    pub(crate) direction: Direction,
    pub(crate) top: Card,
    /// The row of the top card in the table of playable cards: its kind, or only its colour.
    pub(crate) match_row: u8,
    pub(crate) color: Option<Color>,
    /// The seats that have passed since the last draw or play.
    pub(crate) passed: SeatSet,
    /// Seats with one card who have not called while it can be noticed.
    pub(crate) uncalled: SeatSet,
    /// Seats whose call for the card they hold is made.
    pub(crate) called: SeatSet,
    /// May an identical card be played out of turn just now?
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

    /// Is the round over?
    #[must_use]
    #[inline]
    pub const fn is_terminal(&self) -> bool {
        matches!(self.phase, Phase::Over(_))
    }

    /// How it ended, if it has.
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
        // Whoever is not in the round holds nothing.
        let hands = &self.hands[..self.in_round.end()];
        let mut pile = self.deck;
        pile.take_all(hands.iter().fold(self.draw_pile, |elsewhere, &hand| elsewhere.plus(hand)));
        pile
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

    /// Is the word of the top card dead, so that only its colour can be followed (DI-29)?
    #[must_use]
    pub const fn top_word_is_dead(&self) -> bool {
        self.match_row as usize == COLOR_ONLY
    }

    /// The colour in force; `None` before one is named, and after a last wild.
    #[must_use]
    #[inline]
    pub const fn color(&self) -> Option<Color> {
        self.color
    }

    /// Which way play goes.
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

    /// The seats that take part, lowest number first.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + Clone + use<> {
        self.in_round.iter()
    }

    /// The seats that take part, as a set.
    #[must_use]
    pub const fn seat_set(&self) -> SeatSet {
        self.in_round
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
        std::iter::successors(Some(ring.after(seat, direction)), move |&other| Some(ring.after(other, direction)))
            .take_while(move |&other| other != seat)
    }

    /// Seats with one card who have not called while it can still be noticed.
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

    /// Points left in each hand, by the number of the seat.
    #[must_use]
    #[inline(always)]
    pub fn points_left(&self, rules: &Rules) -> [u32; MAX_SEATS] {
        simd::points_of_hands(rules, &self.hands, self.in_round.end())
    }
}
