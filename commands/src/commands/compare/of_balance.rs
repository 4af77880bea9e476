//! `unolab compare` of two balance runs: their variants are played again on common deals, the second as an arm of the first.

use std::path::Path;

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::Balance;
use unolab_arena::experiment::balance::counts::BalanceCounts;
use unolab_arena::experiment::balance::spec::BalanceSpec;
use unolab_arena::run::checkpoint::{Counts as _, RunSpec as _};
use unolab_arena::run::driver::{self, Progress, RunOptions};
use unolab_arena::run::execution::all_cores;
use unolab_arena::run::experiment::Experiment as _;
use unolab_arena::run::integrity::check_integrity;
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::Variant;
use unolab_arena::tables::table::Tables;
use unolab_arena::tables::to_csv;

use super::super::driver::json::{print_json, tables_of};
use super::super::driver::tables::export;
use super::super::driver::{STOP, stop_on_ctrl_c};
use super::args::CompareArgs;
use crate::args::registry_for_replay;
use crate::disk::read_text;
use crate::exit::Exit;
use crate::output::{print, width};
use crate::progress::Bar;
use crate::terminal::balance::sweep_page;

/// Whether it is the directory of a balance run.
pub(super) fn is_balance(directory: &Path) -> bool {
    read_text(&directory.join(RUN_FILE)).is_ok_and(|text| serde_json::from_str::<Run<BalanceSpec>>(&text).is_ok())
}

pub(super) fn run(args: &CompareArgs, first: &Path, second: &Path, registry: &Registry) -> anyhow::Result<Exit> {
    let spec = common_spec(first, second).with_context(|| format!("{} and {}", first.display(), second.display()))?;
    args.trust.check(&first.join(RUN_FILE), spec.agents())?;
    let registry = &registry_for_replay(registry, None, first)?;
    let threads = all_cores();
    let balance = driver::on_threads(threads, || Balance::prepare(&spec, registry))??;
    stop_on_ctrl_c()?;
    let counts = BalanceCounts::new(&spec, Shard::WHOLE);
    let bar = if args.quiet { Bar::hidden() } else { Bar::of(counts.done().of, "set") };
    let on_progress = |progress: Progress| bar.show(progress.sets.done);
    let options = RunOptions { on_progress: &on_progress, ..RunOptions::new(threads, &STOP) };
    let counts = driver::run(&balance, counts, options)?;
    bar.finish();
    if !balance.horizon(&counts)?.is_empty() {
        return Ok(Exit::Stopped);
    }
    let rows = balance.tables(&counts).sweep;
    if args.json {
        let runs = [first, second].map(|directory| directory.display().to_string());
        let json_summary = [("runs".to_owned(), serde_json::json!(runs))].into_iter().collect();
        print_json("compare", json_summary, tables_of(&Tables::none().with(rows.clone())))?;
    }
    let text = if args.csv { String::from_utf8(to_csv(&rows))? } else { sweep_page(&rows, width()) };
    export(&Tables::none().with(rows), &args.export)?;
    if !args.quiet && !args.json {
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// The spec of what both runs measured, with the variant of the second as an arm of the first.
fn common_spec(first: &Path, second: &Path) -> anyhow::Result<BalanceSpec> {
    let [one, other] = [read(first)?, read(second)?];
    if (one.seed, &one.seal) != (other.seed, &other.seal) || one.seal.is_some() {
        bail!("they share no deals: their seeds differ, or a run is sealed");
    }
    for (what, is_same) in [
        ("--agents", one.field == other.field),
        ("--strong", one.good == other.good),
        ("--weak", one.weak == other.weak),
        ("--panel", one.panel == other.panel),
        ("--seating", one.seating == other.seating),
    ] {
        if !is_same {
            bail!("they have different values of {what}");
        }
    }
    let seats: Vec<usize> = one.seats.iter().copied().filter(|seats| other.seats.contains(seats)).collect();
    if seats.is_empty() {
        bail!("they share no deals: no number of seats is in both");
    }
    let rival = Variant { name: name_of(second), ..other.variants[0].clone() };
    if rival.rules == one.variants[0].rules {
        bail!("both measure the same rules");
    }
    Ok(BalanceSpec {
        seats,
        sets: one.sets.min(other.sets),
        matches: one.matches.min(other.matches),
        sweep: Vec::new(),
        arms: Vec::new(),
        worth: Vec::new(),
        ladder: Vec::new(),
        rivals: vec![rival],
        ..one
    })
}

fn name_of(directory: &Path) -> String {
    directory.file_name().map_or_else(|| directory.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn read(directory: &Path) -> anyhow::Result<BalanceSpec> {
    let path = directory.join(RUN_FILE);
    let text = read_text(&path).map_err(anyhow::Error::msg)?;
    let run: Run<BalanceSpec> = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    run.check_spec().map_err(anyhow::Error::msg).with_context(|| path.display().to_string())?;
    check_integrity(directory)?;
    match &run.spec.variants[..] {
        [_] => Ok(run.spec),
        several => bail!(
            "{}: measures {} variants, and only runs of one variant are compared; `unolab balance --variant A,B` compares variants",
            directory.display(),
            several.len()
        ),
    }
}
