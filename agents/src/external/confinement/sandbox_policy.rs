//! [`SandboxPolicy`]: the paths and rights of one program in the sandbox.

use std::env;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::policy::Policy;

/// The system directories of programs and libraries, which every program may read.
const SYSTEM: [&str; 15] = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc",
    "/opt",
    "/nix/store",
    "/gnu/store",
    "/run/current-system",
    "/run/systemd/resolve",
    "/home/linuxbrew/.linuxbrew",
    "/sys/devices/system/cpu",
];

/// Files of `/proc` that are not about processes, and that runtimes read.
const FACTS: [&str; 5] =
    ["/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/filesystems", "/proc/sys/vm/overcommit_memory"];

/// The harmless devices.
pub(super) const DEVICES: [&str; 5] = ["/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"];

/// Whether a program may use the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) enum Network {
    #[default]
    Denied,
    Allowed,
}

/// The files and rights of one program in the sandbox.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct SandboxPolicy {
    /// Paths that can be read and executed, with their contents.
    pub(super) readable: Vec<PathBuf>,
    /// Directories that can only be listed.
    pub(super) listable: Vec<PathBuf>,
    /// Paths that can be read and written.
    pub(super) writable: Vec<PathBuf>,
    /// Paths as they are named, from which symbolic links may lead to the others.
    pub(super) named: Vec<PathBuf>,
    pub(super) network: Network,
}

impl SandboxPolicy {
    /// The sandbox of the program of these words.
    ///
    /// # Errors
    /// If an allowed path does not exist, or a writable one overlaps with the files of the run.
    pub(super) fn new(words: &[String], policy: &Policy, network: Network) -> Result<Self, String> {
        for (option, paths) in [("--allow-read", &policy.readable), ("--allow-write", &policy.writable)] {
            if let Some(path) = paths.iter().find(|path| !path.exists()) {
                return Err(format!("{option} {}: no such file or directory", path.display()));
            }
        }
        let hidden: Vec<PathBuf> = policy.hidden.iter().map(|path| place_of(path)).collect();
        let mut sandbox = Self { network, ..Self::default() };
        let files = own_files(words);
        let directories = files.iter().filter_map(|file| directory_of(file)).map(|directory| place_of(&directory));
        let given = policy.readable.iter().map(|path| place_of(path));
        for path in SYSTEM.iter().chain(&FACTS).map(PathBuf::from).chain(directories).chain(given) {
            sandbox.allow_reading(&path, &hidden);
        }
        for path in policy.writable.iter().map(|path| place_of(path)) {
            if let Some(secret) = hidden.iter().find(|secret| overlap(&path, secret)) {
                let (path, secret) = (path.display(), secret.display());
                return Err(format!("--allow-write {path}: overlaps with {secret}, which belongs to the run"));
            }
            sandbox.writable.push(path);
        }
        let given = policy.readable.iter().chain(&policy.writable).filter_map(|path| std::path::absolute(path).ok());
        sandbox.named.extend(files.into_iter().chain(given));
        for paths in [&mut sandbox.readable, &mut sandbox.listable, &mut sandbox.writable, &mut sandbox.named] {
            paths.sort();
            paths.dedup();
        }
        Ok(sandbox)
    }

    /// Allows reading a file or directory, except what is hidden in it.
    fn allow_reading(&mut self, path: &Path, hidden: &[PathBuf]) {
        if hidden.iter().any(|secret| path.starts_with(secret)) {
            return;
        }
        if !hidden.iter().any(|secret| secret.starts_with(path)) {
            self.readable.push(path.into());
            return;
        }
        self.listable.push(path.into());
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            // The target of a link can be read if it is elsewhere among the allowed paths.
            if entry.file_type().is_ok_and(|kind| kind.is_symlink()) {
                self.named.push(entry.path());
            } else {
                self.allow_reading(&entry.path(), hidden);
            }
        }
    }
}

fn overlap(one: &Path, other: &Path) -> bool {
    one.starts_with(other) || other.starts_with(one)
}

/// The resolved path, to the extent that it exists.
fn place_of(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
    for there in path.ancestors() {
        if let Ok(place) = there.canonicalize() {
            let rest = path.strip_prefix(there).unwrap_or(Path::new(""));
            return place.components().chain(rest.components()).collect();
        }
    }
    path
}

/// The files that belong to a program of these words: as they are named, and the targets of links.
fn own_files(words: &[String]) -> Vec<PathBuf> {
    let search: Vec<PathBuf> = env::var_os("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect());
    let mut files = Vec::new();
    for word in words {
        let named = Path::new(word);
        let places = match named.components().count() {
            1 if !word.is_empty() => {
                search.iter().map(|directory| directory.join(named)).chain([named.into()]).collect()
            }
            _ => vec![named.to_path_buf()],
        };
        for place in places.into_iter().filter(|place| place.is_file()) {
            files.extend(std::path::absolute(&place).ok().into_iter().chain([place_of(&place)]));
        }
    }
    files
}

/// The directory of a file; for `PREFIX/bin/FILE` the prefix, which has the libraries.
fn directory_of(file: &Path) -> Option<PathBuf> {
    let directory = file.parent()?;
    let holds_programs = ["bin", "shims"].iter().any(|name| directory.ends_with(name));
    let is_private = |prefix: &Path| env::home_dir().is_some_and(|home| place_of(&home).starts_with(prefix));
    match directory.parent() {
        Some(prefix) if holds_programs && !is_private(prefix) => Some(prefix.into()),
        _ => Some(directory.into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::bot_directory;
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn program_directory_is_readable_except_hidden_paths() {
        let (_directory, home) = bot_directory();
        let words = words(&format!("sh {}", home.join("bot/bot.sh").display()));
        let own = |policy: &Policy| -> Vec<PathBuf> {
            let sandbox = SandboxPolicy::new(&words, policy, Network::Denied).expect("valid");
            sandbox.readable.into_iter().filter(|path| path.starts_with(&home)).collect()
        };
        assert_eq!(own(&Policy::default()), [home.join("bot")]);
        let hidden = vec![home.join("bot/runs/mine"), home.join("bot/not-there-yet")];
        let paths = ["bot/bot.sh", "bot/runs/other", "bot/weights"].map(|name| home.join(name));
        assert_eq!(own(&Policy { hidden, ..Policy::default() }), paths);
        assert_eq!(own(&Policy { hidden: vec![home.clone()], ..Policy::default() }), [] as [PathBuf; 0]);
        let more = Policy { readable: vec![home.join("outside")], ..Policy::default() };
        assert_eq!(own(&more), [home.join("bot"), home.join("outside")]);
        let missing = Policy { writable: vec![home.join("nowhere")], ..Policy::default() };
        assert_eq!(
            SandboxPolicy::new(&words, &missing, Network::Denied).expect_err("it is not there"),
            format!("--allow-write {}: no such file or directory", home.join("nowhere").display())
        );
        let (writable, hidden) = (vec![home.join("bot")], vec![home.join("bot/runs/mine")]);
        let both = Policy { writable, hidden, ..Policy::default() };
        assert!(
            SandboxPolicy::new(&words, &both, Network::Denied)
                .expect_err("one of both")
                .contains("which belongs to the run")
        );
    }

    #[test]
    fn interpreter_directory_includes_libraries_but_no_home() {
        let in_home = |path: &str| env::home_dir().expect("a home").join(path);
        assert_eq!(directory_of(Path::new("/opt/py/bin/python3")), Some("/opt/py".into()));
        assert_eq!(directory_of(Path::new("/opt/py/python3")), Some("/opt/py".into()));
        assert_eq!(directory_of(&in_home("bin/mybot")), Some(in_home("bin")));
        assert_eq!(directory_of(&in_home(".venv/bin/python")), Some(in_home(".venv")));
    }
}
