//! The seatings at which one table plays one deal.
//!
//! All seatings of one deal together are a *set*, the statistical unit. Seatings are distinct arrangements of distinct
//! entrants: swapping two seats of one entrant gives the same seating.

use crate::spec::SeatingPlan;

/// An entrant, by its index in the spec's list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntrantId(u16);

impl EntrantId {
    /// The largest number of entrants.
    pub const COUNT: usize = 1 << 16;

    /// The entrant at this index of the list.
    ///
    /// # Panics
    /// If `index` is not below [`EntrantId::COUNT`].
    #[must_use]
    pub fn new(index: usize) -> Self {
        Self(u16::try_from(index).expect("a schedule has at most 65,536 entrants"))
    }

    /// Its index in the list.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The entrants by seat.
pub type Seating = Vec<EntrantId>;

/// The seatings of the table at which these entrants sit, in a fixed order.
///
/// The order of `entrants` is their order around the table if only rotations are played. An entrant may hold several
/// seats.
#[must_use]
pub fn seatings(entrants: &[EntrantId], plan: SeatingPlan) -> Vec<Seating> {
    match plan {
        SeatingPlan::Rotate => rotations(entrants),
        SeatingPlan::All => arrangements(entrants),
        SeatingPlan::Neighbor => neighbor_orders(entrants).iter().flat_map(|order| rotations(order)).collect(),
    }
}

/// The number of seatings, computed without listing them; `None` if it overflows.
#[must_use]
pub fn num_seatings(entrants: &[EntrantId], plan: SeatingPlan) -> Option<u64> {
    let seats = entrants.len() as u64;
    let copies = copies_of_each(entrants);
    let factorial = |n: u64| (1..=n).try_fold(1_u64, u64::checked_mul);
    match plan {
        _ if copies.len() == 1 => Some(1),
        SeatingPlan::Rotate => Some(seats),
        SeatingPlan::All => {
            copies.iter().try_fold(factorial(seats)?, |all, &(_, count)| Some(all / factorial(count as u64)?))
        }
        SeatingPlan::Neighbor => Some(seats * num_neighbor_orders(copies.len() as u64)),
    }
}

/// The order rotated by no seat, one seat, two seats, until it repeats.
fn rotations(order: &[EntrantId]) -> Vec<Seating> {
    let comes_round =
        all_rotations(order).skip(1).position(|rotated| rotated == order).map_or(order.len(), |by| by + 1);
    all_rotations(order).take(comes_round).collect()
}

/// The order rotated by no seat, one seat, two seats, for all rotations: as many as there are seats, even if some are
/// equal.
pub(super) fn all_rotations(order: &[EntrantId]) -> impl Iterator<Item = Seating> {
    (0..order.len()).map(|by| [&order[order.len() - by..], &order[..order.len() - by]].concat())
}

/// Whether these entrants have more than one order around the table, up to rotation.
pub(super) fn has_several_orders(entrants: &[EntrantId]) -> bool {
    let copies = copies_of_each(entrants);
    match copies.as_slice() {
        [_] => false,
        [(_, a), (_, b)] => *a > 1 && *b > 1,
        _ => true,
    }
}

/// Every distinct arrangement, in lexicographic order.
fn arrangements(entrants: &[EntrantId]) -> Vec<Seating> {
    let mut current = entrants.to_vec();
    current.sort_unstable();
    let mut all = vec![current.clone()];
    while advance_arrangement(&mut current) {
        all.push(current.clone());
    }
    all
}

/// Steps to the next arrangement in lexicographic order (Knuth, TAOCP 7.2.1.2, algorithm L); false after the last.
fn advance_arrangement(arrangement: &mut [EntrantId]) -> bool {
    let Some(pivot) = arrangement.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let next_larger =
        arrangement.iter().rposition(|&entrant| entrant > arrangement[pivot]).expect("one follows the pivot");
    arrangement.swap(pivot, next_larger);
    arrangement[pivot + 1..].reverse();
    true
}

/// Orders around the table in which, taken together, each entrant follows each other one equally often.
///
/// Seats of one entrant stay side by side, so that the count is the same for every pair, for any numbers of seats.
fn neighbor_orders(entrants: &[EntrantId]) -> Vec<Vec<EntrantId>> {
    let copies = copies_of_each(entrants);
    let side_by_side = |cycle: Vec<usize>| {
        cycle.into_iter().flat_map(|place| std::iter::repeat_n(copies[place].0, copies[place].1)).collect()
    };
    neighbor_cycles(copies.len()).into_iter().map(side_by_side).collect()
}

const fn num_neighbor_orders(num_entrants: u64) -> u64 {
    match num_entrants {
        1 | 2 => 1,
        odd if odd % 2 == 1 => odd - 1,
        even => 2 * (even - 1),
    }
}

/// Cycles through all of `0..count` that together contain each ordered pair of neighbors equally often.
///
/// Walecki's construction (Lucas, "Récréations mathématiques" II, 1883): the last one is fixed, the others form a circle and
/// are visited in a zigzag `0, 1, -1, 2, -2, ...`; rotating the circle gives `count - 1` cycles. For an odd `count` all steps
/// of the zigzag differ, so each ordered pair occurs once. For an even `count` the cycles are also run backward, so that each
/// step also occurs in the opposite direction, and each ordered pair occurs twice.
fn neighbor_cycles(count: usize) -> Vec<Vec<usize>> {
    if count <= 2 {
        return vec![(0..count).collect()];
    }
    let circle = count - 1;
    let zigzag = |step: usize| if step.is_multiple_of(2) { circle - step / 2 } else { step.div_ceil(2) };
    let cycle = |turn: usize| -> Vec<usize> {
        (0..circle).map(|step| (zigzag(step) + turn) % circle).chain([circle]).collect()
    };
    let forwards = (0..circle).map(cycle);
    if count % 2 == 1 {
        return forwards.collect();
    }
    let backwards = (0..circle).map(|turn| cycle(turn).into_iter().rev().collect());
    forwards.chain(backwards).collect()
}

/// The distinct entrants, lowest first, with the number of seats of each.
fn copies_of_each(entrants: &[EntrantId]) -> Vec<(EntrantId, usize)> {
    let mut sorted = entrants.to_vec();
    sorted.sort_unstable();
    sorted.chunk_by(|a, b| a == b).map(|equal| (equal[0], equal.len())).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    fn table(text: &str) -> Vec<EntrantId> {
        text.bytes().map(|letter| EntrantId::new(usize::from(letter - b'A'))).collect()
    }

    fn written(text: &str, plan: SeatingPlan) -> Vec<String> {
        let letter = |entrant: &EntrantId| char::from(b'A' + u8::try_from(entrant.index()).unwrap());
        seatings(&table(text), plan).iter().map(|seating| seating.iter().map(letter).collect()).collect()
    }

    const TABLES: [&str; 14] = [
        "A", "AAAA", "AB", "ABC", "AABB", "ABBB", "AABC", "ABCD", "AABBC", "ABCDE", "ABCDEF", "ABCDEFG", "AABBCCD",
        "ABCDEFGH",
    ];

    #[test]
    fn seatings_match_written_lists() {
        assert_eq!(written("AB", SeatingPlan::Rotate), ["AB", "BA"]);
        assert_eq!(written("ABBB", SeatingPlan::Rotate), ["ABBB", "BABB", "BBAB", "BBBA"]);
        assert_eq!(written("AABB", SeatingPlan::All), ["AABB", "ABAB", "ABBA", "BAAB", "BABA", "BBAA"]);
        assert_eq!(written("ABC", SeatingPlan::Neighbor), ["ABC", "CAB", "BCA", "BAC", "CBA", "ACB"]);
        assert_eq!(written("AAA", SeatingPlan::All), ["AAA"]);
    }

    #[test]
    fn seatings_are_distinct_and_complete() {
        for plan in [SeatingPlan::Rotate, SeatingPlan::All, SeatingPlan::Neighbor] {
            for text in TABLES {
                let all = written(text, plan);
                assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{text} {plan:?}");
                assert_eq!(num_seatings(&table(text), plan), Some(all.len() as u64), "{text} {plan:?}");
            }
        }
        let ten = table("ABCDEFGHIJ");
        assert_eq!(num_seatings(&ten, SeatingPlan::All), Some(3_628_800));
        assert_eq!(num_seatings(&ten, SeatingPlan::Neighbor), Some(180));
        assert_eq!(seatings(&ten, SeatingPlan::Neighbor).len(), 180);
    }

    #[test]
    fn entrants_play_every_seat_equally_often() {
        for plan in [SeatingPlan::Rotate, SeatingPlan::All, SeatingPlan::Neighbor] {
            for text in TABLES {
                let all = written(text, plan);
                for seat in 0..text.len() {
                    for entrant in text.chars() {
                        let there = all.iter().filter(|seating| seating.chars().nth(seat) == Some(entrant)).count();
                        let copies = text.chars().filter(|&other| other == entrant).count();
                        assert_eq!(there * text.len(), all.len() * copies, "{entrant} in seat {seat} of {text}");
                    }
                }
            }
        }
    }

    #[test]
    fn neighbor_seating_balances_predecessors() {
        for text in TABLES.into_iter().chain(["ABCDEFGHI", "ABCDEFGHIJ", "AABBBCDDDD"]) {
            let mut follows: BTreeMap<(char, char), usize> = BTreeMap::new();
            for seating in written(text, SeatingPlan::Neighbor) {
                let seats: Vec<char> = seating.chars().collect();
                for (place, &entrant) in seats.iter().enumerate() {
                    let next = seats[(place + 1) % seats.len()];
                    if next != entrant {
                        *follows.entry((entrant, next)).or_default() += 1;
                    }
                }
            }
            let entrants: BTreeSet<char> = text.chars().collect();
            assert_eq!(follows.len(), entrants.len() * (entrants.len() - 1), "{text}");
            assert_eq!(follows.values().collect::<BTreeSet<_>>().len(), follows.len().min(1), "{text}: {follows:?}");
        }
    }
}
