//! `--json`: the result of a command as one JSON object in one line of standard output.

use std::fs;
use std::path::Path;

use anyhow::Context;
use serde_json::{Map, Value};
use unolab_arena::run::integrity;
use unolab_arena::tables::Row as _;
use unolab_arena::tables::games::GameRow;
use unolab_arena::tables::json::of_file;
use unolab_arena::tables::table::Tables;

use crate::output::print;

/// Tables by their names (`summary` for `summary.csv`), or other values by their names.
pub(in crate::commands) type JsonObject = Map<String, Value>;

/// The path of a run, for the object of a command.
pub(in crate::commands) fn path_of(run: &Path) -> JsonObject {
    [("directory".to_owned(), run.display().to_string().into())].into_iter().collect()
}

/// These tables by their names.
pub(in crate::commands) fn tables_of(tables: &Tables) -> JsonObject {
    tables.iter().map(|table| (name_of(table.file()), table.json().into())).collect()
}

/// `summary` for `summary.csv`.
fn name_of(file: &str) -> String {
    file.trim_end_matches(".csv").to_owned()
}

/// One table that has no file.
pub(in crate::commands) fn one_table(name: &str, rows: Vec<Value>) -> JsonObject {
    let mut tables = JsonObject::new();
    tables.insert(name.to_owned(), rows.into());
    tables
}

/// The tables of a finished run, except its games, which can be too large.
pub(in crate::commands) fn tables_in(directory: &Path) -> anyhow::Result<JsonObject> {
    let named = || directory.display().to_string();
    let mut tables = JsonObject::new();
    for entry in fs::read_dir(directory).with_context(named)? {
        let path = entry.with_context(named)?.path();
        let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if file.ends_with(".csv") && file != GameRow::FILE {
            let csv = integrity::read(&path).with_context(|| path.display().to_string())?;
            let rows = of_file(&file, &csv).with_context(|| file.clone())?;
            tables.insert(name_of(&file), rows.into());
        }
    }
    Ok(tables)
}

/// Prints the object of a command: its name and version, its tables, and other results.
pub(in crate::commands) fn print_json(
    command: &str,
    json_summary: JsonObject,
    tables: JsonObject,
) -> anyhow::Result<()> {
    let mut object = Map::new();
    object.insert("unolab".into(), env!("CARGO_PKG_VERSION").into());
    object.insert("command".into(), command.into());
    object.extend(json_summary);
    object.insert("tables".into(), tables.into());
    print(&format!("{}\n", Value::Object(object)))
}
