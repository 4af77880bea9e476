//! Reading variant files: presets, files with a base, single keys. Only the texts of the presets are the engine's.

use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

pub fn engine_dir() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn read_table(path: &Path) -> Table {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.parse().unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A preset, or a file beside the one that names it; with its base merged in.
pub fn load_variant(name: &str, directory: &Path) -> Table {
    let preset = engine_dir().join("src/variants").join(format!("{name}.toml"));
    let path = if preset.is_file() { preset } else { directory.join(name) };
    let mut own = read_table(&path);
    let Some(base) = own.remove("base") else {
        return own;
    };
    let base = base.as_str().expect("base is a word").to_string();
    let mut table = load_variant(&base, path.parent().expect("a file has a directory"));
    merge(&mut table, &own);
    table
}

/// The second table overrides the first; custom cards are added to the base's cards.
pub fn merge(table: &mut Table, over: &Table) {
    for (key, value) in over {
        match (table.get_mut(key), value) {
            (Some(Value::Table(inner)), Value::Table(more)) => merge(inner, more),
            (Some(Value::Array(cards)), Value::Array(more)) if key == "custom" => {
                cards.extend(more.clone());
            }
            _ => {
                table.insert(key.clone(), value.clone());
            }
        }
    }
}

/// One entry of `set`, whose key is dotted.
pub fn set(table: &mut Table, key: &str, value: &Value) {
    let mut here = table;
    let parts: Vec<&str> = key.split('.').collect();
    for part in &parts[..parts.len() - 1] {
        here = here
            .entry((*part).to_string())
            .or_insert_with(|| Value::Table(Table::new()))
            .as_table_mut()
            .expect("a table of rules");
    }
    here.insert(parts[parts.len() - 1].to_string(), value.clone());
}
