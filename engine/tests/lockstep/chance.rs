//! Chance for both: the engine's outcomes are recorded and passed to the model.

use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::chance::{Chance, TaskResult};
use unolab_engine::color::Color;
use unolab_engine::rng::Rng;
use unolab_engine::rules::ButtonOdds;
use unolab_engine::seat::{Seat, SeatSet};

use crate::reference::{Code, Fate};

/// A chance event and its outcome.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Happened {
    Draw { pile_len: u32, card: Card },
    CardOfHand { hand: Cards, card: Card },
    Button(Color),
    Task { success: f64, done: bool },
    Chosen { among: SeatSet, seat: Seat },
}

/// Draws random outcomes and records them.
pub struct Noted<'a> {
    rng: &'a mut Rng,
    pub log: Vec<Happened>,
}

impl<'a> Noted<'a> {
    pub fn new(rng: &'a mut Rng) -> Self {
        Self { rng, log: Vec::new() }
    }
}

impl Chance for Noted<'_> {
    fn draw(&mut self, pile: Cards, len: u32) -> Card {
        let card = self.rng.draw(pile, len);
        self.log.push(Happened::Draw { pile_len: len, card });
        card
    }
    fn card_of_hand(&mut self, hand: Cards, len: u32) -> Card {
        let card = self.rng.card_of_hand(hand, len);
        self.log.push(Happened::CardOfHand { hand, card });
        card
    }
    fn button(&mut self, odds: &ButtonOdds) -> Color {
        let color = self.rng.button(odds);
        self.log.push(Happened::Button(color));
        color
    }
    fn task(&mut self, success: f64) -> TaskResult {
        let result = self.rng.task(success);
        self.log.push(Happened::Task { success, done: result == TaskResult::Done });
        result
    }
    fn seat(&mut self, seats: SeatSet) -> Seat {
        let seat = self.rng.seat(seats);
        self.log.push(Happened::Chosen { among: seats, seat });
        seat
    }
}

/// Passes the engine's chance outcomes to the model, in the same order.
pub struct Retold<'a> {
    pub codes: &'a [Code],
    pub log: std::vec::IntoIter<Happened>,
}

impl Retold<'_> {
    fn next(&mut self, question: &str) -> Happened {
        self.log.next().unwrap_or_else(|| panic!("the model asks chance for {question}, the engine did not"))
    }
}

impl Fate for Retold<'_> {
    fn draw(&mut self, pile: &[Code]) -> usize {
        match self.next("a card") {
            Happened::Draw { pile_len, card } if pile_len as usize == pile.len() => {
                let wanted = self.codes[card.index()];
                pile.iter().position(|code| *code == wanted).expect("the model has the card that the engine drew")
            }
            other => panic!("the model draws from {} cards, the engine had {other:?}", pile.len()),
        }
    }
    fn card_of_hand(&mut self, hand: &[Code]) -> usize {
        match self.next("a card of a hand") {
            Happened::CardOfHand { hand: of, card } if of.len() as usize == hand.len() => {
                let wanted = self.codes[card.index()];
                hand.iter().position(|code| *code == wanted).expect("the model has the card that the engine moved")
            }
            other => panic!("the model picks one of {} cards, the engine had {other:?}", hand.len()),
        }
    }
    fn tinker(&mut self, weights: [f64; 4]) -> char {
        match self.next("the button") {
            Happened::Button(color) if weights[color.index()] > 0.0 => color.letter(),
            other => panic!("the model presses the button {weights:?}, the engine had {other:?}"),
        }
    }
    fn task(&mut self, p: f64) -> bool {
        match self.next("a task") {
            Happened::Task { success, done } if (success - p).abs() < 1e-12 => done,
            other => panic!("the model sets a task of {p}, the engine had {other:?}"),
        }
    }
    fn random_other(&mut self, seats: &[usize]) -> usize {
        let wanted: SeatSet = seats.iter().copied().map(Seat::new).collect();
        match self.next("a seat") {
            Happened::Chosen { among, seat } if among == wanted => seat.index(),
            other => panic!("the model chooses among {seats:?}, the engine had {other:?}"),
        }
    }
}
