//! Whether counts can be those of certain sets. What another machine says that it has played need not be.
//!
//! Every set of a section has the same tables, so it is known how many games it has, and how often each entrant sits in them.

use std::ops::Range;

use unolab_stats::bootstrap::GroupSums;
use unolab_stats::sums::GameSums;

use crate::count::tally::{EntrantTally, PairTally, Results, ResultsAtPlace, Sizes, Tally};
use crate::play::record::WIN;
use crate::schedule::Section;
use crate::schedule::seating::EntrantId;

/// How often entrants sit in the games of a set.
struct SeatsOfSet {
    by_entrant: Vec<u64>,
    /// For each entrant how often each other one sits after it, one entrant after the other.
    meetings: Vec<u64>,
}

impl SeatsOfSet {
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

impl Tally {
    /// Whether these can be the counts of these sets of a section.
    #[must_use]
    pub fn can_be_of(&self, section: &Section, num_entrants: usize, sets: &Range<u64>) -> bool {
        let number = sets.end - sets.start;
        let seats = SeatsOfSet::of(section, num_entrants);
        let games = number * section.games_per_set();
        let wins = self.by_entrant.iter().map(|of| u128::from(of.results.wins.by_sets.total)).sum::<u128>();
        self.has_shape_of(&Self::new(num_entrants, section.seats))
            && wins == u128::from(games) * u128::from(WIN) * section.team_size as u128
            && self.by_entrant.iter().zip(&seats.by_entrant).all(|(of, &games)| of.can_be_of(number, games))
            && self.by_pair().all(|(a, b, pair)| pair.can_be_of(number, seats.meetings(a, b), section.team_size))
            && self.sizes.can_be_of(games)
            && self.groups.have_sets(sets)
            && self.groups_add_up()
            && self.set_totals_add_up(number)
            && self.faults().is_of_games(sets, section.seats)
            && (self.luck.is_empty() || self.luck.can_be_of(number, &seats.by_entrant))
    }

    /// Whether the wins of all groups of sets are those of the tally.
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

    /// Whether the totals of the first of two entrants are those of this number of sets, and of its wins. With other numbers of
    /// entrants there are no totals.
    fn set_totals_add_up(&self, sets: u64) -> bool {
        let [first, _] = &self.by_entrant[..] else { return self.set_totals.is_empty() };
        let sum = |of: fn((u64, u64)) -> u128| self.set_totals.iter().map(of).try_fold(0, u128::checked_add);
        let wins = u128::from(first.results.wins.by_sets.total);
        sum(|(_, sets)| sets.into()) == Some(sets.into())
            && sum(|(total, sets)| u128::from(total) * u128::from(sets)) == Some(wins)
    }
}

impl EntrantTally {
    /// Whether it can be the tally of this number of sets, with `games_per_set` games in each, and its parts add up.
    fn can_be_of(&self, sets: u64, games_per_set: u64) -> bool {
        let games = sets * games_per_set;
        let Results { wins, points } = &self.results;
        let of_places = |of: fn(&ResultsAtPlace) -> u64| -> u128 {
            self.by_order_of_play.iter().map(|at| u128::from(of(at))).sum()
        };
        // What is counted of one game has 32 bits.
        let can_be_counted = |number: u64| u128::from(number) <= u128::from(games) * u128::from(u32::MAX);
        let faults = [self.faults.crashes, self.faults.timeouts, self.faults.illegal].map(u128::from);
        [wins, points].iter().all(|sums| are_of_equal_sets(sums, sets, games_per_set))
            && of_places(|at| at.wins.games) == games.into()
            && of_places(|at| at.wins.total) == wins.by_sets.total.into()
            && of_places(|at| at.points) == points.by_sets.total.into()
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

impl PairTally {
    /// Whether it can be the tally of this number of sets, with this number of comparisons of the two in each.
    fn can_be_of(&self, sets: u64, comparisons: u64, team_size: usize) -> bool {
        let sets = if comparisons == 0 { 0 } else { sets };
        let most_won = u128::from(self.comparisons) * u128::from(WIN) * team_size as u128;
        self.sets == sets
            && u128::from(self.comparisons) == u128::from(sets) * u128::from(comparisons)
            && self.won.sets <= sets
            && u128::from(self.won.games) <= most_won
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

    /// Numbers that may be one more than they are: their paths end so.
    const FREE: [&str; 14] = [
        "rounds",
        "turns",
        "decisions",
        "unfinished",
        "crashes",
        "timeouts",
        "illegal",
        "squares",
        "_squared",
        "games_times_totals",
        "wins/sets",
        "won/sets",
        "a_ahead",
        "b_ahead",
    ];

    #[test]
    fn counts_of_other_sets_and_counts_that_do_not_add_up_are_noticed() {
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
            paths.retain(|path| !FREE.iter().any(|end| path.ends_with(end)) && !path.contains("winner_points"));
            assert!(paths.len() > 50, "{paths:?}");
            for path in paths {
                let mut changed = text.clone();
                let number = changed.pointer_mut(&path).expect("a number");
                *number = json!(number.as_u64().expect("not negative") + 1);
                let tally: Tally = serde_json::from_value(changed).expect("counts");
                assert!(!can_be_of(&tally, 0..sets), "{path}");
            }
        }
    }

    /// The places of all numbers.
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
