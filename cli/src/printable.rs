//! [`printable`]: text from others, made safe for a terminal or a page.

/// The text with a mark in place of what XML forbids or a terminal obeys, and of what would turn the text around it: names
/// and notes can be anything.
pub(crate) fn printable(text: &str) -> String {
    let turns_text =
        |c| matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_forbidden = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') || turns_text(c);
    text.replace(is_forbidden, "\u{fffd}")
}

/// The same for a text of several lines.
pub(crate) fn printable_lines(text: &str) -> String {
    text.lines().map(printable).collect::<Vec<_>>().join("\n")
}
