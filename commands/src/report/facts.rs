//! The parts of `run.json` that are the same on every machine.

use std::collections::{BTreeMap, BTreeSet};

use maud::{Markup, html};
use serde_json::Value;
use unolab_agents::printable::printable;
use unolab_arena::words::{capital, counted, grouped};
use unolab_engine::rules::{Override, Rules, presets};

use crate::deck;

/// `Tournament of 3 entrants`.
pub(super) fn title(run: Option<&Value>) -> String {
    let spec = run.map(|run| &run["spec"]);
    let command = spec.and_then(|spec| spec["command"].as_str()).map(printable).map(|command| title_of(&command));
    let entrants = spec.and_then(|spec| spec["entrants"].as_array()).map_or(0, Vec::len) as u64;
    match command {
        Some(command) if entrants > 0 => format!("{command} of {}", counted(entrants, "entrant")),
        Some(command) => command,
        None => "A run of unolab".into(),
    }
}

/// The title of a command's run.
fn title_of(command: &str) -> String {
    match command {
        "sprt" => "Sequential test".into(),
        other => capital(other),
    }
}

/// The run's parameters, and the resolved rules.
pub(super) fn facts(run: &Value) -> Markup {
    let spec = &run["spec"];
    html! {
        dl.facts {
            @for (term, value) in scalars(spec) {
                div { dt { (capital(&term)) } dd { (value) } }
            }
            @for (term, names) in [("Entrants", entrants(&spec["entrants"])), ("Variants", names(&spec["variants"]))] {
                @if !names.is_empty() {
                    div.wide { dt { (term) } dd { ul { @for name in names { li { bdi { (name) } } } } } }
                }
            }
            @for (term, key) in IDENTITY {
                @if let Some(value) = shown(&run[key]) {
                    div { dt { (term) } dd { code { (value) } } }
                }
            }
        }
        @for (name, rules) in rules(spec) {
            @let (edition, differences) = differences(&rules);
            p.note {
                bdi { (name) } " differs from the edition " (edition)
                @if differences.is_empty() { " in nothing." } @else { " in:" }
            }
            @if !differences.is_empty() {
                ul { @for difference in &differences { li { code { (difference) } } } }
            }
            details {
                summary { "The rules of " bdi { (name) } }
                pre tabindex="0" { (rules) }
            }
        }
    }
}

/// The fields that identify the run.
const IDENTITY: [(&str, &str); 6] = [
    ("Version", "unolab"),
    ("Generator", "generator"),
    ("Spec", "spec_hash"),
    ("Result", "result_hash"),
    ("Sandbox of programs", "sandbox"),
    ("Key of the seal", "seal_key"),
];

/// Numbers, words, and lists of them, in alphabetical order.
fn scalars(spec: &Value) -> Vec<(String, String)> {
    // The title names the command.
    let entries = spec.as_object().into_iter().flatten().filter(|(key, _)| *key != "command");
    entries.filter_map(|(key, value)| Some((printable(key).replace('_', " "), shown(value)?))).collect()
}

fn shown(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(printable(text)),
        Value::Number(number) => Some(number.as_u64().map_or_else(|| number.to_string(), grouped)),
        Value::Bool(yes) => Some(if *yes { "yes" } else { "no" }.into()),
        Value::Array(items) => {
            let items: Vec<String> = items.iter().map(shown).collect::<Option<_>>()?;
            (!items.is_empty()).then(|| items.join(", "))
        }
        Value::Null | Value::Object(_) => None,
    }
}

fn names(list: &Value) -> Vec<String> {
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| item["name"].as_str()).map(printable).collect()
}

/// The names of the entrants, with their odds.
fn entrants(list: &Value) -> Vec<String> {
    let odds = |item: &Value| match item["extra_cards"].as_u64() {
        Some(cards) if cards > 0 => format!(" ({})", counted(cards, "extra card")),
        _ => String::new(),
    };
    let items = list.as_array().into_iter().flatten();
    items.filter_map(|item| Some(printable(item["name"].as_str()?) + &odds(item))).collect()
}

/// The edition to which these rules are most similar, and the differences.
fn differences(rules: &str) -> (&'static str, Vec<String>) {
    let own = keys(rules);
    let from = |name: &'static str| {
        let edition = keys(&Rules::preset(name).to_toml());
        let is_of_deck = |key: &&String| key.starts_with("deck.");
        let all: BTreeSet<&String> = own.keys().chain(edition.keys()).filter(|key| !is_of_deck(key)).collect();
        let differs = |key: &&&String| own.get(**key) != edition.get(**key);
        let value = |of: &BTreeMap<String, String>, key: &String| of.get(key).cloned().unwrap_or_else(|| "none".into());
        let told = |key: &String| format!("{key} = {} (there {})", value(&own, key), value(&edition, key));
        let of_deck = deck::differences(&own, &edition).into_iter();
        let of_deck = of_deck.map(|(card, own, there)| format!("deck.{card} = {own} (there {there})"));
        (name, of_deck.chain(all.iter().filter(differs).map(|key| told(key))).collect::<Vec<_>>())
    };
    let nearest = presets::NAMES.into_iter().map(from).min_by_key(|(_, differences)| differences.len());
    nearest.unwrap_or(("classic", Vec::new()))
}

/// The keys of a variant file with their values.
fn keys(rules: &str) -> BTreeMap<String, String> {
    let table: toml::Table = rules.parse().unwrap_or_default();
    let all = Override::all_in(&table).into_iter();
    all.map(|Override { key, value }| (printable(&key), printable(&value.to_string()))).collect()
}

fn rules(spec: &Value) -> Vec<(String, String)> {
    let variants = spec["variants"].as_array().into_iter().flatten();
    let text = |rules: &str| rules.lines().map(|line| printable(line) + "\n").collect::<String>();
    variants
        .filter_map(|variant| Some((printable(variant["name"].as_str()?), text(variant["rules"].as_str()?))))
        .collect()
}
