//! The arrays of a batch, which the caller owns, and the rows of the environments in them.

use std::ops::Range;

use crate::game::GameStatus;
use crate::table::{ArgumentError, Table};

/// The arrays that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outputs {
    /// All arrays, with the observations of all seats.
    Full,
    /// All arrays, with the observation of the seat that decides.
    All,
    /// All arrays except observations.
    Mask,
    /// Neither observations nor masks.
    Ids,
}

impl Outputs {
    pub(crate) fn named(name: &str) -> Result<Self, ArgumentError> {
        match name {
            "full" => Ok(Self::Full),
            "all" => Ok(Self::All),
            "mask" => Ok(Self::Mask),
            "ids" => Ok(Self::Ids),
            _ => Err(ArgumentError(format!("outputs: \"{name}\" is not known; allowed: full, all, mask, ids"))),
        }
    }
}

/// The arrays that a step fills, with one row for each environment.
pub(crate) struct Arrays<'a> {
    pub(crate) obs: &'a mut [u8],
    pub(crate) mask: &'a mut [u8],
    pub(crate) to_play: &'a mut [i8],
    pub(crate) legal: &'a mut [i16],
    pub(crate) num_legal: &'a mut [i16],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) learner_reward: &'a mut [f32],
    pub(crate) terminated: &'a mut [bool],
    pub(crate) truncated: &'a mut [bool],
    pub(crate) final_obs: &'a mut [u8],
    pub(crate) full_obs: &'a mut [u8],
}

/// The number of elements per row of each array; 0 if the array is not written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Sizes {
    pub(crate) obs: usize,
    /// The observations of all seats.
    pub(crate) full: usize,
    pub(crate) mask: usize,
    pub(crate) legal: usize,
    pub(crate) seats: usize,
}

impl Sizes {
    pub(crate) const fn new(table: &Table, outputs: Outputs) -> Self {
        let (obs, actions) = (table.encoding.obs_size(), table.encoding.num_actions());
        let full = if matches!(outputs, Outputs::Full) { obs * table.seats } else { 0 };
        let (obs, mask) = match outputs {
            Outputs::Full | Outputs::All => (obs, actions),
            Outputs::Mask => (0, actions),
            Outputs::Ids => (0, 0),
        };
        Self { obs, full, mask, legal: actions, seats: table.seats }
    }
}

/// The arrays of a single row, in Rust's memory.
#[derive(Debug)]
pub(crate) struct OwnedRow {
    pub(crate) obs: Vec<u8>,
    pub(crate) mask: Vec<u8>,
    to_play: [i8; 1],
    legal: Vec<i16>,
    num_legal: [i16; 1],
    rewards: Vec<f32>,
    pub(crate) learner_reward: [f32; 1],
    pub(crate) terminated: [bool; 1],
    pub(crate) truncated: [bool; 1],
    final_obs: Vec<u8>,
    full_obs: Vec<u8>,
}

impl OwnedRow {
    pub(crate) fn new(Sizes { obs, full, mask, legal, seats }: Sizes) -> Self {
        Self {
            obs: vec![0; obs],
            mask: vec![0; mask],
            to_play: [0],
            legal: vec![-1; legal],
            num_legal: [0],
            rewards: vec![0.0; seats],
            learner_reward: [0.0],
            terminated: [false],
            truncated: [false],
            final_obs: vec![0; obs],
            full_obs: vec![0; full],
        }
    }

    pub(crate) fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            obs: &mut self.obs,
            mask: &mut self.mask,
            to_play: &mut self.to_play,
            legal: &mut self.legal,
            num_legal: &mut self.num_legal,
            rewards: &mut self.rewards,
            learner_reward: &mut self.learner_reward,
            terminated: &mut self.terminated,
            truncated: &mut self.truncated,
            final_obs: &mut self.final_obs,
            full_obs: &mut self.full_obs,
        }
    }
}

/// The number of rows cleared at a time: clearing four takes only slightly more instructions than clearing one.
pub(crate) const CLEARED_TOGETHER: usize = 4;

impl Arrays<'_> {
    /// Clears these rows in the arrays that are rewritten at every step.
    pub(crate) fn clear(&mut self, rows: Range<usize>, sizes: Sizes) {
        let part = |size: usize| rows.start * size..rows.end * size;
        // Empty arrays are skipped, because even a call without work takes time if its lengths are unknown at compile time.
        if sizes.obs > 0 {
            self.obs[part(sizes.obs)].fill(0);
        }
        if sizes.full > 0 {
            self.full_obs[part(sizes.full)].fill(0);
        }
        if sizes.mask > 0 {
            self.mask[part(sizes.mask)].fill(0);
        }
        self.legal[part(sizes.legal)].fill(-1);
    }

    /// Splits the arrays after this number of rows.
    pub(crate) fn split_at(self, rows: usize, sizes: Sizes) -> (Self, Self) {
        macro_rules! halves {
            ($($array:ident by $size:expr),+) => {{
                $(let $array = self.$array.split_at_mut(rows * $size);)+
                (Arrays { $($array: $array.0),+ }, Arrays { $($array: $array.1),+ })
            }};
        }
        halves!(
            obs by sizes.obs, mask by sizes.mask, to_play by 1, legal by sizes.legal, num_legal by 1,
            rewards by sizes.seats, learner_reward by 1, terminated by 1, truncated by 1, final_obs by sizes.obs,
            full_obs by sizes.full
        )
    }
}

/// The row of one environment.
pub(crate) struct Row<'r, 'a> {
    pub(crate) arrays: &'r mut Arrays<'a>,
    pub(crate) at: usize,
    pub(crate) sizes: Sizes,
}

impl Row<'_, '_> {
    pub(crate) fn obs(&mut self) -> &mut [u8] {
        part(self.arrays.obs, self.at, self.sizes.obs)
    }

    /// The observation of the seat in this place after the seat that decides.
    pub(crate) fn full_obs(&mut self, place: usize) -> &mut [u8] {
        let row = part(self.arrays.full_obs, self.at, self.sizes.full);
        part(row, place, self.sizes.obs)
    }

    pub(crate) fn final_obs(&mut self) -> &mut [u8] {
        part(self.arrays.final_obs, self.at, self.sizes.obs)
    }

    pub(crate) fn mask_and_legal(&mut self) -> (&mut [u8], &mut [i16]) {
        let (at, sizes) = (self.at, self.sizes);
        (part(self.arrays.mask, at, sizes.mask), part(self.arrays.legal, at, sizes.legal))
    }

    pub(crate) fn rewards(&mut self) -> &mut [f32] {
        part(self.arrays.rewards, self.at, self.sizes.seats)
    }

    pub(crate) fn mark_end(&mut self, ended: GameStatus) {
        self.arrays.terminated[self.at] = ended == GameStatus::Terminated;
        self.arrays.truncated[self.at] = ended == GameStatus::Truncated;
    }
}

#[inline(always)]
fn part<T>(array: &mut [T], row: usize, size: usize) -> &mut [T] {
    &mut array[row * size..][..size]
}
