//! Stores the best score of the handheld (HH-13, HH-14).

use std::env;
use std::fs;
use std::path::PathBuf;

/// A file with one number; none if this machine has no data directory.
#[derive(Debug, Clone, Default)]
pub struct HiScoreFile(Option<PathBuf>);

impl HiScoreFile {
    /// The file in this machine's data directory.
    #[must_use]
    pub fn own() -> Self {
        let var = |name| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let directory = var("XDG_DATA_HOME")
            .or_else(|| var("APPDATA"))
            .or_else(|| var("HOME").map(|home| home.join(".local").join("share")));
        Self(directory.map(|directory| directory.join("unolab").join("hi-score")))
    }

    /// This file.
    #[must_use]
    pub const fn at(file: PathBuf) -> Self {
        Self(Some(file))
    }

    /// The stored score; 0 without one.
    #[must_use]
    pub fn read(&self) -> u32 {
        let text = self.0.as_ref().and_then(|file| fs::read_to_string(file).ok());
        text.and_then(|text| text.trim().parse().ok()).unwrap_or(0)
    }

    /// Stores a score. An unwritable directory does not stop the game.
    pub fn write(&self, score: u32) {
        if let Some(file) = &self.0 {
            let _ = file.parent().map(fs::create_dir_all);
            let _ = fs::write(file, format!("{score}\n"));
        }
    }
}
