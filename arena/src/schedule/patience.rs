//! The limit after which an entrant that takes too long is not asked again, so that a hanging program does not cost hours.
//!
//! An entrant that has lost [`MOST_IN_A_ROW`] games in a row by a timeout is not asked again in its block of sets, and loses the
//! other games there. The count follows the order of the games, on any thread, and starts at 0 in each block,
//! so it does not depend on threads, interruptions or shards.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use unolab_agents::fault::Fault;

use crate::schedule::seating::EntrantId;

/// The number of games lost by a timeout in a row after which an entrant is not asked again in a block. A program that plays
/// several games at once may lose them together, so its limit is larger by their number.
pub const MOST_IN_A_ROW: u64 = 10;

/// Blocks of about equal size, into which the sets of a section are divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Blocks {
    sets: u64,
}

impl Blocks {
    /// The number of blocks. With fewer sets, each set is a block.
    pub const NUMBER: u64 = 64;

    /// The blocks of this number of sets.
    #[must_use]
    pub const fn of(sets: u64) -> Self {
        Self { sets }
    }

    /// The first set of the block of this number, from 0.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "no more than the number of sets")]
    pub const fn begin(self, number: u64) -> u64 {
        (self.sets as u128 * number as u128 / Self::NUMBER as u128) as u64
    }

    /// The end of the block that this set belongs to.
    #[must_use]
    pub fn end_of_block_of(self, set: u64) -> u64 {
        (1..=Self::NUMBER).map(|number| self.begin(number)).find(|&end| end > set).unwrap_or(self.sets)
    }

    /// Whether a block begins with this set.
    #[must_use]
    pub fn is_begin(self, set: u64) -> bool {
        set == 0 || self.end_of_block_of(set - 1) == set
    }

    /// These sets, block by block.
    pub fn cut(self, sets: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let mut rest = sets;
        std::iter::from_fn(move || {
            let part = rest.start..self.end_of_block_of(rest.start).min(rest.end);
            rest.start = part.end;
            (!part.is_empty()).then_some(part)
        })
    }
}

/// The timeouts in a row of an entrant, at the beginning and at the end of its games. A game in which it was not asked counts as
/// lost by a timeout.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct TimeoutStreak {
    /// From the first game on.
    head: u64,
    /// Up to the last game; `None` if the head has all games.
    tail: Option<u64>,
}

impl TimeoutStreak {
    fn add_game(&mut self, is_timeout: bool) {
        match (&mut self.tail, is_timeout) {
            (None, true) => self.head += 1,
            (Some(tail), true) => *tail += 1,
            (tail, false) => *tail = Some(0),
        }
    }

    /// The streaks of these games and later ones.
    #[must_use]
    pub const fn followed_by(self, later: Self) -> Self {
        match (self.tail, later.tail) {
            (None, tail) => Self { head: self.head.saturating_add(later.head), tail },
            (Some(tail), None) => Self { head: self.head, tail: Some(tail.saturating_add(later.head)) },
            (Some(_), tail) => Self { head: self.head, tail },
        }
    }

    /// The timeouts in a row up to the last game, if there were this many before the first.
    const fn after(self, before: u64) -> u64 {
        match self.tail {
            Some(tail) => tail,
            None => before.saturating_add(self.head),
        }
    }

    /// Whether this number of games can have these streaks.
    #[must_use]
    pub fn can_be_of(self, games: u64) -> bool {
        self.head.checked_add(self.tail.map_or(0, |tail| tail.saturating_add(1))).is_some_and(|least| least <= games)
    }
}

/// The streaks of several entrants followed by later streaks, entrant by entrant. Streaks of no games are empty.
#[must_use]
pub fn followed_by(earlier: Vec<TimeoutStreak>, later: &[TimeoutStreak]) -> Vec<TimeoutStreak> {
    if earlier.is_empty() || later.is_empty() {
        return if later.is_empty() { earlier } else { later.to_vec() };
    }
    earlier.into_iter().zip(later).map(|(earlier, &later)| earlier.followed_by(later)).collect()
}

/// The timeouts in a row of each entrant, and their limit. Empty if every entrant is asked in every game.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Patience(Vec<Standing>);

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
struct Standing {
    in_a_row: u64,
    most: u64,
}

impl Patience {
    /// The patience with entrants that play these numbers of games at once and have these numbers of timeouts in a row (0 if
    /// missing).
    pub fn new(games_at_once: impl IntoIterator<Item = usize>, in_a_row: &[u64]) -> Self {
        let in_a_row = in_a_row.iter().copied().chain(std::iter::repeat(0));
        let standing = |(games, in_a_row): (usize, u64)| Standing {
            in_a_row,
            most: MOST_IN_A_ROW + games.saturating_sub(1) as u64,
        };
        Self(games_at_once.into_iter().zip(in_a_row).map(standing).collect())
    }

    /// Whether every entrant is asked in every game.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// After games with these streaks, entrant by entrant.
    #[must_use]
    pub fn after(&self, streaks: &[TimeoutStreak]) -> Self {
        let mut after = self.clone();
        after
            .0
            .iter_mut()
            .zip(streaks)
            .for_each(|(standing, streak)| standing.in_a_row = streak.after(standing.in_a_row));
        after
    }

    /// The timeouts in a row of each entrant; empty if no entrant has any.
    #[must_use]
    pub fn in_a_row(&self) -> Vec<u64> {
        let in_a_row: Vec<u64> = self.0.iter().map(|standing| standing.in_a_row).collect();
        if in_a_row.iter().all(|&timeouts| timeouts == 0) { Vec::new() } else { in_a_row }
    }

    /// Whether games with these streaks that began with this patience are the same as with the other patience.
    #[must_use]
    pub fn plays_as(&self, other: &Self, streaks: &[TimeoutStreak]) -> bool {
        let is_same = |((mine, theirs), streak): ((&Standing, &Standing), &TimeoutStreak)| {
            let is_asked_throughout = |standing: &Standing| streak.after_head(standing.in_a_row) < standing.most;
            mine == theirs || (is_asked_throughout(mine) && is_asked_throughout(theirs))
        };
        self == other || self.0.iter().zip(&other.0).zip(streaks).all(is_same)
    }

    /// The patience with these entrants of several contests.
    #[must_use]
    pub fn part(&self, entrants: Range<usize>) -> Self {
        Self(self.0.get(entrants).map_or_else(Vec::new, <[_]>::to_vec))
    }

    /// The patience with the entrants of several contests, one after the other.
    #[must_use]
    pub fn of_all(contests: impl IntoIterator<Item = Self>) -> Self {
        Self(contests.into_iter().flat_map(|Self(standings)| standings).collect())
    }

    /// The number of timeouts in a row after which this entrant is no longer asked; `None` while it is asked.
    pub(crate) fn has_ended_with(&self, entrant: EntrantId) -> Option<u64> {
        self.0.get(entrant.index()).filter(|standing| standing.in_a_row >= standing.most).map(|standing| standing.most)
    }
}

impl TimeoutStreak {
    /// The timeouts in a row at the end of the head, if there were this many before it.
    const fn after_head(self, before: u64) -> u64 {
        before.saturating_add(self.head)
    }
}

/// The patience with the entrants of a contest while games are played, and their streaks.
#[derive(Debug, Clone, Default)]
pub(crate) struct TimeoutCounter {
    patience: Patience,
    streaks: Vec<TimeoutStreak>,
}

impl TimeoutCounter {
    pub(crate) fn new(patience: Patience) -> Self {
        Self { streaks: vec![TimeoutStreak::default(); patience.0.len()], patience }
    }

    pub(crate) const fn patience(&self) -> &Patience {
        &self.patience
    }

    pub(crate) fn streaks(self) -> Vec<TimeoutStreak> {
        self.streaks
    }

    /// Counts a game with its faults.
    pub(crate) fn add_game(&mut self, seating: &[EntrantId], faults: &[Fault]) {
        for (number, (standing, streak)) in self.patience.0.iter_mut().zip(&mut self.streaks).enumerate() {
            if !seating.iter().any(|entrant| entrant.index() == number) {
                continue;
            }
            let is_its = |fault: &Fault| seating[fault.seat.index()].index() == number;
            // An entrant that is no longer asked stays so.
            let is_timeout = standing.in_a_row >= standing.most
                || faults.iter().any(|fault| is_its(fault) && fault.kind.is_timeout());
            standing.in_a_row = if is_timeout { standing.in_a_row + 1 } else { 0 };
            streak.add_game(is_timeout);
        }
    }
}

#[cfg(test)]
mod tests {
    use unolab_engine::rng::Rng;

    use super::*;

    fn streak(games: &[bool]) -> TimeoutStreak {
        let mut streak = TimeoutStreak::default();
        games.iter().for_each(|&is_timeout| streak.add_game(is_timeout));
        streak
    }

    /// The timeouts in a row after these games.
    fn in_a_row(before: u64, games: &[bool]) -> u64 {
        games.iter().fold(before, |in_a_row, &is_timeout| if is_timeout { in_a_row + 1 } else { 0 })
    }

    /// Games of which most were lost by a timeout, and two numbers below this.
    fn drawn(rng: &mut Rng, below: u32) -> (Vec<bool>, [u64; 2]) {
        let length = rng.bits() % 30;
        let games = (0..length).map(|_| rng.chance(0.8)).collect();
        (games, [(); 2].map(|()| u64::from(rng.bits() % below)))
    }

    #[test]
    fn streaks_of_parts_join_to_streak_of_whole() {
        let mut rng = Rng::from_seed(1);
        for _ in 0..2_000 {
            let (games, [cut, before]) = drawn(&mut rng, 20);
            let (one, other) = games.split_at(games.len().min(usize::try_from(cut).unwrap()));
            assert_eq!(streak(one).followed_by(streak(other)), streak(&games));
            assert_eq!(streak(&games).after(before), in_a_row(before, &games));
            assert!(streak(&games).can_be_of(games.len() as u64));
        }
    }

    #[test]
    fn patience_values_are_equivalent_only_if_same_games_are_asked() {
        let mut rng = Rng::from_seed(2);
        for _ in 0..2_000 {
            let (games, numbers) = drawn(&mut rng, 12);
            let asked = |before: u64| -> Vec<bool> {
                (0..games.len()).map(|played| in_a_row(before, &games[..played]) < MOST_IN_A_ROW).collect()
            };
            let [one, other] = numbers.map(|before| Patience::new([1], &[before]));
            if one.plays_as(&other, &[streak(&games)]) {
                assert_eq!(asked(numbers[0]), asked(numbers[1]), "{games:?}");
            }
            assert!(one.plays_as(&one, &[streak(&games)]));
        }
    }

    #[test]
    fn blocks_cover_all_sets_and_start_at_named_set() {
        for sets in [0, 1, 7, 63, 64, 65, 640, 1_999] {
            let blocks = Blocks::of(sets);
            let cut: Vec<Range<u64>> = blocks.cut(0..sets).collect();
            assert_eq!(cut.len() as u64, sets.min(Blocks::NUMBER));
            assert!(cut.windows(2).all(|two| two[0].end == two[1].start));
            let begins: Vec<u64> = (0..sets).filter(|&set| blocks.is_begin(set)).collect();
            assert_eq!(cut.iter().map(|block| block.start).collect::<Vec<_>>(), begins);
            assert_eq!(blocks.cut(sets / 3..sets).map(|part| part.end - part.start).sum::<u64>(), sets - sets / 3);
        }
    }

    #[test]
    fn program_with_parallel_games_may_lose_more_in_a_row() {
        let patience = Patience::new([1, 64], &[10, 72]);
        assert_eq!([0, 1].map(|entrant| patience.has_ended_with(EntrantId::new(entrant))), [Some(10), None]);
        let later = patience.after(&[streak(&[false]), streak(&[true])]);
        assert_eq!([0, 1].map(|entrant| later.has_ended_with(EntrantId::new(entrant))), [None, Some(73)]);
        assert_eq!(later.in_a_row(), [0, 73]);
        assert_eq!(patience.after(&[streak(&[false]); 2]).in_a_row(), [0; 0]);
    }
}
