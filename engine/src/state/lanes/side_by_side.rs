//! [`Lanes`] on processors with AVX-512.

use super::group::Group;
use super::tables::LaneTables;
use super::vector::{self, WIDTH, for_avx512};
use super::{LaneRound, MOST_DECISIONS};
use crate::machine::Avx512;
use crate::rules::Rules;
use crate::seat::SeatSet;
use crate::state::{Phase, RoundState};

/// Vectors that take their steps in turn: while one waits for its numbers the processor works on the others.
const GROUPS: usize = 2;

/// How many rounds are played side by side.
pub const LANES: usize = GROUPS * WIDTH;

/// Many rounds side by side.
#[derive(Debug)]
pub struct Lanes {
    tables: LaneTables,
    seats: SeatSet,
    groups: [Group; GROUPS],
    /// The group whose turn it is.
    next: usize,
    machine: Avx512,
}

/// Lanes that are to be taken out.
#[derive(Debug, Clone, Copy)]
pub struct Waiting {
    group: usize,
    lanes: vector::Lanes,
}

impl Iterator for Waiting {
    type Item = usize;
    #[inline]
    fn next(&mut self) -> Option<usize> {
        Some(self.group * WIDTH + self.lanes.next()?)
    }
}

impl Lanes {
    /// Empty lanes for rounds of these rules at a table of so many seats. `None` if this processor has no AVX-512, or the
    /// rules ask for more than lanes can do.
    #[must_use]
    pub fn new(rules: &Rules, seats: usize) -> Option<Self> {
        Some(Self {
            machine: Avx512::detect()?,
            tables: LaneTables::compile(rules, seats)?,
            seats: SeatSet::first(seats),
            groups: [Group::EMPTY; GROUPS],
            next: 0,
        })
    }

    /// Can lanes take over here, after so many decisions?
    #[must_use]
    #[inline]
    pub fn can_take_over(&self, state: &RoundState, decisions: u32) -> bool {
        state.phase == Phase::Turn
            && state.color.is_some()
            && state.passed.is_empty()
            && state.in_round == self.seats
            && decisions < MOST_DECISIONS
    }

    /// Puts a round into this lane, from 0 to [`LANES`]; only if lanes [can take over](Lanes::can_take_over).
    #[inline]
    pub fn put(&mut self, lane: usize, round: &LaneRound) {
        debug_assert!(self.can_take_over(&round.state, round.decisions));
        self.groups[lane / WIDTH].put(lane % WIDTH, round, &self.tables);
    }

    /// Takes the round out of this lane: into what was put there, brought up to date.
    #[inline]
    pub fn take(&mut self, lane: usize, round: &mut LaneRound) {
        self.groups[lane / WIDTH].take(lane % WIDTH, round, &self.tables);
    }

    /// Plays on until some lanes have to be taken out; `None` if all are empty.
    #[inline]
    pub fn play(&mut self) -> Option<Waiting> {
        if self.groups.iter().all(|group| group.is_empty()) {
            return None;
        }
        // SAFETY: there is an `Avx512` only where the processor has said that it has all of these instructions.
        #[allow(unsafe_code)]
        Some(unsafe { self.play_on(self.machine) })
    }

    for_avx512! {
        fn play_on(&mut self, _machine: Avx512) -> Waiting {
            loop {
                let group = self.next;
                let lanes = self.groups[group].step(&self.tables);
                if lanes.any() {
                    return Waiting { group, lanes: lanes.lanes() };
                }
                self.next = if group + 1 == GROUPS { 0 } else { group + 1 };
            }
        }
    }
}
