//! Finds the files of runs from output paths of other commands.

use std::path::{Path, PathBuf};

use super::files::is_name_of_a_run;
use crate::run::checkpoint::{CHECKPOINT_FILE, SHARD_FILE};
use crate::run::manifest::RUN_FILE;

/// A file that a run has written, or may write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnedFile {
    /// The directory of the run: finished, a shard, or unfinished.
    pub directory: PathBuf,
    /// Its name, a path relative to the directory.
    pub name: String,
}

impl OwnedFile {
    /// The file of a run at this path, whether or not it exists yet.
    #[must_use]
    pub fn at(path: &Path) -> Option<Self> {
        let path = without_links(path)?;
        // In the directory itself, or in one of the run's subdirectories.
        path.ancestors().skip(1).take(2).find_map(|directory| {
            let parts = path.strip_prefix(directory).ok()?.iter().map(|part| part.to_str());
            let name = parts.collect::<Option<Vec<_>>>()?.join("/");
            let is_its = is_name_of_a_run(&name) || name == CHECKPOINT_FILE;
            (is_its && contains_run(directory)).then(|| Self { directory: directory.into(), name })
        })
    }

    /// Whether it is the page of the run, which can be generated again from its tables.
    #[must_use]
    pub fn is_page(&self) -> bool {
        self.name == "report.html"
    }
}

fn contains_run(directory: &Path) -> bool {
    [RUN_FILE, CHECKPOINT_FILE, SHARD_FILE].iter().any(|manifest| directory.join(manifest).exists())
}

/// The canonical path of a file; the path of a missing file is resolved from its directory.
fn without_links(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().or_else(|| {
        let directory = path.parent().filter(|directory| !directory.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some(directory.canonicalize().ok()?.join(path.file_name()?))
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn run_owns_only_its_named_files() {
        let home = tempfile::tempdir().unwrap();
        let owned = |name: &str| OwnedFile::at(&home.path().join(name)).map(|file| file.name);
        for (directory, manifest) in [("finished", RUN_FILE), ("begun", CHECKPOINT_FILE), ("shard", SHARD_FILE)] {
            fs::create_dir_all(home.path().join(directory).join("plots")).unwrap();
            fs::write(home.path().join(directory).join(manifest), "{}").unwrap();
            for name in [manifest, "metrics.csv", "README.md", "report.html", "plots/win-share.svg"] {
                assert_eq!(owned(&format!("{directory}/{name}")).as_deref(), Some(name));
                assert_eq!(owned(&format!("{directory}/plots/../{name}")).as_deref(), Some(name));
                let file = OwnedFile::at(&home.path().join(directory).join(name)).unwrap();
                assert_eq!(file.is_page(), name == "report.html");
            }
            for name in ["page.html", "notes.txt", "plots/run.json"] {
                assert_eq!(owned(&format!("{directory}/{name}")), None, "{name}");
            }
        }
        fs::create_dir(home.path().join("mine")).unwrap();
        for name in ["run.json", "mine/summary.csv", "nowhere/run.json"] {
            assert_eq!(owned(name), None, "{name}");
        }
    }
}
