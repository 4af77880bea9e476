//! [`printable`]: makes external text safe for a table, a terminal, or a page.

/// Whether a character changes how the text around it is displayed and does not appear itself: a control character, a direction
/// mark, a byte order mark, a space or joint without width, a tag. Text that displays such a character hides something.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}' | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{fffe}' | '\u{ffff}'
                | '\u{e0000}'..='\u{e007f}'
        )
}

/// The text with each invisible character replaced: a tab or a line end by a space, any other by its number, such as `<U+202E>`.
#[must_use]
pub fn printable(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' | '\n' | '\r' => shown.push(' '),
            c if is_invisible(c) => shown += &format!("<U+{:04X}>", u32::from(c)),
            c => shown.push(c),
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printable_shows_every_invisible_character_and_changes_nothing_else() {
        assert_eq!(printable("gre\u{1b}[31medy\u{202e}\ta\u{feff}"), "gre<U+001B>[31medy<U+202E> a<U+FEFF>");
        for hidden in
            ['\u{0}', '\u{7f}', '\u{85}', '\u{200e}', '\u{200b}', '\u{2066}', '\u{2069}', '\u{e0041}', '\u{ffff}']
        {
            assert_eq!(printable(&hidden.to_string()), format!("<U+{:04X}>", u32::from(hidden)));
        }
        for plain in ["", "Jürgen", "日本", "a b", "\u{1f469}\u{200d}\u{1f4bb}", "می\u{200c}خواهم", "“quoted” …"]
        {
            assert_eq!(printable(plain), plain);
        }
    }
}
