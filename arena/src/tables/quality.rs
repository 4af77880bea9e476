//! `quality.csv`: the quality of agents' choices.

use super::row;

row! {
    /// The choices of one agent at one number of legal actions.
    pub struct QualityRow in "quality.csv", "the choices of one agent at one number of legal actions" {
        /// the agent
        agent: String,
        /// the number of legal actions, K; empty for all choices together
        actions: Option<usize>,
        /// the number of deals, which are the unit of the error, because choices within a deal are not independent
        deals: u64,
        /// the number of choices
        decisions: u64,
        /// share of choices in which a best action was chosen: the optimal-decision hit rate ODHR@K
        hit_rate: f64,
        /// share of choices whose regret is at most 1.96 standard errors above 0: they cannot be distinguished from the
        /// best
        tie_rate: f64,
        /// mean rank of the action chosen: the average decision rank ADR@K
        mean_rank: f64,
        /// mean regret: the value of the best action, selected in one half of the worlds and evaluated in the other, minus
        /// the value of the chosen action. Noise does not increase it, but the best action in half of the worlds is not
        /// always the best
        mean_regret: f64,
        /// standard error of mean_regret, over deals
        se: Option<f64>,
        /// lower bound of mean_regret: Student's interval with deals − 1 degrees of freedom
        ci_low: Option<f64>,
        /// upper bound of mean_regret
        ci_high: Option<f64>,
        /// mean regret of the evaluator itself: of the action that is best in one half of the worlds, evaluated only in the
        /// other half
        noise_floor: f64,
    }
}
