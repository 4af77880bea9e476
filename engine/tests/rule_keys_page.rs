//! `docs/rule-keys.md` matches the engine: the page is generated from [`Parameters::key_docs`] and the presets.

use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use unolab_engine::rules::{KeyDoc, Parameters, Rules, presets};

/// If this variable is set, the page is written instead of compared.
const UPDATE: &str = "UNOLAB_UPDATE_DOCS";

#[test]
fn rule_keys_page_matches_engine() {
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

/// Writes the key, its meaning, its allowed values, and its value in each edition.
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
    writeln!(page, "- value: `{classic}`{others}").unwrap();
}

const INTRODUCTION: &str = "\
# Rule keys

Every rule that differs between editions is a key. A variant file sets keys, `--set key=value` changes one key, and scenario files use
the same keys. `unolab variants keys` prints this list, and `unolab variants show NAME` prints the values in an edition, except those
of `house.hand_limit` and `victory_lap.missed_call` if they are the defaults. A value given to `--set` is TOML; a bare word is a
string. The last line of each key gives its value in `classic`, then the editions with a different value. An edition without a card
still has values for that card's keys; they have no effect.

`deck.CARD` sets the number of copies of a card, 0 to 15:

- for number cards, `deck.r0` and so on set single cards, and `deck.7`, `deck.red`, and `deck.numbers` set many at once
  (`unolab variants keys deck` lists these keys);
- for `skip`, `reverse`, and `draw_two`, the value is the number of copies in each color;
- for `wild`, `wild_draw_four`, `villain_draw_four`, `swap_hands`, `victory_lap`, `discard_all`, and `cheese_touch`, it is the total
  number of copies.

[Custom cards](custom-cards.md) describes how to define new cards. Their values are keys too: `deck.CODE` is the number of copies,
`points.CODE` the points, and `custom.CODE.PATH` any other value, such as `custom.rX.effects.0.draw.count`.
`unolab variants keys custom --variant FILE` lists the numbers.
";
