//! The rules of the game, from a preset or from files that may change during the game.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use unolab::Rules;
use unolab::disk::Disk;
use unolab::rules::{Override, TableSize, VariantFiles, VariantText, load};

/// The source of the rules, and the number of players.
#[derive(Debug, Clone)]
pub(crate) struct Variant {
    name: String,
    set: Vec<Override>,
    players: usize,
    /// The content of the file and of each of its bases when they were last read; `None` if unreadable.
    seen: BTreeMap<PathBuf, Option<String>>,
}

impl Variant {
    pub(crate) fn new(name: &str, set: &[Override], players: usize) -> Self {
        Self { name: name.into(), set: set.to_vec(), players, seen: BTreeMap::new() }
    }

    /// The rules of a resumed game, which do not depend on a file.
    pub(crate) fn of_record() -> Self {
        Self::new("", &[], 0)
    }

    /// Loads the rules, or returns all reasons why they cannot be used.
    pub(crate) fn load(&mut self) -> Result<Arc<Rules>, String> {
        let files = RememberedDisk::default();
        let loaded = load(&self.name, &self.set, TableSize::Seats(self.players), &files);
        self.seen = files.seen.into_inner();
        loaded.map(|loaded| Arc::new(loaded.rules)).map_err(|error| error.to_string())
    }

    /// The rules, if one of their files has been saved with a different text since.
    pub(crate) fn reload(&mut self) -> Option<Result<Arc<Rules>, String>> {
        let is_saved =
            |(path, seen): (&PathBuf, &Option<String>)| text(path).is_some_and(|text| Some(&text) != seen.as_ref());
        self.seen.iter().any(is_saved).then(|| self.load())
    }
}

/// The text of a file; `None` while it is being saved.
fn text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok().filter(|text| !text.is_empty())
}

/// The files on disk, and the text that was read from each.
#[derive(Debug, Default)]
struct RememberedDisk {
    seen: RefCell<BTreeMap<PathBuf, Option<String>>>,
}

impl VariantFiles for RememberedDisk {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        let found = Disk.read(base, from);
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(base);
        self.seen.borrow_mut().insert(path, found.as_ref().ok().map(|found| found.text.clone()));
        found
    }
}
