//! Perft: counting all paths of a few actions from a position, a check of the rules as a whole.
//!
//! As in chess programming, a wrong rule shows as a wrong number. Only ordinary actions are counted, no calls, catches
//! or jump-ins. Where chance decides, the path branches: into each distinct card of the draw pile, each colour that the
//! button can light, a task done and not done (unless its probability says otherwise), each seat that can be named. How
//! likely an outcome is, or how many copies of a card there are, does not count.

use crate::action::{Action, Call};
use crate::card::Card;
use crate::cards::Cards;
use crate::chance::{Chance, TaskResult};
use crate::color::Color;
use crate::rules::{ButtonOdds, Rules};
use crate::seat::{Seat, SeatSet};
use crate::state::RoundState;

/// The number of paths of `depth` ordinary actions. A path that ends earlier, with the round, is none of them.
#[must_use]
pub fn perft(rules: &Rules, state: &RoundState, depth: u32) -> u64 {
    match depth {
        0 => 1,
        _ => state.legal_actions(rules).into_iter().map(|action| perft_after(rules, state, action, depth - 1)).sum(),
    }
}

/// [`perft`] by the first action, in the order of [`RoundState::legal_actions`]; none if `depth` is 0.
#[must_use]
pub fn divide(rules: &Rules, state: &RoundState, depth: u32) -> Vec<(Action, u64)> {
    let Some(rest) = depth.checked_sub(1) else { return Vec::new() };
    state.legal_actions(rules).into_iter().map(|action| (action, perft_after(rules, state, action, rest))).collect()
}

/// The paths of `depth` more actions after this one, over everything that chance can bring with it.
fn perft_after(rules: &Rules, state: &RoundState, action: Action, depth: u32) -> u64 {
    outcomes(rules, state, action).map(|after| perft(rules, &after, depth)).sum()
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
        after.try_apply_action(rules, seat, action, Call::Silent, &mut odometer, &mut ()).expect("the action is legal");
        Some(after)
    })
}

/// Chance that goes through every way it can fall, like the wheels of an odometer: one wheel a question, the last one
/// turning fastest. What a later question asks may depend on the answers before it.
#[derive(Debug, Default)]
struct Odometer {
    wheels: Vec<Wheel>,
    /// How many questions have been asked on this drive.
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
