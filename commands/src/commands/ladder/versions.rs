//! The versions of a ladder: their names, their agents, and their files.

use std::fs::{self, File};
use std::path::Path;

use anyhow::{Context, bail};
use unolab_agents::options::{agents_named, command_lines, split_name};
use unolab_agents::registry::Registry;
use unolab_arena::run::digest::{sha256, sha256_of};
use unolab_arena::run::programs::ProgramVersions;
use unolab_arena::spec::Entrant;

use crate::commands::driver::request::first_repeated;
use crate::disk::write_whole;
use crate::output::warn;

/// The file with the agent and the hash of each version, in the order in which they were added.
pub(super) const VERSIONS_FILE: &str = "versions.csv";

/// Its columns.
const COLUMNS: [&str; 3] = ["version", "agent", "sha256"];

/// The directory of the files of versions.
const FILES_DIR: &str = "files";

/// An agent in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) name: String,
    pub(super) agent: String,
    /// The hash of its files and options; empty if it has no files.
    hash: String,
}

/// A version, and the version before it.
#[derive(Debug)]
pub(super) struct Update {
    pub(super) now: Version,
    /// Its agent plays from the files that the ladder keeps.
    pub(super) before: Version,
}

impl Update {
    /// The name of its directory of games.
    pub(super) fn name(&self) -> String {
        format!("{}-{}", self.now.name, self.before.name)
    }
}

impl Version {
    /// The current version of an entrant.
    pub(super) fn of(entrant: &Entrant) -> Self {
        let hash = hash_of(&entrant.agent);
        let tag = if hash.is_empty() { String::new() } else { format!("@{}", &hash[..8]) };
        Self { name: format!("{}{tag}", short(&entrant.name)), agent: entrant.agent.clone(), hash }
    }

    /// The name without the version.
    fn base(&self) -> &str {
        self.name.rsplit_once('@').map_or(&*self.name, |(base, _)| base)
    }

    /// Copies the files that the agent names into the ladder, if they are not there.
    pub(super) fn save_files(&self, ladder: &Path) -> anyhow::Result<()> {
        let directory = ladder.join(FILES_DIR).join(&self.name);
        let files = own_files(&self.agent);
        if files.is_empty() || directory.exists() {
            return Ok(());
        }
        // The directory appears with all its files.
        let all = ladder.join(FILES_DIR);
        fs::create_dir_all(&all).with_context(|| all.display().to_string())?;
        let new = tempfile::tempdir_in(&all).with_context(|| all.display().to_string())?;
        for NamedFile { file, saved_as } in &files {
            fs::copy(file, new.path().join(saved_as)).with_context(|| file.clone())?;
        }
        fs::rename(new.path(), &directory).with_context(|| directory.display().to_string())
    }

    /// The same version, playing from the files in the ladder; `None` if they are missing, changed, or at a path that cannot be
    /// written in an agent.
    fn with_saved_files(&self, ladder: &Path) -> Option<Self> {
        let directory = ladder.join(FILES_DIR).join(&self.name);
        // A command has a slash, or it is searched in PATH.
        let directory = if directory.has_root() { directory } else { Path::new(".").join(directory) };
        let directory = directory.to_str().filter(|path| !path.contains(['"', '\'', ',', '(', ')', '\\']))?;
        let path = |saved_as: &str| format!("{directory}/{saved_as}");
        let files = named_files(&self.agent, &|_, saved_as| Path::new(&path(saved_as)).is_file());
        if files.is_empty() {
            return None;
        }
        let agent = with_files_replaced(&self.agent, &files, &|file| path(&file.saved_as));
        (hash_of(&agent) == self.hash).then(|| Self { agent, ..self.clone() })
    }
}

/// All versions that were ever added, in this order.
pub(super) struct KnownVersions(Vec<Version>);

impl KnownVersions {
    /// The versions in the file of a ladder; none if it is new.
    pub(super) fn read(ladder: &Path) -> anyhow::Result<Self> {
        let path = ladder.join(VERSIONS_FILE);
        let mut known = Vec::new();
        if path.exists() {
            let named = || path.display().to_string();
            let mut reader = csv::Reader::from_path(&path).with_context(named)?;
            if *reader.headers().with_context(named)? != COLUMNS[..] {
                let allowed = COLUMNS.join(",");
                bail!("{}: is not the table of a ladder: its first line must be {allowed}; move it", path.display());
            }
            for row in reader.deserialize() {
                let (name, agent, hash): (String, String, String) = row.with_context(named)?;
                known.push(Version { name, agent, hash });
            }
        }
        Ok(Self(known))
    }

    /// With these versions added.
    ///
    /// # Errors
    /// If two have one name, or the name belongs to another agent.
    pub(super) fn with(self, versions: &[Version]) -> anyhow::Result<Self> {
        let names: Vec<&str> = versions.iter().map(|version| &*version.name).collect();
        if let Some(twice) = first_repeated(&names) {
            bail!("--agents: two entrants are called `{twice}`; give each its own name");
        }
        let Self(mut all) = self;
        for new in versions {
            match all.iter().find(|known| known.name == new.name) {
                None => all.push(new.clone()),
                // The files of a program may be elsewhere now.
                Some(known) if known.agent == new.agent || !new.hash.is_empty() => {}
                Some(known) => bail!(
                    "--agents: {} is `{}` in this ladder; give `{}` another name",
                    new.name,
                    known.agent,
                    new.agent
                ),
            }
        }
        Ok(Self(all))
    }

    /// Their names, in this order.
    pub(super) fn names(&self) -> Vec<String> {
        self.0.iter().map(|version| version.name.clone()).collect()
    }

    /// Writes the file.
    pub(super) fn write(&self, ladder: &Path) -> anyhow::Result<()> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(COLUMNS)?;
        for Version { name, agent, hash } in &self.0 {
            writer.write_record([name, agent, hash])?;
        }
        write_whole(&ladder.join(VERSIONS_FILE), &String::from_utf8(writer.into_inner().context(VERSIONS_FILE)?)?)
    }

    /// The last version of the same entrant that is not among those that play now.
    fn before(&self, now: &Version, versions: &[Version]) -> Option<&Version> {
        let is_before = |known: &&Version| {
            known.base() == now.base()
                && !known.hash.is_empty()
                && versions.iter().all(|version| version.name != known.name)
        };
        self.0.iter().rfind(is_before).filter(|_| !now.hash.is_empty())
    }

    /// Each version that has another one before it, with that version. One whose files are gone, or that cannot be started, is
    /// reported and left out.
    pub(super) fn updates(&self, versions: &[Version], ladder: &Path, registry: &Registry) -> Vec<Update> {
        let update = |now: &Version| {
            let before = self.before(now, versions)?;
            let skipped = |reason: &str| {
                warn(&format!("warning: {} does not play against {}: {reason}", now.name, before.name));
                None
            };
            let Some(before) = before.with_saved_files(ladder) else {
                return skipped("the ladder has no unchanged copy of its files");
            };
            match registry.configure(&before.agent) {
                Ok(_) => Some(Update { now: now.clone(), before }),
                Err(error) => skipped(&error.to_string()),
            }
        };
        versions.iter().filter_map(update).collect()
    }

    /// The number of the family of tests of a pair: the pairs that the later version has brought. A version against the version
    /// before is a family by itself, because it is the one planned comparison.
    pub(super) fn family(&self, a: &str, b: &str) -> usize {
        let place = |name: &str| self.0.iter().position(|known| known.name == name).unwrap_or(self.0.len());
        let (earlier, later) = (place(a).min(place(b)), place(a).max(place(b)));
        let before = self.0.get(later).and_then(|version| {
            self.0[..later].iter().rposition(|known| known.base() == version.base() && !known.hash.is_empty())
        });
        2 * later + usize::from(before == Some(earlier))
    }
}

/// A file in the text of an agent.
struct NamedFile {
    /// As it is written there.
    file: String,
    /// Its name in the ladder: its own name, numbered if others have the same.
    saved_as: String,
}

/// The files that an agent names by a path and that exist.
fn own_files(agent: &str) -> Vec<NamedFile> {
    named_files(agent, &|file, _| Path::new(file).is_file())
}

/// The words of an agent, in commands or as weights, that are files: `is_file` decides by the word and the name in the ladder. A
/// command that is searched in PATH is none.
fn named_files(agent: &str, is_file: &dyn Fn(&str, &str) -> bool) -> Vec<NamedFile> {
    let is_in_path = |(number, word): &(usize, String)| *number == 0 && !word.contains('/');
    let lines = command_lines(agent).into_iter();
    let words = lines.flat_map(|line| line.into_iter().enumerate().filter(|word| !is_in_path(word)));
    let weights = agents_named(split_name(agent).1).into_iter();
    let weights = weights.filter_map(|mut agent| agent.take::<String>("weights", "").ok()?);
    let mut files: Vec<NamedFile> = Vec::new();
    for file in words.map(|(_, word)| word).chain(weights) {
        let Some(name) = Path::new(&file).file_name().and_then(|name| name.to_str()) else { continue };
        if files.iter().any(|other| other.file == file) {
            continue;
        }
        let has_this_name = |other: &&NamedFile| Path::new(&other.file).file_name().is_some_and(|other| other == name);
        let saved_as = match files.iter().filter(has_this_name).count() {
            0 => name.to_owned(),
            others => format!("{}-{name}", others + 1),
        };
        if is_file(&file, &saved_as) {
            files.push(NamedFile { file, saved_as });
        }
    }
    files
}

/// The hash of the files that an agent names, and of its text; empty if it names no files. It does not depend on the directories
/// of the files, nor on single quotes, which a directory may need.
fn hash_of(agent: &str) -> String {
    let sha = |file: &str| File::open(file).and_then(sha256_of).unwrap_or_default();
    let files = own_files(agent);
    let text = with_files_replaced(agent, &files, &|file| file.saved_as.clone()).replace('\'', "");
    let mut all: String = files.iter().map(|file| format!("{} {}\n", file.saved_as, sha(&file.file))).collect();
    if all.is_empty() {
        // A program in PATH, if any.
        all = ProgramVersions::now([agent]).programs.iter().map(|file| format!("{}\n", file.sha256)).collect();
    }
    if all.is_empty() { all } else { sha256(format!("{text}\n{all}").as_bytes()) }
}

/// The text of an agent with other names for its files.
fn with_files_replaced(agent: &str, files: &[NamedFile], name: &dyn Fn(&NamedFile) -> String) -> String {
    let mut text = String::new();
    let mut rest = agent;
    while let Some(next) = rest.chars().next() {
        let is_here = |file: &&NamedFile| {
            rest.strip_prefix(&*file.file).is_some_and(|after| {
                text.chars().next_back().is_none_or(ends_a_word) && after.chars().next().is_none_or(ends_a_word)
            })
        };
        if let Some(found) = files.iter().find(is_here) {
            let name = name(found);
            let needs_quotes = name.contains(' ') && !text.ends_with(['\'', '=']);
            text += &if needs_quotes { format!("'{name}'") } else { name };
            rest = &rest[found.file.len()..];
        } else {
            text.push(next);
            rest = &rest[next.len_utf8()..];
        }
    }
    text
}

/// The characters between the words of an agent's text.
const fn ends_a_word(c: char) -> bool {
    matches!(c, ' ' | '"' | '\'' | '=' | ',' | '(' | ')' | ':')
}

/// The name with letters, digits, `-`, `_`, and `.`; each other character becomes `_`.
fn short(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    name.chars().map(plain).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn version(name: &str, agent: &str) -> Version {
        Version { name: name.into(), agent: agent.into(), hash: "0123".into() }
    }

    fn entrant(agent: &str) -> Entrant {
        Entrant::name_all([format!("mine={agent}")]).remove(0)
    }

    #[test]
    fn version_plays_from_its_saved_files() {
        let home = tempfile::tempdir().unwrap();
        let (bot, ladder) = (home.path().join("bot.py"), home.path().join("my ladder"));
        fs::write(&bot, "first").unwrap();
        let agent = |bot: &str| format!("cmd:\"python3 {bot} --level=3\",decision_ms=50");
        let first = Version::of(&entrant(&agent(&bot.display().to_string())));
        assert_eq!(first.with_saved_files(&ladder), None);
        first.save_files(&ladder).unwrap();
        let saved = ladder.join("files").join(&first.name).join("bot.py");
        let expected = agent(&format!("'{}'", saved.display()));
        // The copy stays when the bot changes or disappears.
        fs::write(&bot, "second").unwrap();
        assert_ne!(Version::of(&entrant(&first.agent)).hash, first.hash);
        first.save_files(&ladder).unwrap();
        fs::remove_file(&bot).unwrap();
        assert_eq!(fs::read_to_string(&saved).unwrap(), "first");
        assert_eq!(first.with_saved_files(&ladder).unwrap().agent, expected);
        assert_eq!(Version::of(&entrant(&expected)).name, first.name, "the directory does not make another version");
        fs::write(&saved, "changed").unwrap();
        assert_eq!(first.with_saved_files(&ladder), None);
    }

    #[test]
    fn options_make_another_version_and_files_of_one_name_are_numbered() {
        let home = tempfile::tempdir().unwrap();
        let path = |name: &str| home.path().join(name).display().to_string();
        for place in ["a", "b"] {
            fs::create_dir(path(place)).unwrap();
            fs::write(path(&format!("{place}/bot")), place).unwrap();
        }
        let agent = |options: &str| format!("cmd:\"{} {}\"{options}", path("a/bot"), path("b/bot"));
        let [one, other] = ["", ",decision_ms=9"].map(|options| Version::of(&entrant(&agent(options))));
        assert!(one.hash != other.hash && one.name != other.name);
        let names: Vec<String> = own_files(&one.agent).into_iter().map(|file| file.saved_as).collect();
        assert_eq!(names, ["bot", "2-bot"]);
        assert!(own_files("cmd:\"sh -c x\"").is_empty() && !hash_of("cmd:\"sh -c x\"").is_empty());
        assert!(hash_of("greedy").is_empty());
    }

    #[test]
    fn version_before_is_the_last_of_its_entrant() {
        let home = tempfile::tempdir().unwrap();
        let of = |names: &[&str]| names.iter().map(|name| version(name, "cmd:a")).collect::<Vec<_>>();
        let known = KnownVersions(Vec::new()).with(&of(&["mine@1", "other@5"])).unwrap();
        known.write(home.path()).unwrap();
        let known = KnownVersions::read(home.path()).unwrap().with(&of(&["mine@2", "mine@1", "mine@3"])).unwrap();
        let names: Vec<&str> = known.0.iter().map(|version| &*version.name).collect();
        assert_eq!(names, ["mine@1", "other@5", "mine@2", "mine@3"]);
        let before = |now: &str| known.before(&version(now, "cmd:a"), &of(&[now])).map(|it| &*it.name);
        assert_eq!([before("mine@4"), before("mine@3"), before("new@1")], [Some("mine@3"), Some("mine@2"), None]);
        // The pairs of mine@2, apart from the planned comparison with mine@1; later pairs are another family.
        assert_eq!(known.family("mine@2", "other@5"), known.family("other@5", "mine@2"));
        let families = [("mine@2", "other@5"), ("mine@1", "mine@2"), ("mine@3", "mine@2"), ("mine@3", "mine@1")];
        let families = families.map(|(a, b)| known.family(a, b));
        assert_eq!(families.iter().collect::<std::collections::BTreeSet<_>>().len(), 4, "{families:?}");
    }

    #[test]
    fn name_of_another_agent_is_refused() {
        let agent = |agent: &str| Version { hash: String::new(), ..version("x", agent) };
        let known = KnownVersions(vec![agent("greedy")]);
        assert_eq!(
            known.with(&[agent("heuristic")]).err().unwrap().to_string(),
            "--agents: x is `greedy` in this ladder; give `heuristic` another name"
        );
    }
}
