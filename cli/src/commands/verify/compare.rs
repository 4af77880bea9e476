//! Two folders of tables, byte by byte.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use sha2::{Digest, Sha256};
use unolab_arena::words::counted;

use crate::output::print;

/// What a comparison found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Every table is there, with the same bytes.
    Same,
    /// A table is missing, or its bytes are others.
    Differs,
}

/// The tables in a folder and in those within it, by path from there.
pub(super) fn tables_in(folder: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let mut tables = BTreeSet::new();
    let mut left = vec![PathBuf::new()];
    while let Some(within) = left.pop() {
        let here = folder.join(&within);
        for entry in fs::read_dir(&here).with_context(|| here.display().to_string())? {
            let entry = entry.with_context(|| here.display().to_string())?;
            let path = within.join(entry.file_name());
            if entry.path().is_dir() {
                left.push(path);
            } else if path.extension().is_some_and(|extension| extension == "csv") {
                tables.insert(path);
            }
        }
    }
    Ok(tables)
}

/// What comparisons found, counted.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Comparison {
    differing: usize,
    all: usize,
}

impl Comparison {
    /// Compares the tables that a folder keeps with those that were made, apart from those that are left out, and prints
    /// a line for each.
    pub(super) fn add(&mut self, kept: &Path, made: &Path, left_out: &[String]) -> anyhow::Result<()> {
        let mut tables = tables_in(made)?;
        tables.retain(|table| !left_out.iter().any(|name| table == Path::new(name)));
        if kept.exists() {
            tables.extend(tables_in(kept)?);
        }
        if tables.is_empty() {
            bail!("{}: there is no table to compare", kept.display());
        }
        for table in &tables {
            let kept = kept.join(table);
            let (verdict, line) = compare(&kept, &made.join(table))?;
            print(&format!("{}: {line}\n", kept.display()))?;
            self.all += 1;
            self.differing += usize::from(verdict == Verdict::Differs);
        }
        Ok(())
    }

    /// Prints the sum for this folder.
    pub(super) fn conclude(self, folder: &Path) -> anyhow::Result<Verdict> {
        let Self { differing, all } = self;
        let (folder, tables) = (folder.display(), counted(all as u64, "table"));
        if differing == 0 {
            print(&format!("{folder}: no difference in {tables}\n"))?;
            return Ok(Verdict::Same);
        }
        print(&format!("{folder}: differences in {differing} of {tables}\n"))?;
        Ok(Verdict::Differs)
    }
}

/// How a table that is kept and the same table made again compare, in a line, and the verdict.
fn compare(kept: &Path, made: &Path) -> anyhow::Result<(Verdict, String)> {
    let read = |path: &Path| fs::read(path).with_context(|| path.display().to_string());
    Ok(match (kept.exists(), made.exists()) {
        (true, true) => {
            let (kept, made) = (read(kept)?, read(made)?);
            match first_difference(&kept, &made) {
                None => (Verdict::Same, format!("same, SHA-256 {}", sha256(&kept))),
                Some(difference) => (Verdict::Differs, difference),
            }
        }
        (true, false) => (Verdict::Differs, "is kept, but not made any more".into()),
        (false, _) => (Verdict::Differs, "is made, but not kept".into()),
    })
}

/// The first line that is not the same, if there is one.
fn first_difference(kept: &[u8], made: &[u8]) -> Option<String> {
    if kept == made {
        return None;
    }
    let lines = |bytes: &[u8]| -> Vec<String> {
        bytes.split(|&byte| byte == b'\n').map(|line| String::from_utf8_lossy(line).into_owned()).collect()
    };
    let (kept, made) = (lines(kept), lines(made));
    let line = kept.iter().zip(&made).take_while(|(kept, made)| kept == made).count();
    let at = |lines: &[String]| lines.get(line).cloned().unwrap_or_else(|| "(end of file)".into());
    Some(format!("differs from line {}:\n  kept: {}\n  made: {}", line + 1, at(&kept), at(&made)))
}

/// Sixty-four hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
