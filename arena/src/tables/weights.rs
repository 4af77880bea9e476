//! `weights.csv`: the weights of a training.

use serde::Serialize;

use super::row;

row! {
    /// A file of weights.
    #[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
    pub struct WeightsRow in "weights.csv", "a file of weights" {
        /// its name
        file: String,
        /// its length
        bytes: u64,
        /// the SHA-256 of its content
        sha256: String,
        /// the cards it was trained for: `plain`, or `special` for any
        cards: String,
        /// the fewest seats it was trained for
        seats_min: u8,
        /// the most
        seats_max: u8,
        /// how much better the odds of an action must be than those of heuristic's action to be played: as a logarithm,
        /// in hundredths
        caution: u8,
        /// choices used for learning, in all stages
        choices: u64,
    }
}
