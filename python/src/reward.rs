//! The rewards of a finished game for each seat.

use unolab_engine::rules::{Rules, Scoring};
use unolab_engine::scoring::RoundResult;
use unolab_engine::seat::Seat;

use crate::table::ArgumentError;

/// The kind of rewards.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reward {
    /// The share of the win; 1/N each if no player wins.
    Win,
    /// The share of the win less the fair share.
    ZeroSum,
    /// The points credited; negative if the fewest points win.
    Points,
    /// (N − place)/(N − 1); tied players share the sum of the rewards for their places.
    Places,
}

impl Reward {
    pub(crate) const NAMES: [(&str, Self); 4] =
        [("win", Self::Win), ("zero_sum", Self::ZeroSum), ("points", Self::Points), ("places", Self::Places)];

    pub(crate) fn named(name: &str) -> Result<Self, ArgumentError> {
        let found = Self::NAMES.into_iter().find(|(known, _)| *known == name);
        found.map(|(_, reward)| reward).ok_or_else(|| {
            ArgumentError(format!(
                "reward: \"{name}\" is not known; allowed: {}",
                Self::NAMES.map(|(known, _)| known).join(", ")
            ))
        })
    }

    /// Writes the reward of each seat; without a result the game is void.
    pub(crate) fn write(self, rules: &Rules, result: &RoundResult, rewards: &mut [f32]) {
        let count = rewards.len();
        #[expect(clippy::cast_precision_loss, reason = "ten seats at most")]
        let seats = count as f32;
        let is_void = result.places.iter().all(|&place| place <= 1);
        let place = |seat: Seat| if is_void { 1 } else { result.places[seat] };
        let tied = |place_of: u8| Seat::first(count).filter(|&seat| place(seat) == place_of).count();
        for (reward, seat) in rewards.iter_mut().zip(Seat::first(count)) {
            #[expect(clippy::cast_precision_loss, reason = "ten seats at most")]
            let sharing = tied(place(seat)) as f32;
            let win = if place(seat) == 1 { 1.0 / sharing } else { 0.0 };
            *reward = match self {
                Self::Win => win,
                Self::ZeroSum => win - 1.0 / seats,
                Self::Points => {
                    #[expect(clippy::cast_precision_loss, reason = "points stay below 2^24")]
                    let points = result.points[seat] as f32;
                    match rules.parameters().scoring {
                        Scoring::WinnerTakes => points,
                        Scoring::RunningLowest | Scoring::Elimination => -points,
                    }
                }
                Self::Places => {
                    let mean_place = f32::from(place(seat)) + (sharing - 1.0) / 2.0;
                    (seats - mean_place) / (seats - 1.0)
                }
            };
        }
    }
}
