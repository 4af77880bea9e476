//! Cargo's output during a build: one JSON object per line.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::Value;

/// A test binary.
pub struct Binary {
    pub executable: PathBuf,
    /// The directory of its crate, where its tests run.
    pub directory: PathBuf,
    /// The name of the crate, or of the file of tests.
    pub name: String,
    /// Whether each module of the binary is a separate file.
    pub has_many_files: bool,
}

fn messages(lines: impl Iterator<Item = io::Result<String>>) -> impl Iterator<Item = Value> {
    lines.map(|line| serde_json::from_str(&line.expect("readable")).expect("JSON"))
}

/// The test binaries that have been built.
pub fn tests(lines: impl Iterator<Item = io::Result<String>>) -> Vec<Binary> {
    let built = messages(lines).filter(|message| message["profile"]["test"] == true);
    let tests = built.filter_map(|message| {
        let target = &message["target"];
        let manifest = PathBuf::from(message["manifest_path"].as_str()?);
        Some(Binary {
            executable: message["executable"].as_str()?.into(),
            directory: manifest.parent()?.into(),
            name: target["name"].as_str()?.into(),
            has_many_files: target["kind"][0] == "test",
        })
    });
    tests.collect()
}

/// Prints the numbers of the mutants in `directory` that do not compile, such as the difference of two strings, in the form
/// `3|17`.
pub fn print_refused(directory: &Path, lines: impl Iterator<Item = io::Result<String>>) {
    let mut refused = BTreeSet::new();
    for message in messages(lines).filter(|message| message["message"]["level"] == "error") {
        eprintln!("{}", message["message"]["rendered"].as_str().unwrap_or_default());
        let spans = message["message"]["spans"].as_array().into_iter().flatten();
        refused.extend(spans.filter_map(|span| {
            let text = fs::read_to_string(directory.join(span["file_name"].as_str()?)).ok()?;
            let end = usize::try_from(span["line_end"].as_u64()?).ok()?;
            let before: String = text.split_inclusive('\n').take(end).collect();
            let (_, call) = before.rsplit_once("mutant::is(")?;
            call.split("u32").next()?.parse::<u32>().ok()
        }));
    }
    println!("{}", refused.iter().map(u32::to_string).collect::<Vec<_>>().join("|"));
}
