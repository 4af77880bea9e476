//! `decisions.csv`: the choices of game records, valued.

use super::row;

row! {
    /// A choice between two or more legal actions.
    pub struct DecisionRow in "decisions.csv", "a choice between two or more legal actions" {
        /// the record
        record: String,
        /// the master seed of the deal
        seed: u64,
        /// the number of the deal under that seed
        set: u64,
        /// the line of the record with the choice, from 1
        line: usize,
        /// its number among the deals and actions of the record, from 0, as in `unolab watch --move`
        move_number: usize,
        /// the round of the match, from 1
        round: u32,
        /// the seat that chose
        seat: usize,
        /// the agent in that seat
        agent: String,
        /// the kind of the choice: play, draw, play drawn, keep, color, or the notation's word for the decision
        kind: String,
        /// the situations of the position, separated by semicolons: opponent at one card, two cards in hand, hand of one
        /// color, end of the draw pile
        situations: String,
        /// the number of legal actions
        actions: usize,
        /// the action chosen
        chosen: String,
        /// its mean return in the rollouts, or its value to the net
        value: f64,
        /// 1 if no action has a higher value, 2 if one has, and so on
        rank: usize,
        /// the value of the best action minus the value of the chosen one; 0 for the best action
        regret: f64,
        /// the value of the best action in one half of the worlds minus the value of the chosen action, both evaluated in the
        /// other half, and vice versa. Use only sums: a single value can be below 0. By a net, the regret
        unbiased_regret: f64,
        /// the standard error of unbiased_regret, over pairs of worlds; 0 by a net
        unbiased_regret_se: f64,
        /// the action that heuristic would have chosen
        heuristic: String,
        /// the value of that action
        heuristic_value: f64,
        /// the action that net would have chosen
        net: String,
        /// the value of that action
        net_value: f64,
        /// the regret of the evaluator itself: the loss, in one half of the worlds, of the action that is best in the other
        /// half; 0 by a net
        noise_floor: f64,
        /// the action with the highest value
        best: String,
        /// its value
        best_value: f64,
        /// the value of every legal action
        values: String,
    }
}
