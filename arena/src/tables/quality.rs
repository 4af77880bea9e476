//! `quality.csv`: how well agents choose.

use serde::Serialize;

use super::row;

row! {
    /// The choices of one agent at one number of legal actions.
    #[derive(Debug, Clone, PartialEq, Default, Serialize)]
    pub struct QualityRow in "quality.csv", "the choices of one agent at one number of legal actions" {
        /// the agent
        agent: String,
        /// how many actions were legal, K; empty for all choices together
        actions: Option<usize>,
        /// of how many deals: the unit of the error, because choices within a deal are not independent
        deals: u64,
        /// how many choices
        decisions: u64,
        /// share of choices that no action would have beaten: the optimal-decision hit rate ODHR@K
        hit_rate: f64,
        /// share of choices whose regret is not above 0 by more than 1.96 of its errors: not to be told from the best
        level_rate: f64,
        /// mean rank of the action chosen: the average decision rank ADR@K
        mean_rank: f64,
        /// mean of how much more the best action is worth, chosen in half of the worlds and valued in the other half: noise
        /// does not make it larger, but what half of the worlds calls best is not always the best
        mean_regret: f64,
        /// standard error of mean_regret, over deals
        se: Option<f64>,
        /// lower bound of mean_regret: Student's interval with deals − 1 degrees of freedom
        ci_low: Option<f64>,
        /// upper bound of mean_regret
        ci_high: Option<f64>,
        /// mean regret of the judge judged by itself: what one half of the worlds calls best, by the other half alone
        noise_floor: f64,
    }
}
