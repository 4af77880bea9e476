//! The programs of a run: the build of this program, the files in the command lines of its programs, and the weights of its
//! nets.
//!
//! A spec does not determine the behavior of a program, because the program can change. So the files are hashed when a run
//! begins, and resuming or merging with other files is reported.

use std::env;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{LazyLock, OnceLock};

use object::read::{Object as _, ReadCache};
use serde::{Deserialize, Serialize};
use unolab_agents::options::command_lines;

use super::digest::{hex, sha256_of};

/// A file in the command line of a program: the program itself, its interpreter, its script. Or the weights file of a
/// net.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ProgramFile {
    /// Its name on the command line.
    pub file: String,
    /// The SHA-256 of its content, in 64 hexadecimal digits.
    pub sha256: String,
}

/// What to do if programs have changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChangedPrograms {
    /// Stop with an error.
    Refused,
    /// Continue, and report the change.
    Accepted,
}

impl ChangedPrograms {
    /// The setting of `--allow-changed-bots`.
    #[must_use]
    pub const fn accepted_if(is_accepted: bool) -> Self {
        if is_accepted { Self::Accepted } else { Self::Refused }
    }
}

/// The programs of a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ProgramVersions {
    /// The build of this program: the first 16 hexadecimal digits of the build ID that the linker stored in its executable
    /// file, or in the library that [`built_as`] names; without a build ID, of the SHA-256 of the file. Empty if the file
    /// cannot be read, and in runs of older versions.
    #[serde(default)]
    pub build: String,
    /// The files of programs, by name.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<ProgramFile>,
    /// The accepted changes during the run, in words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub changed_programs: Vec<String>,
}

impl ProgramVersions {
    /// This build, and the current programs of these agents.
    #[must_use]
    pub fn now<'a>(agents: impl IntoIterator<Item = &'a str>) -> Self {
        let mut programs = Vec::new();
        for agent in agents {
            programs.extend(command_lines(agent).iter().flat_map(|words| files_of(words)));
            let weights = unolab_agents::net::player::files_of(agent).into_iter();
            programs.extend(weights.map(|(file, sha256)| ProgramFile { file, sha256 }));
        }
        programs.sort();
        programs.dedup();
        Self { build: BUILD.clone(), programs, changed_programs: Vec::new() }
    }

    /// The programs that have changed, in words: `mybot.py (SHA-256 0123456789abcdef, was fedcba9876543210)`.
    #[must_use]
    pub fn changed_programs(&self, now: &Self) -> Vec<String> {
        let sha =
            |of: &Self, name: &str| of.programs.iter().find(|other| other.file == name).map(|file| file.sha256.clone());
        let mut names: Vec<&str> = self.programs.iter().chain(&now.programs).map(|file| &*file.file).collect();
        names.sort_unstable();
        names.dedup();
        let short =
            |sha: Option<String>| sha.map_or_else(|| "missing".to_owned(), |sha| sha[..sha.len().min(16)].to_owned());
        let is_changed = |name: &&str| sha(self, name) != sha(now, name);
        let told = |name: &str| format!("{name} (SHA-256 {}, was {})", short(sha(now, name)), short(sha(self, name)));
        names.into_iter().filter(is_changed).map(told).collect()
    }

    /// The changed programs, and the build if it differs.
    #[must_use]
    pub fn changes(&self, now: &Self) -> Vec<String> {
        let build = (self.build != now.build).then(|| {
            let named = |build: &str| if build.is_empty() { "unknown".to_owned() } else { build.to_owned() };
            format!("unolab (build {}, was {})", named(&now.build), named(&self.build))
        });
        build.into_iter().chain(self.changed_programs(now)).collect()
    }
}

/// Sets the file that identifies the build, for a library that another program has loaded. Only the first call has an effect;
/// it must come before any game.
pub fn built_as(library: PathBuf) {
    let _ = LIBRARY.set(library);
}

static LIBRARY: OnceLock<PathBuf> = OnceLock::new();

/// See [`ProgramVersions::build`].
static BUILD: LazyLock<String> = LazyLock::new(|| {
    let open = || match LIBRARY.get() {
        Some(library) => File::open(library),
        // The executable file of this process, even if another file now has its name.
        None => File::open("/proc/self/exe").or_else(|_| File::open(env::current_exe()?)),
    };
    let mut build = open().ok().and_then(build_id).or_else(|| sha256_of(open().ok()?).ok()).unwrap_or_default();
    build.truncate(16);
    build
});

/// The identity that the linker computed from the content of a program or library, if it stored one. Reading it takes much
/// less time than a hash of the file, which was most of the processor time of the shortest runs.
fn build_id(file: File) -> Option<String> {
    let file = ReadCache::new(file);
    let program = object::File::parse(&file).ok()?;
    let of_macos = || program.mach_uuid().ok().flatten();
    program.build_id().ok().flatten().map(hex).or_else(|| of_macos().map(|id| hex(&id)))
}

/// The files in the words of a command line. The program itself is searched as a shell would.
fn files_of(words: &[String]) -> Vec<ProgramFile> {
    let find = |(number, word): (usize, &String)| {
        let path = if number == 0 && !word.contains('/') { in_path(word)? } else { PathBuf::from(word) };
        let file = path.is_file().then(|| File::open(&path).ok())??;
        Some(ProgramFile { file: word.clone(), sha256: sha256_of(file).ok()? })
    };
    words.iter().enumerate().filter_map(find).collect()
}

fn in_path(program: &str) -> Option<PathBuf> {
    let directories = env::var_os("PATH")?;
    env::split_paths(&directories).map(|directory| directory.join(program)).find(|path| path.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn program_files_are_hashed_by_content() {
        let home = tempfile::tempdir().unwrap();
        let bot = home.path().join("bot.py");
        std::fs::write(&bot, "one").unwrap();
        let agent = format!("forgetful:p=0.1,agent=(cmd:\"sh {}  --fast\",decision_ms=50)", bot.display());
        let before = ProgramVersions::now([&*agent, "heuristic"]);
        let names: Vec<&str> = before.programs.iter().map(|program| &*program.file).collect();
        assert_eq!(names, [&*bot.display().to_string(), "sh"]);
        assert_eq!(before.build.len(), 16);
        assert_eq!(before.changes(&ProgramVersions::now([&*agent])), Vec::<String>::new());
        std::fs::write(&bot, "two").unwrap();
        let changes = before.changes(&ProgramVersions::now([&*agent]));
        assert!(changes.len() == 1 && changes[0].starts_with(&bot.display().to_string()), "{changes:?}");
        std::fs::remove_file(&bot).unwrap();
        assert!(before.changes(&ProgramVersions::now([&*agent]))[0].contains("(SHA-256 missing, was "));
        let other = ProgramVersions { build: "0123456789abcdef".into(), ..before.clone() };
        assert!(other.changes(&before)[0].contains(", was 0123456789abcdef)"));
    }
}
