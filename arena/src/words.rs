//! Counted nouns in English, and checks of names.

/// `1,234,567`.
#[must_use]
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let head = (digits.len() - 1) % 3 + 1;
    let tail = digits.as_bytes()[head..].chunks(3).map(|three| String::from_utf8_lossy(three));
    tail.fold(digits[..head].to_owned(), |text, three| text + "," + &three)
}

/// `1 game`, `2,000 games`.
#[must_use]
pub fn counted(number: u64, thing: &str) -> String {
    format!("{} {}", grouped(number), if number == 1 { thing.to_owned() } else { plural(thing) })
}

/// `7 of 100 sets differ`: the others tie.
#[must_use]
pub fn sets_that_differ(unequal: u64, sets: u64) -> String {
    let verb = if unequal == 1 { "differs" } else { "differ" };
    format!("{} of {} {verb}", grouped(unequal), counted(sets, "set"))
}

/// `games` of `game`, `matches` of `match`.
#[must_use]
pub fn plural(thing: &str) -> String {
    let hisses = ["s", "x", "ch", "sh"].iter().any(|end| thing.ends_with(end));
    format!("{thing}{}", if hisses { "es" } else { "s" })
}

/// The text with a capital letter.
#[must_use]
pub fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// Does this character turn the text around it, so that it is not read in the order of its characters?
#[must_use]
pub const fn turns_text(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// Why a text cannot be the name of an entrant or a variant, in words. Names appear in tables, on terminals and on pages.
/// A control character or a direction mark would change the display, and a cell that begins with one of `=+-@` is a
/// formula to a spreadsheet.
#[must_use]
pub fn wrong_in_name(name: &str) -> Option<String> {
    if let Some(wrong) = name.chars().find(|&c| c.is_control() || turns_text(c)) {
        return Some(format!("the name {name:?} has the invisible character {}", wrong.escape_unicode()));
    }
    let first = name.chars().next().filter(|first| "=+-@".contains(*first))?;
    Some(format!("the name {name:?} begins with {first}, which makes it a formula to a spreadsheet"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_thing_and_several() {
        assert_eq!([0, 1, 2_000].map(|number| counted(number, "game")), ["0 games", "1 game", "2,000 games"]);
        assert_eq!(["match", "crash", "illegal answer"].map(plural), ["matches", "crashes", "illegal answers"]);
    }

    #[test]
    fn sets_that_differ_agree_with_their_verb() {
        let text = [0, 1, 7].map(|unequal| sets_that_differ(unequal, 2_000));
        assert_eq!(text, ["0 of 2,000 sets differ", "1 of 2,000 sets differs", "7 of 2,000 sets differ"]);
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
