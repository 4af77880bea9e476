//! Estimates of text widths: the reader's own font is used, so exact widths are unknown.

/// The size of small letters.
pub(super) const SMALL: f64 = 11.0;

/// The size of ordinary letters.
pub(super) const NORMAL: f64 = 12.0;

/// The width of a text at this font size, for common fonts without serifs.
pub(super) fn width(text: &str, size: f64) -> f64 {
    size * text.chars().map(ems).sum::<f64>()
}

fn ems(letter: char) -> f64 {
    match letter {
        'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '|' | '\'' | '!' | ' ' | '(' | ')' | '[' | ']' => 0.34,
        'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.92,
        'A'..='Z' | '=' | '+' | '<' | '>' | '−' | '#' | '…' => 0.7,
        // From Hangul on most letters are as wide as high.
        '\u{1100}'.. => 1.05,
        _ => 0.58,
    }
}

/// The text if it fits, otherwise its beginning and its end: names of the same agent differ at either.
pub(super) fn fit(text: &str, room: f64, size: f64) -> String {
    if width(text, size) <= room {
        return text.to_owned();
    }
    let room = room - width("…", size);
    let head = taken(text.chars(), 0.6 * room, size);
    let tail: Vec<char> = taken(text.chars().rev(), 0.4 * room, size);
    head.into_iter().chain(['…']).chain(tail.into_iter().rev()).collect()
}

/// The text in one line if it fits, otherwise in two, divided at the last space or comma that fits, or at an equals sign.
pub(super) fn in_two_lines(text: &str, room: f64, size: f64) -> Vec<String> {
    let last_of = |signs: [char; 2]| {
        let mut ends = text.char_indices().filter(|(_, letter)| signs.contains(letter)).map(|(at, _)| at + 1);
        ends.rfind(|&end| width(text[..end].trim_end(), size) <= room)
    };
    match last_of([' ', ',']).or_else(|| last_of(['=', '='])) {
        Some(end) if width(text, size) > room => vec![text[..end].trim_end().to_owned(), text[end..].to_owned()],
        _ => vec![text.to_owned()],
    }
}

fn taken(letters: impl Iterator<Item = char>, room: f64, size: f64) -> Vec<char> {
    let mut used = 0.0;
    letters
        .take_while(|&letter| {
            used += size * ems(letter);
            used <= room
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_name_is_shortened_in_middle() {
        assert_eq!(fit("greedy", 100.0, NORMAL), "greedy");
        let cut = fit("monte-carlo:rollouts=1000,policy=forgetful", 120.0, NORMAL);
        assert!(cut.starts_with("monte") && cut.ends_with("ful") && cut.contains('…'), "{cut}");
        assert!(width(&cut, NORMAL) <= 120.0);
        assert_eq!(fit("", 0.0, NORMAL), "");
        // No letter is wider than high; a capital letter is narrower than the widest small letter.
        assert!(width("i", 10.0) < width("a", 10.0) && width("a", 10.0) < width("A", 10.0));
        assert!(width("A", 10.0) < width("m", 10.0) && width("m", 10.0) < 10.0);
        assert!(width(&fit("大貧民大貧民大貧民", 60.0, NORMAL), NORMAL) <= 60.0);
    }

    #[test]
    fn long_text_is_divided_at_space_or_comma() {
        let lines = |text| in_two_lines(text, 100.0, SMALL);
        assert_eq!(lines("a b"), ["a b"]);
        assert_eq!(lines("deck.wild=0 deck.reverse=4"), ["deck.wild=0", "deck.reverse=4"]);
        assert_eq!(lines("one:a=1,iterations=1000"), ["one:a=1,", "iterations=1000"]);
        assert_eq!(lines("house.stacking=same_kind"), ["house.stacking=", "same_kind"]);
        assert_eq!(lines("house_stacking_same_kind"), ["house_stacking_same_kind"]);
    }
}
