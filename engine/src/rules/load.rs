//! Loads [`Rules`] from a variant file, its bases, and overrides, or lists all errors.

use std::collections::{BTreeMap, BTreeSet};

use super::card_def::{COLORED_ACTIONS, CardDef, CustomCard, Special, is_built_in_code, ordinary_code};
use super::card_keys;
use super::check::{self, Problem, path_of_code};
use super::custom_card;
use super::effect_problems;
use super::lines::{Lines, line_in};
use super::parameters::{KEYS, Parameters, PartialParameters, read_copies};
use super::presets;
use super::ruleset::Rules;
use super::table_size::TableSize;
use super::value::{Copies, KeyProblem, Value as _};
use crate::card::Face;
use crate::color::Color;
use crate::spelling::{grouped, nearest};

/// The source of variant files other than presets. The engine itself reads no files.
pub trait VariantFiles {
    /// The text of the file `base`, relative to the file `from` (empty for the first file), and its name in messages.
    ///
    /// # Errors
    /// The reason why the file cannot be read, as a sentence.
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String>;
}

/// A variant file's text, and its name in messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantText {
    /// A path, or the name of a preset.
    pub name: String,
    /// TOML.
    pub text: String,
}

/// Only presets, without files.
#[derive(Debug, Clone, Copy, Default)]
pub struct PresetsOnly;

impl VariantFiles for PresetsOnly {
    fn read(&self, base: &str, _from: &str) -> Result<VariantText, String> {
        Err(format!("unknown edition `{base}`; {}editions: {}", presets::suggestion(base), presets::NAMES.join(", ")))
    }
}

/// A key set outside the variant file, as with `--set key=value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Override {
    /// A rule key.
    pub key: String,
    /// Its value.
    pub value: toml::Value,
}

impl Override {
    /// This key with this value in TOML; a bare word is a string.
    #[must_use]
    pub fn new(key: &str, value: &str) -> Self {
        let value = value.trim();
        let parsed = format!("value = {value}").parse::<toml::Table>().ok();
        // Text with several values is not a value.
        let parsed = parsed.filter(|table| table.len() == 1).and_then(|mut table| table.remove("value"));
        Self { key: key.trim().into(), value: parsed.unwrap_or_else(|| value.into()) }
    }

    /// The keys and values of a table, whether its keys are quoted (`"uno.calls"`) or dotted.
    #[must_use]
    pub fn all_in(table: &toml::Table) -> Vec<Self> {
        let mut leaves = Vec::new();
        flatten("", &toml::Value::Table(table.clone()), &mut leaves);
        leaves.into_iter().map(|(key, value)| Self { key, value }).collect()
    }
}

/// The text is not of the form `key=value`.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not of the form key=value")]
#[non_exhaustive]
pub struct OverrideError(String);

impl std::str::FromStr for Override {
    type Err = OverrideError;

    /// `key=value`: the value is TOML; a bare word is a string.
    fn from_str(text: &str) -> Result<Self, OverrideError> {
        let (key, value) = text.split_once('=').ok_or_else(|| OverrideError(text.into()))?;
        Ok(Self::new(key, value))
    }
}

/// The reasons why rules cannot be loaded: all errors together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", self.first_reasons().join("\n"))]
pub struct LoadError {
    /// One line each: file, key, error, and allowed values.
    pub reasons: Vec<String>,
}

impl LoadError {
    /// The most reasons that a message lists.
    const MOST_LISTED: usize = 10;

    /// The first reasons, and as the last line the number of the others.
    #[must_use]
    pub fn first_reasons(&self) -> Vec<String> {
        let others = self.reasons.len().saturating_sub(Self::MOST_LISTED);
        let more = (others > 0).then(|| format!("and {} more", grouped(others as u64)));
        self.reasons.iter().take(Self::MOST_LISTED).cloned().chain(more).collect()
    }
}

/// Rules, and warnings about them.
#[derive(Debug, Clone)]
pub struct LoadedRules {
    /// The rules.
    pub rules: Rules,
    /// One line each, such as a key without effect for the cards in play.
    pub warnings: Vec<String>,
}

/// Loads the rules of a preset or a variant file.
///
/// # Errors
/// Every reason why they cannot be used, with file and key.
pub fn load(
    variant: &str,
    overrides: &[Override],
    size: TableSize,
    files: &dyn VariantFiles,
) -> Result<LoadedRules, LoadError> {
    VariantDraft::read(variant, overrides, files).rules(size)
}

/// The error in a single change, if any. Keys of custom cards depend on the variant, so only loading finds errors in them.
pub(super) fn problem_with(change: &Override) -> Option<String> {
    if card_keys::may_name_custom_card(&change.key) {
        return None;
    }
    VariantDraft::default().set_key(&change.key, &change.value).err().map(|problem| problem.to_string())
}

impl Rules {
    /// The rules of a preset, unchanged.
    ///
    /// # Panics
    /// If the preset is unknown; see [`presets::NAMES`].
    #[must_use]
    #[track_caller]
    pub fn preset(name: &str) -> Self {
        match load(name, &[], TableSize::Any, &PresetsOnly) {
            Ok(loaded) => loaded.rules,
            Err(error) => panic!("{error}"),
        }
    }
}

/// The maximum length of a chain of base files.
const MOST_FILES: usize = 100;

/// A variant that has been read: its rules are checked for one number of seats after another, without reading it again.
#[derive(Debug, Clone, Default)]
pub struct VariantDraft {
    name: String,
    parameters: PartialParameters,
    copies: BTreeMap<&'static str, u32>,
    copies_by_code: BTreeMap<String, u32>,
    custom: Vec<CustomCard>,
    /// Keys that are set by the user's files and overrides, with the position.
    own_keys: Vec<(String, String)>,
    /// The positions of the keys that are set outside the presets, in order.
    places: Vec<(String, String)>,
    /// Keys that were set to values that are not allowed.
    wrong_keys: Vec<String>,
    files: Vec<String>,
    /// Whether a file names its base.
    has_base: bool,
    reasons: Vec<String>,
}

/// All keys of `deck` and the custom cards.
const DECK: &str = "deck";

/// The key of `deck` for all number cards.
const NUMBERS: &str = "numbers";

/// The codes of the cards to which a key of `deck` applies: a color with its numbers and actions, all numbers, or one number
/// in every color.
fn group_of_cards(key: &str) -> Option<Vec<String>> {
    let all = || Color::ALL.into_iter().flat_map(|color| Face::ALL.into_iter().map(move |face| (color, face)));
    let codes = |is_in: &dyn Fn(Color, Face) -> bool| {
        all().filter(|&(color, face)| is_in(color, face)).map(|(color, face)| ordinary_code(color, face)).collect()
    };
    if key == NUMBERS {
        return Some(codes(&|_, face| matches!(face, Face::Number(_))));
    }
    if let Some(named) = Color::ALL.into_iter().find(|color| color.name() == key) {
        return Some(codes(&|color, _| color == named));
    }
    match key.parse() {
        Ok(number @ 0..=9_u8) if key.len() == 1 => Some(codes(&|_, face| face == Face::Number(number))),
        _ => None,
    }
}

/// The order in which the keys of one file, or all overrides, are set: keys of `deck` for more cards come first, so that
/// keys for fewer cards override them.
fn precedence(key: &str) -> usize {
    let Some(card) = key.strip_prefix("deck.") else { return 0 };
    match group_of_cards(card) {
        Some(_) if card == NUMBERS => 1,
        Some(codes) if codes.len() > 4 => 2,
        Some(_) => 3,
        None if COLORED_ACTIONS.iter().any(|(action, _)| *action == card) => 3,
        None if Special::ALL.into_iter().any(|special| special.key() == card) => 3,
        None => 4,
    }
}

impl VariantDraft {
    /// Reads a preset or a variant file. Its errors are returned with its rules.
    #[must_use]
    pub fn read(variant: &str, overrides: &[Override], files: &dyn VariantFiles) -> Self {
        let mut draft = Self { name: presets::short_name(variant), ..Self::default() };
        draft.read_named(variant, "", "", files);
        let mut overrides: Vec<&Override> = overrides.iter().collect();
        overrides.sort_by_cached_key(|change| precedence(&change.key));
        for Override { key, value } in overrides {
            draft.set(&format!("--set {key}"), key, value);
        }
        draft
    }

    /// Checks that its rules can be used at a table of this size.
    ///
    /// # Errors
    /// Every reason why they cannot be used, with file and key.
    pub fn check(&self, size: TableSize) -> Result<(), LoadError> {
        self.clone().finish(size).map(drop)
    }

    /// Its rules for a table of this size.
    ///
    /// # Errors
    /// Every reason why they cannot be used, with file and key.
    pub fn rules(&self, size: TableSize) -> Result<LoadedRules, LoadError> {
        let FinishedDraft { parameters, kinds, custom, warnings } = self.clone().finish(size)?;
        Ok(LoadedRules { rules: Rules::compile(&self.name, parameters, kinds, custom, size), warnings })
    }

    /// Reads a preset or a file that the file `from` names at `place`; if both are empty, the user names it.
    fn read_named(&mut self, name: &str, from: &str, place: &str, files: &dyn VariantFiles) {
        let source = match presets::text(name) {
            Some(text) => Ok(VariantText { name: name.into(), text: text.into() }),
            None => files.read(name, from),
        };
        match source {
            Err(reason) if from.is_empty() => self.reasons.push(reason),
            Err(reason) => self.reasons.push(format!("{place}: base: {reason}")),
            Ok(source) if self.files.contains(&source.name) => {
                self.reasons.push(format!("{place}: base: the file is its own base, over {}", self.files.join(", ")));
            }
            Ok(source) if self.files.len() >= MOST_FILES => {
                self.reasons.push(format!(
                    "{place}: base: {} would be one file too many; allowed: at most {MOST_FILES} files, each the base of the one before",
                    source.name
                ));
            }
            Ok(source) => {
                self.files.push(source.name.clone());
                self.read_text(&source, files);
            }
        }
    }

    fn read_text(&mut self, source: &VariantText, files: &dyn VariantFiles) {
        let (lines, mut table) = match Lines::parse(&source.text) {
            Ok(read) => read,
            Err(reasons) => {
                return self.reasons.extend(reasons.iter().map(|reason| {
                    let separator = if reason.starts_with(|c: char| c.is_ascii_digit()) { ":" } else { ": " };
                    format!("{}{separator}{reason}", source.name)
                }));
            }
        };
        // Without a base every key must be given, even a key without effect, so there is no warning.
        let is_preset = presets::NAMES.contains(&source.name.as_str());
        let chooses_its_keys = table.contains_key("base") && !is_preset;
        self.has_base |= table.contains_key("base");
        match table.remove("base") {
            None => {}
            Some(toml::Value::String(base)) => {
                self.read_named(&base, &source.name, &lines.place(&source.name, "base"), files);
            }
            Some(other) => self.reasons.push(format!(
                "{}: base: {other} is not allowed; allowed: the name of an edition ({}) or a path",
                lines.place(&source.name, "base"),
                presets::NAMES.join(", ")
            )),
        }
        let (of_bases, places_of_bases) = (self.reasons.len(), self.places.len());
        // `[[custom]]` defines cards; `custom.CODE.points = 5` changes one of a base.
        let is_keys = table.get("custom").is_some_and(toml::Value::is_table);
        if let Some(custom) = (!is_keys).then(|| table.remove("custom")).flatten() {
            self.read_custom(&source.name, &lines, custom);
        }
        let mut leaves = Vec::new();
        flatten("", &toml::Value::Table(table), &mut leaves);
        leaves.retain(|(key, value)| !(is_empty_table(value) && is_section(key)));
        leaves.sort_by_cached_key(|(key, _)| precedence(key));
        let mut keys = BTreeSet::new();
        for (key, value) in leaves {
            let line = lines.place(&source.name, &key);
            let place = format!("{line}: {key}");
            if !keys.insert(key.clone()) {
                self.reasons.push(format!("{place} is there twice, in quotes and without; allowed: once"));
            }
            self.set(&place, &key, &value);
            if chooses_its_keys {
                self.own_keys.push((place, key.clone()));
            }
            // Lines of a preset are never looked up.
            if !is_preset {
                self.places.push((key, line));
            }
        }
        self.reasons[of_bases..].sort_by_cached_key(|reason| line_in(reason, &source.name));
        self.places[places_of_bases..].sort_by_cached_key(|(_, place)| line_in(place, &source.name));
    }

    /// Sets one key; `place` is its position in error messages.
    fn set(&mut self, place: &str, key: &str, value: &toml::Value) {
        if let Err(problem) = self.set_key(key, value) {
            self.reasons.push(format!("{place}: {problem}"));
            self.wrong_keys.push(key.into());
        }
        if place.starts_with("--set") {
            self.own_keys.push((place.into(), key.into()));
            self.places.push((key.into(), place.into()));
        }
    }

    fn set_key(&mut self, key: &str, value: &toml::Value) -> Result<(), KeyProblem> {
        if let Some((code, path)) = card_keys::parse(key, &self.custom) {
            return card_keys::set(&mut self.custom, code, path, value);
        }
        match key.strip_prefix("deck.") {
            Some(card) => self.set_copies(card, value),
            None => self.parameters.set(key, value),
        }
    }

    fn set_copies(&mut self, card: &str, value: &toml::Value) -> Result<(), KeyProblem> {
        let mut keys = COLORED_ACTIONS.iter().map(|(key, _)| *key).chain(Special::ALL.map(Special::key));
        if let Some(key) = keys.find(|key| *key == card) {
            self.copies.insert(key, read_copies(value)?);
            // This overrides earlier values for single cards.
            if let Some((_, face)) = COLORED_ACTIONS.iter().find(|(action, _)| *action == key) {
                for color in Color::ALL {
                    self.copies_by_code.remove(&ordinary_code(color, *face));
                }
            }
            if let Some(special) = Special::ALL.into_iter().find(|special| special.key() == key) {
                self.copies_by_code.remove(special.code());
            }
        } else if let Some(codes) = group_of_cards(card) {
            let copies = read_copies(value)?;
            self.copies_by_code.extend(codes.into_iter().map(|code| (code, copies)));
        } else if is_built_in_code(card) {
            self.copies_by_code.insert(card.into(), read_copies(value)?);
        } else {
            let groups = Color::ALL.map(Color::name).into_iter().chain([NUMBERS]);
            let keys = COLORED_ACTIONS.iter().map(|(key, _)| *key).chain(Special::ALL.map(Special::key)).chain(groups);
            let meant = nearest(card, keys).map(|card| format!("deck.{card}").into());
            return Err(KeyProblem::Unknown { nearest: meant });
        }
        Ok(())
    }

    fn read_custom(&mut self, file: &str, lines: &Lines, custom: toml::Value) {
        let toml::Value::Array(cards) = custom else {
            let place = lines.place(file, "custom");
            return self.reasons.push(format!("{place}: custom: cards are written as [[custom]] tables"));
        };
        for (i, card) in cards.into_iter().enumerate() {
            let name = card
                .get("name")
                .and_then(toml::Value::as_str)
                .map_or_else(|| format!("number {}", i + 1), |n| format!("\"{n}\""));
            let problem = |key: &str, what: String| {
                let path = if key.is_empty() { format!("custom.{i}") } else { format!("custom.{i}.{key}") };
                format!("{}: custom card {name}: {what}", lines.place(file, &path))
            };
            let cards = match custom_card::in_each_color(&card) {
                Ok(cards) => cards,
                Err((key, what)) => {
                    self.reasons.push(problem(&key, what));
                    self.wrong_keys.push(DECK.into());
                    continue;
                }
            };
            for card in cards {
                let problems: Vec<String> = match custom_card::read(&card) {
                    Err(problems) => problems.into_iter().map(|(key, what)| problem(&key, what)).collect(),
                    Ok(card) => {
                        let problems = custom_card::problems(&card);
                        let place = lines.place(file, &format!("custom.{i}.code"));
                        if problems.is_empty() {
                            self.places.push((path_of_code(&card.code), format!("{place}: custom card {name}")));
                            self.custom.push(card);
                        }
                        problems.into_iter().map(|(key, what)| problem(key, what)).collect()
                    }
                };
                if !problems.is_empty() {
                    self.reasons.extend(problems);
                    self.wrong_keys.push(DECK.into());
                    break; // the other colors have the same errors
                }
            }
        }
    }

    /// Adds contradictions, each with the position of the last of its keys that was set. Contradictions with invalid values
    /// are unknown.
    fn add_contradictions(&mut self, problems: Vec<Problem>, source: &str) {
        let is_of = |key: &str, of: &str| key == of || (of == DECK && key.starts_with("deck."));
        for Problem { keys, what } in problems {
            let concerns = |key: &str| keys.iter().any(|of| is_of(key, of));
            if self.wrong_keys.iter().any(|key| concerns(key)) {
                continue;
            }
            let place = self.places.iter().rfind(|(key, _)| concerns(key)).map_or(source, |(_, place)| place);
            self.reasons.push(format!("{place}: {what}"));
        }
        // In the order of the file, followed by keys that are set on the command line.
        let line = |reason: &String| if reason.starts_with("--set") { usize::MAX } else { line_in(reason, source) };
        self.reasons.sort_by_cached_key(line);
    }

    fn finish(mut self, size: TableSize) -> Result<FinishedDraft, LoadError> {
        let source = self.files.first().unwrap_or(&self.name).clone();
        let copies_of = |draft: &Self, key: &str, code: &str| -> Option<u32> {
            draft.copies_by_code.get(code).or_else(|| draft.copies.get(key)).copied()
        };
        for key in COLORED_ACTIONS.iter().map(|(key, _)| *key).chain(Special::ALL.map(Special::key)) {
            if !self.copies.contains_key(key) && self.reasons.is_empty() {
                if !self.has_base {
                    self.reasons.push(format!(
                        "{source}: has no base and does not set deck.{key}; set every key, or begin with `base = \"classic\"`, or another \
                         of: {}",
                        presets::NAMES.join(", ")
                    ));
                    break;
                }
                self.reasons
                    .push(format!("{source}: deck.{key}: {}", KeyProblem::Missing { allowed: Copies::allowed() }));
            }
        }
        let parameters = match std::mem::take(&mut self.parameters).complete() {
            Ok(parameters) => parameters,
            Err(missing) => {
                // If a base could not be read, its error is enough.
                if self.reasons.is_empty() || missing.len() < KEYS.len() / 2 {
                    self.reasons.extend(missing.iter().map(|(key, problem)| format!("{source}: {key}: {problem}")));
                }
                return Err(LoadError { reasons: self.reasons });
            }
        };
        let mut kinds = Vec::new();
        for color in Color::ALL {
            for face in Face::ALL {
                let code = ordinary_code(color, face);
                let in_every_color = COLORED_ACTIONS.iter().find(|(_, action)| *action == face);
                let usual = match (in_every_color, face) {
                    (Some((key, _)), _) => copies_of(&self, key, &code).unwrap_or(0),
                    (None, Face::Number(0)) => 1,
                    (None, _) => 2,
                };
                let copies = self.copies_by_code.get(&code).copied().unwrap_or(usual);
                kinds.push(CardDef::ordinary(color, face, copies, &parameters));
            }
            kinds.extend(
                Special::ALL
                    .into_iter()
                    .filter(|special| special.color() == Some(color))
                    .map(|special| (special, copies_of(&self, special.key(), special.code()).unwrap_or(0)))
                    .map(|(special, copies)| CardDef::special(special, copies, &parameters)),
            );
            kinds.extend(self.custom.iter().filter(|card| card.color.color() == Some(color)).map(CardDef::custom));
        }
        for special in Special::ALL.into_iter().filter(|special| special.color().is_none()) {
            let copies = copies_of(&self, special.key(), special.code()).unwrap_or(0);
            kinds.push(CardDef::special(special, copies, &parameters));
        }
        kinds.extend(self.custom.iter().filter(|card| card.color.color().is_none()).map(CardDef::custom));
        kinds.retain(|kind| kind.copies > 0);
        // In the order of the kinds.
        let mut custom = std::mem::take(&mut self.custom);
        custom.sort_by_key(|card| card.color.color().map_or(Color::ALL.len(), Color::index));

        self.add_contradictions(check::problems(&parameters, &kinds, size), &source);
        if !self.reasons.is_empty() {
            return Err(LoadError { reasons: self.reasons });
        }
        let keys = self.own_keys.iter();
        let mut warnings: Vec<String> = keys
            .filter_map(|(place, key)| Some(format!("{place}: {}", check::without_meaning(key, &parameters, &kinds)?)))
            .collect();
        for card in &custom {
            let path = path_of_code(&card.code);
            let place = self.places.iter().rfind(|(key, _)| *key == path).map_or(&*source, |(_, place)| place);
            let idle = effect_problems::idle_effects(&card.effects, &parameters);
            warnings.extend(idle.into_iter().map(|what| format!("{place}: {what}")));
        }
        Ok(FinishedDraft { parameters, kinds, custom, warnings })
    }
}

/// A complete draft without contradictions, before its tables are compiled.
struct FinishedDraft {
    parameters: Parameters,
    kinds: Vec<CardDef>,
    custom: Vec<CustomCard>,
    warnings: Vec<String>,
}

/// The leaves of a table as dotted keys. `tinker.weights` and lists are leaves. Tables are flattened, except a table that is
/// the value of a key.
fn flatten(prefix: &str, value: &toml::Value, leaves: &mut Vec<(String, toml::Value)>) {
    match value {
        // An empty table is also a leaf, so that an error in its name is reported.
        toml::Value::Table(table) if prefix.is_empty() || !(table.is_empty() || is_key(prefix)) => {
            for (key, value) in table {
                let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                flatten(&key, value, leaves);
            }
        }
        leaf => leaves.push((prefix.into(), leaf.clone())),
    }
}

/// Whether it is the name of a table that contains keys.
fn is_section(name: &str) -> bool {
    name == "deck" || KEYS.iter().any(|key| key.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

fn is_key(path: &str) -> bool {
    KEYS.contains(&path) || path.starts_with("deck.")
}

fn is_empty_table(value: &toml::Value) -> bool {
    value.as_table().is_some_and(toml::Table::is_empty)
}
