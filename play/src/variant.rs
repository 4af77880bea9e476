//! The rules that are played by, from a preset or a file that may be saved again while the game is on.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use unolab::Rules;
use unolab::disk::Disk;
use unolab::rules::{Override, TableSize, load, presets};

/// Which rules, and for how many players.
#[derive(Debug, Clone)]
pub(crate) struct Variant {
    name: String,
    set: Vec<Override>,
    players: usize,
    /// The text of the file when it was last read.
    seen: Option<Vec<u8>>,
}

impl Variant {
    pub(crate) fn new(name: &str, set: &[Override], players: usize) -> Self {
        let mut variant = Self { name: name.into(), set: set.to_vec(), players, seen: None };
        variant.seen = variant.text();
        variant
    }

    /// Loads the rules; every reason why they cannot be used at once.
    pub(crate) fn load(&self) -> Result<Arc<Rules>, String> {
        load(&self.name, &self.set, TableSize::Seats(self.players), &Disk)
            .map(|loaded| Arc::new(loaded.rules))
            .map_err(|error| error.to_string())
    }

    /// The rules, if the file has been saved with another text since.
    pub(crate) fn reload(&mut self) -> Option<Result<Arc<Rules>, String>> {
        let text = self.text();
        if text.is_none() || text == self.seen {
            return None;
        }
        self.seen = text;
        Some(self.load())
    }

    /// The file as it is now; none for a preset, and while it is being saved.
    fn text(&self) -> Option<Vec<u8>> {
        let is_preset = presets::NAMES.contains(&self.name.as_str());
        if is_preset { None } else { fs::read(Path::new(&self.name)).ok().filter(|text| !text.is_empty()) }
    }
}
