//! [`Script`]: scripted chance, for scenarios and the replay of records.

use std::collections::VecDeque;

use crate::card::Card;
use crate::cards::Cards;
use crate::chance::{Chance, TaskResult};
use crate::color::Color;
use crate::rng::Rng;
use crate::rules::ButtonOdds;
use crate::seat::{Seat, SeatSet};

/// A scripted outcome other than a drawn card.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The button lights this color.
    Button(Color),
    /// A task is done, or not.
    Task(TaskResult),
    /// Chance names this seat.
    Chosen(Seat),
    /// Chance picks this card out of a hand.
    CardOfHand(Card),
}

/// Scripted cards and outcomes, followed by outcomes of a seeded generator.
#[derive(Debug, Clone)]
pub struct Script {
    cards: VecDeque<Card>,
    outcomes: VecDeque<Outcome>,
    rest: Rng,
    mismatch: Option<Mismatch>,
}

/// The first scripted outcome that does not fit the chance event of the round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Mismatch {
    /// The next known card is not in the draw pile.
    Card(Card),
    /// The round needed another outcome.
    Outcome(Outcome),
}

impl Script {
    /// A script with these cards and these outcomes, each in order; the seed determines the rest.
    #[must_use]
    pub fn new(cards: impl IntoIterator<Item = Card>, outcomes: impl IntoIterator<Item = Outcome>, seed: u64) -> Self {
        Self {
            cards: cards.into_iter().collect(),
            outcomes: outcomes.into_iter().collect(),
            rest: Rng::from_seed(seed),
            mismatch: None,
        }
    }

    /// The first entry that did not fit, if any.
    #[must_use]
    pub const fn mismatch(&self) -> Option<Mismatch> {
        self.mismatch
    }

    /// Outcomes that have not been used.
    #[must_use]
    pub fn unused_outcomes(&self) -> usize {
        self.outcomes.len()
    }

    /// Cards that have not been drawn.
    #[must_use]
    pub fn unused_cards(&self) -> usize {
        self.cards.len()
    }

    /// Adds known cards, to be drawn after the remaining ones.
    pub fn extend_cards(&mut self, cards: impl IntoIterator<Item = Card>) {
        self.cards.extend(cards);
    }

    /// Drops the remaining known cards, because their draw pile no longer exists.
    pub fn forget_cards(&mut self) {
        self.cards.clear();
    }

    /// The next outcome, if it fits the chance event.
    fn next<T>(&mut self, answer: impl Fn(Outcome) -> Option<T>) -> Option<T> {
        let outcome = self.outcomes.pop_front()?;
        let answered = answer(outcome);
        if answered.is_none() {
            self.mismatch.get_or_insert(Mismatch::Outcome(outcome));
        }
        answered
    }
}

impl Chance for Script {
    fn draw(&mut self, pile: Cards, len: u32) -> Card {
        match self.cards.pop_front() {
            Some(card) if pile.contains(card) => card,
            Some(card) => {
                self.mismatch.get_or_insert(Mismatch::Card(card));
                self.rest.draw(pile, len)
            }
            None => self.rest.draw(pile, len),
        }
    }

    fn card_of_hand(&mut self, hand: Cards, len: u32) -> Card {
        self.next(|outcome| match outcome {
            Outcome::CardOfHand(card) if hand.contains(card) => Some(card),
            _ => None,
        })
        .unwrap_or_else(|| self.rest.draw(hand, len))
    }

    fn button(&mut self, odds: &ButtonOdds) -> Color {
        self.next(|outcome| if let Outcome::Button(color) = outcome { Some(color) } else { None })
            .unwrap_or_else(|| self.rest.button(odds))
    }

    fn task(&mut self, success: f64) -> TaskResult {
        self.next(|outcome| if let Outcome::Task(result) = outcome { Some(result) } else { None })
            .unwrap_or_else(|| self.rest.task(success))
    }

    fn seat(&mut self, seats: SeatSet) -> Seat {
        // A scenario may leave it to the seed: an outcome of another kind stays in the script for its own event.
        match self.outcomes.front() {
            Some(Outcome::Chosen(seat)) if seats.contains(*seat) => {
                let seat = *seat;
                self.outcomes.pop_front();
                seat
            }
            _ => self.rest.seat(seats),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_cards_come_first_and_missing_card_is_reported() {
        let [three, four, five] = [3, 4, 5].map(Card::new);
        let pile: Cards = [three, four].into_iter().collect();
        let mut script = Script::new([four, five, three], [], 1);
        assert_eq!((script.draw(pile, 2), script.mismatch()), (four, None));
        assert!(pile.contains(script.draw(pile, 2)));
        assert_eq!(script.mismatch(), Some(Mismatch::Card(five)));
        // The first mismatch is kept.
        script.extend_cards([five]);
        assert_eq!(script.draw(pile, 2), three);
        script.draw(pile, 2);
        assert_eq!((script.mismatch(), script.unused_cards()), (Some(Mismatch::Card(five)), 0));
    }

    #[test]
    fn known_cards_are_forgotten_with_their_draw_pile() {
        let mut script = Script::new([Card::new(3)], [Outcome::Task(TaskResult::Done)], 1);
        script.forget_cards();
        assert_eq!((script.unused_cards(), script.unused_outcomes()), (0, 1));
        assert_eq!(script.draw([Card::new(7)].into_iter().collect(), 1), Card::new(7));
        assert_eq!(script.mismatch(), None);
    }
}
