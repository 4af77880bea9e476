//! [`Batch`]: rounds in the lanes of vectors. It is compiled for each set of instructions that has registers.

mod group;
mod step;
mod tables;

use std::hint::black_box;

use super::{Instructions, call_compiled, for_instructions, vector};
use crate::cpu::simd::LaneNumbers;
use crate::fast::simd::batch_round::BatchRound;
use crate::rules::Rules;
use group::Group;
use tables::SimdTables;

/// Rounds that are played in parallel.
#[derive(Debug)]
pub(in super::super) struct Batch {
    tables: SimdTables,
    group: Group,
    /// The number of lanes with a round.
    occupied: usize,
    instructions: Instructions,
}

impl Batch {
    /// Empty lanes for rounds of these rules with a number of players. `None` if the batch does not support the rules.
    pub(in super::super) fn new(instructions: Instructions, rules: &Rules, seats: usize) -> Option<Self> {
        let tables = SimdTables::compile(rules, seats)?;
        Some(Self { tables, group: Group::EMPTY, occupied: 0, instructions })
    }

    /// The number of lanes.
    #[expect(clippy::unused_self, reason = "asked of a batch of either kind")]
    pub(in super::super) const fn size(&self) -> usize {
        vector::WIDTH
    }

    /// Puts a round into this lane.
    #[inline]
    pub(in super::super) fn put(&mut self, lane: usize, round: &BatchRound) {
        self.group.put(lane, round, &self.tables);
        self.occupied += 1;
    }

    /// Takes the round out of this lane: updates the round that was put there.
    #[inline]
    pub(in super::super) fn take(&mut self, lane: usize, round: &mut BatchRound) {
        self.group.take(lane, round, &self.tables);
        self.occupied -= 1;
    }

    /// Plays on until some lanes have to be taken out; `None` if all are empty.
    #[inline]
    pub(in super::super) fn play(&mut self) -> Option<LaneNumbers> {
        if self.occupied == 0 {
            return None;
        }
        let Self { group, tables, .. } = self;
        Some(if tables.has_button {
            call_compiled!(self.instructions, play_with_button(group, tables))
        } else {
            call_compiled!(self.instructions, play_without_button(group, tables))
        })
    }
}

for_instructions! {
    fn play_with_button(group: &mut Group, tables: &SimdTables) -> LaneNumbers {
        play_on::<true>(group, tables)
    }

    fn play_without_button(group: &mut Group, tables: &SimdTables) -> LaneNumbers {
        play_on::<false>(group, tables)
    }

    fn play_on<const HAS_BUTTON: bool>(group: &mut Group, tables: &SimdTables) -> LaneNumbers {
        loop {
            // Prevents the compiler from keeping values in registers from one step to the next, because there are too few
            // registers.
            let waiting = black_box(&mut *group).step::<HAS_BUTTON>(tables);
            if waiting.any() {
                return waiting.lanes();
            }
        }
    }
}
