//! Groups of cards, and rules with a card that has no effect.

use std::fmt;

use thiserror::Error;
use unolab_engine::card::{Card, Face};
use unolab_engine::rules::{CardDef, CardKind, CustomCard, Rules, Special};

/// Cards that are counted as a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Group {
    /// 0 to 9.
    Number,
    /// Skip, Reverse or Draw Two.
    Action(Face),
    /// A special card of some edition.
    Special(Special),
    /// Blank cards.
    Custom,
}

impl Group {
    /// Every possible group.
    pub const ALL: [Self; 12] = [
        Self::Number,
        Self::Action(Face::Skip),
        Self::Action(Face::Reverse),
        Self::Action(Face::DrawTwo),
        Self::Special(Special::Wild),
        Self::Special(Special::WildDrawFour),
        Self::Special(Special::VillainDrawFour),
        Self::Special(Special::CheeseTouch),
        Self::Special(Special::SwapHands),
        Self::Special(Special::VictoryLap),
        Self::Special(Special::DiscardAll),
        Self::Custom,
    ];

    /// The group of a kind.
    #[must_use]
    pub const fn of(def: &CardDef) -> Self {
        match def.kind {
            CardKind::Ordinary(_, Face::Number(_)) => Self::Number,
            CardKind::Ordinary(_, face) => Self::Action(face),
            CardKind::Special(special) => Self::Special(special),
            CardKind::Custom(_) => Self::Custom,
        }
    }

    /// Its place in [`Group::ALL`].
    #[must_use]
    pub fn index(self) -> usize {
        Self::ALL.iter().position(|&group| group == self).unwrap_or(Self::ALL.len() - 1)
    }

    /// The group with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|group| group.to_string() == name)
    }

    /// The first kind of the group in these rules.
    #[must_use]
    pub fn example(self, rules: &Rules) -> Option<Card> {
        rules.cards().find(|&card| Self::of(rules.card_def(card)) == self)
    }
}

/// As in `deck.skip` and `points.wild`; also `number` and `custom`.
impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number => f.write_str("number"),
            Self::Action(face) => f.write_str(&face.name()),
            Self::Special(special) => f.write_str(special.key()),
            Self::Custom => f.write_str("custom"),
        }
    }
}

/// Why a card cannot lose its effect.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum VoidError {
    /// The card has no effect.
    #[error("{0} has no effect to remove")]
    NoEffect(String),
    /// More Blank cards than codes.
    #[error("{0}: no code is left for a card without effect")]
    NoCode(String),
}

/// These rules, but the cards of a group have no effect: colored ones are matched by color and face as before, wilds
/// only name a color. Copies and points stay.
///
/// # Errors
/// If the cards already have no effect.
///
/// # Panics
/// Never: rules write themselves as TOML tables.
pub fn without_effect(rules: &Rules, group: Group) -> Result<String, VoidError> {
    if matches!(group, Group::Number | Group::Custom | Group::Special(Special::Wild)) {
        return Err(VoidError::NoEffect(group.to_string()));
    }
    let mut table: toml::Table = rules.to_toml().parse().expect("rules write themselves as TOML");
    let deck = table["deck"].as_table_mut().expect("the deck is a table");
    let mut blanks = Vec::new();
    for def in rules.kinds().iter().filter(|def| Group::of(def) == group) {
        deck.remove(&def.code);
        blanks.push(blank_instead_of(def, rules)?);
    }
    deck.insert(group.to_string(), 0.into());
    let custom = table.entry("custom").or_insert_with(|| toml::Value::Array(Vec::new()));
    custom.as_array_mut().expect("custom cards are a list").extend(blanks);
    Ok(toml::to_string(&table).expect("rules can be written"))
}

fn blank_instead_of(def: &CardDef, rules: &Rules) -> Result<toml::Value, VoidError> {
    let color = def.color.map_or("wild".to_owned(), |color| color.to_string());
    let letter = def.color.map_or('W', |color| color.letter());
    let is_taken = |code: &String| rules.kinds().iter().any(|other| other.code == *code);
    let code = ('A'..='Z').rev().map(|capital| format!("{letter}{capital}")).find(|code| !is_taken(code));
    let code = code.ok_or_else(|| VoidError::NoCode(def.code.clone()))?;
    // A colored card needs an effect, unless it has a face; a task that is always done has no consequence.
    let (matches, effects) = match (def.face(), def.color) {
        (Some(face), _) => (face.name(), "[]"),
        (None, None) => ("any".to_owned(), r#"["name_color"]"#),
        (None, Some(_)) => {
            ("color".to_owned(), r#"[{ task = { p = 1.0, fail = [{ draw = { who = "next", count = 1 } }] } }]"#)
        }
    };
    let start = if def.color.is_some() { "plain" } else { "return" };
    let text = format!(
        "name = \"{} without effect\"\ncode = \"{code}\"\ncolor = \"{color}\"\ncopies = {}\npoints = {}\nmatch = \"{matches}\"\n\
         start = \"{start}\"\neffects = {effects}\n",
        def.code, def.copies, def.points
    );
    let card: toml::Table = text.parse().expect("a blank card is well formed");
    let card: CustomCard = card.try_into().expect("a blank card is well formed");
    Ok(toml::Value::try_from(card).expect("a custom card can be written"))
}

#[cfg(test)]
mod tests {
    use unolab_engine::rules::presets;

    use super::*;
    use crate::spec::Variant;

    fn load(name: &str, text: String) -> Rules {
        let variant = Variant { name: name.into(), rules: text, hash: String::new() };
        crate::spec::variant::load_for_seats("spec/void", &[], &[4], &variant).unwrap().rules
    }

    #[test]
    fn card_without_effect_keeps_copies_points_and_colors() {
        for name in presets::NAMES {
            let rules = Rules::preset(name);
            for group in Group::ALL.into_iter().filter(|group| group.example(&rules).is_some()) {
                let Ok(text) = without_effect(&rules, group) else { continue };
                let void = load(name, text);
                assert_eq!(void.deck().len(), rules.deck().len(), "{name} {group}");
                assert_eq!(void.points_of(void.deck()), rules.points_of(rules.deck()), "{name} {group}");
                assert_eq!(group.example(&void), None);
            }
        }
    }

    #[test]
    fn card_without_effect_cannot_be_voided() {
        let rules = Rules::preset("classic");
        assert_eq!(without_effect(&rules, Group::Number), Err(VoidError::NoEffect("number".into())));
        assert_eq!(Group::named("draw_two"), Some(Group::Action(Face::DrawTwo)));
        assert_eq!(Group::named("joker"), None);
    }
}
