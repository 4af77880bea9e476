//! `curve.csv`: the learning curve of a training run.

use super::row;

row! {
    /// A point of a learning curve.
    pub struct CurveRow in "curve.csv", "a part of a training run, in order" {
        /// 0 during imitation of heuristic, then the number of the iteration
        stage: u64,
        /// training decisions so far
        choices: u64,
        /// rounds of the game played since the previous row
        rounds: u64,
        /// mean logarithmic loss of the network's predicted win probabilities in these rounds, before training on them
        loss: f64,
        /// share of these rounds that the network won, with its random actions; empty during imitation
        win_share: Option<f64>,
        /// rounds among these without a winner: truncated after 2,000 decisions, or blocked
        unfinished: u64,
        /// at the end of a stage: the win share in test rounds against the opponents, without random actions
        against_field: Option<f64>,
        /// at the end of a stage: the same against the last champion; empty if there was none, and for an exploiter
        against_champion: Option<f64>,
        /// at the end of a stage: `champion` if the network wins at least as often as the last champion in the same rounds,
        /// against the opponents and that champion together (for an exploiter: only against the opponents); otherwise
        /// `refused`
        verdict: String,
    }
}
