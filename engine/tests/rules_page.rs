//! `RULES.md` and the scenarios correspond: each clause is tested by a scenario, and each scenario belongs to a clause.

#![allow(missing_docs)]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The scenario files that each clause of the page names.
fn clauses() -> BTreeMap<String, BTreeSet<String>> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../RULES.md");
    let text = std::fs::read_to_string(page).expect("RULES.md is at the root");
    let mut clauses = BTreeMap::new();
    for line in text.lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [clause, .., files] = cells.as_slice() else { continue };
        if is_number(clause) {
            let files = files.split('`').filter(|part| part.ends_with(".toml")).map(str::to_string).collect();
            assert!(clauses.insert((*clause).to_string(), files).is_none(), "clause {clause} stands there twice");
        }
    }
    clauses
}

/// Two numbers with a point between, such as `6.12`.
fn is_number(text: &str) -> bool {
    let parts: Vec<&str> = text.split('.').collect();
    parts.len() == 2 && parts.iter().all(|part| part.parse::<u32>().is_ok())
}

/// Every scenario: its file and its name.
fn scenarios() -> Vec<(String, String)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios");
    let mut found = Vec::new();
    for entry in std::fs::read_dir(directory).expect("the directory is there") {
        let path = entry.expect("readable").path();
        if path.extension().is_none_or(|ending| ending != "toml") {
            continue;
        }
        let file = path.file_name().expect("a file").to_string_lossy().into_owned();
        let table: toml::Table = std::fs::read_to_string(&path).expect("readable").parse().expect("TOML");
        for scenario in table["scenario"].as_array().expect("scenarios") {
            found.push((file.clone(), scenario["name"].as_str().expect("a name").to_string()));
        }
    }
    found
}

#[test]
fn clause_has_scenario_in_each_named_file() {
    let scenarios = scenarios();
    let mut missing = Vec::new();
    let clauses = clauses();
    assert!(clauses.len() > 100, "only {} clauses were read", clauses.len());
    for (clause, files) in &clauses {
        let begins = format!("{clause}:");
        if files.is_empty() {
            missing.push(format!("clause {clause} names no scenario file"));
        }
        for file in files {
            if !scenarios.iter().any(|(at, name)| at == file && name.starts_with(&begins)) {
                missing.push(format!("clause {clause}: {file} has no scenario named `{begins} ...`"));
            }
        }
    }
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}

#[test]
fn scenario_belongs_to_clause_naming_its_file() {
    let clauses = clauses();
    let mut astray = Vec::new();
    for (file, name) in scenarios() {
        let clause = name.split(':').next().expect("split gives something");
        match clauses.get(clause) {
            None => astray.push(format!("{file}: \"{name}\": RULES.md has no clause {clause}")),
            Some(files) if !files.contains(&file) => {
                astray.push(format!("{file}: \"{name}\": clause {clause} does not name the file"));
            }
            Some(_) => {}
        }
    }
    assert!(astray.is_empty(), "{}", astray.join("\n"));
}

/// The codes of the rulings page.
fn rulings() -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rulings.md");
    let text = std::fs::read_to_string(page).expect("docs/rulings.md is readable");
    let codes = text.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next());
    codes.map(str::to_owned).collect()
}

/// The names of the lines in the section "Not modeled".
fn not_modeled() -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../RULES.md");
    let text = std::fs::read_to_string(page).expect("RULES.md is readable");
    let (_, section) = text.split_once("## Not modeled").expect("the section exists");
    let lines = section.lines().filter_map(|line| line.strip_prefix("- **"));
    lines.filter_map(|line| Some(line.split_once("**")?.0.to_owned())).collect()
}

#[test]
fn every_sentence_of_sheets_has_existing_clause() {
    let (clauses, rulings, not_modeled) = (clauses(), rulings(), not_modeled());
    let keys: BTreeSet<&str> = unolab_engine::rules::Parameters::key_docs().iter().map(|doc| doc.key).collect();
    let sheets: toml::Table = include_str!("sheets.toml").parse().expect("TOML");
    assert_eq!(sheets.keys().collect::<Vec<_>>(), ["cars", "disney", "handheld", "swap-hands", "wimpy-kid"]);
    let mut gaps = Vec::new();
    for (sheet, sentences) in &sheets {
        let sentences = sentences.as_table().expect("a table of sentences");
        assert!(sentences.len() >= 30, "{sheet}: only {} sentences", sentences.len());
        for (sentence, places) in sentences {
            for place in places.as_str().expect("text").split(", ") {
                let is_there = match place.split_once(' ') {
                    Some(("key", key)) => keys.contains(key),
                    Some(("not", rest)) => rest.strip_prefix("modeled ").is_some_and(|line| not_modeled.contains(line)),
                    Some(_) => false,
                    None => clauses.contains_key(place) || rulings.contains(place),
                };
                if !is_there {
                    gaps.push(format!("{sheet}: \"{sentence}\": there is no `{place}`"));
                }
            }
        }
    }
    assert!(gaps.is_empty(), "{}", gaps.join("\n"));
}
