//! `unolab status`: shows the progress of a run, without writing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::{Value, json};
use unolab_arena::experiment::any_spec::AnySpec;
use unolab_arena::experiment::balance::counts::BalanceCounts;
use unolab_arena::experiment::balance::spec::BalanceSpec;
use unolab_arena::experiment::league::Leagues;
use unolab_arena::experiment::sprt::SequentialTest;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::experiment::train::counts::TrainCounts;
use unolab_arena::experiment::train::spec::TrainSpec;
use unolab_arena::experiment::tune::counts::TuneCounts;
use unolab_arena::experiment::tune::spec::TuneSpec;
use unolab_arena::run::checkpoint::{Checkpoint, Counts};
use unolab_arena::run::digest::check_digest;
use unolab_arena::run::integrity::check_integrity;
use unolab_arena::run::manifest::Run;
use unolab_arena::run::shard::{RunProgress, Shard};
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::{Allocation, Command, Format, Spec};
use unolab_arena::words::{counted, grouped};

use super::driver::dry_run::time_in_words;
use super::driver::json::{JsonObject, path_of, print_json, tables_in};
use super::driver::{ExperimentCommand, RunFile, RunState, in_json as tables_so_far};
use crate::args::MOST_SETS;
use crate::disk::existing_dir;
use crate::exit::Exit;
use crate::output::{print, shown, width};

/// The run whose progress is shown.
///
/// The command only reads files, so it does not affect the run. Exit status: 0, also if the run was interrupted; 2 if DIR is
/// not the directory of a run.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The directory of a run or a shard
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

pub(crate) fn run(StatusArgs { directory, json }: &StatusArgs) -> anyhow::Result<Exit> {
    existing_dir(directory, "the directory of a run")?;
    let found = RunState::of(directory).with_context(|| directory.display().to_string())?;
    let Some((state, file)) = found else {
        bail!("{}: is not the directory of a run; allowed: the --out of a command that plays", directory.display());
    };
    let status = match &file {
        RunFile::NotYet => None,
        RunFile::Manifest { path, text } => {
            check_integrity(directory)?;
            Some(Status::of_finished(directory, text).with_context(|| path.display().to_string())?)
        }
        RunFile::Counts { path, text, written } => {
            Some(Status::of_counts(text, *written).with_context(|| path.display().to_string())?)
        }
    };
    if *json {
        let (json_summary, tables) = in_json(directory, state, status);
        print_json("status", json_summary, tables)?;
    } else {
        print(&describe_status(directory, state, status.as_ref()))?;
    }
    Ok(Exit::Done)
}

/// The status of a run.
struct Status {
    /// The command of the run.
    command: &'static str,
    spec_hash: String,
    shard: Shard,
    /// The progress of the run.
    progress: Option<Progress>,
    games: Option<u64>,
    /// The time that the run has taken so far, in seconds.
    seconds: f64,
    /// When the counts were saved.
    written: Option<SystemTime>,
    /// The games that entrants have lost by faults.
    lost: Vec<(String, u64)>,
    /// The tables so far, as text and as JSON.
    text: String,
    tables: JsonObject,
}

/// The finished work and the total.
struct Progress {
    done: RunProgress,
    unit: &'static str,
    end: RunEnd,
    games: Option<u64>,
}

/// The end of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunEnd {
    /// After all sets.
    Certain,
    /// At most after all sets.
    AtMost,
    /// When a test is decided.
    Open,
}

impl Status {
    /// From a checkpoint or the counts of a shard.
    fn of_counts(text: &str, written: Option<SystemTime>) -> anyhow::Result<Self> {
        check_digest(text).map_err(|reason| anyhow!(reason))?;
        let spec = serde_json::from_str::<Checkpoint<AnySpec, IgnoredAny>>(text)?.job.spec;
        let status = match spec {
            AnySpec::Contest(spec) if is_league(&spec) => {
                Self::of_experiment(&Leagues::without_agents(&spec), text, RunEnd::Certain)?
            }
            AnySpec::Contest(spec) => {
                let contest = Contest::without_agents(spec)?;
                match (contest.spec().command, contest.spec().allocation) {
                    (Command::Sprt(hypotheses), _) => {
                        let end = if contest.spec().sets < MOST_SETS { RunEnd::AtMost } else { RunEnd::Open };
                        Self::of_experiment(&SequentialTest { contest: &contest, hypotheses }, text, end)?
                    }
                    (_, Allocation::Open) => Self::of_experiment(&Tournament::of(&contest), text, RunEnd::AtMost)?,
                    (_, Allocation::Even) => Self::of_experiment(&Tournament::of(&contest), text, RunEnd::Certain)?,
                }
            }
            // The tables of these runs need models or agents.
            AnySpec::Balance(_) => Self::without_tables::<BalanceSpec, BalanceCounts>("balance", "set", text)?,
            AnySpec::Tune(_) => Self::without_tables::<TuneSpec, TuneCounts>("tune", "round", text)?,
            AnySpec::Train(_) => Self::without_tables::<TrainSpec, TrainCounts>("train", "choice", text)?,
        };
        Ok(Self { written, ..status })
    }

    fn of_experiment<E: ExperimentCommand>(experiment: &E, text: &str, end: RunEnd) -> anyhow::Result<Self> {
        let Checkpoint { job, seconds, counts } = serde_json::from_str::<Checkpoint<E::Spec, E::Counts>>(text)?;
        if !experiment.accepts(&counts, job.shard) {
            bail!("its counts do not belong to its spec");
        }
        // For a league, this determines the current contest.
        experiment.horizon(&counts)?;
        let results = experiment.results(&counts)?;
        Ok(Self {
            command: experiment.name(),
            spec_hash: job.spec_hash,
            shard: job.shard,
            progress: Some(Progress {
                done: counts.done(),
                unit: E::COUNTED,
                end,
                games: experiment.games_in_all(&counts),
            }),
            games: Some(experiment.games(&counts)),
            seconds,
            written: None,
            lost: experiment.faults(&counts).lost,
            tables: tables_so_far(experiment, &counts, &results),
            text: experiment.text(&counts, &results)?,
        })
    }

    fn without_tables<S: DeserializeOwned, C: Counts>(
        command: &'static str,
        unit: &'static str,
        text: &str,
    ) -> anyhow::Result<Self> {
        let Checkpoint { job, seconds, counts } = serde_json::from_str::<Checkpoint<S, C>>(text)?;
        Ok(Self {
            command,
            spec_hash: job.spec_hash,
            shard: job.shard,
            progress: Some(Progress { done: counts.done(), unit, end: RunEnd::Certain, games: None }),
            games: None,
            seconds,
            written: None,
            lost: Vec::new(),
            text: String::new(),
            tables: JsonObject::new(),
        })
    }

    /// From the manifest of a finished run, and its tables.
    fn of_finished(directory: &Path, text: &str) -> anyhow::Result<Self> {
        let run: Run<AnySpec> = serde_json::from_str(text)?;
        let command = match &run.spec {
            AnySpec::Contest(spec) if is_league(spec) => "league",
            AnySpec::Contest(spec) => spec.command.name(),
            AnySpec::Balance(_) => "balance",
            AnySpec::Tune(_) => "tune",
            AnySpec::Train(_) => "train",
        };
        let tables = tables_in(directory)?;
        Ok(Self {
            command,
            spec_hash: run.spec_hash,
            shard: Shard::WHOLE,
            progress: None,
            games: games_in(&tables),
            seconds: run.seconds,
            written: None,
            lost: lost_in(&tables),
            text: String::new(),
            tables,
        })
    }

    /// An estimate of the time to the end, in seconds.
    fn seconds_left(&self) -> Option<f64> {
        let Progress { done: RunProgress { done, of }, end, .. } = self.progress.as_ref()?;
        (*done > 0 && *end != RunEnd::Open).then(|| self.seconds * of.saturating_sub(*done) as f64 / *done as f64)
    }

    /// The time since the counts were saved, in seconds.
    fn age(&self) -> Option<f64> {
        Some(self.written?.elapsed().ok()?.as_secs_f64())
    }
}

fn is_league(spec: &Spec) -> bool {
    spec.command == Command::Tournament { format: Format::League }
}

/// The rows of a table.
fn rows<'a>(tables: &'a JsonObject, name: &str) -> &'a [Value] {
    tables.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// The number of games of a finished run, from its tables: each game has a row of an entrant for each seat.
fn games_in(tables: &JsonObject) -> Option<u64> {
    if let Some(last) = rows(tables, "sprt").last() {
        return last.get("games")?.as_u64();
    }
    let mut seat_games = BTreeMap::new();
    for row in rows(tables, "summary") {
        *seat_games.entry(row.get("seats")?.as_u64()?).or_insert(0) += row.get("games")?.as_u64()?;
    }
    (!seat_games.is_empty()).then(|| seat_games.iter().map(|(&seats, &games)| games / seats.max(1)).sum())
}

/// The games that entrants have lost by faults, from the tables of a finished run.
fn lost_in(tables: &JsonObject) -> Vec<(String, u64)> {
    let mut lost: Vec<(String, u64)> = Vec::new();
    for row in rows(tables, "summary") {
        let faults = ["crashes", "timeouts", "illegal"].iter().filter_map(|kind| row.get(*kind)?.as_u64()).sum::<u64>();
        let entrant = row.get("entrant").and_then(Value::as_str).unwrap_or_default();
        match lost.iter_mut().find(|(name, _)| name == entrant) {
            _ if faults == 0 => {}
            Some((_, all)) => *all += faults,
            None => lost.push((entrant.to_owned(), faults)),
        }
    }
    lost
}

fn describe_status(directory: &Path, state: RunState, status: Option<&Status>) -> String {
    let path = shown(directory);
    let Some(status) = status else { return format!("{path}: running; nothing is counted yet\n") };
    let what = match status.shard {
        Shard::WHOLE => status.command.to_owned(),
        shard => format!("{}, shard {shard}", status.command),
    };
    let next = match (state, status.shard) {
        (RunState::Running, _) => "",
        (RunState::Interrupted, _) => "; to continue, add --resume to its command",
        (RunState::Finished, Shard::WHOLE) => "; its tables are in its directory",
        (RunState::Finished, _) => "; unolab merge merges the shards",
    };
    let mut facts = Vec::new();
    let games = |of: Option<u64>| match (status.games, of) {
        (Some(games), Some(of)) => Some(format!("{} of {}", grouped(games), counted(of, "game"))),
        (Some(games), None) => Some(counted(games, "game")),
        (None, _) => None,
    };
    match &status.progress {
        Some(Progress { done, unit, end: RunEnd::Open, .. }) => {
            facts.push(counted(done.done, unit));
            facts.extend(games(None));
        }
        Some(Progress { done, unit, end, games: of }) => {
            let most = if *end == RunEnd::AtMost { "at most " } else { "" };
            let percent = u128::from(done.done) * 100 / u128::from(done.of.max(1));
            facts.push(format!("{percent}%: {} of {most}{}", grouped(done.done), counted(done.of, unit)));
            facts.extend(games(*of));
        }
        None => facts.extend(games(None)),
    }
    let mut times = Vec::new();
    if state == RunState::Finished {
        times.push(format!("it took {}", time_in_words(status.seconds)));
    } else {
        times.push(format!("{} so far", time_in_words(status.seconds)));
    }
    if state != RunState::Finished {
        times.extend(status.seconds_left().map(|left| format!("about {} left", time_in_words(left))));
        times.extend(status.age().map(|age| format!("saved {} ago", time_in_words(age))));
    }
    let (facts, times) = (facts.join(", "), times.join(", "));
    let fits = facts.len() + times.len() + 2 <= usize::from(width());
    let between = match facts.is_empty() {
        true => "",
        false if fits => ", ",
        false => "\n",
    };
    format!("{path}: {} ({what}){next}\n{facts}{between}{times}\n{}", state.name(), status.text)
}

fn in_json(directory: &Path, state: RunState, status: Option<Status>) -> (JsonObject, JsonObject) {
    let mut json_summary = path_of(directory);
    json_summary.insert("state".into(), state.name().into());
    let Some(status) = status else { return (json_summary, JsonObject::new()) };
    let left = if state == RunState::Finished { Some(0.0) } else { status.seconds_left() };
    let (age, progress) = (status.age(), status.progress.as_ref());
    let has_end = |progress: &&Progress| progress.end != RunEnd::Open;
    let lost: JsonObject = status.lost.into_iter().map(|(name, games)| (name, games.into())).collect();
    for (key, value) in [
        ("run", json!(status.command)),
        ("spec_hash", json!(status.spec_hash)),
        ("unit", json!(progress.map(|progress| progress.unit))),
        ("done", json!(progress.map(|progress| progress.done.done))),
        ("total", json!(progress.filter(has_end).map(|progress| progress.done.of))),
        ("games_done", json!(status.games)),
        ("games_total", json!(progress.map_or(status.games, |progress| progress.games))),
        ("seconds", json!(status.seconds)),
        ("seconds_left", json!(left)),
        ("seconds_since_save", json!(age)),
        ("lost_by_faults", lost.into()),
    ] {
        json_summary.insert(key.into(), value);
    }
    if status.shard != Shard::WHOLE {
        json_summary.insert("shard".into(), status.shard.to_string().into());
    }
    (json_summary, status.tables)
}
