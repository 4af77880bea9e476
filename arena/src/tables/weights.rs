//! `weights.csv`: the weights of a training run.

use super::row;

row! {
    /// A file of weights.
    pub struct WeightsRow in "weights.csv", "a file of weights" {
        /// its name
        file: String,
        /// its size
        bytes: u64,
        /// the SHA-256 of its content
        sha256: String,
        /// the cards for which it was trained: `plain`, or `special` for any
        cards: String,
        /// the smallest number of seats for which it was trained
        seats_min: u8,
        /// the largest
        seats_max: u8,
        /// the margin, as a logarithm in hundredths, by which the odds of an action must exceed the odds of heuristic's
        /// action before the network plays it
        caution: u8,
        /// training decisions in all stages
        choices: u64,
    }
}
