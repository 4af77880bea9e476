//! Compares two directories of tables, and the weights of a training run, byte by byte.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use unolab_arena::run::digest::sha256;
use unolab_arena::run::integrity;
use unolab_arena::words::counted;

use super::difference::Difference;

/// The result of a comparison.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// All tables exist, with the same bytes.
    Same,
    /// A table is missing, or its bytes differ.
    Differs,
}

/// The tables in a directory and its subdirectories, by relative path.
pub(super) fn tables_in(directory: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut tables = BTreeSet::new();
    let mut left = vec![PathBuf::new()];
    while let Some(within) = left.pop() {
        let here = directory.join(&within);
        for entry in fs::read_dir(&here).with_context(|| here.display().to_string())? {
            let entry = entry.with_context(|| here.display().to_string())?;
            let path = within.join(entry.file_name());
            if entry.path().is_dir() {
                left.push(path);
            } else if is_table(&path) {
                tables.insert(path);
            }
        }
    }
    Ok(tables)
}

fn is_table(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "csv")
}

/// A table that was compared.
#[derive(Debug, Clone)]
pub(super) struct ComparedTable {
    /// The table of the study or run.
    pub(super) table: PathBuf,
    /// Whether it is the same.
    pub(super) verdict: Verdict,
    /// The cells that differ, if both versions exist and are CSV tables.
    pub(super) difference: Option<Difference>,
    /// The result in words.
    pub(super) words: String,
}

/// The results of comparisons.
#[derive(Debug, Clone, Default)]
pub(super) struct Comparison(pub(super) Vec<ComparedTable>);

impl Comparison {
    /// Compares the tables that a directory keeps with the new ones, except the excluded tables.
    pub(super) fn add(&mut self, kept: &Path, made: &Path, left_out: &[String]) -> anyhow::Result<()> {
        let mut tables = tables_in(made)?;
        tables.retain(|table| !left_out.iter().any(|name| table == Path::new(name)));
        if kept.exists() {
            tables.extend(tables_in(kept)?);
        }
        if tables.is_empty() {
            bail!("{}: has no table to compare", kept.display());
        }
        tables.iter().try_for_each(|name| self.add_file(kept, made, name))
    }

    /// Compares a file that a directory keeps with the new one, unless neither directory has it.
    pub(super) fn add_file(&mut self, kept: &Path, made: &Path, name: &Path) -> anyhow::Result<()> {
        let (table, made) = (kept.join(name), made.join(name));
        if table.exists() || made.exists() {
            self.0.push(compare(table, &made)?);
        }
        Ok(())
    }

    /// Whether every table is the same.
    pub(super) fn verdict(&self) -> Verdict {
        if self.differing() == 0 { Verdict::Same } else { Verdict::Differs }
    }

    fn differing(&self) -> usize {
        self.0.iter().filter(|compared| compared.verdict == Verdict::Differs).count()
    }

    /// A line for each table, and the sum for this directory.
    pub(super) fn describe(&self, directory: &Path) -> String {
        let mut text = String::new();
        for ComparedTable { table, words, .. } in &self.0 {
            text += &format!("{}: {words}\n", table.display());
        }
        let are_tables = self.0.iter().all(|ComparedTable { table, .. }| is_table(table));
        let thing = if are_tables { "table" } else { "file" };
        let (directory, tables) = (directory.display(), counted(self.0.len() as u64, thing));
        text + &match self.differing() {
            0 => format!("{directory}: no difference in {tables}\n"),
            differing => {
                let cells = self.0.iter().filter_map(|compared| compared.difference).reduce(Difference::and);
                let cells = cells.map_or_else(String::new, |cells| format!(": {cells}"));
                format!("{directory}: differences in {differing} of {tables}{cells}\n")
            }
        }
    }
}

/// Compares a table with its repetition.
fn compare(table: PathBuf, made: &Path) -> anyhow::Result<ComparedTable> {
    let read = |path: &Path| integrity::read(path).with_context(|| path.display().to_string());
    let differs = |words: &str| (Verdict::Differs, None, words.to_owned());
    let (verdict, difference, words) = match (table.exists(), made.exists()) {
        (true, true) => {
            let (kept, made) = (read(&table)?, read(made)?);
            match first_difference(&kept, &made) {
                None => (Verdict::Same, None, format!("same, SHA-256 {}", sha256(&kept))),
                Some(words) => {
                    let difference = is_table(&table).then(|| Difference::between(&kept, &made)).flatten();
                    (Verdict::Differs, difference, words)
                }
            }
        }
        (true, false) => differs("is kept, but the step no longer writes it"),
        (false, _) => differs("was written, but is not kept"),
    };
    Ok(ComparedTable { table, verdict, difference, words })
}

/// The first line that differs, if any.
fn first_difference(kept: &[u8], made: &[u8]) -> Option<String> {
    if kept == made {
        return None;
    }
    // A binary file is identified by its digest.
    if kept.contains(&0) || made.contains(&0) {
        return Some(format!("differs:\n  kept: SHA-256 {}\n  new:  SHA-256 {}", sha256(kept), sha256(made)));
    }
    let lines = |bytes: &[u8]| -> Vec<String> {
        bytes.split(|&byte| byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    };
    let (kept, made) = (lines(kept), lines(made));
    let line = kept.iter().zip(&made).take_while(|(kept, made)| kept == made).count();
    let at = |lines: &[String]| lines.get(line).cloned().unwrap_or_else(|| "(end of file)".into());
    Some(format!("differs from line {}:\n  kept: {}\n  new:  {}", line + 1, at(&kept), at(&made)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excluded_tables_are_not_compared() {
        let (kept, made) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(kept.path().join("summary.csv"), "a\n1\n").unwrap();
        for file in ["summary.csv", "seats.csv", "pairs.csv"] {
            fs::write(made.path().join(file), "a\n1\n").unwrap();
        }
        let compared = |left_out: &[&str]| {
            let mut comparison = Comparison::default();
            let left_out: Vec<String> = left_out.iter().map(|name| (*name).to_owned()).collect();
            comparison.add(kept.path(), made.path(), &left_out).unwrap();
            comparison.0.len()
        };
        assert_eq!([compared(&[]), compared(&["seats.csv"]), compared(&["seats.csv", "pairs.csv"])], [3, 2, 1]);
    }

    #[test]
    fn tables_in_subdirectories_are_found() {
        let home = tempfile::tempdir().unwrap();
        fs::create_dir_all(home.path().join("season-1/within")).unwrap();
        for file in ["summary.csv", "run.json", "season-1/summary.csv", "season-1/within/pairs.csv"] {
            fs::write(home.path().join(file), "").unwrap();
        }
        let found = tables_in(home.path()).unwrap();
        let expected = ["season-1/summary.csv", "season-1/within/pairs.csv", "summary.csv"];
        assert_eq!(found, expected.map(PathBuf::from).into());
    }
}
