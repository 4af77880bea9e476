//! The deck of resolved rules, card by card. The text of rules lists number cards only if their copies are unusual.

use std::collections::BTreeMap;

use unolab_engine::color::Color;

/// The comment above the deck of resolved rules.
pub(crate) fn comment(cards: u32) -> String {
    format!(
        "# {cards} cards. Numbers not listed: one 0 and two of each 1 to 9 in every color. The key of a single card, such as r7 or bS, overrides its group.\n"
    )
}

/// The action cards that resolved rules list for all colors at once, each with the letter of its code.
const ACTIONS: [(&str, char); 3] = [("skip", 'S'), ("reverse", 'R'), ("draw_two", 'D')];

/// The keys `deck.*` of resolved rules and their copies, one for every ordinary card: `r7`, `bS`, `wild`.
pub(crate) fn card_by_card(keys: &BTreeMap<String, String>) -> BTreeMap<String, String> {
    let mut cards = BTreeMap::new();
    let named = |card: &str| keys.get(&format!("deck.{card}")).cloned();
    let letters = || Color::ALL.map(Color::letter);
    for number in 0..=9 {
        let usual = if number == 0 { "1" } else { "2" };
        for letter in letters() {
            let card = format!("{letter}{number}");
            cards.insert(card.clone(), named(&card).unwrap_or_else(|| usual.into()));
        }
    }
    for (action, code) in ACTIONS {
        for letter in letters() {
            let card = format!("{letter}{code}");
            let copies = named(&card).or_else(|| named(action)).unwrap_or_else(|| "0".into());
            cards.insert(card, copies);
        }
    }
    let others = keys.iter().filter_map(|(key, copies)| Some((key.strip_prefix("deck.")?, copies)));
    for (card, copies) in others.filter(|(card, _)| ACTIONS.iter().all(|(action, _)| action != card)) {
        cards.insert(card.to_owned(), copies.clone());
    }
    cards
}

/// The differences of two decks: the card, and its copies in each. A card with the same difference in every color is
/// listed once, as `7` or `skip`.
pub(crate) fn differences(
    one: &BTreeMap<String, String>,
    other: &BTreeMap<String, String>,
) -> Vec<(String, String, String)> {
    let (one, other) = (card_by_card(one), card_by_card(other));
    let none = "0".to_owned();
    let copies = |card: &String| (one.get(card).unwrap_or(&none).clone(), other.get(card).unwrap_or(&none).clone());
    let mut differing: BTreeMap<String, (String, String)> =
        one.keys().chain(other.keys()).map(|card| (card.clone(), copies(card))).filter(|(_, (a, b))| a != b).collect();
    let groups = (0..=9).map(|number| (number.to_string(), number.to_string()));
    let groups = groups.chain(ACTIONS.map(|(action, code)| (action.to_owned(), code.to_string())));
    for (group, ending) in groups {
        let cards = Color::ALL.map(|color| format!("{}{ending}", color.letter()));
        let all: Vec<_> = cards.iter().filter_map(|card| differing.get(card).cloned()).collect();
        if all.len() == cards.len() && all.iter().all(|pair| *pair == all[0]) {
            cards.iter().for_each(|card| _ = differing.remove(card));
            differing.insert(group, all[0].clone());
        }
    }
    differing.into_iter().map(|(card, (one, other))| (card, one, other)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_differing_in_every_color_is_listed_once() {
        let deck = |keys: &[(&str, &str)]| -> BTreeMap<String, String> {
            keys.iter().map(|&(key, copies)| (format!("deck.{key}"), copies.into())).collect()
        };
        let classic = deck(&[("skip", "2"), ("reverse", "2"), ("draw_two", "2"), ("wild", "4")]);
        assert_eq!(card_by_card(&classic)["b0"], "1");
        let mut own = classic.clone();
        own.extend(deck(&[
            ("r0", "0"),
            ("y0", "0"),
            ("g0", "0"),
            ("b0", "0"),
            ("skip", "3"),
            ("r7", "8"),
            ("wild", "6"),
        ]));
        let differing = |one, other| -> Vec<String> {
            differences(one, other).into_iter().map(|(card, one, other)| format!("{card}: {one}, {other}")).collect()
        };
        assert_eq!(differing(&own, &classic), ["0: 0, 1", "r7: 8, 2", "skip: 3, 2", "wild: 6, 4"]);
        assert!(differing(&own, &own).is_empty());
    }
}
