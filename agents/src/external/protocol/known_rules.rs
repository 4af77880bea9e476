//! The rules that a program plays by, with their message.

use unolab_engine::rules::Rules;

use super::message::Message;

/// Rules that a program has played by.
pub(crate) struct KnownRules {
    rules: Rules,
    /// The message with the rules and every key.
    pub(crate) line: String,
    /// The same with the keys that files have to give, for seeds, which a new key must not change.
    pub(crate) line_for_seeds: String,
}

impl KnownRules {
    pub(crate) fn new(rules: &Rules) -> Self {
        let keys = rules.parameters();
        Self {
            line: Message::rules(rules, keys.entries()),
            line_for_seeds: Message::rules(rules, keys.entries_to_write()),
            rules: rules.clone(),
        }
    }

    pub(crate) fn are(&self, rules: &Rules) -> bool {
        self.rules.name() == rules.name()
            && self.rules.parameters() == rules.parameters()
            && self.rules.kinds() == rules.kinds()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_rules_of_same_name_are_sent_again() {
        let with = |key: &str, value: &str| {
            let rules = Rules::builder("classic").set(key, value).expect("a key");
            rules.build().expect("good rules")
        };
        let classic = KnownRules::new(&Rules::preset("classic"));
        assert!(classic.are(&Rules::preset("classic")));
        for other in [with("house.jump_in", "true"), with("deck.wild", "5"), Rules::preset("cars")] {
            assert!(!classic.are(&other));
        }
    }

    /// The message does not name kinds without a card in the deck.
    #[test]
    fn hello_message_lists_deck_cards() {
        let told = |name: &str| {
            let rules = KnownRules::new(&Rules::preset(name));
            let line: serde_json::Value = serde_json::from_str(&rules.line).expect("JSON");
            let cards = line["cards"].as_array().expect("a list").clone();
            (cards.len(), cards.iter().map(|card| card["copies"].as_u64().expect("a number")).sum::<u64>())
        };
        assert_eq!((told("classic"), told("handheld").1), ((54, 108), 108));
    }
}
