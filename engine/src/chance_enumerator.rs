//! [`ChanceEnumerator`]: enumerates every chance outcome with its probability.

use crate::card::Card;
use crate::cards::Cards;
use crate::chance::{Chance, TaskResult};
use crate::color::Color;
use crate::rules::ButtonOdds;
use crate::seat::{Seat, SeatSet};

/// Enumerates all chance outcomes like an odometer, with one wheel for each chance event; the last wheel turns fastest. A
/// later event may depend on the outcomes of earlier ones.
///
/// The outcomes are each distinct card of a pile, each color of the button, a task done and not done (unless its probability
/// is 0 or 1), and each seat that can be picked. Start from the same state for each combination of outcomes:
///
/// ```
/// use unolab_engine::{Chance as _, Rules, chance_enumerator::ChanceEnumerator};
///
/// let deck = Rules::preset("classic").deck();
/// let (mut odometer, mut ways, mut probability) = (ChanceEnumerator::default(), 0, 0.0);
/// loop {
///     let _card = odometer.draw(deck, deck.len());
///     (ways, probability) = (ways + 1, probability + odometer.probability());
///     if !odometer.advance() {
///         break;
///     }
/// }
/// assert_eq!(ways, deck.distinct().len());
/// assert!((probability - 1.0).abs() < 1e-9);
/// ```
#[derive(Debug, Clone, Default)]
pub struct ChanceEnumerator {
    wheels: Vec<Wheel>,
    /// The number of chance events so far.
    asked: usize,
}

#[derive(Debug, Clone)]
struct Wheel {
    shows: u32,
    count: u32,
    /// The probability of the outcome that it shows.
    probability: f64,
}

impl ChanceEnumerator {
    /// The probability of the outcomes since the beginning, or since the last [`ChanceEnumerator::advance`].
    #[must_use]
    pub fn probability(&self) -> f64 {
        self.wheels[..self.asked].iter().map(|wheel| wheel.probability).product()
    }

    /// Advances to the next combination of outcomes. Returns false if there is none; the enumerator is then reset and can be
    /// used for other events.
    pub fn advance(&mut self) -> bool {
        self.asked = 0;
        while let Some(wheel) = self.wheels.last_mut() {
            wheel.shows += 1;
            if wheel.shows < wheel.count {
                return true;
            }
            self.wheels.pop();
        }
        false
    }

    /// The wheel of the next event, which has `count` outcomes.
    fn answer(&mut self, count: u32) -> &mut Wheel {
        if self.asked == self.wheels.len() {
            self.wheels.push(Wheel { shows: 0, count, probability: 1.0 });
        }
        let wheel = &mut self.wheels[self.asked];
        debug_assert_eq!(wheel.count, count, "the same answers lead to the same question");
        self.asked += 1;
        wheel
    }

    /// The current outcome of an event with these outcomes and probabilities.
    fn one_of<T: Copy>(&mut self, possible: &[(T, f64)]) -> T {
        let wheel = self.answer(u32::try_from(possible.len()).expect("few outcomes"));
        let (shown, probability) = possible[wheel.shows as usize];
        wheel.probability = probability;
        shown
    }
}

impl Chance for ChanceEnumerator {
    fn draw(&mut self, pile: Cards, len: u32) -> Card {
        let kinds = pile.distinct();
        let wheel = self.answer(kinds.len());
        let card = kinds.nth(wheel.shows);
        wheel.probability = f64::from(pile.count(card)) / f64::from(len);
        card
    }

    fn button(&mut self, odds: &ButtonOdds) -> Color {
        let possible: Vec<(Color, f64)> = Color::ALL
            .into_iter()
            .filter(|&color| odds.can_light(color))
            .map(|color| (color, odds.probability(color)))
            .collect();
        self.one_of(&possible)
    }

    fn task(&mut self, success: f64) -> TaskResult {
        let possible = [(TaskResult::Failed, 1.0 - success), (TaskResult::Done, success)];
        if success <= 0.0 {
            self.one_of(&possible[..1])
        } else if success >= 1.0 {
            self.one_of(&possible[1..])
        } else {
            self.one_of(&possible)
        }
    }

    fn seat(&mut self, seats: SeatSet) -> Seat {
        let probability = 1.0 / seats.len() as f64;
        let possible: Vec<(Seat, f64)> = seats.iter().map(|seat| (seat, probability)).collect();
        self.one_of(&possible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;

    #[test]
    fn enumeration_visits_every_outcome_once() {
        let mut odometer = ChanceEnumerator::default();
        let mut ways = Vec::new();
        loop {
            // The first outcome determines how many outcomes the second event has.
            let first = odometer.answer(3).shows;
            ways.push((first, if first > 0 { odometer.answer(first).shows } else { 0 }));
            if !odometer.advance() {
                break;
            }
        }
        assert_eq!(ways, [(0, 0), (1, 0), (2, 0), (2, 1)]);
    }

    #[test]
    fn draw_probabilities_follow_copies_and_sum_to_one() {
        let rules = Rules::preset("classic");
        let pile = rules.parse_cards("r1 r1 r1 y2").unwrap();
        let mut odometer = ChanceEnumerator::default();
        let mut ways = Vec::new();
        loop {
            let first = odometer.draw(pile, pile.len());
            let mut rest = pile;
            rest.remove(first);
            let second = odometer.draw(rest, rest.len());
            odometer.seat(SeatSet::first(2));
            odometer.task(0.25);
            ways.push((rules.code(first).to_string(), rules.code(second).to_string(), odometer.probability()));
            if !odometer.advance() {
                break;
            }
        }
        assert_eq!(ways.len(), 3 * 2 * 2);
        let of = |first: &str, second: &str| -> f64 {
            ways.iter().filter(|way| (&*way.0, &*way.1) == (first, second)).map(|way| way.2).sum()
        };
        for (first, second, expected) in [("r1", "r1", 0.5), ("r1", "y2", 0.25), ("y2", "r1", 0.25)] {
            assert!((of(first, second) - expected).abs() < 1e-12, "{first} {second}: {}", of(first, second));
        }
    }
}
