//! `docs/rule-keys.md` says what the engine says: the page is made of [`Parameters::key_docs`] and the presets.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use unolab_engine::rules::{KeyDoc, Parameters, Rules, presets};

/// Set to any value, the page is written instead of compared.
const UPDATE: &str = "UNOLAB_UPDATE_DOCS";

#[test]
fn the_page_of_rule_keys_is_what_the_engine_says() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../docs/rule-keys.md");
    let made = page();
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &made).unwrap();
    }
    let kept = fs::read_to_string(&path).unwrap_or_default();
    assert!(
        kept == made,
        "docs/rule-keys.md is out of date; write it with\n  {UPDATE}=1 cargo test -p unolab-engine --test all rule_keys_page"
    );
}

fn page() -> String {
    let values: Vec<(&str, Vec<(&str, toml::Value)>)> =
        presets::NAMES.iter().map(|&name| (name, Rules::preset(name).parameters().entries())).collect();
    let mut page = String::from(INTRODUCTION);
    let mut group = "";
    for (i, doc) in Parameters::key_docs().iter().enumerate() {
        let prefix = doc.key.split('.').next().expect("a key has a first part");
        if prefix != group {
            group = prefix;
            writeln!(page, "\n## `{group}`").unwrap();
        }
        write_key(&mut page, doc, &values.iter().map(|(name, entries)| (*name, &entries[i].1)).collect::<Vec<_>>());
    }
    page
}

/// The key, its meaning, what it allows, and its value in each edition.
fn write_key(page: &mut String, doc: &KeyDoc, values: &[(&str, &toml::Value)]) {
    writeln!(page, "\n**`{}`**: {}\n", doc.key, doc.meaning).unwrap();
    if doc.words.is_empty() || doc.allowed.starts_with("a list") {
        writeln!(page, "- allowed: {}", doc.allowed).unwrap();
    } else {
        for word in &doc.words {
            writeln!(page, "- `\"{}\"`: {}", word.word, word.meaning).unwrap();
        }
    }
    let (_, classic) = values.iter().find(|(name, _)| *name == "classic").expect("a preset");
    let others: Vec<String> = values
        .iter()
        .filter(|(_, value)| value != classic)
        .map(|(name, value)| format!("`{value}` in {name}"))
        .collect();
    let others = if others.is_empty() { String::new() } else { format!("; {}", others.join(", ")) };
    writeln!(page, "- preset: `{classic}`{others}").unwrap();
}

const INTRODUCTION: &str = "\
# Rule keys

Every rule that differs between editions is a key. A variant file sets keys, `--set key=value` changes one, scenario files use
the same keys. `unolab variants keys` prints this list, `unolab variants show NAME` the value of every key in an edition.
A value given to `--set` is TOML; a bare word is a string. *Preset* is the value in `classic`, then every edition that has
another. An edition without a card still has a value for that card's keys; it has no effect there.

How many of each card are in the deck is set by `deck.CARD`, 0 to 8 copies: for number cards `deck.r0` and so on, card by card, or
`deck.7`, `deck.red` and `deck.numbers` for many at once (`unolab variants keys deck` lists these keys);
for `skip`, `reverse` and `draw_two` the copies of each colour; for `wild`, `wild_draw_four`, `villain_draw_four`,
`swap_hands`, `victory_lap`, `discard_all` and `cheese_touch` the copies in all. New cards are described in
[Custom cards](custom-cards.md).
";
