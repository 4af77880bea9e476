//! Whether the tables in the folder of a finished run are still what the run has written: `run.json` has a digest of each.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::Deserialize;
use thiserror::Error;

use crate::run::digest::sha256_of;
use crate::run::manifest::RUN_FILE;

/// The SHA-256 of each table, by the name of its file.
pub type Digests = BTreeMap<String, String>;

/// Why a folder cannot be trusted.
#[derive(Debug, Error)]
#[error("{}: {reason}", path.display())]
#[non_exhaustive]
pub struct NotIntact {
    /// The file.
    pub path: PathBuf,
    /// What is the matter with it.
    pub reason: String,
}

/// Opens a file of a run. A pipe or a device in its place would never end.
///
/// # Errors
/// If it is no file, or cannot be opened.
pub fn open(path: &Path) -> io::Result<File> {
    if fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    Err(io::Error::new(ErrorKind::InvalidInput, "is not a file"))
}

/// Makes sure that no table in this folder was changed since its run was finished. A table that is missing is missed where it is
/// read. Runs of before there were digests are not known to be changed.
///
/// # Errors
/// The first table that is not what the run has written.
pub fn make_sure_is_intact(folder: &Path) -> Result<(), NotIntact> {
    /// The digests, whatever kind of run it is.
    #[derive(Deserialize)]
    struct Kept {
        #[serde(default)]
        digests: Digests,
    }
    let path = folder.join(RUN_FILE);
    let failed = |path: PathBuf, reason: String| Err(NotIntact { path, reason });
    let kept = match open(&path).map(io::read_to_string) {
        Ok(Ok(text)) => serde_json::from_str::<Kept>(&text),
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Ok(Err(error)) | Err(error) => return failed(path, error.to_string()),
    };
    // What is wrong with a manifest is said where all of it is read.
    let Ok(Kept { digests }) = kept else { return Ok(()) };
    for (name, digest) in digests {
        let path = folder.join(&name);
        match open(&path).and_then(sha256_of) {
            Ok(found) if found == digest => {}
            Ok(_) => return failed(path, format!("was changed after the run (its digest is not that in {RUN_FILE})")),
            Err(error) if error.kind() == ErrorKind::NotFound && !path.is_symlink() => {}
            Err(error) => return failed(path, error.to_string()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_table_is_named_and_a_missing_one_is_not() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name);
        fs::write(path("pairs.csv"), "a\n1\n").unwrap();
        let digest = sha256_of(open(&path("pairs.csv")).unwrap()).unwrap();
        fs::write(path(RUN_FILE), format!("{{\"digests\":{{\"pairs.csv\":\"{digest}\",\"seats.csv\":\"0\"}}}}"))
            .unwrap();
        make_sure_is_intact(home.path()).unwrap();
        fs::write(path("pairs.csv"), "a\n2\n").unwrap();
        let error = make_sure_is_intact(home.path()).unwrap_err().to_string();
        assert!(error.contains("pairs.csv: was changed after the run"), "{error}");
        fs::remove_file(path("pairs.csv")).unwrap();
        make_sure_is_intact(home.path()).unwrap();
        fs::create_dir(path("seats.csv")).unwrap();
        assert!(make_sure_is_intact(home.path()).unwrap_err().to_string().contains("seats.csv: is not a file"));
        fs::write(path(RUN_FILE), "{}").unwrap();
        make_sure_is_intact(home.path()).unwrap();
    }
}
