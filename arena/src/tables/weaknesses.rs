//! `weaknesses.csv`: where the decisions of agents cost most.

use super::row;

row! {
    /// The choices of one agent of one kind, or in one situation.
    pub struct WeaknessRow in "weaknesses.csv", "the choices of one agent of one kind, or in one situation" {
        /// the agent
        agent: String,
        /// all, kind or situation
        grouping: String,
        /// the kind or the situation; empty for all choices
        group: String,
        /// the number of deals, which are the unit of the error
        deals: u64,
        /// the number of games that the agent played
        games: u64,
        /// the number of its choices in this group
        decisions: u64,
        /// the value of the action that net would have chosen minus the value of its choice, summed per game: the chance to
        /// win, or the points, that it loses compared with net in the same positions. Below 0, it chose better than net
        loss_per_game: f64,
        /// standard error of loss_per_game, over deals
        se: Option<f64>,
        /// lower bound of loss_per_game: Student's interval with deals − 1 degrees of freedom
        ci_low: Option<f64>,
        /// upper bound of loss_per_game
        ci_high: Option<f64>,
        /// the same sum for the actions that heuristic would have chosen in these positions
        heuristic_loss_per_game: f64,
    }
}
