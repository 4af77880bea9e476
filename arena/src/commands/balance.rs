//! `unolab balance`: a variant measured, and its rules and cards compared on the same deals.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anyhow::{Context, bail};
use unolab_arena::balance::figure::{figure, file_name};
use unolab_arena::balance::results::{MetricsRow, PointsRow, SweepRow, Tables};
use unolab_arena::balance::spec::{BalanceSpec, Word};
use unolab_arena::balance::{Balance, Conduct, page::page};
use unolab_arena::folder::RunFolder;
use unolab_arena::run::{Machine, RUN_FILE, Run};
use unolab_arena::spec::Entrant;
use unolab_arena::tables::{Row, describe, to_csv};

use super::running::{STOP, listen_for_ctrl_c, request};
use crate::cli::{AgentList, BalanceArgs};
use crate::exit::Exit;
use crate::output::{complain, print, width};
use crate::progress::Bar;

pub(crate) fn run(args: BalanceArgs) -> anyhow::Result<Exit> {
    let threads = args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let (out, quiet, plots) = (args.out.clone(), args.quiet, args.plot.clone());
    let spec = spec(args)?;
    let path = out.unwrap_or_else(|| PathBuf::from(format!("runs/balance-{}", spec.hash())));
    let folder = RunFolder::claim(&path, spec.hash())?;
    listen_for_ctrl_c()?;

    let begin = Instant::now();
    let balance = Balance::prepare(&spec)?;
    let bar = if quiet { Bar::hidden() } else { Bar::of(balance.num_games(), "games") };
    let games = AtomicU64::new(0);
    let on_games = |more| bar.show(games.fetch_add(more, Ordering::Relaxed) + more);
    let tables = balance.play(&Conduct { threads, stop: &STOP, on_games: &on_games })?;
    bar.finish();
    let Some(tables) = tables else {
        complain(&format!("stopped; nothing was written to {}", path.display()));
        return Ok(Exit::Stopped);
    };

    let files = files(&tables);
    for (name, bytes) in &files {
        folder.write(name, bytes)?;
    }
    for metric in &plots {
        let drawn = figure(&tables, metric).with_context(|| format!("--plot {metric}: there is no such metric"))?;
        folder.write(&file_name(metric), drawn)?;
    }
    folder.write("README.md", readme())?;
    let named: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (*name, &**bytes)).collect();
    let hash = spec.hash();
    let run = Run::of_hash(spec, hash, &named, Machine::this(threads), begin.elapsed().as_secs_f64());
    folder.write(RUN_FILE, run.to_json())?;
    folder.publish()?;
    if !quiet {
        print(&format!("{}tables in {}\n", page(&tables, width()), path.display()))?;
    }
    Ok(Exit::Done)
}

/// What the arguments ask for, as a spec.
fn spec(args: BalanceArgs) -> anyhow::Result<BalanceSpec> {
    let seats: Vec<usize> = args.seats.iter().copied().map(usize::from).collect();
    if let Some(twice) = request::first_repeated(&seats) {
        bail!("--seats names {twice} twice");
    }
    Ok(BalanceSpec {
        command: Word::Balance,
        field: Entrant::name_all(args.agents.into_iter().flat_map(|AgentList(agents)| agents)),
        variants: request::variants(&args.rules, &seats)?,
        seats,
        sets: args.sets,
        matches: args.matches.unwrap_or(args.sets / 20),
        seed: args.seed,
        seating: args.seating,
        sweep: args.sweep,
        arms: args.arm.iter().map(|changes| changes.split(';').map(|change| change.trim().into()).collect()).collect(),
        worth: args.worth,
        good: args.good,
        weak: args.weak,
        ladder: args.ladder.map_or_else(|| Ok(Vec::new()), |agent| doubled(&agent, args.rungs))?,
        margin_permille: args.margin,
    })
}

/// The agent, and the same with its last number doubled so many times.
fn doubled(agent: &str, times: u8) -> anyhow::Result<Vec<String>> {
    let wrong = || format!("--ladder {agent}: its last option must be a whole number, such as ismcts:iterations=16");
    let (head, number) = agent.rsplit_once('=').with_context(wrong)?;
    let budget: u64 = number.parse().ok().with_context(wrong)?;
    let rungs =
        (0..=u32::from(times)).map(|time| budget.checked_mul(1 << time).map(|budget| format!("{head}={budget}")));
    rungs.collect::<Option<_>>().with_context(wrong)
}

fn files(tables: &Tables) -> Vec<(&'static str, Vec<u8>)> {
    vec![
        (MetricsRow::FILE, to_csv(&tables.metrics)),
        (SweepRow::FILE, to_csv(&tables.sweep)),
        (PointsRow::FILE, to_csv(&tables.points)),
    ]
}

/// The README of a run's folder.
fn readme() -> String {
    [include_str!("balance.md").to_owned(), describe::<MetricsRow>(), describe::<SweepRow>(), describe::<PointsRow>()]
        .join("\n")
}
