//! [`Sound`].

use serde::Serialize;
use unolab::Action;

/// A sound that the page may play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sound {
    /// A button.
    Click,
    /// A card is played.
    Card,
    /// A card is drawn.
    Draw,
    /// UNO was called.
    Uno,
    /// A player was caught.
    Caught,
    /// A round is over.
    Fanfare,
    /// The button has no effect now.
    Refused,
}

impl Sound {
    /// The sound of an action, if it has one.
    pub(super) const fn of(action: Action) -> Option<Self> {
        match action {
            Action::Play(_) | Action::PlayNaming(..) => Some(Self::Card),
            Action::Draw => Some(Self::Draw),
            Action::Uno => Some(Self::Uno),
            Action::Catch(_) => Some(Self::Caught),
            _ => None,
        }
    }
}
