//! `curve.csv`: the learning curve of a training.

use serde::{Deserialize, Serialize};

use super::row;

row! {
    /// A point of a learning curve.
    #[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
    pub struct CurveRow in "curve.csv", "a part of a training, in order" {
        /// 0 while heuristic teaches, then the number of the round of play
        stage: u64,
        /// choices used for learning so far
        choices: u64,
        /// rounds of cards played since the row before
        rounds: u64,
        /// mean logarithmic loss of the net's predicted chances to win in these rounds, before it learned from them
        loss: f64,
        /// share of these rounds that the net won, with its random choices; empty while heuristic teaches
        win_share: Option<f64>,
        /// rounds among these that nobody won: stopped after 2,000 decisions, or blocked
        unfinished: u64,
        /// at the end of a stage: its share of wins in test rounds against the field, without random choices
        against_field: Option<f64>,
        /// at the end of a stage: the same against the last champion; empty where there was none, and for an exploiter
        against_champion: Option<f64>,
        /// at the end of a stage: `champion` if it wins no less against the field and the last one, taken together, than the last one in the same rounds (an exploiter: against the field alone), or `refused`
        verdict: String,
    }
}
