//! [`printable`]: text from others, made safe for a terminal or a page.

use unolab_arena::words::turns_text;

/// The text with a mark in place of what XML forbids or a terminal obeys, and of what would turn the text around it: names
/// and notes can be anything.
pub(crate) fn printable(text: &str) -> String {
    let is_forbidden = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') || turns_text(c);
    text.replace(is_forbidden, "\u{fffd}")
}

/// The same for a text of several lines.
pub(crate) fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}
