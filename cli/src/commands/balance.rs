//! `unolab balance`: a variant measured, and its rules and cards compared on the same deals.

mod dry_run;

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, bail};
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::offences::OffenceRow;
use unolab_arena::experiment::balance::part::BalancePart;
use unolab_arena::experiment::balance::spec::{BalanceSpec, Word};
use unolab_arena::experiment::balance::{self, Balance, Conduct};
use unolab_arena::run::folder::FolderError;
use unolab_arena::run::folder::Plan;
use unolab_arena::run::folder::{Asked, Claim, RunFolder};
use unolab_arena::run::joined::Joined;
use unolab_arena::run::manifest::{Machine, RUN_FILE, Run};
use unolab_arena::run::shard::{Done, Shard};
use unolab_arena::run::standing::{Besides, Job, PART_FILE, Standing};
use unolab_arena::run::stretches::End;
use unolab_arena::spec::seal::Seal;
use unolab_arena::tables::balance::{MetricsRow, PointsRow, SweepRow};
use unolab_arena::tables::describe;

use super::running::dry_run::left;
use super::running::keeper::{Keeper, how_to_go_on, tell_stopped};
use super::running::tables::Tables;
use super::running::{STOP, folder_of, listen_for_ctrl_c, request, tell_finished};
use crate::args::{AgentList, BalanceArgs, KeptArgs, MergeArgs, TableFormat, opened};
use crate::exit::Exit;
use crate::output::{print, width};
use crate::progress::Bar;
use crate::report::figure::{figure, file_name};
use crate::terminal::balance::page;

pub(crate) fn run(args: BalanceArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let (kept, plots, is_dry) = (args.kept.clone(), args.plot.clone(), args.dry_run);
    let agents = args.agents.iter().flat_map(|AgentList(agents)| agents);
    let registry = &kept.registry_for(registry, agents.chain([&args.good, &args.weak]).chain(&args.ladder), None)?;
    run_spec(&spec(args)?, &kept, &plots, is_dry, registry)
}

/// Measures what a spec says.
pub(super) fn run_spec(
    spec: &BalanceSpec,
    kept: &KeptArgs,
    plots: &[String],
    is_dry: bool,
    registry: &Registry,
) -> anyhow::Result<Exit> {
    let shard = kept.shard()?;
    let path = kept.out.clone().unwrap_or_else(|| folder_of("balance", spec.hash(), shard));
    let anew = || {
        let besides = Besides { sandbox: kept.confined(), ..Besides::default() };
        let job = Job::new(spec, shard, besides);
        Standing { job, seconds: 0.0, part: BalancePart::new(spec, shard) }
    };
    // Whatever is in the way is told before the pilots are played.
    let with_plot = |asked: Asked, metric: &String| asked.with(format!("--plot {}", plot_name(metric)), true);
    let asked = plots.iter().fold(kept.asked(), with_plot);
    let plan = Plan::of(&path, &anew(), kept.start(), &asked)?;
    let balance = Balance::prepare(spec, registry)?;
    for metric in plots {
        if !balance.has_metric(metric) {
            bail!("--plot {metric}: there is no such metric; turns, drama, skill and others are named in metrics.csv");
        }
    }
    if is_dry {
        return match left(plan, anew().part) {
            Some((part, fate)) => dry_run::run(&balance, &part, &path, &fate, kept.num_threads()),
            None => tell_finished(&path, kept),
        };
    }
    let (folder, standing) = match RunFolder::open(&path, anew(), kept.start(), asked)? {
        Claim::Play(folder, standing) => (folder, *standing),
        Claim::Finished => return tell_finished(&path, kept),
    };
    if !balance.has_part(spec, &standing.part, shard) {
        return Err(FolderError::Broken { path, reason: "its counts do not belong to its spec".into() }.into());
    }
    let (end, standing) = play(&balance, kept, &folder, standing).with_context(|| how_to_go_on(&folder))?;
    if end == End::Stopped {
        tell_stopped(&folder, balance.games(&standing.part), "game");
        return Ok(Exit::Stopped);
    }
    if shard != Shard::WHOLE {
        folder.write(PART_FILE, standing.to_json())?;
        folder.publish()?;
        return tell(kept, &format!("part {shard} in {}; unolab merge joins the parts\n", path.display()));
    }
    let tables = balance.tables(&standing.part);
    let extras = Extras { tables: kept.tables, plots, seal: spec.seal.as_ref() };
    finish(&tables, folder, &standing, kept.num_threads(), extras)?;
    tell(kept, &format!("{}tables in {}\n", page(&tables, width()), path.display()))
}

fn tell(kept: &KeptArgs, text: &str) -> anyhow::Result<Exit> {
    if !kept.quiet {
        print(text)?;
    }
    Ok(Exit::Done)
}

/// Goes on with a balance from where it stands, and keeps it from time to time.
fn play(
    balance: &Balance,
    kept: &KeptArgs,
    folder: &RunFolder,
    from: BalanceStanding,
) -> anyhow::Result<(End, BalanceStanding)> {
    listen_for_ctrl_c()?;
    let Standing { job, seconds, mut part } = from;
    let keeper = Keeper::new(folder, job, seconds);
    let Done { done, of } = balance.games(&part);
    let bar = if kept.quiet { Bar::hidden() } else { Bar::of(of, "game") };
    bar.begin_at(done);
    let games = AtomicU64::new(done);
    let on_games = |more| bar.show(games.fetch_add(more, Ordering::Relaxed) + more);
    let keep = |part: &BalancePart| {
        bar.lead(&balance.leader(part));
        keeper.keep(part)
    };
    let conduct = Conduct { threads: kept.num_threads(), stop: &STOP, on_games: &on_games, keep: &keep };
    let end = balance.play_on(&conduct, &mut part)?;
    bar.finish();
    keeper.keep_at_once(&part)?;
    Ok((end, keeper.standing(part)))
}

/// Joins the parts of a balance to the bytes of the whole; says where it is.
pub(super) fn merge(
    parts: Vec<(PathBuf, BalanceStanding)>,
    args: &MergeArgs,
    registry: &Registry,
) -> anyhow::Result<PathBuf> {
    let spec = parts[0].1.job.spec.clone();
    let spec = BalanceSpec { seal: opened(spec.seal, args.seal_file.as_deref())?, ..spec };
    let balance = Balance::prepare(&spec, registry).with_context(|| parts[0].0.display().to_string())?;
    let job = Job { shard: Shard::WHOLE, ..parts[0].1.job.clone() };
    let whole = Standing { job, seconds: 0.0, part: BalancePart::new(&spec, Shard::WHOLE) };
    let Joined { whole, .. } =
        Joined::of(parts, whole, args.changed_programs(), |part, shard| balance.has_part(&spec, part, shard))?;
    let path = args.out.clone().unwrap_or_else(|| folder_of("balance", spec.hash(), Shard::WHOLE));
    let folder = RunFolder::claim(&path, spec.hash(), whole.job.besides, args.asked())?;
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let extras = Extras { tables: args.tables, plots: &[], seal: spec.seal.as_ref() };
    finish(&balance.tables(&whole.part), folder, &whole, threads, extras)?;
    Ok(path)
}

/// How far a balance has come.
pub(super) type BalanceStanding = Standing<BalanceSpec, BalancePart>;

/// What the folder of a balance gets besides its tables as CSV.
#[derive(Clone, Copy)]
struct Extras<'a> {
    tables: TableFormat,
    plots: &'a [String],
    /// With its key, which is made known.
    seal: Option<&'a Seal>,
}

/// Writes the tables and figures of a whole balance into its folder, and puts it in its place.
fn finish(
    found: &balance::results::Tables,
    folder: RunFolder,
    Standing { job, seconds, .. }: &BalanceStanding,
    threads: usize,
    extras: Extras<'_>,
) -> anyhow::Result<()> {
    let balance::results::Tables { metrics, sweep, points, offences } = found.clone();
    let tables = Tables::none().with(metrics).with(sweep).with(points);
    tables.write(&folder, extras.tables)?;
    // They may depend on the time that programs take: they are no result.
    Tables::none().with_any(offences).write(&folder, extras.tables)?;
    for metric in extras.plots {
        let drawn = figure(found, metric).with_context(|| format!("--plot {metric}: nothing was found of it"))?;
        folder.write(&file_name(metric), drawn)?;
    }
    folder.write("README.md", readme())?;
    let run = Run::of_hash(job.spec.clone(), job.spec.hash(), &tables.named(), Machine::this(threads), *seconds);
    let run = Run { files: Some(folder.files()), ..run.of_job(job).with_key_of(extras.seal) };
    folder.write(RUN_FILE, run.to_json())?;
    Ok(folder.publish()?)
}

/// The name of the figure of a metric, without its ending.
fn plot_name(metric: &str) -> String {
    file_name(metric).trim_end_matches(".svg").to_owned()
}

/// What the arguments ask for, as a spec.
fn spec(args: BalanceArgs) -> anyhow::Result<BalanceSpec> {
    let seats: Vec<usize> = args.seats.iter().copied().map(usize::from).collect();
    if let Some(twice) = request::first_repeated(&seats) {
        bail!("--seats names {twice} twice");
    }
    Ok(BalanceSpec {
        command: Word::Balance,
        field: request::entrants(args.agents)?,
        variants: request::variants(&args.rules, &seats)?,
        seats,
        sets: args.sets,
        matches: args.matches.unwrap_or(args.sets / 20),
        seed: args.kept.seed,
        seating: args.seating,
        sweep: args.sweep,
        arms: args.arm.iter().map(|changes| changes.split(';').map(|change| change.trim().into()).collect()).collect(),
        worth: args.worth,
        good: args.good,
        weak: args.weak,
        ladder: args.ladder.map_or_else(|| Ok(Vec::new()), |agent| doubled(&agent, args.rungs))?,
        margin_permille: args.margin,
        seal: args.kept.seal()?,
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

/// The README of a run's folder.
fn readme() -> String {
    [
        include_str!("balance.md").to_owned(),
        describe::<MetricsRow>(),
        describe::<SweepRow>(),
        describe::<PointsRow>(),
        describe::<OffenceRow>(),
    ]
    .join("\n")
}
