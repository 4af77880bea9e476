//! [`TextError`]: the reason why a text is not a state.

use std::fmt;

/// The reason why a text is not a state under these rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
#[non_exhaustive]
pub struct TextError {
    /// The key, the error, and the allowed values.
    pub reason: String,
}

impl TextError {
    pub(super) fn new(key: impl fmt::Display, reason: impl fmt::Display) -> Self {
        Self { reason: format!("{key}: {reason}") }
    }
}
