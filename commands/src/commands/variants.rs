//! `unolab variants`: lists the presets, shows the resolved rules of a variant, and checks files.

use std::collections::BTreeSet;
use std::path::PathBuf;

use anyhow::bail;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use unolab_engine::rules::{LoadedRules, Override, Parameters, Rules, TableSize, WordDoc, load, presets};
use unolab_engine::spelling::nearest;

use super::driver::json::{JsonObject, one_table, print_json};
use crate::args::OverrideArgs;
use crate::deck;
use crate::disk::Disk;
use crate::exit::Exit;
use crate::output::{line_width, print, warn, wrapped};

/// What to do with variants.
#[derive(Debug, Args)]
pub(crate) struct VariantsArgs {
    /// The action; by default, list.
    #[command(subcommand)]
    pub(crate) action: Option<VariantsAction>,
    /// Print the result as one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// The actions for variants.
#[derive(Debug, Subcommand)]
pub(crate) enum VariantsAction {
    /// List the editions
    List,
    /// Print the resolved rules of a variant
    Show {
        /// Edition, or path of a variant file
        #[arg(value_name = "NAME|FILE")]
        variant: String,
        /// Rule values that override the variant's.
        #[command(flatten)]
        overrides: OverrideArgs,
    },
    /// List every rule key with its meaning, its allowed values, and its value in a variant
    Keys {
        /// Show only keys that begin with this, such as `uno` or `match.scoring`
        #[arg(value_name = "PREFIX")]
        prefix: Option<String>,
        /// Edition, or path of the variant file, whose values are shown
        #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
        variant: String,
    },
    /// Check variant files and list all errors
    Check {
        /// Variant files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

pub(crate) fn run(args: VariantsArgs) -> anyhow::Result<Exit> {
    match args.action.unwrap_or(VariantsAction::List) {
        VariantsAction::List if args.json => list_in_json(),
        VariantsAction::List => list(),
        VariantsAction::Show { variant, overrides } => show(&variant, &overrides.set, args.json),
        VariantsAction::Keys { prefix, variant } => keys(prefix.as_deref().unwrap_or(""), &variant, args.json),
        VariantsAction::Check { files } => check(&files, args.json),
    }
}

fn list() -> anyhow::Result<Exit> {
    let line = |name: &&str| {
        let rules = Rules::preset(name);
        let (seats, cards, kinds) = (rules.seats(), rules.deck().len(), rules.kinds().len());
        let specials: Vec<&str> =
            rules.kinds().iter().filter(|kind| kind.as_special().is_some()).map(|k| &*k.code).collect();
        format!(
            "{name:<12}{:>2} to {:>2} seats, {cards} cards of {kinds} kinds, {}\n",
            seats.start(),
            seats.end(),
            specials.join(" ")
        )
    };
    print(&presets::NAMES.iter().map(line).collect::<String>())?;
    Ok(Exit::Done)
}

fn list_in_json() -> anyhow::Result<Exit> {
    let row = |name: &&str| {
        let rules = Rules::preset(name);
        let specials: Vec<&str> =
            rules.kinds().iter().filter(|kind| kind.as_special().is_some()).map(|kind| &*kind.code).collect();
        json!({
            "name": name, "min_seats": rules.seats().start(), "max_seats": rules.seats().end(),
            "cards": rules.deck().len(), "kinds": rules.kinds().len(), "specials": specials,
        })
    };
    print_json("variants", JsonObject::new(), one_table("variants", presets::NAMES.iter().map(row).collect()))?;
    Ok(Exit::Done)
}

/// The complete rules, as a self-contained variant file.
fn show(variant: &str, overrides: &[Override], as_json: bool) -> anyhow::Result<Exit> {
    let LoadedRules { rules, warnings } = load(variant, overrides, TableSize::Any, &Disk)?;
    warnings.iter().for_each(|warning| warn(&format!("warning: {warning}")));
    if as_json {
        let text = rules.to_toml();
        let mut of_variant = JsonObject::new();
        of_variant.insert("variant".into(), rules.name().into());
        of_variant.insert("rules_hash".into(), rules.hash().to_string().into());
        of_variant.insert("rules".into(), serde_json::to_value(text.parse::<toml::Table>()?)?);
        print_json("variants", of_variant, JsonObject::new())?;
        return Ok(Exit::Done);
    }
    let text =
        commented(&rules.to_toml()).replacen("[deck]\n", &format!("[deck]\n{}", deck::comment(rules.deck().len())), 1);
    print(&format!("# {}, rules hash {}\n{text}", rules.name(), rules.hash()))?;
    Ok(Exit::Done)
}

/// A variant file with the meaning and the allowed values above each key.
fn commented(text: &str) -> String {
    let (mut commented, mut section) = (String::new(), "");
    for line in text.lines() {
        if let Some(name) = line.strip_prefix('[') {
            section = name.trim_matches(['[', ']']);
        }
        if let Some((key, _)) = line.split_once(" = ") {
            let key = format!("{section}.{}", key.trim());
            if let Some(doc) = Parameters::key_docs().iter().find(|doc| doc.key == key) {
                commented += &format!("# {} Allowed: {}\n", doc.meaning, doc.allowed);
            }
        }
        commented += line;
        commented.push('\n');
    }
    commented
}

/// The keys of `deck`. A key of fewer cards overrides a key of more.
const DECK: [(&str, &str); 14] = [
    ("deck.numbers", "every number card"),
    ("deck.red", "every number, Skip, Reverse, and Draw Two in red; likewise deck.yellow, deck.green, and deck.blue"),
    ("deck.7", "the sevens of all colors; likewise every other number"),
    ("deck.skip", "Skip in each color"),
    ("deck.reverse", "Reverse in each color"),
    ("deck.draw_two", "Draw Two in each color"),
    ("deck.wild", "Wild"),
    ("deck.wild_draw_four", "Wild Draw Four"),
    ("deck.villain_draw_four", "Villain Draw 4"),
    ("deck.swap_hands", "Wild Swap Hands"),
    ("deck.victory_lap", "Victory Lap"),
    ("deck.discard_all", "Wild Discard All"),
    ("deck.cheese_touch", "Cheese Touch"),
    ("deck.r7", "one card, by its code; likewise bS, W4 and every other code"),
];

/// Every key that begins with the prefix: its meaning, its allowed values, and its value in a variant.
fn keys(prefix: &str, variant: &str, as_json: bool) -> anyhow::Result<Exit> {
    let LoadedRules { rules, .. } = load(variant, &[], TableSize::Any, &Disk)?;
    let values = rules.parameters().entries();
    let (mut text, mut rows) = (String::new(), Vec::new());
    for (doc, (_, value)) in Parameters::key_docs().iter().zip(&values).filter(|(doc, _)| doc.key.starts_with(prefix)) {
        text += &wrapped("", &format!("{}: {}", doc.key, doc.meaning), line_width());
        // The words of a list are the words of the key that chooses one of them.
        if doc.words.is_empty() || matches!(value, toml::Value::Array(_)) {
            text += &wrapped("    ", &format!("allowed: {}", doc.allowed), line_width());
        } else {
            let width = doc.words.iter().map(|word| word.word.len() + 2).max().unwrap_or(0);
            for word in &doc.words {
                let lead = format!("    {:<width$}  ", format!("\"{}\"", word.word));
                text += &wrapped(&lead, word.meaning, line_width());
            }
        }
        text += &format!("    in {}: {value}\n\n", rules.name());
        let word = |word: &WordDoc| json!({ "word": word.word, "meaning": word.meaning });
        let words: Vec<Value> = doc.words.iter().map(word).collect();
        rows.push(json!({
            "key": doc.key, "meaning": doc.meaning, "allowed": doc.allowed, "words": words,
            "value": serde_json::to_value(value)?,
        }));
    }
    if prefix.is_empty() {
        text += "    deck.CARD: copies of a card; `unolab variants keys deck` lists these keys\n";
        text += "    custom.CODE.PATH: a value of a custom card; `unolab variants keys custom --variant FILE` lists these keys\n";
    }
    for (key, value) in rules.custom_card_keys().iter().filter(|(key, _)| key.starts_with(prefix)) {
        let meaning = custom_key_meaning(key);
        text += &wrapped("", &format!("{key}: {meaning}"), line_width());
        text += &format!("    in {}: {value}\n\n", rules.name());
        rows.push(json!({ "key": key, "meaning": meaning, "value": serde_json::to_value(value)? }));
    }
    if rows.is_empty() && !prefix.is_empty() && "custom.".starts_with(prefix) {
        bail!("{} has no custom cards; choose a variant that has, with --variant FILE", rules.name());
    }
    for (key, cards) in DECK.iter().filter(|(key, _)| prefix.starts_with("deck") && key.starts_with(prefix)) {
        text += &wrapped("", &format!("{key}: Copies of {cards}."), line_width());
        text += "    allowed: 0 to 15\n\n";
        rows.push(json!({ "key": key, "meaning": format!("Copies of {cards}."), "allowed": "0 to 15" }));
    }
    if rows.is_empty() {
        let all = Parameters::key_docs();
        let keys = || all.iter().map(|doc| doc.key).chain(DECK.iter().map(|(key, _)| *key));
        let groups: BTreeSet<&str> = keys().filter_map(|key| Some(key.split_once('.')?.0)).collect();
        let meant = nearest(prefix, keys().chain(groups.iter().copied()));
        let meant = meant.map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
        let groups: Vec<&str> = groups.into_iter().collect();
        bail!(
            "no rule key begins with `{prefix}`; {meant}allowed: {}; `unolab variants keys` lists all",
            groups.join(", ")
        );
    }
    if as_json {
        let of_variant = [("variant".to_owned(), rules.name().into())].into_iter().collect();
        print_json("variants", of_variant, one_table("keys", rows))?;
    } else {
        print(&format!("{}\n", text.trim_end()))?;
    }
    Ok(Exit::Done)
}

/// The meaning of a key of a custom card.
fn custom_key_meaning(key: &str) -> &'static str {
    match key.split_once('.') {
        Some(("deck", _)) => "Copies of this custom card.",
        Some(("points", _)) => "Points of this custom card.",
        _ => "A number in the effects of this custom card, which are counted from 0.",
    }
}

fn check(files: &[PathBuf], as_json: bool) -> anyhow::Result<Exit> {
    let (mut exit, mut rows) = (Exit::Done, Vec::new());
    for file in files.iter().map(|file| file.display().to_string()) {
        match load(&file, &[], TableSize::Any, &Disk) {
            Ok(LoadedRules { rules, warnings }) => {
                warnings.iter().for_each(|warning| warn(&format!("warning: {warning}")));
                if as_json {
                    rows.push(json!({ "file": file, "rules_hash": rules.hash().to_string(), "warnings": warnings }));
                } else {
                    print(&format!("{file}: valid, rules hash {}\n", rules.hash()))?;
                }
            }
            Err(error) => {
                error.first_reasons().iter().for_each(|reason| warn(&format!("error: {reason}")));
                exit = Exit::BadInput;
            }
        }
    }
    if as_json && exit == Exit::Done {
        print_json("variants", JsonObject::new(), one_table("files", rows))?;
    }
    Ok(exit)
}
