//! The matches of a ladder: those that it has, and those that remain to be played.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde::de::IgnoredAny;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::any_spec::contest_of;
use unolab_arena::experiment::records::Records;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::run::checkpoint::{CHECKPOINT_FILE, Checkpoint, Job, OutputOptions};
use unolab_arena::run::directory::{Outputs, Start};
use unolab_arena::run::execution::Execution;
use unolab_arena::run::integrity::open;
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::spec::luck::LuckAdjustment;
use unolab_arena::spec::{AgentSeed, Entrant, Spec};

use super::args::LadderArgs;
use super::versions::{Update, Version};
use crate::args::{OverrideArgs, PlayMode, RulesArgs};
use crate::commands::driver::{Invocation, Printing, command_line, drive, request};
use crate::exit::Exit;
use crate::output::warn;

/// The prefix of the run directories.
pub(super) const RUN_PREFIX: &str = "match-";

/// The directory of the recorded games of versions against the version before.
const GAMES_DIR: &str = "games";

/// The number of recorded deals of a version against the version before.
const RECORDED_SETS: u64 = 100;

/// The records of the games of a version against the version before.
pub(super) fn games_dir(ladder: &Path, update: &Update) -> PathBuf {
    ladder.join(GAMES_DIR).join(update.name())
}

/// A match of the first of a pair against copies of the second.
pub(super) struct PairMatch {
    spec: Spec,
    directory: PathBuf,
    /// Where its games are recorded.
    games: Option<PathBuf>,
}

impl PairMatch {
    /// Plays the rest of the match.
    pub(super) fn play(self, args: &LadderArgs, registry: &Registry) -> anyhow::Result<Exit> {
        let Self { spec, directory, games } = self;
        let names: Vec<&str> = spec.entrants.iter().map(|entrant| &*entrant.name).collect();
        warn(&names.join(" against "));
        let sets = RECORDED_SETS.min(args.sets);
        let execution = Execution {
            threads: args.threads.map(usize::from),
            directory: Some(directory),
            start: Start::Resume,
            programs: Some(registry.clone()),
            command_line: command_line(),
            ..Execution::default()
        };
        let records = games.map(|directory| Records { directory, sets, only: None });
        if let Some(records) = &records {
            records.check(execution.start)?;
        }
        let options =
            OutputOptions { recorded: records.as_ref().map(|records| records.sets), ..OutputOptions::default() };
        let contest = contest_of(spec, LuckAdjustment::Off, registry, execution.num_threads(1))?;
        let invocation = Invocation {
            outputs: Outputs::tables_only(options),
            execution,
            mode: PlayMode::Play,
            printing: Printing::Nothing,
            report_interval: None,
        };
        drive(&Tournament { contest: &contest, records: records.as_ref() }, &invocation)
    }
}

/// The matches of all pairs that have not met: first each version against the version before.
pub(super) fn matches_to_play(
    versions: &[Version],
    updates: &[Update],
    args: &LadderArgs,
) -> anyhow::Result<Vec<PairMatch>> {
    let seats = usize::from(args.seats);
    let rules = RulesArgs { variant: vec![args.variant.clone()], overrides: OverrideArgs { set: Vec::new() } };
    let pairs = Pairs {
        without_entrants: Spec::even_match(
            Vec::new(),
            request::variants(&rules, &[seats])?,
            seats,
            args.sets,
            args.seed,
        ),
        earlier: PreviousMatch::all_in(&args.directory)?,
        ladder: &args.directory,
    };
    let mut to_play = Vec::new();
    for update in updates {
        to_play.extend(pairs.match_to_play([&update.now, &update.before], Some(games_dir(&args.directory, update)))?);
    }
    for (number, a) in versions.iter().enumerate() {
        for b in &versions[number + 1..] {
            to_play.extend(pairs.match_to_play([a, b], None)?);
        }
    }
    Ok(to_play)
}

/// The matches of a ladder at one table.
struct Pairs<'a> {
    without_entrants: Spec,
    earlier: Vec<PreviousMatch>,
    ladder: &'a Path,
}

impl Pairs<'_> {
    /// The match of a pair; `None` if it is finished. An unfinished match continues with its order of the pair.
    fn match_to_play(&self, pair: [&Version; 2], games: Option<PathBuf>) -> anyhow::Result<Option<PairMatch>> {
        let spec = self.spec(pair);
        let Some(PreviousMatch { directory, spec: met }) = self.earlier.iter().find(|earlier| earlier.is_of(&spec))
        else {
            let directory = self.ladder.join(format!("{RUN_PREFIX}{}", spec.hash()));
            return Ok(Some(PairMatch { spec, directory, games }));
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
        let spec = if met.entrants[0].name == spec.entrants[0].name { spec } else { self.spec([pair[1], pair[0]]) };
        // If the same versions are at other paths now, the match begins again in another directory.
        let directory = self.ladder.join(format!("{RUN_PREFIX}{}", spec.hash()));
        Ok(Some(PairMatch { spec, directory, games }))
    }

    fn spec(&self, pair: [&Version; 2]) -> Spec {
        let entrant = |version: &Version| Entrant {
            name: version.name.clone(),
            agent: version.agent.clone(),
            stream: AgentSeed::PerSeat,
            extra_cards: 0,
        };
        Spec { entrants: pair.map(entrant).to_vec(), ..self.without_entrants.clone() }
    }
}

/// A match in the directory of a ladder, finished or begun.
struct PreviousMatch {
    directory: PathBuf,
    spec: Spec,
}

impl PreviousMatch {
    /// All matches in the directory: the finished ones first, each in the order of their names.
    fn all_in(ladder: &Path) -> anyhow::Result<Vec<Self>> {
        if !ladder.exists() {
            return Ok(Vec::new());
        }
        let found =
            dirs_in(ladder)?.into_iter().filter_map(|directory| Some(Self { spec: spec_in(&directory)?, directory }));
        let mut found: Vec<Self> = found.collect();
        found.sort_by_key(|earlier| !earlier.directory.join(RUN_FILE).exists());
        Ok(found)
    }

    /// Whether it is of the same versions on the same deals, in either order.
    fn is_of(&self, spec: &Spec) -> bool {
        let names = |spec: &Spec| {
            let mut names: Vec<String> = spec.entrants.iter().map(|entrant| entrant.name.clone()).collect();
            names.sort();
            names
        };
        let table = |spec: &Spec| Spec { entrants: Vec::new(), sets: 0, ..spec.clone() };
        names(&self.spec) == names(spec) && table(&self.spec) == table(spec)
    }
}

/// The spec of the match in a directory. Errors in a directory are reported when it is read completely.
fn spec_in(directory: &Path) -> Option<Spec> {
    let read = |name: &str| open(&directory.join(name)).and_then(io::read_to_string).ok();
    let finished = read(RUN_FILE).and_then(|text| serde_json::from_str::<Run>(&text).ok());
    let begun = || serde_json::from_str::<Checkpoint<Spec, IgnoredAny>>(&read(CHECKPOINT_FILE)?).ok();
    finished.map(|Run { spec, .. }| spec).or_else(|| begun().map(|Checkpoint { job: Job { spec, .. }, .. }| spec))
}

/// The finished runs in a directory, in the order of their names.
pub(super) fn finished_runs(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
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
