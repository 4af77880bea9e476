//! Checks that the files of a finished run are unchanged: `run.json` has a digest of each table and of itself, and a hash of
//! the result.
//!
//! Digests reveal accidental changes. They do not protect against manipulation, because its author can also change the
//! digest.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use crate::run::digest::{matches_digest, sha256_of};
use crate::run::manifest::{RESULT_TABLES, RUN_FILE, result_hash};

/// The SHA-256 of each table, by the name of its file.
pub type Digests = BTreeMap<String, String>;

/// Why a directory is rejected.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
#[non_exhaustive]
pub struct TamperedTable {
    /// The file.
    pub path: PathBuf,
    /// The error.
    pub reason: String,
}

/// Opens a file of a run, but not a pipe or a device, which might never end.
///
/// # Errors
/// If it is not a file, or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "is not a file"))
}

/// The content of a file of a run.
///
/// # Errors
/// If it is not a file, or cannot be read.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Checks that `run.json` and the tables next to it are unchanged since the run was finished. A missing table is an error
/// only for its reader. Runs without digests, from older versions, pass the check.
///
/// # Errors
/// The first file that has changed.
pub fn check_integrity(directory: &Path) -> Result<(), TamperedTable> {
    /// The checked keys, which every kind of run has.
    #[derive(Deserialize)]
    struct CheckedKeys {
        #[serde(default)]
        digests: Digests,
        #[serde(default)]
        files: Vec<String>,
        #[serde(default)]
        result_hash: String,
    }
    let path = directory.join(RUN_FILE);
    let failed = |path: PathBuf, reason: String| Err(TamperedTable { path, reason });
    let text = match open(&path).map(io::read_to_string) {
        Ok(Ok(text)) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Ok(Err(error)) | Err(error) => return failed(path, error.to_string()),
    };
    if let Err(reason) = check_manifest(&text) {
        return failed(path, reason);
    }
    // An invalid manifest is reported where it is read completely.
    let Ok(CheckedKeys { digests, files, result_hash: kept_hash }) = serde_json::from_str(&text) else { return Ok(()) };
    for (name, digest) in digests {
        let path = directory.join(&name);
        match open(&path).and_then(sha256_of) {
            Ok(found) if found == digest => {}
            Ok(_) => {
                return failed(
                    path,
                    format!("was changed after the run (its digest differs from the one in {RUN_FILE})"),
                );
            }
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {}
            Err(error) => return failed(path, error.to_string()),
        }
    }
    match result_hash_in(directory, &files) {
        Some(found) if found != kept_hash => {
            failed(path, format!("its result_hash is {kept_hash}, but its tables have the hash {found}"))
        }
        _ => Ok(()),
    }
}

/// Checks the text of a `run.json` against its digest. A file from an older version may lack a digest.
///
/// # Errors
/// If it was changed, in words.
pub fn check_manifest(text: &str) -> Result<(), String> {
    match matches_digest(text) {
        Some(false) => Err("was changed after the run (its content does not match its digest)".into()),
        Some(true) | None => Ok(()),
    }
}

/// The hash of the result of a run that has written these files; `None` if a table of the result is missing.
fn result_hash_in(directory: &Path, files: &[String]) -> Option<String> {
    let names = RESULT_TABLES.iter().map(|table| format!("{table}.csv")).filter(|name| files.contains(name));
    let named = |name: String| read(&directory.join(&name)).ok().map(|bytes| (name, bytes));
    let tables = names.map(named).collect::<Option<Vec<_>>>()?;
    let tables: Vec<(&str, &[u8])> = tables.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    (!tables.is_empty()).then(|| result_hash(&tables))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_table_is_reported_and_missing_table_is_not() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        fs::write(path("pairs.csv"), "a\n1\n").unwrap();
        let digest = sha256_of(open(&path("pairs.csv")).unwrap()).unwrap();
        fs::write(path(RUN_FILE), format!("{{\"digests\":{{\"pairs.csv\":\"{digest}\",\"seats.csv\":\"0\"}}}}"))
            .unwrap();
        check_integrity(home.path()).unwrap();
        fs::write(path("pairs.csv"), "a\n2\n").unwrap();
        let error = check_integrity(home.path()).unwrap_err().to_string();
        assert!(error.contains("pairs.csv: was changed after the run"), "{error}");
        fs::remove_file(path("pairs.csv")).unwrap();
        check_integrity(home.path()).unwrap();
        fs::create_dir(path("seats.csv")).unwrap();
        assert!(check_integrity(home.path()).unwrap_err().to_string().contains("seats.csv: is not a file"));
        fs::write(path(RUN_FILE), "{}").unwrap();
        check_integrity(home.path()).unwrap();
    }
}
