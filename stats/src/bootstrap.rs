//! Sums over groups of sets, from which a bootstrap samples.
//!
//! Sets are assigned to a fixed number of groups by their number. With up to [`GROUPS`] sets, each group is one set, so
//! sampling groups means sampling sets. With more sets, a group is the sum of many sets, and groups are as independent as
//! sets (the grouped bootstrap: Davison and Hinkley, "Bootstrap Methods and their Application", 1997, 3.8 and 8.3). So the
//! memory does not grow with the number of games.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The largest number of groups.
pub const GROUPS: u64 = 128;

/// The sums over the sets of a group.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct GroupSums {
    /// Sets in the group.
    pub sets: u64,
    /// Wins by entrant, in any unit.
    pub wins: Vec<u64>,
    /// For each pair of entrants, in the order of [`pairs`](crate::ratings::matches::pairs): the wins of each at a common
    /// table, once for each seat of the other, in the unit of one win.
    pub won: Vec<[u64; 2]>,
}

impl GroupSums {
    fn add(&mut self, other: &Self) {
        self.sets += other.sets;
        self.wins.resize(other.wins.len().max(self.wins.len()), 0);
        self.wins.iter_mut().zip(&other.wins).for_each(|(mine, theirs)| *mine += theirs);
        self.won.resize(other.won.len().max(self.won.len()), [0; 2]);
        for (mine, theirs) in self.won.iter_mut().zip(&other.won) {
            mine[0] += theirs[0];
            mine[1] += theirs[1];
        }
    }
}

/// The groups by number, up to the last nonempty one.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Groups(Vec<GroupSums>);

impl Groups {
    /// The sums of the group of this set.
    pub fn of_set(&mut self, set: u64) -> &mut GroupSums {
        self.numbered((set % GROUPS) as usize)
    }

    #[inline]
    fn numbered(&mut self, number: usize) -> &mut GroupSums {
        if number >= self.0.len() {
            self.0.resize_with(number + 1, GroupSums::default);
        }
        &mut self.0[number]
    }

    /// Adds the sums of other sets.
    pub fn merge(&mut self, other: &Self) {
        let with_sets = other.0.iter().enumerate().filter(|(_, sums)| sums.sets > 0);
        with_sets.for_each(|(number, sums)| self.numbered(number).add(sums));
    }

    /// Whether they have these numbers of entrants and pairs.
    #[must_use]
    pub fn have_shape(&self, num_entrants: usize, num_pairs: usize) -> bool {
        let mut groups = self.iter();
        self.0.len() as u64 <= GROUPS
            && groups.all(|group| group.wins.len() == num_entrants && group.won.len() == num_pairs)
    }

    /// Whether they have the numbers of sets that these sets would give.
    #[must_use]
    pub fn have_sets(&self, sets: &Range<u64>) -> bool {
        // The sets of a group below a set: one in each full cycle of groups, and possibly one more.
        let below = |set: u64, group: u64| set / GROUPS + u64::from(group < set % GROUPS);
        let count = |group: u64| below(sets.end, group) - below(sets.start, group);
        let mut groups = self.0.iter().map(|group| group.sets);
        (0..GROUPS).all(|group| groups.next().unwrap_or(0) == count(group))
    }

    /// The nonempty groups, in order.
    pub fn iter(&self) -> impl Iterator<Item = &GroupSums> + Clone {
        self.0.iter().filter(|group| group.sets > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(sets: impl IntoIterator<Item = u64>) -> Groups {
        let mut groups = Groups::default();
        for set in sets {
            groups.of_set(set).add(&GroupSums { sets: 1, wins: vec![set, 1], won: vec![[2 * set, set]] });
        }
        groups
    }

    #[test]
    fn group_count_is_bounded_and_merge_order_is_irrelevant() {
        let whole = groups(0..1000);
        assert_eq!(whole.iter().count() as u64, GROUPS);
        assert_eq!(whole.iter().map(|group| group.sets).sum::<u64>(), 1000);
        assert_eq!(whole.iter().map(|group| group.wins[0]).sum::<u64>(), 499_500);
        let mut parts = groups(500..1000);
        parts.merge(&groups(0..500));
        assert_eq!(parts, whole);
    }

    #[test]
    fn group_set_counts_are_known() {
        for sets in [0..1, 5..9, 100..300, 127..128, 128..256, 0..1000] {
            let of_sets = groups(sets.clone());
            assert!(of_sets.have_sets(&sets), "{sets:?}");
            for other in [sets.start + 1..sets.end + 1, sets.start..sets.end + 1, sets.start..sets.end - 1] {
                let has_moved_by_groups = (sets.end - sets.start).is_multiple_of(GROUPS) && other.end > sets.end;
                let is_same = has_moved_by_groups && other.start > sets.start;
                assert_eq!(of_sets.have_sets(&other), is_same, "{sets:?} {other:?}");
            }
        }
    }

    #[test]
    fn few_sets_form_one_group_each() {
        assert_eq!(groups(7..10).iter().map(|group| group.won[0]).collect::<Vec<_>>(), [[14, 7], [16, 8], [18, 9]]);
    }
}
