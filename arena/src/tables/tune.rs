//! Rows of `goals.csv`, `candidates.csv`, `contributions.csv` and `front.csv` of a tuning run.

use crate::tables::row;

row! {
    /// A goal of the recommended rule set.
    pub struct GoalRow in "goals.csv", "one goal of the recommended rule set at one number of seats, on fresh deals" {
        /// the goal as given
        goal: String,
        /// the metric
        metric: String,
        /// the number of seats; for an objective that is averaged, all of them, separated by spaces
        seats: String,
        /// its value
        value: Option<f64>,
        /// lower bound of the interval; all intervals of the run hold together with 95%
        ci_low: Option<f64>,
        /// upper bound
        ci_high: Option<f64>,
        /// `met`: the whole interval satisfies the goal; `not_met`: no value in it does; `not_shown`: some do; empty for an
        /// objective
        verdict: String,
        /// the number of fresh deals
        deals: u64,
    }
}

row! {
    /// A result of a candidate.
    pub struct CandidateRow in "candidates.csv",
        "one goal of one tried rule set at one number of seats: in the search, and for the finalists also in the certificate" {
        /// the number of the candidate, in the order in which they were first tried, from 1
        candidate: u64,
        /// the rule set: every varied key with its value, separated by spaces
        rules: String,
        /// `search`, whose estimates favor the chosen rule sets, or `certificate`, on fresh deals
        phase: String,
        /// `recommended`, `finalist`, or `tried`
        status: String,
        /// the goal as given
        goal: String,
        /// the metric
        metric: String,
        /// the number of seats
        seats: usize,
        /// the number of deals
        deals: u64,
        /// its value; empty if it is not defined
        value: Option<f64>,
        /// standard error, over deals
        se: Option<f64>,
    }
}

row! {
    /// The effect of one change.
    pub struct ContributionRow in "contributions.csv",
        "one goal, with one change of the recommended rule set put back, on the same fresh deals" {
        /// the changed key
        key: String,
        /// its value in the recommended rule set
        recommended: String,
        /// its value in the base
        base: String,
        /// the goal as given
        goal: String,
        /// the metric
        metric: String,
        /// the number of seats
        seats: usize,
        /// what the change adds to the metric: the recommended rule set minus the same with this key as in the base
        difference: f64,
        /// standard error of the difference, paired by deals; empty for a metric that is not a mean
        se: Option<f64>,
        /// lower bound of the 95% interval of the difference: Student's, wider if few deals differ; empty if none does
        ci_low: Option<f64>,
        /// upper bound
        ci_high: Option<f64>,
        /// two-sided p-value of no difference
        p: Option<f64>,
        /// the same, by Holm's method over all rows of this file
        p_holm: Option<f64>,
        /// the number of deals
        deals: u64,
    }
}

row! {
    /// An objective of a rule set on the front.
    pub struct FrontRow in "front.csv",
        "one objective of the recommended rule set, or of another finalist with as good a verdict, of which none beats another in \
         every objective on fresh deals" {
        /// the number of the candidate, as in candidates.csv
        candidate: u64,
        /// the rule set: every varied key with its value, separated by spaces
        rules: String,
        /// whether all constraints are `met`, or else the worst verdict
        constraints: String,
        /// the objective as given
        goal: String,
        /// the metric
        metric: String,
        /// its value, averaged over the numbers of seats
        value: Option<f64>,
        /// lower bound of the interval; all intervals of the run hold together with 95%
        ci_low: Option<f64>,
        /// upper bound
        ci_high: Option<f64>,
        /// what one unit of this objective costs in the first objective, compared with the next rule set of the front; empty for
        /// the first objective and the last rule set, and if the next rule set is not better in this objective
        cost: Option<f64>,
    }
}
