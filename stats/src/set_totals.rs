//! The counts of sets by their total: the whole distribution of set results, if there are few totals.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::sums::{SetSums, SetTotal};

/// Sets counted by the total of a quantity over their games.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct SetTotals(BTreeMap<u64, u64>);

impl SetTotals {
    /// Counts one set of this total.
    #[inline]
    pub fn add(&mut self, total: u64) {
        self.add_many(total, 1);
    }

    /// Counts this number of sets with this total.
    pub fn add_many(&mut self, total: u64, sets: u64) {
        if sets > 0 {
            *self.0.entry(total).or_default() += sets;
        }
    }

    /// Adds the counts of other sets.
    pub fn merge(&mut self, other: &Self) {
        other.iter().for_each(|(total, sets)| self.add_many(total, sets));
    }

    /// Every observed total, in ascending order, with its number of sets.
    pub fn iter(&self) -> impl Iterator<Item = (u64, u64)> {
        self.0.iter().map(|(&total, &sets)| (total, sets))
    }

    /// Whether no set is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Sets counted.
    #[must_use]
    pub fn sets(&self) -> u64 {
        self.0.values().sum()
    }

    /// The sums over these sets, each of this number of games.
    #[must_use]
    pub fn sums(&self, games_per_set: u64) -> SetSums {
        let mut sums = SetSums::default();
        for (total, sets) in self.iter() {
            let one = {
                let mut one = SetSums::default();
                one.add(SetTotal { games: games_per_set, total });
                one
            };
            let times = u128::from(sets);
            sums.merge(&SetSums {
                sets: one.sets * sets,
                games: one.games * sets,
                games_squared: one.games_squared * times,
                total: one.total * sets,
                totals_squared: one.totals_squared * times,
                games_times_totals: one.games_times_totals * times,
            });
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_match_sum_over_single_sets() {
        let (mut totals, mut sums) = (SetTotals::default(), SetSums::default());
        for total in [5, 0, 5, 7, 2, 2] {
            totals.add(total);
            sums.add(SetTotal { games: 4, total });
        }
        assert_eq!((totals.sums(4), totals.sets()), (sums, 6));
        let mut twice = totals.clone();
        twice.merge(&totals);
        assert_eq!(twice.iter().collect::<Vec<_>>(), [(0, 2), (2, 4), (5, 4), (7, 2)]);
    }
}
