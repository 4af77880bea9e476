//! `quality.csv`: how well agents choose.

use serde::Serialize;

use super::Row;

/// The choices of one agent at one number of legal actions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct QualityRow {
    pub agent: String,
    pub actions: Option<usize>,
    pub decisions: u64,
    pub hit_rate: f64,
    pub mean_rank: f64,
    pub mean_regret: f64,
}

impl Row for QualityRow {
    const FILE: &'static str = "quality.csv";
    const ROW: &'static str = "the choices of one agent at one number of legal actions";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("agent", "the agent"),
        ("actions", "how many actions were legal, K; empty for all choices together"),
        ("decisions", "how many choices"),
        ("hit_rate", "share of choices that no action would have beaten: the optimal-decision hit rate ODHR@K"),
        ("mean_rank", "mean rank of the action chosen: the average decision rank ADR@K"),
        ("mean_regret", "mean of how much more the best action is worth, which noise in the values makes larger"),
    ];
}
