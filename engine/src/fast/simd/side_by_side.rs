//! [`SimdBatch`] on processors with AVX-512.

use std::hint::black_box;

use super::batch_round::{BatchRound, MOST_DECISIONS};
use super::group::Group;
use super::tables::SimdTables;
use super::vector::{self, WIDTH};
use crate::fast::isa::{Avx512, call_avx512, for_avx512};
use crate::rules::Rules;
use crate::seat::SeatSet;
use crate::state::{Phase, RoundState};

/// The number of rounds in a batch.
pub const BATCH_SIZE: usize = WIDTH;

/// Many rounds side by side.
#[derive(Debug)]
pub struct SimdBatch {
    tables: SimdTables,
    seats: SeatSet,
    group: Group,
    /// The number of lanes with a round.
    occupied: usize,
    has_avx512: Avx512,
}

/// Rounds that leave the batch.
pub type Waiting = vector::InMask;

impl SimdBatch {
    /// Empty lanes for rounds of these rules at a number of seats. `None` if this processor has no AVX-512, or the batch
    /// does not support the rules.
    #[must_use]
    pub fn new(rules: &Rules, seats: usize) -> Option<Self> {
        Some(Self {
            has_avx512: Avx512::detect()?,
            tables: SimdTables::compile(rules, seats)?,
            seats: SeatSet::first(seats),
            group: Group::EMPTY,
            occupied: 0,
        })
    }

    /// Has this processor the instructions for it?
    #[must_use]
    pub fn is_possible_here() -> bool {
        Avx512::detect().is_some()
    }

    /// Whether the batch can take over this state after this number of decisions.
    #[must_use]
    #[inline]
    pub fn can_take_over(&self, state: &RoundState, decisions: u32) -> bool {
        state.phase == Phase::Turn
            && state.color.is_some()
            && state.passed.is_empty()
            && state.in_round == self.seats
            && decisions < MOST_DECISIONS
    }

    /// Puts a round into this lane, from 0 to [`BATCH_SIZE`]; only if lanes [can take over](SimdBatch::can_take_over).
    #[inline]
    pub fn put(&mut self, lane: usize, round: &BatchRound) {
        debug_assert!(self.can_take_over(&round.state, round.decisions));
        self.group.put(lane, round, &self.tables);
        self.occupied += 1;
    }

    /// Takes the round out of this lane: into what was put there, brought up to date.
    #[inline]
    pub fn take(&mut self, lane: usize, round: &mut BatchRound) {
        self.group.take(lane, round, &self.tables);
        self.occupied -= 1;
    }

    /// Plays on until some lanes have to be taken out; `None` if all are empty.
    #[inline]
    pub fn play(&mut self) -> Option<Waiting> {
        if self.occupied == 0 {
            return None;
        }
        let Self { group, tables, .. } = self;
        Some(if tables.has_button {
            call_avx512!(self.has_avx512, play_with_button(group, tables))
        } else {
            call_avx512!(self.has_avx512, play_without_button(group, tables))
        })
    }
}

for_avx512! {
    fn play_with_button(group: &mut Group, tables: &SimdTables) -> Waiting {
        play_on::<true>(group, tables)
    }

    fn play_without_button(group: &mut Group, tables: &SimdTables) -> Waiting {
        play_on::<false>(group, tables)
    }

    fn play_on<const HAS_BUTTON: bool>(group: &mut Group, tables: &SimdTables) -> Waiting {
        loop {
            // Nothing is to be kept in registers from one step to the next: there are too few for it.
            let waiting = black_box(&mut *group).step::<HAS_BUTTON>(tables);
            if waiting.any() {
                return waiting.lanes();
            }
        }
    }
}
