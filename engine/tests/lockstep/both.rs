//! [`Both`]: one variant, loaded twice.

use unolab_engine::action::{Action, ActionId};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::rules::{BasicFeatures, FeatureSet, Rules};

use crate::common::Sheet;
use crate::reference::{Code, Move, Variant, code, engine_dir, load_variant, merge, set};

/// The same rules twice, and the conversions between their notations.
pub struct Both {
    pub rules: Rules,
    pub variant: Variant,
    pub codes: Vec<Code>,
    /// The card of each code, by its two characters.
    by_code: Vec<Option<Card>>,
    /// Each action as the model reads it, by its id; `None` if the deck does not have its card.
    moves: Vec<Option<Move>>,
    pub plain_fits: bool,
}

/// An override such as `deck.skip` overrides the file's keys for single cards.
fn forget_single_cards(table: &mut toml::Table, set: &[String]) {
    let Some(deck) = table.get_mut("deck").and_then(toml::Value::as_table_mut) else { return };
    for (key, letter) in [("deck.skip=", 'S'), ("deck.reverse=", 'R'), ("deck.draw_two=", 'D')] {
        if set.iter().any(|setting| setting.starts_with(key)) {
            ["r", "y", "g", "b"].iter().for_each(|color| drop(deck.remove(&format!("{color}{letter}"))));
        }
    }
}

impl Both {
    /// Loads a sheet in both, each with its own loader; an error if it is invalid for this number of seats.
    pub fn load(sheet: &Sheet, seats: usize) -> Result<Self, String> {
        let rules = sheet.rules(seats)?;
        let mut table = load_variant(&sheet.base, &engine_dir());
        merge(&mut table, &sheet.custom.parse().expect("TOML"));
        forget_single_cards(&mut table, &sheet.set);
        for setting in &sheet.set {
            let (key, text) = setting.split_once('=').expect("key=value");
            let parsed = format!("v = {text}").parse::<toml::Table>().ok().and_then(|mut table| table.remove("v"));
            set(&mut table, key, &parsed.unwrap_or_else(|| text.into()));
        }
        let codes: Vec<Code> = rules.kinds().iter().map(|kind| code(&kind.code)).collect();
        let move_of = |id: ActionId| {
            let action = id.action();
            if action.card().is_some_and(|card| card.index() >= codes.len()) {
                return None;
            }
            let (read, calls) = Move::read(&rules.write_action(action.into())).expect("the notation of an action");
            assert!(!calls, "a call in the notation of {action:?}");
            Some(read)
        };
        let moves = ActionId::all().map(move_of).collect();
        let mut by_code = vec![None; 1 << 14];
        for (code, card) in codes.iter().zip(rules.cards()) {
            by_code[place_of(code)] = Some(card);
        }
        Ok(Self {
            by_code,
            variant: Variant::from_table(&table),
            codes,
            moves,
            plain_fits: <BasicFeatures as FeatureSet>::fits(&rules),
            rules,
        })
    }

    /// The model's name for an action.
    pub fn told(&self, action: Action) -> Move {
        self.moves[action.id().index()].unwrap_or_else(|| panic!("{action:?} is of a card in no deck"))
    }

    fn card(&self, code: Code) -> Card {
        self.by_code[place_of(code)].unwrap_or_else(|| panic!("the engine's variant has no {code}"))
    }

    pub fn cards(&self, codes: &[Code]) -> Cards {
        codes.iter().map(|code| self.card(code)).collect()
    }

    pub fn codes(&self, cards: Cards) -> Vec<Code> {
        cards.iter().map(|card| self.codes[card.index()]).collect()
    }
}

/// A number for each code of one or two characters.
fn place_of(code: Code) -> usize {
    let letters = code.as_bytes();
    usize::from(letters[0]) << 7 | usize::from(*letters.get(1).unwrap_or(&0))
}
