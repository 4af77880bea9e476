//! [`Button`].

use serde::{Deserialize, Serialize};

/// The buttons of the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// ENTER/PLAY: the highlighted card, or the selection.
    Enter,
    /// SCROLL LEFT.
    Left,
    /// SCROLL RIGHT.
    Right,
    /// DRAW; held: HI-SCORE.
    Draw,
    /// SOUND; held: NEW GAME.
    Sound,
    /// UNO: to call it, or to catch an opponent.
    Uno,
    /// RESET, on the back.
    Reset,
}
