//! Reads text files: variants, scenarios, records.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use unolab_agents::named_file;
use unolab_arena::run::directory::OwnedFile;
use unolab_engine::rules::{VariantFiles, VariantText, presets};

/// The largest file that is read. A larger file is probably an error, and would fill the memory.
const MAX_BYTES: u64 = 256 << 20;

/// The text of a file.
///
/// # Errors
/// A sentence that begins with the path.
pub(crate) fn read_text(path: &Path) -> Result<String, String> {
    let fail = |reason: String| format!("{}: {reason}", path.display());
    let file = named_file::open(path).map_err(|error| fail(error.to_string()))?;
    let mut bytes = Vec::new();
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes).map_err(|error| fail(error.to_string()))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(fail(format!("is larger than {} MiB", MAX_BYTES >> 20)));
    }
    String::from_utf8(bytes).map_err(|error| fail(format!("is not a text in UTF-8: {error}")))
}

/// The text of a game record.
///
/// # Errors
/// A sentence that begins with the path, also for a text of another kind.
pub(crate) fn record_text(path: &Path) -> Result<String, String> {
    let text = read_text(path)?;
    if text.trim_start().starts_with('{') {
        Ok(text)
    } else {
        let what = "is not a line of a game record; a record is JSON Lines, as --record writes them";
        Err(format!("{}: line 1: {what}", path.display()))
    }
}

/// These records; for a directory all its records, in the order of their games.
///
/// # Errors
/// A directory cannot be read, or holds none.
pub(crate) fn records(paths: &[PathBuf]) -> anyhow::Result<Vec<PathBuf>> {
    let mut all = Vec::new();
    for path in paths {
        if !path.exists() {
            bail!("{}: file not found; a record is a file *.jsonl, as --record writes them", path.display());
        }
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let named = || path.display().to_string();
        let mut found = Vec::new();
        for entry in fs::read_dir(path).with_context(named)? {
            let file = entry.with_context(named)?.path();
            if file.extension().is_some_and(|extension| extension == "jsonl") {
                found.push(file);
            }
        }
        if found.is_empty() {
            bail!("{}: a directory without records (*.jsonl, as --record writes them)", path.display());
        }
        // `game-10` comes after `game-9`.
        found.sort_by_key(|file| (file.as_os_str().len(), file.clone()));
        all.extend(found);
    }
    Ok(all)
}

/// Checks that the directory exists.
///
/// # Errors
/// If it does not exist.
pub(crate) fn existing_dir(path: &Path, holds: &str) -> anyhow::Result<()> {
    match path.is_dir() {
        true => Ok(()),
        false if path.exists() => bail!("{}: is a file; allowed: {holds}", path.display()),
        false => bail!("{}: directory not found; allowed: {holds}", path.display()),
    }
}

/// Checks that the path of a directory does not contain a broken link.
///
/// # Errors
/// If there is a broken link; the error names the flag.
pub(crate) fn check_no_broken_link(flag: &str, path: &Path) -> anyhow::Result<()> {
    let Some(error) = fs::metadata(path).err().filter(|_| path.is_symlink()) else { return Ok(()) };
    let reason = match error.kind() {
        ErrorKind::NotFound => "its target does not exist".to_owned(),
        _ => error.to_string(),
    };
    bail!(
        "{flag} {}: is a symbolic link that cannot be followed ({reason}); remove it or choose another directory",
        path.display()
    )
}

/// Directories that were created before their contents. They are removed if no contents follow.
#[must_use]
#[derive(Debug)]
pub(crate) struct NewDirectory {
    /// The innermost first.
    made: Vec<PathBuf>,
}

impl NewDirectory {
    /// Keeps them, even if they are empty.
    pub(crate) fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for NewDirectory {
    fn drop(&mut self) {
        // `remove_dir` removes only an empty directory.
        let _ = self.made.iter().try_for_each(fs::remove_dir);
    }
}

/// Whether a path is in this directory, or is the directory, even if neither exists yet.
pub(crate) fn is_inside(path: &Path, directory: &Path) -> bool {
    // An existing path may be a link; a missing one is only a name.
    let whole = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let there = path.ancestors().find(|place| place.exists())?;
        Some(fs::canonicalize(there).ok()?.join(path.strip_prefix(there).ok()?))
    };
    whole(path).zip(whole(directory)).is_some_and(|(path, directory)| path.starts_with(directory))
}

/// Creates a directory, unless there is an empty one.
///
/// # Errors
/// If the directory has contents, with the flag's name.
pub(crate) fn new_dir(flag: &str, path: &Path) -> anyhow::Result<NewDirectory> {
    if path == Path::new("-") {
        bail!("{flag} -: is standard output; this command writes files and needs a directory");
    }
    check_no_broken_link(flag, path)?;
    match fs::read_dir(path).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(NewDirectory { made: Vec::new() }),
        Ok(false) => bail!("{flag} {}: is not empty; choose another directory", path.display()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let is_missing = |directory: &&Path| !directory.as_os_str().is_empty() && !directory.exists();
            let made = path.ancestors().take_while(is_missing).map(Path::to_owned).collect();
            fs::create_dir_all(path).with_context(|| format!("{flag} {}", path.display()))?;
            Ok(NewDirectory { made })
        }
        Err(error) => Err(error).with_context(|| format!("{flag} {}", path.display())),
    }
}

/// Checks that a file would not replace a file of a run, except the run's page, which can be generated again.
///
/// # Errors
/// If it would, with the flag's name.
pub(crate) fn check_not_run_file(flag: &str, path: &Path) -> anyhow::Result<()> {
    match OwnedFile::at(path).filter(|file| !file.is_page()) {
        Some(OwnedFile { directory, name }) => bail!(
            "{flag} {}: {name} is the name of a file of the run in {}; allowed: another name, such as page.html, or \
             another directory",
            path.display(),
            directory.display()
        ),
        None => Ok(()),
    }
}

/// [`named_file::write_whole`] with the path in the error.
pub(crate) fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> anyhow::Result<()> {
    named_file::write_whole(path, content).with_context(|| path.display().to_string())
}

/// Variant files on disk, with paths relative to the file that names them.
#[derive(Debug, Clone, Copy)]
pub struct Disk;

impl VariantFiles for Disk {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        let path = Path::new(from).parent().unwrap_or(Path::new("")).join(base);
        let found = read_text(&path);
        let text = found.map_err(|reason| {
            let (hint, names) = (presets::suggestion(base), presets::NAMES.join(", "));
            format!("`{base}` is neither an edition ({hint}editions: {names}) nor a readable file: {reason}")
        })?;
        Ok(VariantText { name: path.display().to_string(), text })
    }
}
