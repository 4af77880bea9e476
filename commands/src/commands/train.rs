//! `unolab train`: trains weights for the agent `net`.

mod args;

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use unolab_agents::net::weights::{self, Weights};
use unolab_agents::registry::Registry;
use unolab_arena::experiment::train::counts::TrainCounts;
use unolab_arena::experiment::train::course::{Plan, TrainingGoal};
use unolab_arena::experiment::train::spec::{CommandWord, InitialWeights, TrainError, TrainSpec};
use unolab_arena::experiment::train::training::Training;
use unolab_arena::run::checkpoint::{Counts as _, OutputOptions};
use unolab_arena::run::digest::sha256;
use unolab_arena::run::directory::{CURVE_PICTURE, WEIGHTS_FILE};
use unolab_arena::run::results::Results;
use unolab_arena::run::shard::{RunProgress, Shard};
use unolab_arena::spec::Variant;
use unolab_arena::tables::curve::CurveRow;
use unolab_arena::words::{counted, grouped};
use unolab_engine::rules::{TableSize, load};

use super::driver::{ExperimentCommand, Invocation, drive, request};
use crate::args::{AgentList, PlayMode, Seats};
use crate::disk::Disk;
use crate::exit::Exit;
use crate::output::shown;
use crate::report::learning_curve::learning_curve;
pub(crate) use args::TrainArgs;

pub(crate) fn run(args: TrainArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let common = args.common.clone();
    if let Some(flag) = common.contest.seal_flag() {
        bail!("{flag}: a training run cannot be sealed, because it is not a contest; remove {flag}");
    }
    let opponents = args.exploit.as_ref().map_or(&args.opponents[..], std::slice::from_ref);
    let field: Vec<String> = opponents.iter().flat_map(|AgentList(agents)| agents).cloned().collect();
    let registry = &common.registry_for(registry, &field, None, PlayMode::of(args.dry_run))?;
    let (beginning, from) = match &args.from[..] {
        [] => (None, None),
        [path] if path.as_os_str() == InitialWeights::NET => (Some(InitialWeights::Published), None),
        paths => {
            if paths.iter().any(|path| path.as_os_str() == InitialWeights::NET) {
                bail!("--from net: cannot be combined with other weights; allowed: net alone, or files");
            }
            if common.remote.is_some() {
                bail!(
                    "--from {}: weights are not sent to other machines; play without --remote, or use --from net",
                    paths[0].display()
                );
            }
            let nets = paths.iter().map(|path| read(path)).collect::<anyhow::Result<Vec<_>>>()?;
            let (sha256s, nets): (Vec<_>, Vec<_>) = nets.into_iter().unzip();
            (Some(InitialWeights::Files(sha256s)), Some(Weights::mean(&nets).context("--from")?))
        }
    };
    let spec = TrainSpec {
        command: CommandWord::Train,
        variants: variants(&args)?,
        seats: Seats::all(&args.seats),
        field,
        from: beginning,
        plan: Plan {
            seed: common.seed(),
            imitate: args.pretrain,
            rounds: args.rounds,
            choices: args.choices,
            td_lambda: args.td_lambda,
            discount: args.discount,
            explore_permille: args.pretrain_epsilon,
            explore_own_permille: args.selfplay_epsilon,
            caution: args.override_margin,
            hidden: args.hidden,
            test_games: args.test_games,
            aim: if args.exploit.is_some() { TrainingGoal::Exploiter } else { TrainingGoal::Champion },
        },
    };
    if common.shard.is_some_and(|shard| shard != Shard::WHOLE) {
        bail!("--shard: a training run has no shards, because every step builds on the one before");
    }
    let flag = if args.exploit.is_some() { "--exploit" } else { "--opponents" };
    let course = spec.course(from, registry).map_err(|error| match error {
        TrainError::Field(_) | TrainError::PerfectInformation(_) => anyhow!(error).context(flag),
        error => anyhow!(error),
    })?;
    let outputs = OutputOptions { sandbox: common.confined(), ..OutputOptions::default() };
    let invocation = Invocation::new(&common, outputs, PlayMode::of(args.dry_run))?;
    drive(&Training::new(spec, course), &invocation)
}

/// The SHA-256 of a file of weights, and its net.
fn read(path: &Path) -> anyhow::Result<(String, Weights)> {
    let named = || format!("--from {}", path.display());
    let bytes = weights::file_content(path).with_context(named)?;
    Ok((sha256(&bytes), Weights::from_bytes(&bytes).with_context(named)?))
}

impl ExperimentCommand for Training {
    const COUNTED: &str = "choice";

    fn leader(&self, counts: &TrainCounts) -> String {
        let last = counts.progress.curve.iter().rev().find(|row| !row.verdict.is_empty());
        last.map_or_else(String::new, |row| {
            format!("; stage {}: {} against the opponents", row.stage, percent(row.against_field))
        })
    }

    fn text(&self, counts: &TrainCounts, _results: &Results) -> anyhow::Result<String> {
        let progress = &counts.progress;
        Ok(format!("{}{}\n", stages(&progress.curve), counted(progress.choices, "choice")))
    }

    fn figures(&self, counts: &TrainCounts, _metrics: &[String]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        let curve = learning_curve(&counts.progress.curve);
        Ok(curve.map(|svg| (CURVE_PICTURE.to_owned(), svg.into_bytes())).into_iter().collect())
    }

    fn dry_run(&self, left: &TrainCounts, _outputs: OutputOptions, _threads: usize) -> anyhow::Result<String> {
        let RunProgress { done, of } = left.done();
        let tables = counted(self.course().tables.len() as u64, "table");
        Ok(format!("{} of {} for learning, at {tables}", grouped(of - done), counted(of, "choice")))
    }

    fn result_location(&self, path: &Path) -> String {
        format!("play with net:weights={}", shown(&path.join(WEIGHTS_FILE)))
    }
}

/// A line for each finished stage.
fn stages(curve: &[CurveRow]) -> String {
    let over = curve.iter().filter(|row| !row.verdict.is_empty());
    over.map(|row| {
        let champion = row
            .against_champion
            .map_or_else(String::new, |share| format!(", {} against the last champion", percent(Some(share))));
        format!(
            "stage {}: {} of rounds won against the opponents{champion}: {}\n",
            row.stage,
            percent(row.against_field),
            row.verdict
        )
    })
    .collect()
}

fn percent(share: Option<f64>) -> String {
    share.map_or_else(|| "-".into(), |share| format!("{:.1}%", 100.0 * share))
}

/// Each variant is played at the numbers of seats that it allows.
fn variants(args: &TrainArgs) -> anyhow::Result<Vec<Variant>> {
    if let Some(twice) = request::first_repeated(&Seats::all(&args.seats)) {
        bail!("--seats names {twice} twice");
    }
    request::variants_by(&args.rules, |variant| load(variant, &args.rules.overrides.set, TableSize::Any, &Disk))
}
