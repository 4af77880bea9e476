//! Rows of `metrics.csv`, `sweep.csv`, `points.csv` and `faults.csv` of a balance run.

use crate::tables::row;

row! {
    /// One metric of a variant.
    pub struct MetricsRow in "metrics.csv", "one metric of one variant at one number of seats" {
        /// the rules
        variant: String,
        /// the number of seats
        seats: usize,
        /// the agents at the tables
        field: String,
        /// the metric; with the prefix `match_`, of whole matches
        metric: String,
        /// its value
        value: Option<f64>,
        /// standard error, over sets
        se: Option<f64>,
        /// lower bound of the 95% interval
        ci_low: Option<f64>,
        /// upper bound
        ci_high: Option<f64>,
        /// the number of games, turns, decisions, or rounds, depending on the metric
        n: Option<u64>,
    }
}

row! {
    /// One metric of an arm compared with the base.
    pub struct SweepRow in "sweep.csv", "one metric of one arm compared with the base, on the same deals" {
        /// the rules of the base
        variant: String,
        /// the number of seats
        seats: usize,
        /// the agents at the tables
        field: String,
        /// the change: the changed keys, separated by spaces; `void:CARD`: a card without its effect; `dealt:CARD`: this card
        /// dealt to one seat instead of its first card; `control`: the same rules and deals, with different random numbers
        /// for the agents, so its differences are noise
        arm: String,
        /// the metric, as in metrics.csv
        metric: String,
        /// its value in the arm; empty for `dealt`
        value: Option<f64>,
        /// its value in the base
        base: Option<f64>,
        /// value minus base
        difference: f64,
        /// standard error of the difference, paired by sets
        se: Option<f64>,
        /// lower bound of the 95% interval of the difference: Student's, wider if few sets differ; empty if none does
        ci_low: Option<f64>,
        /// upper bound
        ci_high: Option<f64>,
        /// two-sided p-value of no difference
        p: Option<f64>,
        /// the same, by Holm's method over all rows of this file except the rows of `control`
        p_holm: Option<f64>,
        /// sets in both
        sets: u64,
        /// sets in which the metric has different counts in arm and base; empty for `dealt`
        unequal_sets: Option<u64>,
    }
}

row! {
    /// One number about the points that winners take.
    pub struct PointsRow in "points.csv", "one statistic of the points left in the other hands when a player goes out" {
        /// the rules of the base
        variant: String,
        /// the number of seats
        seats: usize,
        /// the agents at the tables
        field: String,
        /// single rounds, or the rounds of matches
        unit: String,
        /// `base`, or the changed rules, as in sweep.csv
        arm: String,
        /// mean, sd, quantiles q05 to q95, or share(CARD): the share of these cards in all points
        statistic: String,
        /// its value
        value: Option<f64>,
        /// standard error, over sets; none for sd and quantiles
        se: Option<f64>,
        /// lower bound of the 95% interval
        ci_low: Option<f64>,
        /// upper bound
        ci_high: Option<f64>,
        /// rounds with a winner; for shares, points
        n: u64,
    }
}

row! {
    /// One fault.
    pub struct FaultRow in "faults.csv",
        "a fault that lost an agent a game (the file exists only if there are any): the first 100 of each agent in an \
         arm; `fault_share` counts the faults of the base and its `dealt:CARD` in metrics.csv, and the faults of another \
         arm in sweep.csv" {
        /// the rules of the base
        variant: String,
        /// the number of seats
        seats: usize,
        /// whether the game is a single round or a match
        unit: String,
        /// `base`, or the changed rules, as in sweep.csv
        arm: String,
        /// the agent at fault, in any seat
        entrant: String,
        /// the number of the game in the run: set by set, arm by arm
        index: u64,
        /// the deal of the game
        set: u64,
        /// the seat of the agent
        seat: usize,
        /// the number of the decision among the agent's decisions in the game, from 1
        decision: u32,
        /// `crash`, `decision-time`, `game-time`, `malformed`, `stale`, `illegal`, or `flood`
        kind: String,
        /// a description of the fault
        what: String,
    }
}
