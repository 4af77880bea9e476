//! Checks whether counts are possible for certain sets. Counts from another machine or from a file may be invalid.
//!
//! Every set of a section has the same tables, so it is known how many games it has, and how often each entrant sits in them.
//! A count is accepted only if it is consistent with the other counts: all seats of a game share its win, its turns, and its
//! rounds, and sums of squares are bounded by the cases of equal and of unequal numbers.

use std::ops::Range;

use unolab_stats::bootstrap::GroupSums;
use unolab_stats::histogram::Histogram;
use unolab_stats::sums::{GameSums, NumbersWithSum, SetSums, squares_can_be_of};

use crate::count::faults::MOST_KEPT;
use crate::count::tally::{EntrantTally, FaultCounts, PairTally, PlaceResults, Results, Sizes, Tally};
use crate::play::record::WIN;
use crate::schedule::Section;
use crate::schedule::seating::EntrantId;

/// The number of seats of entrants in the games of a set.
struct SetSeats {
    by_entrant: Vec<u64>,
    /// The number of times that each other entrant sits after each entrant, one entrant after the other.
    meetings: Vec<u64>,
}

impl SetSeats {
    fn of(section: &Section, num_entrants: usize) -> Self {
        let (mut by_entrant, mut meetings) = (vec![0; num_entrants], vec![0; num_entrants * num_entrants]);
        for table in &section.tables {
            let games = table.num_seatings() as u64;
            for (seat, a) in table.entrants.iter().enumerate() {
                by_entrant[a.index()] += games;
                for b in &table.entrants[seat + 1..] {
                    meetings[a.index() * num_entrants + b.index()] += games;
                }
            }
        }
        Self { by_entrant, meetings }
    }

    fn meetings(&self, a: EntrantId, b: EntrantId) -> u64 {
        let (a, b, num_entrants) = (a.index(), b.index(), self.by_entrant.len());
        self.meetings[a * num_entrants + b] + self.meetings[b * num_entrants + a]
    }
}

/// The number of games in a set of a section that each entrant plays, once for each of its seats.
pub(crate) fn games_per_set(section: &Section, num_entrants: usize) -> Vec<u64> {
    SetSeats::of(section, num_entrants).by_entrant
}

impl Tally {
    /// Whether these are possible counts of these sets of a section.
    #[must_use]
    pub fn can_be_of(&self, section: &Section, num_entrants: usize, sets: &Range<u64>) -> bool {
        let number = sets.end - sets.start;
        let seats = SetSeats::of(section, num_entrants);
        let games = number * section.games_per_set();
        let wins = self.by_entrant.iter().map(|of| u128::from(of.results.wins.by_sets.total)).sum::<u128>();
        self.has_shape_of(&Self::new(num_entrants, section.seats))
            && wins == u128::from(games) * u128::from(WIN) * section.team_size as u128
            && self.groups.have_sets(sets)
            && self.entrants_can_be_of(section, &seats, number)
            && self.pairs_can_be_of(section, &seats, number)
            && self.sizes.can_be_of(games)
            && self.games_add_up(section, &seats, games)
            && self.groups_add_up()
            && self.set_totals_add_up(number, section)
            && self.faults().is_of_games(sets, section.seats)
            && (self.luck.is_empty() || self.luck.can_be_of(number, &seats.by_entrant))
    }

    fn entrants_can_be_of(&self, section: &Section, seats: &SetSeats, sets: u64) -> bool {
        let can_be = |(entrant, (of, &games_per_set)): (usize, (&EntrantTally, &u64))| {
            let groups =
                self.groups.iter().map(|group| NumbersWithSum { number: group.sets, sum: group.wins[entrant] });
            of.can_be_of(section, sets, games_per_set, groups) && self.faults_are_counted(entrant, &of.faults)
        };
        self.by_entrant.iter().zip(&seats.by_entrant).enumerate().all(can_be)
    }

    fn pairs_can_be_of(&self, section: &Section, seats: &SetSeats, sets: u64) -> bool {
        self.by_pair().enumerate().all(|(number, (a, b, pair))| {
            let groups = self.groups.iter().map(|group| (group.sets, group.won[number]));
            pair.can_be_of(sets, seats.meetings(a, b), section.team_size, groups)
        })
    }

    /// Whether the kept faults of an entrant are the counted ones, or the first of them.
    fn faults_are_counted(&self, entrant: usize, counted: &FaultCounts) -> bool {
        let mut kept = FaultCounts::default();
        let mut number = 0;
        for (_, fault) in self.faults().iter().filter(|(of, _)| of.index() == entrant) {
            kept.add(fault.kind);
            number += 1;
        }
        let all = counted.crashes.saturating_add(counted.timeouts).saturating_add(counted.illegal);
        if all > MOST_KEPT as u64 { number == MOST_KEPT } else { kept == *counted }
    }

    /// Whether the counts of all seats fit the games: a game has one place in the order of play for each seat, and its
    /// turns, decisions and rounds count for each seat.
    fn games_add_up(&self, section: &Section, seats: &SetSeats, games: u64) -> bool {
        let sum =
            |of: &dyn Fn(&EntrantTally) -> u64| self.by_entrant.iter().map(|one| u128::from(of(one))).sum::<u128>();
        let num_seats = section.seats as u128;
        let fits = |of: &dyn Fn(&EntrantTally) -> u64, sizes: &Histogram| {
            let (least, most) = sizes.sum_bounds();
            let all = sum(of);
            all.is_multiple_of(num_seats)
                && (least..=most).contains(&(all / num_seats))
                && self.share_games(section, seats, of)
        };
        let finished = self.sizes.winner_points.total().unwrap_or_default();
        (0..section.seats).all(|place| sum(&|of| of.by_order_of_play[place].wins.games) == u128::from(games))
            && fits(&|of| of.turns, &self.sizes.turns)
            && fits(&|of| of.decisions, &self.sizes.decisions)
            && fits(&|of| of.rounds, &self.sizes.rounds)
            && self.share_games(section, seats, &|of| of.unfinished)
            && sum(&|of| of.unfinished) == num_seats * u128::from(games - finished)
            && sum(&|of| of.results.points.by_sets.total) >= self.sizes.winner_points.sum_bounds().0
    }

    /// Whether this count is proportional to the numbers of seats, for entrants that play all games together.
    fn share_games(&self, section: &Section, seats: &SetSeats, of: &dyn Fn(&EntrantTally) -> u64) -> bool {
        let [_] = section.tables[..] else { return true };
        let counts = || self.by_entrant.iter().map(|entrant| u128::from(of(entrant))).zip(&seats.by_entrant);
        counts()
            .all(|(one, &seats)| counts().all(|(other, &others)| one * u128::from(others) == other * u128::from(seats)))
    }

    /// Whether the wins of all groups of sets add up to the wins in the tally.
    fn groups_add_up(&self) -> bool {
        let sum = |of: &dyn Fn(&GroupSums) -> u64| self.groups.iter().map(|group| u128::from(of(group))).sum::<u128>();
        let has_wins = |(number, of): (usize, &EntrantTally)| {
            sum(&|group| group.wins[number]) == u128::from(of.results.wins.by_sets.total)
        };
        let has_won = |(number, pair): (usize, &PairTally)| {
            let [a, b] = [0, 1].map(|one| sum(&|group| group.won[number][one]));
            a == u128::from(pair.won.total) && a + b == u128::from(pair.won.games)
        };
        self.by_entrant.iter().enumerate().all(has_wins) && self.by_pair.iter().enumerate().all(has_won)
    }

    /// Whether the totals of the first of two entrants are possible for this number of sets and the wins of both. With other
    /// numbers of entrants there are no totals.
    fn set_totals_add_up(&self, sets: u64, section: &Section) -> bool {
        let [first, second] = &self.by_entrant[..] else { return self.set_totals.is_empty() };
        let sum = |of: &dyn Fn(u128, u128) -> Option<u128>| {
            let totals = self.set_totals.iter().map(|(total, sets)| of(total.into(), sets.into()));
            totals.into_iter().try_fold(0_u128, |sum, term| sum.checked_add(term?))
        };
        let in_all = u128::from(section.games_per_set()) * u128::from(WIN) * section.team_size as u128;
        let [wins, others] = [first, second].map(|of| &of.results.wins.by_sets);
        let square = |total: u128, sets| total.checked_mul(total)?.checked_mul(sets);
        sum(&|_, sets| Some(sets)) == Some(sets.into())
            && sum(&|total, sets| total.checked_mul(sets)) == Some(wins.total.into())
            && sum(&square) == Some(wins.totals_squared)
            && sum(&|total, sets| square(in_all.checked_sub(total)?, sets)) == Some(others.totals_squared)
    }
}

impl EntrantTally {
    /// Whether it can be the tally of this number of sets, with `games_per_set` games in each, and its parts add up. The groups
    /// have its wins.
    fn can_be_of(
        &self,
        section: &Section,
        sets: u64,
        games_per_set: u64,
        groups: impl Iterator<Item = NumbersWithSum>,
    ) -> bool {
        let games = sets * games_per_set;
        let Results { wins, points } = &self.results;
        let of_places =
            |of: fn(&PlaceResults) -> u64| -> u128 { self.by_order_of_play.iter().map(|at| u128::from(of(at))).sum() };
        // Each count of one game has 32 bits.
        let can_be_counted = |number: u64| u128::from(number) <= u128::from(games) * u128::from(u32::MAX);
        let faults = [self.faults.crashes, self.faults.timeouts, self.faults.illegal].map(u128::from);
        let most_won = WIN * section.team_size as u64;
        let scored = NumbersWithSum { number: points.by_sets.sets, sum: points.by_sets.total };
        [wins, points].iter().all(|sums| are_of_equal_sets(sums, sets, games_per_set))
            && have_squares(wins, groups, games_per_set, most_won)
            && have_squares(points, [scored], games_per_set, u32::MAX.into())
            && of_places(|at| at.wins.games) == games.into()
            && of_places(|at| at.wins.total) == wins.by_sets.total.into()
            && of_places(|at| at.points) == points.by_sets.total.into()
            && self.by_order_of_play.iter().all(|at| at.can_be_of(sets, section.games_per_set(), most_won))
            && [self.rounds, self.turns, self.decisions, points.by_sets.total].into_iter().all(can_be_counted)
            && self.unfinished <= games
            && faults.iter().sum::<u128>() <= games.into()
    }
}

/// Whether the sums are over this number of sets, with `games_per_set` games in each.
fn are_of_equal_sets(sums: &GameSums, sets: u64, games_per_set: u64) -> bool {
    let sums = &sums.by_sets;
    // A set without a game is not counted.
    let sets = if games_per_set == 0 { 0 } else { sets };
    let (number, games) = (u128::from(sets), u128::from(games_per_set));
    sums.sets == sets
        && u128::from(sums.games) == number * games
        && sums.games_squared == number * games * games
        && sums.games_times_totals == games * u128::from(sums.total)
}

/// Whether the squares of a quantity can be those of sets with these totals, and of single games in which it is at most `most`.
fn have_squares(
    sums: &GameSums,
    totals: impl IntoIterator<Item = NumbersWithSum>,
    games_per_set: u64,
    most: u64,
) -> bool {
    let (by_sets, games) = (&sums.by_sets, NumbersWithSum { number: sums.by_sets.games, sum: sums.by_sets.total });
    let Some(most_of_set) = most.checked_mul(games_per_set) else { return false };
    squares_can_be_of(by_sets.totals_squared, totals, most_of_set)
        && squares_can_be_of(sums.squares, [games], most)
        && sums.squares <= by_sets.totals_squared
        && by_sets.totals_squared <= sums.squares.saturating_mul(games_per_set.into())
}

impl PlaceResults {
    /// Whether it can be the result of this number of sets, with at most `games_per_set` games in each.
    fn can_be_of(&self, sets: u64, games_per_set: u64, most_won: u64) -> bool {
        let SetSums { sets: with_games, games, games_squared, total, totals_squared, games_times_totals } = self.wins;
        let Some(most_of_set) = most_won.checked_mul(games_per_set) else { return false };
        let of = |sum| [NumbersWithSum { number: with_games, sum }];
        let are_equal = u128::from(games) * u128::from(games) == u128::from(with_games) * games_squared;
        // Every counted set has a game, so the squares of the others follow from the squares of all.
        let Some(others) = games.checked_sub(with_games) else { return false };
        let others_squared = games_squared.checked_sub(2 * u128::from(others) + u128::from(with_games));
        let products = u128::from(with_games).checked_mul(games_times_totals);
        with_games <= sets
            && others_squared
                .is_some_and(|squared| squares_can_be_of(squared, of(others), games_per_set.saturating_sub(1)))
            && squares_can_be_of(totals_squared, of(total), most_of_set)
            && (u128::from(total)..=u128::from(total) * u128::from(games_per_set)).contains(&games_times_totals)
            && (!are_equal || products == Some(u128::from(games) * u128::from(total)))
            && totals_squared <= games_times_totals.saturating_mul(most_won.into())
            && u128::from(self.points) <= u128::from(games) * u128::from(u32::MAX)
    }
}

impl PairTally {
    /// Whether it can be the tally of this number of sets, with this number of comparisons of the two in each. The groups have
    /// their sets and what the two have won.
    fn can_be_of(
        &self,
        sets: u64,
        comparisons: u64,
        team_size: usize,
        groups: impl Iterator<Item = (u64, [u64; 2])> + Clone,
    ) -> bool {
        let sets = if comparisons == 0 { 0 } else { sets };
        let Some(most) = comparisons.checked_mul(WIN * team_size as u64) else { return false };
        let SetSums { sets: with_wins, games, games_squared, totals_squared, games_times_totals, .. } = self.won;
        let of_groups = |of: fn([u64; 2]) -> Option<u64>| {
            groups.clone().map(move |(number, won)| NumbersWithSum { number, sum: of(won).unwrap_or(u64::MAX) })
        };
        let others_squared = games_squared
            .checked_add(totals_squared)
            .and_then(|sum| sum.checked_sub(games_times_totals.checked_mul(2)?));
        let won_in = || groups.clone().filter(|(_, [a, b])| *a > 0 || *b > 0);
        let most_with_wins = won_in().map(|(number, _)| u128::from(number)).sum::<u128>();
        self.sets == sets
            && u128::from(self.comparisons) == u128::from(sets) * u128::from(comparisons)
            && with_wins <= sets
            && (won_in().count() as u128..=most_with_wins).contains(&u128::from(with_wins))
            && u128::from(games) <= u128::from(sets) * u128::from(most)
            && totals_squared <= games_times_totals
            && games_times_totals <= games_squared
            && squares_can_be_of(totals_squared, of_groups(|[a, _]| Some(a)), most)
            && squares_can_be_of(games_squared, of_groups(|[a, b]| a.checked_add(b)), most)
            && others_squared.is_some_and(|others| squares_can_be_of(others, of_groups(|[_, b]| Some(b)), most))
    }
}

impl Sizes {
    /// Whether these are the sizes of this number of games.
    fn can_be_of(&self, games: u64) -> bool {
        [&self.turns, &self.decisions, &self.rounds].iter().all(|sizes| sizes.total() == Some(games))
            && self.winner_points.total().is_some_and(|finished| finished <= games)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::tables::tests::Played;

    /// The ends of the paths of counts that may differ by one or two from the true counts.
    const FREE: [&str; 4] = ["points/by_sets/totals_squared", "points/squares", "a_ahead", "b_ahead"];

    #[test]
    fn inconsistent_counts_are_detected() {
        for (agents, seats) in [(&["random", "greedy"][..], 2), (&["random", "greedy", "heuristic"], 3)] {
            let played = Played::new(agents, &[seats]);
            let section = played.sections().next().expect("a section");
            let (tally, section, sets) = (section.tally, section.section, played.spec.sets);
            let can_be_of = |tally: &Tally, sets| tally.can_be_of(section, agents.len(), &sets);
            assert!(can_be_of(tally, 0..sets));
            assert!(!can_be_of(tally, 0..sets - 1) && !can_be_of(tally, 1..sets + 1));
            assert!(!can_be_of(&Tally::new(agents.len(), seats), 0..sets));
            let text = serde_json::to_value(tally).expect("plain data");
            let mut paths = Vec::new();
            numbers(&text, String::new(), &mut paths);
            assert!(paths.len() > 50, "{paths:?}");
            let mut accepted = Vec::new();
            for path in paths {
                let number = text.pointer(&path).and_then(Value::as_u64).expect("not negative");
                for other in [number.wrapping_sub(1), number + 1, number + 2, number ^ 1 << 32, u64::MAX] {
                    let mut changed = text.clone();
                    *changed.pointer_mut(&path).expect("a number") = json!(other);
                    let Ok(tally) = serde_json::from_value::<Tally>(changed) else { continue };
                    let is_free = number.abs_diff(other) <= 2 && FREE.iter().any(|end| path.ends_with(end));
                    if can_be_of(&tally, 0..sets) && !is_free {
                        accepted.push(format!("{path}: {number} as {other}"));
                    }
                }
            }
            assert!(accepted.is_empty(), "{accepted:#?}");
        }
    }

    /// The positions of all numbers.
    fn numbers(value: &Value, path: String, found: &mut Vec<String>) {
        match value {
            Value::Number(_) => found.push(path),
            Value::Array(values) => {
                values.iter().enumerate().for_each(|(at, value)| numbers(value, format!("{path}/{at}"), found));
            }
            Value::Object(keys) => keys.iter().for_each(|(key, value)| numbers(value, format!("{path}/{key}"), found)),
            _ => {}
        }
    }
}
