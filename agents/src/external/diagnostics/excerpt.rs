//! Excerpts of what a program wrote.

use crate::printable::printable;

/// The length of an excerpt in characters.
const MAX_CHARS: usize = 160;

/// The beginning of a text for a table: short, and without invisible characters.
pub(crate) fn excerpt(text: &str) -> String {
    printable(&truncated(text, MAX_CHARS))
}

/// The first characters of a text, with an ellipsis if there are more.
pub(crate) fn truncated(text: &str, max_chars: usize) -> String {
    let mut short: String = text.chars().take(max_chars).collect();
    if text.chars().nth(max_chars).is_some() {
        short.push('…');
    }
    short
}
