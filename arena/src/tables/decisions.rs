//! `decisions.csv`: the choices of game records, valued.

use serde::Serialize;

use super::Row;

/// A choice between two or more legal actions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct DecisionRow {
    pub record: String,
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
    pub best: String,
    pub best_value: f64,
    pub values: String,
}

impl Row for DecisionRow {
    const FILE: &'static str = "decisions.csv";
    const ROW: &'static str = "a choice between two or more legal actions";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("record", "the record"),
        ("line", "its line with the choice, from 1"),
        ("round", "the round of the match, from 1"),
        ("seat", "who chose"),
        ("agent", "the agent in that seat"),
        ("actions", "how many actions were legal"),
        ("chosen", "the action chosen"),
        ("value", "its mean return in the rollouts"),
        ("rank", "1 if no action has a higher value, 2 if one has, and so on"),
        ("regret", "how much more the best action is worth"),
        ("regret_se", "the standard error of that difference, over the worlds in pairs"),
        ("best", "the action of highest value"),
        ("best_value", "its value"),
        ("values", "the value of every legal action"),
    ];
}
