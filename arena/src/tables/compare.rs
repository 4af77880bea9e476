//! `compare.csv`: two runs of the same deals, compared number by number.

use super::row;

row! {
    /// A number of one run and the same number of another, over the deals that both have played.
    pub struct CompareRow in "compare.csv",
        "a number of the first run and the same number of the second, over the deals that both have played" {
        /// the rules of both runs, or of each if they differ
        variant: String,
        /// the number of seats
        seats: usize,
        /// the table that contains the number: summary.csv, seats.csv, or pairs.csv
        table: String,
        /// the entrant in the first run; for a pair, the first against the second
        a: String,
        /// the entrant in the second run: the one of the same name, otherwise the one in its place in the list
        b: String,
        /// position in the turn order, in seats.csv
        seat: Option<usize>,
        /// the column of that table; rounds and decisions are means per seat-game
        measure: String,
        /// the number in the first run, over the common deals
        first: Option<f64>,
        /// the number in the second run
        second: Option<f64>,
        /// second − first
        difference: Option<f64>,
        /// its standard error over deals, each deal compared with itself
        se: Option<f64>,
        /// lower bound of the difference: Student's interval with sets − 1 degrees of freedom, or the exact bound of a rare
        /// event if it is wider and few deals differ (fewer than 25, and at most a tenth)
        ci_low: Option<f64>,
        /// upper bound of the difference
        ci_high: Option<f64>,
        /// p-value of the test that there is no difference, Student's or the exact one; empty if no deal differs
        p: Option<f64>,
        /// the p-value adjusted by Holm's method over all rows with a p-value
        p_holm: Option<f64>,
        /// how many times as many deals two runs on different deals would need for the same error
        relative_efficiency: Option<f64>,
        /// deals that both have played
        sets: u64,
        /// deals in which the two numbers differ
        unequal_sets: Option<u64>,
    }
}
