//! The counts of a balance run or of a shard of it: plain data that can be saved, resumed, and merged.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use unolab_agents::options::is_program;

use super::case::ArmCounts;
use super::spec::BalanceSpec;
use crate::run::checkpoint::{Counts, RunSpec as _, Sharded};
use crate::run::shard::{RunProgress, Shard};
use crate::spec::Unit;

/// The counts of one case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseCounts {
    /// The sets to be played.
    pub sets: Range<u64>,
    /// The first of them that is not yet counted.
    pub next: u64,
    /// The timeouts in a row of each entrant in the block of the next set, arm by arm; empty if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub timeouts_in_a_row: Vec<u64>,
    /// By arm; empty without counts.
    pub counted: Vec<ArmCounts>,
}

impl CaseCounts {
    /// Adds the counts of other sets, by arm.
    pub(super) fn add(&mut self, counted: &[ArmCounts]) {
        self.counted.resize(self.counted.len().max(counted.len()), ArmCounts::default());
        self.counted.iter_mut().zip(counted).for_each(|(mine, theirs)| mine.merge(theirs));
    }
}

/// The counts, case by case.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BalanceCounts {
    /// By variant, then by number of seats, rounds before matches.
    pub cases: Vec<CaseCounts>,
}

/// The cases of a balance run, in order: the variant, the number of seats, the unit, and the number of sets.
pub(super) fn cases_of(spec: &BalanceSpec) -> impl Iterator<Item = (usize, usize, Unit, u64)> {
    let of_variant = |variant| spec.seats.iter().map(move |&seats| (variant, seats));
    let units = [(Unit::Round, spec.sets), (Unit::Match, spec.matches)];
    let units = move |(variant, seats)| units.map(|(unit, sets)| (variant, seats, unit, sets));
    (0..spec.variants.len())
        .flat_map(of_variant)
        .flat_map(units)
        .filter(|&(_, _, unit, sets)| unit == Unit::Round || sets > 0)
}

impl BalanceCounts {
    /// Zero counts of a shard.
    #[must_use]
    pub fn new(spec: &BalanceSpec, shard: Shard) -> Self {
        let case = |(_, _, _, sets)| {
            let has_programs = spec.agents().into_iter().any(is_program);
            let sets = if has_programs { shard.blocks(sets) } else { shard.sets(sets) };
            CaseCounts { next: sets.start, sets, timeouts_in_a_row: Vec::new(), counted: Vec::new() }
        };
        Self { cases: cases_of(spec).map(case).collect() }
    }

    /// Adds the counts of another run, with other seeds.
    pub fn add(&mut self, other: &Self) {
        self.cases.iter_mut().zip(&other.cases).for_each(|(mine, theirs)| mine.add(&theirs.counted));
    }
}

impl Counts for BalanceCounts {
    fn done(&self) -> RunProgress {
        let done = self.cases.iter().map(|case| case.next - case.sets.start).sum();
        RunProgress { done, of: self.cases.iter().map(|case| case.sets.end - case.sets.start).sum() }
    }
}

impl Sharded for BalanceCounts {
    fn sets(&self) -> Vec<Range<u64>> {
        self.cases.iter().map(|case| case.sets.clone()).collect()
    }

    fn join(&mut self, other: &Self) {
        for (all, part) in self.cases.iter_mut().zip(&other.cases) {
            all.add(&part.counted);
            all.next += part.sets.end - part.sets.start;
        }
    }
}
