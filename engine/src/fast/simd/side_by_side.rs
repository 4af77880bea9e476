//! [`SimdBatch`]: a batch in either kind of vectors.

#[cfg(native_x86_64)]
use super::avx512;
use super::batch_round::{BatchRound, MOST_DECISIONS};
#[cfg(vectors_of_words)]
use super::words;
#[cfg(native_x86_64)]
use crate::cpu::isa::Avx512;
use crate::cpu::simd::LaneNumbers;
use crate::rules::Rules;
use crate::seat::SeatSet;
use crate::state::{Phase, RoundState};

/// Vectors in which this processor can play rounds in parallel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vectors(Instructions);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instructions {
    #[cfg(native_x86_64)]
    Avx512(Avx512),
    #[cfg(vectors_of_words)]
    Words,
}

impl Vectors {
    /// Vectors in which rounds are faster than one after the other: AVX-512, if the processor has it.
    #[must_use]
    pub fn fast() -> Option<Self> {
        #[cfg(native_x86_64)]
        return Avx512::detect().map(|has_avx512| Self(Instructions::Avx512(has_avx512)));
        #[cfg(not(native_x86_64))]
        None
    }

    /// Registers of plain words: slow, for tests on any processor. `None` in a build without debug assertions for processors
    /// that may have AVX-512.
    #[must_use]
    pub const fn of_words() -> Option<Self> {
        #[cfg(vectors_of_words)]
        return Some(Self(Instructions::Words));
        #[cfg(not(vectors_of_words))]
        None
    }

    /// The name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self.0 {
            #[cfg(native_x86_64)]
            Instructions::Avx512(_) => "AVX-512",
            #[cfg(vectors_of_words)]
            Instructions::Words => "words",
        }
    }
}

/// Many rounds that are played in parallel.
#[derive(Debug)]
pub struct SimdBatch {
    seats: SeatSet,
    lanes: Lanes,
}

#[derive(Debug)]
enum Lanes {
    #[cfg(native_x86_64)]
    Avx512(Box<avx512::Batch>),
    #[cfg(vectors_of_words)]
    Words(Box<words::Batch>),
}

/// Runs the code for either kind of lanes.
macro_rules! with_lanes {
    ($of:expr, $lanes:pat => $do:expr) => {
        match $of {
            #[cfg(native_x86_64)]
            Lanes::Avx512($lanes) => $do,
            #[cfg(vectors_of_words)]
            Lanes::Words($lanes) => $do,
        }
    };
}

impl SimdBatch {
    /// Empty lanes for rounds of these rules with a number of players. `None` if this processor does not have [fast
    /// vectors](Vectors::fast), or if the batch does not support the rules.
    #[must_use]
    pub fn new(rules: &Rules, seats: usize) -> Option<Self> {
        Self::with(Vectors::fast()?, rules, seats)
    }

    /// Empty lanes in these vectors. `None` if the batch does not support the rules.
    #[must_use]
    pub fn with(vectors: Vectors, rules: &Rules, seats: usize) -> Option<Self> {
        let lanes = match vectors.0 {
            #[cfg(native_x86_64)]
            Instructions::Avx512(has_avx512) => Lanes::Avx512(Box::new(avx512::Batch::new(has_avx512, rules, seats)?)),
            #[cfg(vectors_of_words)]
            Instructions::Words => Lanes::Words(Box::new(words::Batch::new(words::Instructions, rules, seats)?)),
        };
        Some(Self { seats: SeatSet::first(seats), lanes })
    }

    /// The number of lanes, each for one round.
    #[must_use]
    pub fn size(&self) -> usize {
        with_lanes!(&self.lanes, lanes => lanes.size())
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

    /// Puts a round into this lane, from 0 to [`SimdBatch::size`]; only if lanes
    /// [can take over](SimdBatch::can_take_over).
    #[inline]
    pub fn put(&mut self, lane: usize, round: &BatchRound) {
        debug_assert!(self.can_take_over(&round.state, round.decisions));
        with_lanes!(&mut self.lanes, lanes => lanes.put(lane, round));
    }

    /// Takes the round out of this lane: updates the round that was put there.
    #[inline]
    pub fn take(&mut self, lane: usize, round: &mut BatchRound) {
        with_lanes!(&mut self.lanes, lanes => lanes.take(lane, round));
    }

    /// Plays on until some lanes have to be taken out; `None` if all are empty.
    #[inline]
    pub fn play(&mut self) -> Option<LaneNumbers> {
        with_lanes!(&mut self.lanes, lanes => lanes.play())
    }
}
