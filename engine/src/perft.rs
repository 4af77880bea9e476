//! Perft (performance test): counts all action sequences of a given length from a position, as a check of all rules together.
//!
//! As in chess programming, a wrong rule shows as a wrong number. Only ordinary actions are counted: no calls, catches or
//! jump-ins. At a chance event the count branches into each distinct card of the draw pile, each colour of the button, a task
//! done and not done (unless its probability is 0 or 1), and each seat that can be picked. The probability of an outcome and
//! the number of copies of a card do not matter.

use crate::action::{Action, Call};
use crate::card::Card;
use crate::cards::Cards;
use crate::chance::{Chance, TaskResult};
use crate::color::Color;
use crate::rules::{ButtonOdds, Rules};
use crate::seat::{Seat, SeatSet};
use crate::state::RoundState;

/// The number of paths of `depth` ordinary actions. A path that ends earlier, with the round, is none of them.
///
/// # Panics
/// If there are 2^64 positions on the way, for which no time is enough; see [`Counter`] for a limit.
#[must_use]
pub fn perft(rules: &Rules, state: &RoundState, depth: u32) -> u64 {
    Counter::new(u64::MAX).paths(rules, state, depth).expect("no time is enough for so many")
}

/// [`perft`] by the first action, in the order of [`RoundState::legal_actions`]; none if `depth` is 0.
///
/// # Panics
/// As [`perft`].
#[must_use]
pub fn divide(rules: &Rules, state: &RoundState, depth: u32) -> Vec<(Action, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    let mut counter = Counter::new(u64::MAX);
    let mut count = |action| counter.paths_after(rules, state, action, rest).expect("no time is enough for so many");
    state.legal_actions(rules).into_iter().map(|action| (action, count(action))).collect()
}

/// Counts paths, but visits no more positions than it may: one more draw on the way can multiply them by sixty.
#[derive(Debug, Clone)]
pub struct Counter {
    limit: u64,
    visited: u64,
}

/// There are more positions than a [`Counter`] may visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("more than {limit} positions to visit")]
pub struct TooManyPositions {
    /// The limit.
    pub limit: u64,
}

impl Counter {
    /// A counter that may visit this many positions in all.
    #[must_use]
    pub const fn new(limit: u64) -> Self {
        Self { limit, visited: 0 }
    }

    /// The positions visited so far: those after an action, one for each way that chance can fall.
    #[must_use]
    pub const fn visited(&self) -> u64 {
        self.visited
    }

    /// See [`perft`].
    ///
    /// # Errors
    /// There are too many positions.
    pub fn paths(&mut self, rules: &Rules, state: &RoundState, depth: u32) -> Result<u64, TooManyPositions> {
        match depth {
            0 => Ok(1),
            _ => {
                let actions = state.legal_actions(rules);
                actions.into_iter().map(|action| self.paths_after(rules, state, action, depth - 1)).sum()
            }
        }
    }

    /// The number of paths of `depth` more actions after this one, over all chance outcomes.
    ///
    /// # Errors
    /// There are too many positions.
    ///
    /// # Panics
    /// If the action is not legal, or the round is over.
    pub fn paths_after(
        &mut self,
        rules: &Rules,
        state: &RoundState,
        action: Action,
        depth: u32,
    ) -> Result<u64, TooManyPositions> {
        let mut paths = 0;
        for after in outcomes(rules, state, action) {
            if self.visited == self.limit {
                return Err(TooManyPositions { limit: self.limit });
            }
            self.visited += 1;
            paths += self.paths(rules, &after, depth)?;
        }
        Ok(paths)
    }
}

/// The states that an ordinary action can lead to, one for each way chance can fall; one at a time, because there can be
/// millions.
///
/// # Panics
/// If the action is not legal, or the round is over.
pub fn outcomes<'a>(
    rules: &'a Rules,
    state: &'a RoundState,
    action: Action,
) -> impl Iterator<Item = RoundState> + use<'a> {
    let seat = state.current_seat().expect("the round goes on");
    let mut odometer = Odometer::default();
    let mut is_first = true;
    std::iter::from_fn(move || {
        if !std::mem::take(&mut is_first) && !odometer.advance() {
            return None;
        }
        let mut after = *state;
        after.apply_action(rules, seat, action, Call::Silent, &mut odometer, &mut ()).expect("the action is legal");
        Some(after)
    })
}

/// Chance that goes through every way it can fall, like the wheels of an odometer: one wheel a question, the last one
/// turning fastest. What a later question asks may depend on the answers before it.
#[derive(Debug, Default)]
struct Odometer {
    wheels: Vec<Wheel>,
    /// The number of decisions so far.
    asked: usize,
}

#[derive(Debug)]
struct Wheel {
    shows: u32,
    count: u32,
}

impl Odometer {
    /// The answer to the next question, of `count` that there are.
    fn answer(&mut self, count: u32) -> u32 {
        if self.asked == self.wheels.len() {
            self.wheels.push(Wheel { shows: 0, count });
        }
        let wheel = &self.wheels[self.asked];
        debug_assert_eq!(wheel.count, count, "the same answers lead to the same question");
        self.asked += 1;
        wheel.shows
    }

    /// On to the next way; false if that was the last.
    fn advance(&mut self) -> bool {
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

    fn one_of<T: Copy>(&mut self, possible: &[T]) -> T {
        let count = u32::try_from(possible.len()).expect("few outcomes");
        possible[self.answer(count) as usize]
    }
}

impl Chance for Odometer {
    fn draw(&mut self, pile: Cards, _len: u32) -> Card {
        let kinds = pile.distinct();
        kinds.nth(self.answer(kinds.len()))
    }

    fn button(&mut self, odds: &ButtonOdds) -> Color {
        let possible: Vec<Color> = Color::ALL.into_iter().filter(|&color| odds.can_light(color)).collect();
        self.one_of(&possible)
    }

    fn task(&mut self, success: f64) -> TaskResult {
        let possible: &[TaskResult] = if success <= 0.0 {
            &[TaskResult::Failed]
        } else if success >= 1.0 {
            &[TaskResult::Done]
        } else {
            &[TaskResult::Failed, TaskResult::Done]
        };
        self.one_of(possible)
    }

    fn seat(&mut self, seats: SeatSet) -> Seat {
        let possible: Vec<Seat> = seats.iter().collect();
        self.one_of(&possible)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_visits_no_more_positions_than_it_may() {
        let rules = Rules::preset("classic");
        let mut rng = crate::rng::Rng::from_seed(1);
        let seats = SeatSet::first(2);
        let state = RoundState::deal(&rules, seats, Seat::new(0), &mut rng, &mut ());
        let mut counter = Counter::new(u64::MAX);
        let paths = counter.paths(&rules, &state, 2);
        assert_eq!(paths, Ok(perft(&rules, &state, 2)));
        let needed = counter.visited();
        assert_eq!(Counter::new(needed).paths(&rules, &state, 2), paths);
        let limit = needed - 1;
        assert_eq!(Counter::new(limit).paths(&rules, &state, 2), Err(TooManyPositions { limit }));
    }

    #[test]
    fn the_odometer_goes_through_every_way_once() {
        let mut odometer = Odometer::default();
        let mut ways = Vec::new();
        loop {
            // The second question has as many answers as the first answer says.
            let first = odometer.answer(3);
            ways.push((first, if first > 0 { odometer.answer(first) } else { 0 }));
            if !odometer.advance() {
                break;
            }
        }
        assert_eq!(ways, [(0, 0), (1, 0), (2, 0), (2, 1)]);
    }
}
