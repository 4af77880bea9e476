//! `quality.csv`: how well agents choose.

use serde::Serialize;

use super::Row;

/// The choices of one agent at one number of legal actions.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
#[expect(missing_docs, reason = "documented in COLUMNS")]
pub struct QualityRow {
    pub agent: String,
    pub actions: Option<usize>,
    pub deals: u64,
    pub decisions: u64,
    pub hit_rate: f64,
    pub level_rate: f64,
    pub mean_rank: f64,
    pub mean_regret: f64,
    pub se: Option<f64>,
    pub ci_low: Option<f64>,
    pub ci_high: Option<f64>,
    pub noise_floor: f64,
}

impl Row for QualityRow {
    const FILE: &'static str = "quality.csv";
    const ROW: &'static str = "the choices of one agent at one number of legal actions";
    const COLUMNS: &'static [(&'static str, &'static str)] = &[
        ("agent", "the agent"),
        ("actions", "how many actions were legal, K; empty for all choices together"),
        ("deals", "of how many deals: the unit of the error, because choices within a deal are not independent"),
        ("decisions", "how many choices"),
        ("hit_rate", "share of choices that no action would have beaten: the optimal-decision hit rate ODHR@K"),
        (
            "level_rate",
            "share of choices whose regret is not above 0 by more than 1.96 of its errors: not to be told from the best",
        ),
        ("mean_rank", "mean rank of the action chosen: the average decision rank ADR@K"),
        (
            "mean_regret",
            "mean of how much more the best action is worth, chosen in half of the worlds and valued in the other half: noise \
             does not make it larger, but what half of the worlds calls best is not always the best",
        ),
        ("se", "standard error of mean_regret, over deals"),
        ("ci_low", "lower bound of mean_regret: Student's interval with deals − 1 degrees of freedom"),
        ("ci_high", "upper bound of mean_regret"),
        (
            "noise_floor",
            "mean regret of the judge judged by itself: what one half of the worlds calls best, by the other half alone",
        ),
    ];
}
