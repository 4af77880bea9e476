//! [`Lanes`] on processors with AVX-512.

use std::hint::black_box;

use super::group::Group;
use super::step::{Buttons, NotPressed, Pressed};
use super::tables::LaneTables;
use super::vector::{self, WIDTH, for_avx512};
use super::{LaneRound, MOST_DECISIONS};
use crate::machine::Avx512;
use crate::rules::Rules;
use crate::seat::SeatSet;
use crate::state::{Phase, RoundState};

/// How many rounds are played side by side.
pub const LANES: usize = WIDTH;

/// Many rounds side by side.
#[derive(Debug)]
pub struct Lanes {
    tables: LaneTables,
    seats: SeatSet,
    group: Group,
    /// How many lanes hold a round.
    occupied: usize,
    machine: Avx512,
}

/// Lanes that are to be taken out.
pub type Waiting = vector::InMask;

impl Lanes {
    /// Empty lanes for rounds of these rules at a table of so many seats. `None` if this processor has no AVX-512, or the
    /// rules ask for more than lanes can do.
    #[must_use]
    pub fn new(rules: &Rules, seats: usize) -> Option<Self> {
        Some(Self {
            machine: Avx512::detect()?,
            tables: LaneTables::compile(rules, seats)?,
            seats: SeatSet::first(seats),
            group: Group::EMPTY,
            occupied: 0,
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
        self.group.put(lane, round, &self.tables);
        self.occupied += 1;
    }

    /// Takes the round out of this lane: into what was put there, brought up to date.
    #[inline]
    pub fn take(&mut self, lane: usize, round: &mut LaneRound) {
        self.group.take(lane, round, &self.tables);
        self.occupied -= 1;
    }

    /// Plays on until some lanes have to be taken out; `None` if all are empty.
    #[inline]
    pub fn play(&mut self) -> Option<Waiting> {
        if self.occupied == 0 {
            return None;
        }
        // SAFETY: there is an `Avx512` only where the processor has said that it has all of these instructions.
        #[allow(unsafe_code)]
        Some(unsafe {
            if self.tables.has_button {
                self.play_on::<Pressed>(self.machine)
            } else {
                self.play_on::<NotPressed>(self.machine)
            }
        })
    }

    for_avx512! {
        fn play_on<B: Buttons>(&mut self, _machine: Avx512) -> Waiting {
            loop {
                // Nothing is to be kept in registers from one step to the next: there are too few for it.
                let waiting = black_box(&mut self.group).step::<B>(&self.tables);
                if waiting.any() {
                    return waiting.lanes();
                }
            }
        }
    }
}
