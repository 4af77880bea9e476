//! Faults of agents, with their games. All faults are counted elsewhere. Only the first faults of each entrant are stored here,
//! so that a broken agent cannot fill the memory.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use unolab_agents::fault::{Fault, FaultCause};

use crate::schedule::seating::EntrantId;

/// The number of stored faults of each entrant in a section: the first in the order of the games.
pub const MOST_KEPT: usize = 100;

/// A fault, and the game in which it happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultInGame {
    /// The number of the game in the run.
    pub index: u64,
    /// The set it belongs to.
    pub set: u64,
    /// The seat of the agent, from 0.
    pub seat: usize,
    /// The number of its decision in the game, from 1.
    pub decision: u32,
    /// Its kind.
    pub kind: FaultCause,
    /// The description.
    pub what: String,
}

impl FaultInGame {
    /// The fault, in the game of this number and set.
    #[must_use]
    pub fn of(fault: &Fault, index: u64, set: u64) -> Self {
        let Fault { seat, decision, kind, ref what } = *fault;
        Self { index, set, seat: seat.index(), decision, kind, what: what.clone() }
    }
}

/// The first faults of each entrant in a section. Books of different games, merged in any order, give the same book.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct FaultBook(BTreeMap<usize, Vec<FaultInGame>>);

impl FaultBook {
    /// Stores a fault of this entrant.
    pub fn add(&mut self, entrant: EntrantId, new: FaultInGame) {
        self.insert(entrant.index(), new);
    }

    fn insert(&mut self, entrant: usize, new: FaultInGame) {
        let kept = self.0.entry(entrant).or_default();
        let place = kept.partition_point(|earlier| (earlier.index, earlier.seat) < (new.index, new.seat));
        if place < MOST_KEPT {
            kept.insert(place, new);
            kept.truncate(MOST_KEPT);
        }
    }

    /// Merges the faults of other games.
    pub fn merge(&mut self, other: &Self) {
        for (&entrant, faults) in &other.0 {
            faults.iter().for_each(|fault| self.insert(entrant, fault.clone()));
        }
    }

    /// Whether all faults belong to this number of entrants.
    #[must_use]
    pub fn is_of(&self, num_entrants: usize) -> bool {
        self.0.keys().all(|&entrant| entrant < num_entrants)
    }

    /// Whether every fault is possible in one of these sets, at a table with this number of seats.
    #[must_use]
    pub fn is_of_games(&self, sets: &Range<u64>, seats: usize) -> bool {
        let can_be = |fault: &FaultInGame| sets.contains(&fault.set) && fault.seat < seats;
        self.0.values().all(|kept| kept.len() <= MOST_KEPT && kept.iter().all(can_be))
    }

    /// By entrant, in the order of the games.
    pub fn iter(&self) -> impl Iterator<Item = (EntrantId, &FaultInGame)> {
        self.0.iter().flat_map(|(&entrant, of)| of.iter().map(move |fault| (EntrantId::new(entrant), fault)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_records_are_independent_of_order() {
        let fault = |index: u64| {
            let what = format!("in game {index}");
            FaultInGame { index, set: index / 2, seat: 1, decision: 1, kind: FaultCause::Crash, what }
        };
        let book = |games: &[u64]| {
            let mut book = FaultBook::default();
            games.iter().for_each(|&game| book.add(EntrantId::new(0), fault(game)));
            book
        };
        let all: Vec<u64> = (0..300).collect();
        let mut parts = book(&all[150..]);
        parts.merge(&book(&all[..150].iter().rev().copied().collect::<Vec<_>>()));
        assert_eq!(parts, book(&all));
        let kept: Vec<u64> = parts.iter().map(|(_, fault)| fault.index).collect();
        assert_eq!(kept, all[..MOST_KEPT]);
    }
}
