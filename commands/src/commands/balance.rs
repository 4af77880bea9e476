//! `unolab balance`: measures a variant, and compares its rules and cards on the same deals.

mod args;
mod dry_run;

use std::path::PathBuf;

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::Balance;
use unolab_arena::experiment::balance::counts::BalanceCounts;
use unolab_arena::experiment::balance::spec::{BalanceSpec, CommandWord, VariantComparison};
use unolab_arena::run::checkpoint::{Checkpoint, Job, OutputOptions};
use unolab_arena::run::directory::{Page, Plan, figure_file};
use unolab_arena::run::driver::on_threads;
use unolab_arena::run::execution::{all_cores, default_directory};
use unolab_arena::run::experiment::Experiment as _;
use unolab_arena::run::results::Results;
use unolab_arena::spec::Variant;
use unolab_arena::spec::variant::load_for_seats;
use unolab_arena::words::counted;
use unolab_engine::spelling::nearest;

use super::driver::merge::{MergeArgs, merge};
use super::driver::{ExperimentCommand, Invocation, drive, request};
use crate::args::{AgentList, PlayMode, RulesArgs, Seats, opened};
use crate::balance_words::GoodAndWeak;
use crate::disk::Disk;
use crate::exit::Exit;
use crate::output::{warn, width};
use crate::report::figure::figure;
use crate::terminal::balance::page;
pub(crate) use args::BalanceArgs;

pub(crate) fn run(args: BalanceArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let (common, plots, mode) = (args.common.clone(), args.plot.clone(), PlayMode::of(args.dry_run));
    let page = if args.report { Page::Wanted } else { Page::NotRequested };
    let agents = args.agents.iter().flat_map(|AgentList(agents)| agents);
    let registry = &common.registry_for(
        registry,
        agents.chain([&args.strong, &args.weak]).chain(&args.budget_scaling).chain(&args.panel.0),
        None,
        mode,
    )?;
    let options = OutputOptions { sandbox: common.confined(), ..OutputOptions::default() };
    let invocation = Invocation::new(&common, options, mode)?.with_page(page, plots)?.with_programs(registry);
    let spec = spec(args)?;
    let players = [("--strong", &spec.good), ("--weak", &spec.weak)];
    let of_panel = spec.panel.iter().map(|member| ("--panel", member));
    let others = spec.ladder.iter().map(|rung| ("--budget-scaling", rung)).chain(of_panel);
    for (flag, agent) in players.into_iter().chain(others) {
        registry.configure(agent).context(flag)?;
    }
    let Invocation { outputs, execution, .. } = &invocation;
    // Reports conflicts with existing files before the pilots are played.
    let shard = execution.shard;
    let path = execution.directory.clone().unwrap_or_else(|| default_directory("balance", spec.hash(), shard));
    let job = Job::new(&spec, shard, outputs.options);
    let first = Checkpoint { job, seconds: 0.0, counts: BalanceCounts::new(&spec, shard) };
    Plan::of(&path, &first, execution.start, outputs, execution.changed_programs)?;
    let balance = on_threads(invocation.num_threads(), || Balance::prepare(&spec, registry))??;
    check_figures(&balance, &outputs.figures)?;
    drive(&balance, &invocation)
}

/// Checks that the run can have these metrics in the table that a figure reads: sweep.csv if the run compares anything.
fn check_figures(balance: &Balance, figures: &[String]) -> anyhow::Result<()> {
    let compared = balance.compared();
    let (table, metrics) = match compared.is_empty() {
        true => ("metrics.csv", balance.metrics()),
        false => ("sweep.csv", compared),
    };
    for metric in figures {
        if !metrics.contains(metric) {
            bail!(
                "--plot {metric}: unknown metric in the {table} of this run; {}allowed: {}",
                nearest(metric, metrics.iter().map(String::as_str))
                    .map_or_else(String::new, |meant| format!("did you mean `{meant}`? ")),
                metrics.iter().map(String::as_str).collect::<Vec<_>>().join(", ")
            );
        }
    }
    Ok(())
}

impl ExperimentCommand for Balance {
    fn leader(&self, counts: &BalanceCounts) -> String {
        Self::leader(self, counts)
    }

    fn text(&self, counts: &BalanceCounts, _results: &Results) -> anyhow::Result<String> {
        let BalanceSpec { good, weak, .. } = self.spec();
        Ok(page(&self.tables(counts), &GoodAndWeak { good: good.clone(), weak: weak.clone() }, width()))
    }

    fn figures(&self, counts: &BalanceCounts, metrics: &[String]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        if metrics.is_empty() {
            return Ok(Vec::new());
        }
        let found = self.tables(counts);
        let mut drawn = Vec::new();
        for metric in metrics {
            match figure(&found, metric) {
                Some(figure) => drawn.push((figure_file(metric), figure.into_bytes())),
                // This is known only now, and a missing figure must not discard the tables.
                None => warn(&format!("warning: --plot {metric}: this run has no values of it, so there is no figure")),
            }
        }
        Ok(drawn)
    }

    fn dry_run(&self, left: &BalanceCounts, _outputs: OutputOptions, threads: usize) -> anyhow::Result<String> {
        dry_run::of_balance(self, left, threads)
    }
}

/// The checkpoint of a balance run.
pub(super) type BalanceCheckpoint = Checkpoint<BalanceSpec, BalanceCounts>;

/// Merges the parts of a balance run into the bytes of the whole run; prints its directory.
pub(super) fn merge_parts(
    parts: Vec<(PathBuf, BalanceCheckpoint)>,
    args: &MergeArgs,
    registry: &Registry,
) -> anyhow::Result<PathBuf> {
    let spec = parts[0].1.job.spec.clone();
    let spec = BalanceSpec { seal: opened(spec.seal, args.key_file.as_deref())?, ..spec };
    let balance = on_threads(all_cores(), || Balance::prepare(&spec, registry))?;
    let balance = balance.with_context(|| parts[0].0.display().to_string())?;
    merge(&balance, parts, args)
}

/// The spec of these arguments.
fn spec(args: BalanceArgs) -> anyhow::Result<BalanceSpec> {
    let seats = match &args.seats[..] {
        [] => request::usual_seats(&args.rules)?,
        asked => Seats::all(asked),
    };
    if let Some(twice) = request::first_repeated(&seats) {
        bail!("--seats names {twice} twice");
    }
    let field = request::entrants(args.agents)?;
    if let Some(seats) = seats.iter().find(|&&seats| seats < field.len()) {
        warn(&format!(
            "warning: at {seats} seats only {} play; the other agents have no seat",
            counted(*seats as u64, "agent")
        ));
    }
    if let Some(twice) = request::first_repeated(&args.panel.0) {
        bail!("--panel names {twice} twice");
    }
    if let Some(twice) = request::first_repeated(&args.longer_than) {
        bail!("--longer-than names {twice} twice");
    }
    let (files, arms): (Vec<String>, Vec<String>) = args.arm.into_iter().partition(|arm| !arm.contains('='));
    let variants = request::variants(&args.rules, &seats)?;
    let comparison = match variants.len() {
        1 => VariantComparison::Separate,
        _ if args.separate => VariantComparison::Separate,
        _ => VariantComparison::WithFirst,
    };
    Ok(BalanceSpec {
        command: CommandWord::Balance,
        field,
        variants,
        rivals: rivals(&files, &args.rules, &seats)?,
        comparison,
        metrics: args.metrics,
        panel: args.panel.0,
        turn_ms: args.seconds_per_turn,
        lengths: args.longer_than,
        decisive_permille: args.decisive_choice,
        seats,
        sets: args.sets,
        matches: args.matches.unwrap_or(args.sets / 20),
        seed: args.common.seed(),
        seating: args.seating,
        sweep: args.sweep,
        arms: arms.iter().map(|changes| changes.split(';').map(|change| change.trim().into()).collect()).collect(),
        worth: args.card_effect,
        good: args.strong,
        weak: args.weak,
        ladder: args.budget_scaling.map_or_else(|| Ok(Vec::new()), |agent| doubled(&agent, args.doublings))?,
        margin_permille: args.margin,
        seal: args.common.seal(PlayMode::of(args.dry_run))?,
    })
}

/// The variants of the arms that name a preset or a file instead of changes.
fn rivals(names: &[String], rules: &RulesArgs, seats: &[usize]) -> anyhow::Result<Vec<Variant>> {
    let mut rivals: Vec<Variant> = Vec::new();
    for name in names {
        let loaded = load_for_seats(name, &rules.overrides.set, seats, &Disk)
            .with_context(|| format!("--arm {name}: neither key=value nor a variant"))?;
        loaded.warnings.iter().for_each(|warning| warn(&format!("warning: {warning}")));
        let rival = Variant::of(&loaded.rules);
        if rivals.iter().any(|other| other.name == rival.name) {
            bail!("--arm: two variants are called `{}`; rename one file", rival.name);
        }
        rivals.push(rival);
    }
    Ok(rivals)
}

/// The agent, and copies of it with the last number doubled up to `times` times.
fn doubled(agent: &str, times: u8) -> anyhow::Result<Vec<String>> {
    let wrong =
        || format!("--budget-scaling {agent}: its last option must be a whole number, such as ismcts:iterations=16");
    let (head, number) = agent.rsplit_once('=').with_context(wrong)?;
    let budget: u64 = number.parse().ok().with_context(wrong)?;
    let rungs =
        (0..=u32::from(times)).map(|time| budget.checked_mul(1 << time).map(|budget| format!("{head}={budget}")));
    rungs.collect::<Option<_>>().with_context(wrong)
}
