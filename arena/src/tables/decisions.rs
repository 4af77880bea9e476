//! `decisions.csv`: the choices of game records, valued.

use serde::Serialize;

use super::Row;

/// A choice between two or more legal actions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct DecisionRow {
    pub record: String,
    pub seed: u64,
    pub set: u64,
    pub line: usize,
    pub round: u32,
    pub seat: usize,
    pub agent: String,
    pub actions: usize,
    pub chosen: String,
    pub value: f64,
    pub rank: usize,
    pub regret: f64,
    pub regret_se: f64,
    pub noise_floor: f64,
    pub best: String,
    pub best_value: f64,
    pub values: String,
}

impl Row for DecisionRow {
    const FILE: &'static str = "decisions.csv";
    const ROW: &'static str = "a choice between two or more legal actions";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("record", "the record"),
        ("seed", "the master seed of its deal"),
        ("set", "which deal under that seed"),
        ("line", "its line with the choice, from 1"),
        ("round", "the round of the match, from 1"),
        ("seat", "who chose"),
        ("agent", "the agent in that seat"),
        ("actions", "how many actions were legal"),
        ("chosen", "the action chosen"),
        ("value", "its mean return in the rollouts"),
        ("rank", "1 if no action has a higher value, 2 if one has, and so on"),
        (
            "regret",
            "how much more the action is worth that is best in half of the worlds, valued in the other half, and the other way \
             round: without bias, and so it can be below 0",
        ),
        ("regret_se", "the standard error of that difference, over the worlds in pairs"),
        (
            "noise_floor",
            "the regret that the judge itself has: how much the action that is best in one half of the worlds seems to lose in \
             the other",
        ),
        ("best", "the action of highest value"),
        ("best_value", "its value"),
        ("values", "the value of every legal action"),
    ];
}
