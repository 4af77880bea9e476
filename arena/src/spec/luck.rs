//! Whether results are adjusted for luck, and their unit.

use serde::{Deserialize, Serialize};
use unolab_stats::control_variates;
use unolab_stats::logit::Model;

/// What is told apart of the cards themselves: three classes of cards dealt, the same three drawn, and whether a drawn card
/// can be played.
pub const NUM_CARD_CONTROLS: usize = 7;

/// Those, and what chance was worth by the model of who will win.
pub const NUM_CONTROLS: usize = NUM_CARD_CONTROLS + 1;

/// The last control: by how much chance moved the chance of winning.
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

/// A result is counted in so many parts of a win's unit when luck has been taken off.
pub const FINE: i64 = control_variates::FINE;

/// What one seat got beyond the average, in millionths of a card, and of a win.
pub type Luck = [i64; NUM_CONTROLS];

/// How much of a win a card beyond the average is worth, by what is told apart.
pub type Coefficients = control_variates::Coefficients<NUM_CONTROLS>;

/// Finds the coefficients.
pub type Regression = control_variates::Regression<NUM_CONTROLS>;

/// What is fitted on games of other seeds, and then frozen.
#[derive(Debug, Clone, PartialEq)]
pub struct WorthOfLuck {
    /// Who will win, with all hands open; without it the luck of the cards alone is counted.
    pub model: Option<Model>,
    /// What each control is worth.
    pub coefficients: Coefficients,
}

/// Whether the luck of the cards is taken off the results, beside the results as they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LuckIs {
    /// Only the results as they are.
    #[default]
    LeftIn,
    /// Both.
    TakenOff,
}
