//! Scenario files as data; unknown keys are rejected.

use serde::Deserialize;

/// A `[[scenario]]` table.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ScenarioDocument {
    pub(super) name: String,
    pub(super) variant: String,
    #[serde(default)]
    pub(super) set: toml::Table,
    pub(super) seats: usize,
    pub(super) dealer: Option<usize>,
    pub(super) direction: Option<String>,
    pub(super) to_act: Option<usize>,
    #[serde(default)]
    pub(super) hands: Vec<String>,
    pub(super) discard: Option<String>,
    pub(super) color: Option<String>,
    #[serde(default)]
    pub(super) draw: String,
    #[serde(default)]
    pub(super) draw_exact: bool,
    pub(super) start: Option<String>,
    #[serde(default)]
    pub(super) chance: Vec<String>,
    #[serde(default)]
    pub(super) scores: Vec<u32>,
    #[serde(default)]
    pub(super) seed: u64,
    pub(super) steps: Vec<StepDocument>,
}

/// One entry of `steps`: exactly one of `do`, `expect`, `sees` and `next_round`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct StepDocument {
    pub(super) seat: Option<usize>,
    #[serde(rename = "do")]
    pub(super) action: Option<String>,
    #[serde(default)]
    pub(super) error: bool,
    pub(super) expect: Option<Expectation>,
    pub(super) sees: Option<ExpectedKnowledge>,
    pub(super) next_round: Option<bool>,
}

/// The expectations; every given key must hold.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expectation {
    pub(super) to_act: Option<ToAct>,
    pub(super) decision: Option<String>,
    pub(super) legal: Option<Vec<String>>,
    pub(super) legal_has: Option<Vec<String>>,
    pub(super) legal_not: Option<Vec<String>>,
    pub(super) hands: Option<Vec<String>>,
    pub(super) hand_sizes: Option<Vec<i64>>,
    pub(super) top: Option<String>,
    pub(super) color: Option<String>,
    pub(super) direction: Option<String>,
    pub(super) draw_pile: Option<u32>,
    pub(super) discard_pile: Option<u32>,
    pub(super) round_over: Option<bool>,
    pub(super) went_out: Option<usize>,
    pub(super) void: Option<bool>,
    pub(super) dealer: Option<usize>,
    pub(super) points: Option<Vec<u32>>,
    pub(super) scores: Option<Vec<u32>>,
    pub(super) match_over: Option<bool>,
    pub(super) match_winners: Option<Vec<usize>>,
}

/// A seat number, or `"none"`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged, expecting = "expected a seat or \"none\"")]
pub(super) enum ToAct {
    Seat(usize),
    Word(String),
}

/// The knowledge of a seat about another's hand.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedKnowledge {
    pub(super) by: usize,
    pub(super) seat: usize,
    pub(super) hand: String,
    #[serde(default)]
    pub(super) exact: bool,
}
