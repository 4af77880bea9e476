//! Counted nouns in English, and checks of names.

use unolab_agents::printable::is_invisible;
pub use unolab_engine::spelling::grouped;

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

/// Why a text cannot be the name of an entrant or a variant, in words. Names appear in tables, on terminals and on pages.
/// An invisible character would change the display, and a cell that begins with one of `=+-@` is a
/// formula to a spreadsheet.
#[must_use]
pub fn wrong_in_name(name: &str) -> Option<String> {
    if let Some(wrong) = name.chars().find(|&c| is_invisible(c)) {
        return Some(format!("the name {name:?} has the invisible character {}", wrong.escape_unicode()));
    }
    let first = name.chars().next().filter(|first| "=+-@".contains(*first))?;
    Some(format!("the name {name:?} begins with {first}, which makes it a formula to a spreadsheet"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noun_is_plural_unless_count_is_one() {
        assert_eq!([0, 1, 2_000].map(|number| counted(number, "game")), ["0 games", "1 game", "2,000 games"]);
        assert_eq!(["match", "crash", "illegal answer"].map(plural), ["matches", "crashes", "illegal answers"]);
    }

    #[test]
    fn differing_sets_agree_with_verb() {
        let text = [0, 1, 7].map(|unequal| sets_that_differ(unequal, 2_000));
        assert_eq!(text, ["0 of 2,000 sets differ", "1 of 2,000 sets differs", "7 of 2,000 sets differ"]);
    }

    #[test]
    fn thousands_are_grouped() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1,000", "1,234,567"]);
    }
}
