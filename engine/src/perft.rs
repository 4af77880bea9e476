//! Perft (performance test): counts all action sequences of a given length from a position, as a check of all rules together.
//!
//! As in chess programming, an incorrect rule results in an incorrect number. Only ordinary actions are counted: no calls,
//! catches or jump-ins. At a chance event the count branches into each distinct card of the draw pile, each color of the
//! button, a task done and not done (unless its probability is 0 or 1), and each seat that can be picked. The probability of
//! an outcome and the number of copies of a card do not matter.

use crate::action::{Action, Call};
use crate::chance_enumerator::ChanceEnumerator;
use crate::rules::Rules;
use crate::state::RoundState;

/// The number of paths of `depth` ordinary actions. Paths that end earlier, with the round, are not counted.
///
/// # Panics
/// If there are 2^64 positions or more; see [`Counter`] for a limit.
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

/// Counts paths with a limit on the number of positions: one more draw can multiply it by sixty.
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

    /// The number of positions visited so far: the positions after an action, one for each chance outcome.
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

/// The states that an ordinary action can lead to, one for each chance outcome. They are computed one at a time, because
/// there can be millions.
///
/// # Panics
/// If the action is not legal, or the round is over.
pub fn outcomes<'a>(
    rules: &'a Rules,
    state: &'a RoundState,
    action: Action,
) -> impl Iterator<Item = RoundState> + use<'a> {
    let seat = state.current_seat().expect("the round continues");
    let mut odometer = ChanceEnumerator::default();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seat::{Seat, SeatSet};

    #[test]
    fn counter_respects_position_limit() {
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
}
