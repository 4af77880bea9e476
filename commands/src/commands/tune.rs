//! `unolab tune`: finds rules that meet a designer's goals.

mod args;
mod dry_run;
mod text;

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::experiment::tune::Tuning;
use unolab_arena::experiment::tune::counts::{Stage, TuneCounts};
use unolab_arena::experiment::tune::results::{Outcome, Verdict};
use unolab_arena::experiment::tune::spec::{CommandWord, TuneSpec};
use unolab_arena::run::checkpoint::OutputOptions;
use unolab_arena::run::directory::{BEST_FILE, FRONT_PICTURE, Page};
use unolab_arena::run::driver::on_threads;
use unolab_arena::run::manifest::Run;
use unolab_arena::run::results::Results;
use unolab_arena::run::shard::Shard;

use super::driver::json::{JsonObject, one_table, tables_in};
use super::driver::{ExperimentCommand, Invocation, RunFile, RunState, drive, request};
use crate::args::{AgentList, CommonRunArgs, PlayMode, Seats};
use crate::exit::Exit;
use crate::output::{shown, warn};
use crate::report::front::front_plot;
use args::Budget;
pub(crate) use args::{TuneArgs, words_of_file};

pub(crate) fn run(args: TuneArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let (common, mode) = (args.common.clone(), PlayMode::of(args.dry_run));
    if common.shard.is_some_and(|shard| shard != Shard::WHOLE) {
        bail!("--shard: a tuning run has no shards, because every step of the search uses all results before it");
    }
    let agents = args.agents.iter().flat_map(|AgentList(agents)| agents);
    let registry =
        &common.registry_for(registry, agents.chain([&args.strong, &args.weak]).chain(&args.panel.0), None, mode)?;
    let players = [("--strong", &args.strong), ("--weak", &args.weak)];
    for (flag, agent) in players.into_iter().chain(args.panel.0.iter().map(|member| ("--panel", member))) {
        registry.configure(agent).context(flag)?;
    }
    let budget = args.budget;
    let mut spec = spec(args)?;
    if let Budget::Time(time) = budget {
        spec.budget = rounds_in(time, &spec, &common, registry)?;
    }
    let outputs = OutputOptions { sandbox: common.confined(), ..OutputOptions::default() };
    let invocation =
        Invocation::new(&common, outputs, mode)?.with_page(Page::Wanted, Vec::new())?.with_programs(registry);
    let tuning = on_threads(invocation.num_threads(), || Tuning::prepare(&spec, registry))??;
    drive(&tuning, &invocation)
}

/// The rounds of a run that may take this time: the rounds of its spec if it was begun before, otherwise as many as this machine is
/// expected to play.
fn rounds_in(time: Duration, spec: &TuneSpec, common: &CommonRunArgs, registry: &Registry) -> anyhow::Result<u64> {
    if common.resume {
        let Some(out) = &common.out else {
            bail!(
                "--resume: the directory of a run with a time as its --budget has the number of rounds in its name; add --out"
            );
        };
        if let Some(rounds) = rounds_of_begun(out) {
            return Ok(rounds);
        }
    }
    let threads = common.num_threads(1);
    // Large enough for every check; the real number follows.
    let trial = TuneSpec { budget: u64::MAX >> 8, ..spec.clone() };
    let measure = || -> anyhow::Result<f64> {
        let tuning = Tuning::prepare(&trial, registry)?;
        Ok(tuning.rounds_per_second(PILOT)?)
    };
    let per_second = on_threads(threads, measure)??;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative")]
    let rounds = (per_second * threads as f64 * time.as_secs_f64()) as u64;
    Ok(rounds.max(1))
}

/// The time in which the speed of a machine is measured.
const PILOT: Duration = Duration::from_secs(1);

/// The budget of the run in this directory, if it holds one.
fn rounds_of_begun(out: &Path) -> Option<u64> {
    let (_, file) = RunState::of(out).ok()??;
    match file {
        RunFile::NotYet => None,
        RunFile::Manifest { text, .. } => Some(serde_json::from_str::<Run<TuneSpec>>(&text).ok()?.spec.budget),
        RunFile::Counts { text, .. } => {
            let saved: serde_json::Value = serde_json::from_str(&text).ok()?;
            saved.get("job")?.get("spec")?.get("budget")?.as_u64()
        }
    }
}

/// The spec of these arguments; a time as the budget is still to be converted.
fn spec(args: TuneArgs) -> anyhow::Result<TuneSpec> {
    let [_] = &args.rules.variant[..] else {
        bail!("--variant: a tuning run changes one variant, not {}", args.rules.variant.len());
    };
    let seats = match &args.seats[..] {
        [] => request::usual_seats(&args.rules)?,
        asked => Seats::all(asked),
    };
    for (flag, twice) in [
        ("--seats", request::first_repeated(&seats).map(ToString::to_string)),
        ("--panel", request::first_repeated(&args.panel.0).cloned()),
    ] {
        if let Some(twice) = twice {
            bail!("{flag} names {twice} twice");
        }
    }
    if let Some(key) =
        args.vary.iter().map(|vary| &vary.key).find(|key| args.rules.overrides.set.iter().any(|set| set.key == **key))
    {
        bail!("--vary {key}: is also set with --set; remove one of them");
    }
    let field = request::entrants(args.agents)?;
    if let Some(seats) = seats.iter().find(|&&seats| seats < field.len()) {
        warn(&format!("warning: at {seats} seats not all agents of --agents have a seat at each table"));
    }
    let base = request::variants(&args.rules, &seats)?.swap_remove(0);
    Ok(TuneSpec {
        command: CommandWord::Tune,
        field,
        base,
        seats,
        vary: args.vary,
        goals: args.goal.iter().map(|goal| goal.trim().to_owned()).collect(),
        budget: match args.budget {
            Budget::Rounds(rounds) => rounds,
            Budget::Time(_) => 0,
        },
        seed: args.common.seed(),
        seating: args.seating,
        good: args.strong,
        weak: args.weak,
        panel: args.panel.0,
        turn_ms: args.seconds_per_turn,
        seal: args.common.seal(PlayMode::of(args.dry_run))?,
    })
}

impl ExperimentCommand for Tuning {
    const COUNTED: &str = "round";
    const MAY_END_EARLY: bool = true;

    fn leader(&self, counts: &TuneCounts) -> String {
        match counts.stage {
            Stage::Screen | Stage::Search { .. } => {
                self.best_so_far(counts).map_or_else(String::new, |rules| format!("; searching, best so far {rules}"))
            }
            Stage::Simplify => "; looking for changes without an effect".into(),
            Stage::Certificate => "; the finalists play fresh deals".into(),
            Stage::Contributions | Stage::Finished => "; measuring each change".into(),
        }
    }

    fn text(&self, counts: &TuneCounts, _results: &Results) -> anyhow::Result<String> {
        Ok(text::page(self, counts))
    }

    fn tables_without_file(&self, counts: &TuneCounts) -> JsonObject {
        let outcome = self.outcome(counts).map(|outcome| serde_json::json!({ "outcome": outcome.name() }));
        outcome.map_or_else(JsonObject::new, |outcome| one_table("outcome", vec![outcome]))
    }

    fn figures(&self, counts: &TuneCounts, _names: &[String]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let best = text::best_file(self, counts).map_err(anyhow::Error::msg)?;
        let rows = self.candidate_rows(counts);
        let axes = self.axes();
        let svg = front_plot(&rows, [&axes[0], &axes[1]]);
        let svg = svg.map(|svg| (FRONT_PICTURE.to_owned(), svg.into_bytes()));
        Ok([(BEST_FILE.to_owned(), best.into_bytes())].into_iter().chain(svg).collect())
    }

    fn dry_run(&self, left: &TuneCounts, _besides: OutputOptions, threads: usize) -> anyhow::Result<String> {
        dry_run::of_tuning(self, left, threads)
    }

    fn result_location(&self, path: &Path) -> String {
        format!("play it with --variant {}; tables in {}", shown(&path.join(BEST_FILE)), shown(path))
    }

    fn exit(&self, counts: &TuneCounts) -> Exit {
        match self.outcome(counts) {
            Some(Outcome::Met) => Exit::Done,
            _ => Exit::CheckFailed,
        }
    }

    fn exit_of_finished(&self, path: &Path) -> anyhow::Result<Exit> {
        let tables = tables_in(path)?;
        let goals = tables.get("goals").and_then(serde_json::Value::as_array).map_or(&[][..], Vec::as_slice);
        let verdicts =
            goals.iter().filter_map(|row| row.get("verdict")?.as_str()).filter(|verdict| !verdict.is_empty());
        let all_met = verdicts.into_iter().all(|verdict| verdict == Verdict::Met.name());
        Ok(if all_met { Exit::Done } else { Exit::CheckFailed })
    }
}
