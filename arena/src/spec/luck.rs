//! Whether results are adjusted for luck, and their unit.

use serde::{Deserialize, Serialize};
use unolab_stats::control_variates;
use unolab_stats::logit::Model;

/// The number of controls by cards: three classes of dealt cards, the same three of drawn cards, and whether a drawn card
/// can be played.
pub const NUM_CARD_CONTROLS: usize = 7;

/// The number of controls including the luck by the model of the winner.
pub const NUM_CONTROLS: usize = NUM_CARD_CONTROLS + 1;

/// The last control: the change of the winning probability by chance.
pub const CHANCES: usize = NUM_CARD_CONTROLS;

/// Names of the controls.
pub const NAMES: [&str; NUM_CONTROLS] = [
    "dealt_wilds",
    "dealt_draw_fours",
    "dealt_actions",
    "drawn_wilds",
    "drawn_draw_fours",
    "drawn_actions",
    "drawn_playable",
    "chances",
];

/// Luck is counted in millionths of a card, and of a win.
pub const CARD: i64 = control_variates::CONTROL;

/// The unit of a luck-adjusted result, as parts of the unit of a win.
pub const FINE: i64 = control_variates::FINE;

/// The luck of one seat, in millionths of a card, and of a win.
pub type Luck = [i64; NUM_CONTROLS];

/// The coefficients of the controls, in wins per card.
pub type Coefficients = control_variates::Coefficients<NUM_CONTROLS>;

/// Estimates the coefficients.
pub type Regression = control_variates::Regression<NUM_CONTROLS>;

/// The luck adjustment, fitted on games of other seeds.
#[derive(Debug, Clone, PartialEq)]
pub struct LuckModel {
    /// The model of the winner, with all hands open; without it only the luck of the cards is counted.
    pub model: Option<Model>,
    /// The coefficient of each control.
    pub coefficients: Coefficients,
}

/// Whether luck-adjusted results are computed in addition to the raw results.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LuckAdjustment {
    /// Only the raw results.
    #[default]
    #[serde(rename = "left-in")]
    Off,
    /// Raw and luck-adjusted results.
    #[serde(rename = "taken-off")]
    On,
}
