//! [`Chance`]: the source of random outcomes.
//!
//! The state does not contain chance: the caller that applies an action passes it in. So a copy of a state does not determine
//! future cards. A keyed generator, a script of known cards, and an enumeration of all outcomes implement the same trait.

use std::cell::RefCell;

use rand::RngExt as _;

use crate::card::Card;
use crate::cards::Cards;
use crate::color::Color;
use crate::cpu::isa::Isa;
use crate::rng::Rng;
use crate::rules::ButtonOdds;
use crate::seat::{Seat, SeatSet};

/// Whether the task on a custom card was done (SW-19).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskResult {
    /// It was done: no penalty.
    Done,
    /// It was not done: the penalty follows.
    Failed,
}

/// Determines every random outcome of a round.
pub trait Chance {
    /// The card drawn from a draw pile of `len` cards, at least one.
    fn draw(&mut self, pile: Cards, len: u32) -> Card;

    /// Removes the card that [`Chance::draw`] chooses from the pile; compiled for this instruction set.
    #[inline]
    fn draw_from<M: Isa>(&mut self, pile: &mut Cards, len: u32) -> Card
    where
        Self: Sized,
    {
        let card = self.draw(*pile, len);
        pile.remove(card);
        card
    }

    /// The card of a hand of `len` cards, at least one, that is moved to another hand.
    fn card_of_hand(&mut self, hand: Cards, len: u32) -> Card {
        self.draw(hand, len)
    }

    /// The color that the Tinker Bell button lights.
    fn button(&mut self, odds: &ButtonOdds) -> Color;

    /// Whether a task with this probability of success is done.
    fn task(&mut self, success: f64) -> TaskResult;

    /// One of these seats.
    fn seat(&mut self, seats: SeatSet) -> Seat;
}

impl Chance for Rng {
    #[inline]
    fn draw(&mut self, pile: Cards, len: u32) -> Card {
        pile.nth(self.below(len))
    }

    #[inline(always)]
    fn draw_from<M: Isa>(&mut self, pile: &mut Cards, len: u32) -> Card {
        pile.take_nth_on::<M>(self.below(len))
    }

    #[inline]
    fn button(&mut self, odds: &ButtonOdds) -> Color {
        odds.color_at(self.bits())
    }

    fn task(&mut self, success: f64) -> TaskResult {
        if self.chance(success) { TaskResult::Done } else { TaskResult::Failed }
    }

    fn seat(&mut self, seats: SeatSet) -> Seat {
        #[expect(clippy::cast_possible_truncation, reason = "at most ten")]
        let chosen = self.below(seats.len() as u32) as usize;
        seats.iter().nth(chosen).expect("one of the seats")
    }
}

/// Chance from any random number generator that implements the traits of `rand`.
///
/// Its rounds differ from rounds of an [`Rng`] with the same numbers, and may change with the version of `rand`.
///
/// ```
/// use unolab_engine::{Round, Rules, Seat, chance::FromRand, round::Deal};
/// # use rand_pcg::Pcg64Mcg;
///
/// let rules = Rules::preset("classic");
/// let chance = FromRand(Pcg64Mcg::new(42));
/// let round = Round::deal_by(&rules, Deal::first(3, Seat::new(0)), chance);
/// assert!(round.decision().is_some());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FromRand<R>(pub R);

impl<R: rand::Rng> Chance for FromRand<R> {
    fn draw(&mut self, pile: Cards, len: u32) -> Card {
        pile.nth(self.0.random_range(0..len))
    }
    fn button(&mut self, odds: &ButtonOdds) -> Color {
        odds.color_at(self.0.next_u32())
    }
    fn task(&mut self, success: f64) -> TaskResult {
        if self.0.random_bool(success) { TaskResult::Done } else { TaskResult::Failed }
    }
    fn seat(&mut self, seats: SeatSet) -> Seat {
        let chosen = self.0.random_range(0..seats.len());
        seats.iter().nth(chosen).expect("one of the seats")
    }
}

impl<C: Chance + ?Sized> Chance for &mut C {
    fn draw(&mut self, pile: Cards, len: u32) -> Card {
        (**self).draw(pile, len)
    }
    fn card_of_hand(&mut self, hand: Cards, len: u32) -> Card {
        (**self).card_of_hand(hand, len)
    }
    fn button(&mut self, odds: &ButtonOdds) -> Color {
        (**self).button(odds)
    }
    fn task(&mut self, success: f64) -> TaskResult {
        (**self).task(success)
    }
    fn seat(&mut self, seats: SeatSet) -> Seat {
        (**self).seat(seats)
    }
}

/// A source of chance that several rounds share, for example copies of one round that should develop differently.
///
/// # Panics
/// If it is already borrowed when a round uses it.
impl<C: Chance> Chance for &RefCell<C> {
    fn draw(&mut self, pile: Cards, len: u32) -> Card {
        self.borrow_mut().draw(pile, len)
    }
    fn draw_from<M: Isa>(&mut self, pile: &mut Cards, len: u32) -> Card {
        self.borrow_mut().draw_from::<M>(pile, len)
    }
    fn card_of_hand(&mut self, hand: Cards, len: u32) -> Card {
        self.borrow_mut().card_of_hand(hand, len)
    }
    fn button(&mut self, odds: &ButtonOdds) -> Color {
        self.borrow_mut().button(odds)
    }
    fn task(&mut self, success: f64) -> TaskResult {
        self.borrow_mut().task(success)
    }
    fn seat(&mut self, seats: SeatSet) -> Seat {
        self.borrow_mut().seat(seats)
    }
}
