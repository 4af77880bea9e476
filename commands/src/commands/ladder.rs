//! `unolab ladder`: a directory of results between versions of programs, each identified by the content of its files.
//!
//! Every pair is a separate run in the directory: a match of the first against copies of the second. A pair of versions plays
//! only once, in either order. A version with changed files has a new name, `mine@1a2b3c4d`, and plays all others.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::de::IgnoredAny;
use unolab_agents::registry::Registry;
use unolab_arena::run::checkpoint::{CHECKPOINT_FILE, Checkpoint, Job};
use unolab_arena::run::digest::sha256;
use unolab_arena::run::integrity::open;
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::run::programs::ProgramVersions;
use unolab_arena::spec::{Command, Entrant, Spec};
use unolab_arena::words::counted;

use super::driver::{self, request};
use super::rate::{self, rated_fields};
use crate::args::{self, LadderArgs, MatchArgs, RateArgs};
use crate::disk::write_whole;
use crate::exit::Exit;
use crate::output::{print, warn, width};
use crate::terminal::ratings::{Claim, claims_table, ladder_table};

/// The file with the agent and the hash of each version.
const VERSIONS_FILE: &str = "versions.csv";

/// Its columns.
const COLUMNS: [&str; 3] = ["version", "agent", "sha256"];

/// The prefix of the run directories.
const RUN_PREFIX: &str = "match-";

pub(crate) fn run(args: &LadderArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let entrants = request::entrants(args.agents.iter().cloned())?;
    for entrant in &entrants {
        entrant.configure(registry).context("--agents")?;
    }
    let versions: Vec<Version> = entrants.iter().map(Version::of).collect();
    let is_new = check_ladder(&args.directory)?;
    if is_new && versions.len() < 2 {
        bail!("--agents: {} has no results yet; name at least two agents", args.directory.display());
    }
    let to_play = matches_to_play(&versions, args)?;
    fs::create_dir_all(&args.directory).with_context(|| format!("--directory {}", args.directory.display()))?;
    write_versions(&args.directory, &versions)?;
    let played = to_play.len() as u64;
    for MatchArgs { agents, run } in to_play {
        let names: Vec<String> = request::entrants(agents.iter().cloned())?.into_iter().map(|one| one.name).collect();
        warn(&names.join(" against "));
        if driver::tournament::run(Command::Match, agents, &run, registry)? == Exit::Stopped {
            return Ok(Exit::Stopped);
        }
    }
    let directories = runs(&args.directory)?;
    warn(&format!(
        "{} played now, {} in {}",
        counted(played, "pair"),
        counted(directories.len() as u64, "result"),
        args.directory.display()
    ));
    if directories.is_empty() {
        bail!("--agents: there are no results yet; name at least two agents");
    }
    let asked = RateArgs { json: args.json, ..args::rate_of(directories)? };
    if asked.json { rate::rate_runs(&asked, registry) } else { show(&asked, &versions, registry) }
}

/// The ladder of each field, and the result of each pair: the versions that the command names come first.
fn show(asked: &RateArgs, named: &[Version], registry: &Registry) -> anyhow::Result<Exit> {
    let is_named_now = |name: &str| named.iter().any(|version| version.name == name);
    for field in rated_fields(&asked.directories, asked.margin, registry)? {
        print(&ladder_table(&field.evidence, &field.ratings, &is_named_now, width()))?;
        let mut claims: Vec<Claim> = field.claims;
        for claim in &mut claims {
            if !is_named_now(&claim.a) && is_named_now(&claim.b) {
                claim.swap();
            }
        }
        claims.sort_by_key(|claim| !is_named_now(&claim.a));
        print(&format!("{}\n", claims_table(&claims, asked.margin, width())))?;
    }
    Ok(Exit::Done)
}

/// Checks that a directory is a ladder or new; returns whether it is new.
fn check_ladder(directory: &Path) -> anyhow::Result<bool> {
    let Ok(entries) = directory.read_dir() else { return Ok(true) };
    let names: Vec<_> = entries.filter_map(Result::ok).map(|entry| entry.file_name()).collect();
    let is_ours = |name: &OsString| name.to_string_lossy().starts_with(RUN_PREFIX);
    match names.iter().find(|name| !is_ours(name)) {
        Some(other) if !directory.join(VERSIONS_FILE).exists() => bail!(
            "--directory {}: holds {}, and no {VERSIONS_FILE}; allowed: a new or empty directory, or the directory of a ladder",
            directory.display(),
            other.display()
        ),
        _ => Ok(names.is_empty()),
    }
}

/// An agent in its current version.
struct Version {
    name: String,
    agent: String,
    /// The hash of its files; empty if it has no files.
    hash: String,
}

impl Version {
    fn of(entrant: &Entrant) -> Self {
        let files = ProgramVersions::now([&*entrant.agent]).programs;
        let all: String = files.iter().map(|file| format!("{} {}\n", file.file, file.sha256)).collect();
        let hash = if files.is_empty() { String::new() } else { sha256(all.as_bytes()) };
        let tag = if hash.is_empty() { String::new() } else { format!("@{}", &hash[..8]) };
        Self { name: format!("{}{tag}", short(&entrant.name)), agent: entrant.agent.clone(), hash }
    }
}

/// A name that is valid for an agent: other characters become `_`.
fn short(name: &str) -> String {
    let plain = |c: char| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '_' };
    name.chars().map(plain).collect()
}

/// The matches of all pairs that have not met, each with its directory.
fn matches_to_play(versions: &[Version], args: &LadderArgs) -> anyhow::Result<Vec<MatchArgs>> {
    let earlier = PreviousMatch::all_in(&args.directory)?;
    let mut to_play = Vec::new();
    for (number, a) in versions.iter().enumerate() {
        for b in &versions[number + 1..] {
            to_play.extend(match_to_play([a, b], args, &earlier)?);
        }
    }
    Ok(to_play)
}

/// The match of a pair; `None` if it is finished. An unfinished match continues with its order of the pair.
fn match_to_play(
    pair: [&Version; 2],
    args: &LadderArgs,
    earlier: &[PreviousMatch],
) -> anyhow::Result<Option<MatchArgs>> {
    let (mut asked, spec) = match_of(pair, args)?;
    let has_met = |earlier: &&PreviousMatch| differ_only_in_sets(&earlier.spec, &spec);
    let Some(PreviousMatch { directory, spec: met }) = earlier.iter().find(has_met) else {
        asked.run.kept.out = Some(args.directory.join(format!("{RUN_PREFIX}{}", spec.hash())));
        return Ok(Some(asked));
    };
    if met.sets != spec.sets {
        let ([a, b], sets, directory) = (pair.map(|version| &version.name), met.sets, directory.display());
        bail!(
            "--sets {}: {a} and {b} have {sets} sets in {directory}, and no pair plays twice; choose --sets {sets}, another --seed or \
             another --directory",
            spec.sets
        );
    }
    if directory.join(RUN_FILE).exists() {
        return Ok(None);
    }
    if met.entrants != spec.entrants {
        let [a, b] = pair;
        asked = match_of([b, a], args)?.0;
    }
    asked.run.kept.out = Some(directory.clone());
    Ok(Some(asked))
}

/// The match of the first against copies of the second, and its spec.
fn match_of(pair: [&Version; 2], args: &LadderArgs) -> anyhow::Result<(MatchArgs, Spec)> {
    let mut words = vec!["unolab".to_owned(), "match".into(), "--quiet".into(), "--resume".into()];
    let mut flag = |name: &str, value: String| words.extend([name.to_owned(), value]);
    for Version { name, agent, .. } in pair {
        flag("--agents", format!("{name}={agent}"));
    }
    flag("--variant", args.variant.clone());
    flag("--seats", args.seats.to_string());
    flag("--sets", args.sets.to_string());
    flag("--seed", args.seed.to_string());
    if let Some(threads) = args.threads {
        flag("--threads", threads.to_string());
    }
    let asked = args::match_of(&words)?;
    let spec = request::spec(Command::Match, asked.agents.clone(), &asked.run)?;
    Ok((asked, spec))
}

/// A match in the directory of a ladder, finished or begun.
struct PreviousMatch {
    directory: PathBuf,
    spec: Spec,
}

impl PreviousMatch {
    /// All matches in the directory, in the order of their names.
    fn all_in(ladder: &Path) -> anyhow::Result<Vec<Self>> {
        if !ladder.exists() {
            return Ok(Vec::new());
        }
        let found =
            dirs_in(ladder)?.into_iter().filter_map(|directory| Some(Self { spec: spec_in(&directory)?, directory }));
        Ok(found.collect())
    }
}

/// The spec of the match in a directory. Errors in a directory are reported when it is read completely.
fn spec_in(directory: &Path) -> Option<Spec> {
    let read = |name: &str| open(&directory.join(name)).and_then(io::read_to_string).ok();
    let finished = read(RUN_FILE).and_then(|text| serde_json::from_str::<Run>(&text).ok());
    let begun = || serde_json::from_str::<Checkpoint<Spec, IgnoredAny>>(&read(CHECKPOINT_FILE)?).ok();
    finished.map(|Run { spec, .. }| spec).or_else(|| begun().map(|Checkpoint { job: Job { spec, .. }, .. }| spec))
}

/// Whether two matches are of the same pair on the same deals, in either order.
fn differ_only_in_sets(one: &Spec, other: &Spec) -> bool {
    let normal = |spec: &Spec| {
        let mut entrants = spec.entrants.clone();
        entrants.sort_by(|a, b| a.name.cmp(&b.name));
        Spec { entrants, sets: 0, ..spec.clone() }
    };
    normal(one) == normal(other)
}

/// The finished runs in a directory, in the order of their names.
fn runs(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    Ok(dirs_in(directory)?.into_iter().filter(|path| path.join(RUN_FILE).exists()).collect())
}

/// The entries of a directory, in the order of their names.
fn dirs_in(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let named = || directory.display().to_string();
    let entries = fs::read_dir(directory).with_context(named)?;
    let paths = entries.map(|entry| Ok(entry.with_context(named)?.path()));
    let mut paths = paths.collect::<anyhow::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// Adds these versions to the file of versions.
fn write_versions(directory: &Path, versions: &[Version]) -> anyhow::Result<()> {
    let path = directory.join(VERSIONS_FILE);
    let mut all: BTreeMap<String, [String; 2]> = BTreeMap::new();
    if path.exists() {
        let mut reader = csv::Reader::from_path(&path).with_context(|| path.display().to_string())?;
        if *reader.headers().with_context(|| path.display().to_string())? != COLUMNS[..] {
            let allowed = COLUMNS.join(",");
            bail!("{}: is not the table of a ladder: its first line must be {allowed}; move it", path.display());
        }
        for row in reader.deserialize() {
            let (name, agent, hash): (String, String, String) = row.with_context(|| path.display().to_string())?;
            all.insert(name, [agent, hash]);
        }
    }
    all.extend(versions.iter().map(|version| (version.name.clone(), [version.agent.clone(), version.hash.clone()])));
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(COLUMNS)?;
    for (name, [agent, hash]) in &all {
        writer.write_record([name, agent, hash])?;
    }
    write_whole(&path, &String::from_utf8(writer.into_inner().context(VERSIONS_FILE)?)?)
}
