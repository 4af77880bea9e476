//! No [`SimdBatch`]: there is no code for this kind of processor.

use std::convert::Infallible;

use super::batch_round::BatchRound;
use crate::rules::Rules;
use crate::state::RoundState;

/// The number of rounds in a batch.
pub const BATCH_SIZE: usize = 1;

/// Many rounds side by side: not on this processor.
#[derive(Debug)]
pub struct SimdBatch(Infallible);

/// Rounds that leave the batch: none.
pub type Waiting = std::iter::Empty<usize>;

#[allow(missing_docs)]
impl SimdBatch {
    #[must_use]
    pub fn new(_rules: &Rules, _seats: usize) -> Option<Self> {
        None
    }
    #[must_use]
    pub const fn is_possible_here() -> bool {
        false
    }
    #[must_use]
    pub fn can_take_over(&self, _state: &RoundState, _decisions: u32) -> bool {
        match self.0 {}
    }
    pub fn put(&mut self, _lane: usize, _round: &BatchRound) {
        match self.0 {}
    }
    pub fn take(&mut self, _lane: usize, _round: &mut BatchRound) {
        match self.0 {}
    }
    pub fn play(&mut self) -> Option<Waiting> {
        match self.0 {}
    }
}
