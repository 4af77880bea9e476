//! The folder of a run: it appears as a whole or not at all.
//!
//! Everything is written to a staging folder beside it, which takes its place at the end. A folder that is in the way is
//! replaced only if it holds a finished run of the same spec.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;
use thiserror::Error;

use crate::run::{RUN_FILE, Run};
use crate::spec::SpecHash;

/// Why a run cannot have its folder.
#[derive(Debug, Error)]
pub enum FolderError {
    /// A path that names no folder of its own.
    #[error("--out {}: needs the name of a folder, such as runs/mine", path.display())]
    NoName {
        /// The path.
        path: PathBuf,
    },
    /// There is a file of that name.
    #[error("--out {}: is a file, not a folder", path.display())]
    IsAFile {
        /// The path.
        path: PathBuf,
    },
    /// A folder that is not ours to replace.
    #[error("--out {}: holds files that are not a finished run of unolab; choose another folder or remove it", path.display())]
    NotARun {
        /// The path.
        path: PathBuf,
    },
    /// A folder of ours that must not be lost.
    #[error("--out {}: holds a run of another spec ({found}, this one is {spec}); choose another folder or remove it", path.display())]
    OtherSpec {
        /// The path.
        path: PathBuf,
        /// The hash of the spec found there.
        found: String,
        /// The hash of the spec of this run.
        spec: SpecHash,
    },
    /// The file system refused.
    #[error("--out {}: {source}", path.display())]
    Io {
        /// The path that could not be used.
        path: PathBuf,
        /// What the file system says.
        source: io::Error,
    },
}

/// A folder that a run is being written for. Dropped before it is published, it leaves nothing behind.
#[derive(Debug)]
pub struct RunFolder {
    path: PathBuf,
    spec: SpecHash,
    staging: TempDir,
}

impl RunFolder {
    /// Makes sure, before anything is run, that the run of this spec may have this folder and can write beside it.
    ///
    /// # Errors
    /// If the folder is in use by anything but a finished run of the same spec, or cannot be made.
    pub fn claim(path: &Path, spec: SpecHash) -> Result<Self, FolderError> {
        let name = path.file_name().ok_or_else(|| FolderError::NoName { path: path.into() })?;
        may_be_replaced(path, spec)?;
        let parent = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        fs::create_dir_all(parent).map_err(at(parent))?;
        let prefix = format!(".{}-", name.to_string_lossy());
        let staging = tempfile::Builder::new().prefix(&prefix).tempdir_in(parent).map_err(at(parent))?;
        let folder = Self { path: path.into(), spec, staging };
        // The staging folder itself is private to its user, what is published need not be.
        fs::create_dir(folder.new_content()).map_err(at(parent))?;
        Ok(folder)
    }

    /// Where the run will be.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A new file of the run.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn create(&self, name: &str) -> Result<File, FolderError> {
        File::create(self.new_content().join(name)).map_err(at(&self.path.join(name)))
    }

    /// Writes a file of the run.
    ///
    /// # Errors
    /// If the file system refuses.
    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) -> Result<(), FolderError> {
        fs::write(self.new_content().join(name), content).map_err(at(&self.path.join(name)))
    }

    /// Puts the run in its place. On failure an older run is left as it was.
    ///
    /// # Errors
    /// If something else took the place in the meantime, or the file system refuses.
    pub fn publish(self) -> Result<(), FolderError> {
        may_be_replaced(&self.path, self.spec)?;
        let replaced = self.staging.path().join("replaced");
        if self.path.exists() {
            fs::rename(&self.path, &replaced).map_err(at(&self.path))?;
        }
        fs::rename(self.new_content(), &self.path).map_err(|source| {
            // Nothing more can be done if the way back is closed too: the first reason is the one to tell.
            let _ = fs::rename(&replaced, &self.path);
            FolderError::Io { path: self.path.clone(), source }
        })
    }

    fn new_content(&self) -> PathBuf {
        self.staging.path().join("new")
    }
}

fn may_be_replaced(path: &Path, spec: SpecHash) -> Result<(), FolderError> {
    let mut entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => {
            return Err(FolderError::IsAFile { path: path.into() });
        }
        Err(source) => return Err(FolderError::Io { path: path.into(), source }),
    };
    if entries.next().is_none() {
        return Ok(());
    }
    let run = fs::read_to_string(path.join(RUN_FILE)).ok().and_then(|text| serde_json::from_str::<Run>(&text).ok());
    match run {
        None => Err(FolderError::NotARun { path: path.into() }),
        Some(run) if run.spec_hash == spec.to_string() => Ok(()),
        Some(run) => Err(FolderError::OtherSpec { path: path.into(), found: run.spec_hash, spec }),
    }
}

fn at(path: &Path) -> impl FnOnce(io::Error) -> FolderError {
    move |source| FolderError::Io { path: path.into(), source }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Machine;
    use crate::spec::Spec;
    use crate::spec::tests::round_robin;

    fn publish(path: &Path, spec: &Spec, summary: &str) -> Result<(), FolderError> {
        let folder = RunFolder::claim(path, spec.hash())?;
        folder.write("summary.csv", summary)?;
        folder.write(RUN_FILE, Run::of(spec.clone(), &[], Machine::this(1), 0.0).to_json())?;
        folder.publish()
    }

    fn names_in(path: &Path) -> Vec<String> {
        fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    }

    #[test]
    fn a_run_of_the_same_spec_is_replaced_as_a_whole() {
        let home = tempfile::tempdir().unwrap();
        let path = home.path().join("runs/mine");
        let spec = round_robin(&["random"], &[2]);
        publish(&path, &spec, "old").unwrap();
        publish(&path, &spec, "new").unwrap();
        assert_eq!(fs::read_to_string(path.join("summary.csv")).unwrap(), "new");
        assert_eq!(names_in(&home.path().join("runs")), ["mine"]);
    }

    #[test]
    fn an_empty_folder_is_taken() {
        let home = tempfile::tempdir().unwrap();
        publish(home.path().join("empty").as_path(), &round_robin(&["random"], &[2]), "new").unwrap();
        assert!(names_in(&home.path().join("empty")).contains(&"summary.csv".to_owned()));
    }

    #[test]
    fn what_is_not_ours_or_of_another_spec_is_refused_and_untouched() {
        let home = tempfile::tempdir().unwrap();
        let spec = round_robin(&["random"], &[2]);
        let (ours, foreign, file) = (home.path().join("ours"), home.path().join("foreign"), home.path().join("file"));
        publish(&ours, &Spec { seed: 7, ..spec.clone() }, "precious").unwrap();
        fs::create_dir(&foreign).unwrap();
        fs::write(foreign.join("thesis.txt"), "precious").unwrap();
        fs::write(&file, "precious").unwrap();
        for (path, reason) in [(&ours, "another spec"), (&foreign, "not a finished run"), (&file, "is a file")] {
            let message = publish(path, &spec, "new").unwrap_err().to_string();
            assert!(message.contains(reason) && message.contains("--out"), "{message}");
        }
        assert_eq!(fs::read_to_string(ours.join("summary.csv")).unwrap(), "precious");
        assert!(RunFolder::claim(Path::new(".."), spec.hash()).is_err());
        assert_eq!(names_in(home.path()).len(), 3);
    }

    #[test]
    fn a_run_that_is_given_up_leaves_nothing() {
        let home = tempfile::tempdir().unwrap();
        let folder = RunFolder::claim(&home.path().join("mine"), round_robin(&["random"], &[2]).hash()).unwrap();
        folder.write("summary.csv", "half").unwrap();
        drop(folder);
        assert!(names_in(home.path()).is_empty());
    }
}
