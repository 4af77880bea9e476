//! `unolab compare`: compares two runs of the same deals.

mod args;
mod of_balance;

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};
use tempfile::tempfile;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::any_spec::{contest_of, seal_with_key};
use unolab_arena::experiment::tournament::{self, Tournament};
use unolab_arena::run::checkpoint::RunSpec as _;
use unolab_arena::run::compare::{RunResults, compare};
use unolab_arena::run::driver::{GamesSink, Progress, RunOptions};
use unolab_arena::run::execution::all_cores;
use unolab_arena::run::integrity::{check_integrity, open};
use unolab_arena::run::manifest::{RUN_FILE, Run, result_hash};
use unolab_arena::run::programs::{ChangedPrograms, ProgramVersions};
use unolab_arena::run::results::Tabulate as _;
use unolab_arena::schedule::Schedule;
use unolab_arena::schedule::contest::schedule_of;
use unolab_arena::spec::{Command, Format, Spec};
use unolab_arena::tables::games::GameRow;
use unolab_arena::tables::table::Tables;
use unolab_arena::tables::{Row, header, to_csv};

use super::driver::json::{print_json, tables_of};
use super::driver::tables::export;
use super::driver::{STOP, stop_on_ctrl_c};
use crate::args::registry_for_replay;
use crate::disk::{existing_dir, read_text};
use crate::exit::Exit;
use crate::output::{print, warn, width};
use crate::progress::Bar;
use crate::terminal::compare::compare_table;
pub(crate) use args::CompareArgs;

pub(crate) fn run(args: &CompareArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let _dir = args.export.make_dir()?;
    let [first, second] = &args.directories[..] else { bail!("two directories of finished runs are compared") };
    if [first, second].into_iter().all(|directory| of_balance::is_balance(directory)) {
        return of_balance::run(args, first, second, registry);
    }
    let runs = [FinishedRun::read(first)?, FinishedRun::read(second)?];
    // Both runs are checked before either is replayed.
    runs.iter().filter(|run| !run.has_games).try_for_each(|run| run.check_before_replay(args))?;
    let [first_run, second_run] = runs;
    let Some(one) = first_run.results(args.quiet, registry)? else { return Ok(Exit::Stopped) };
    let Some(other) = second_run.results(args.quiet, registry)? else { return Ok(Exit::Stopped) };
    let rows = compare(&one, &other).with_context(|| format!("{} and {}", first.display(), second.display()))?;
    if args.json {
        let runs = [first, second].map(|directory| directory.display().to_string());
        let json_summary = [("runs".to_owned(), serde_json::json!(runs))].into_iter().collect();
        print_json("compare", json_summary, tables_of(&Tables::none().with(rows.clone())))?;
    }
    let text = if args.csv { String::from_utf8(to_csv(&rows))? } else { compare_table(&rows, width()) };
    export(&Tables::none().with(rows), &args.export)?;
    if !args.quiet && !args.json {
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// A finished tournament or match whose games are compared.
struct FinishedRun<'a> {
    directory: &'a Path,
    run: Run,
    schedule: Schedule,
    /// Whether its games.csv has all its games. Otherwise they are replayed.
    has_games: bool,
}

impl<'a> FinishedRun<'a> {
    fn read(directory: &'a Path) -> anyhow::Result<Self> {
        let path = directory.join(RUN_FILE);
        existing_dir(directory, "the directory of a finished run")?;
        if !path.exists() {
            bail!("{}: is not the directory of a finished run: it holds no {RUN_FILE}", directory.display());
        }
        let text = read_text(&path).map_err(anyhow::Error::msg)?;
        let run = Run::of_entrants(&text).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
        run.check_spec().map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
        match run.spec.command {
            Command::Match | Command::Tournament { format: Format::RoundRobin | Format::Gauntlet } => {}
            Command::Tournament { format: Format::League } | Command::Sprt(_) => {
                bail!(
                    "{}: only tournaments and matches are compared: they play deals that were fixed beforehand",
                    directory.display()
                )
            }
        }
        let schedule = schedule_of(&run.spec).with_context(|| path.display().to_string())?;
        check_integrity(directory)?;
        let games = directory.join(GameRow::FILE);
        let is_there = games.try_exists().with_context(|| games.display().to_string())?;
        // Two samples with different sets would share few deals.
        let has_games = is_there && run.outputs.games_csv == Some(1);
        Ok(Self { directory, run, schedule, has_games })
    }

    /// Checks that the run may be replayed, and reports accepted changes.
    fn check_before_replay(&self, args: &CompareArgs) -> anyhow::Result<()> {
        let (path, agents) = (self.directory.join(RUN_FILE), self.run.spec.agents());
        args.trust.check(&path, agents.iter().copied())?;
        let changed_programs = ChangedPrograms::accepted_if(args.allow_changed_bots);
        let changes = self.run.check_before_replay(&ProgramVersions::now(agents), changed_programs);
        for change in changes.with_context(|| path.display().to_string())? {
            warn(&format!("warning: {}: changed since the run: {change}", path.display()));
        }
        Ok(())
    }

    /// Its games, summed up from its games.csv or from a replay. `None` if it is stopped.
    fn results(self, quiet: bool, registry: &Registry) -> anyhow::Result<Option<RunResults>> {
        let Self { directory, run, schedule, has_games } = self;
        let games: Box<dyn Read> = if has_games {
            let games = directory.join(GameRow::FILE);
            Box::new(open(&games).with_context(|| games.display().to_string())?)
        } else {
            let Some(games) = replayed_rows(directory, &run, quiet, registry)? else { return Ok(None) };
            Box::new(games)
        };
        let spec = run.spec.clone();
        let team_size = |variant: &str| {
            let of = schedule.sections.iter().find(|section| spec.variants[section.variant].name == variant);
            of.map_or(1, |section| section.team_size)
        };
        let results = RunResults::read(run.spec, BufReader::new(games), team_size);
        results.map(Some).with_context(|| directory.display().to_string())
    }
}

/// The rows of all games of a replay that has the result of the run. `None` if it is stopped.
fn replayed_rows(directory: &Path, run: &Run, quiet: bool, registry: &Registry) -> anyhow::Result<Option<File>> {
    let seal = seal_with_key(run.spec.seal.clone(), run.seal_key.as_deref());
    let spec = Spec { seal: seal.with_context(|| directory.display().to_string())?, ..run.spec.clone() };
    let registry = &registry_for_replay(registry, spec.seal.as_ref(), directory)?;
    let threads = all_cores();
    let contest = contest_of(spec, run.outputs.luck, registry, threads).with_context(|| {
        format!("{}: has no games.csv with all its games, and cannot be replayed", directory.display())
    })?;
    stop_on_ctrl_c()?;
    let sets = contest.schedule().sets * contest.schedule().sections.len() as u64;
    let bar = if quiet { Bar::hidden() } else { Bar::of(sets, "set") };
    bar.print_message(&format!("{} has no games.csv with all its games; it is replayed", directory.display()));
    let on_progress = |progress: Progress| bar.show(progress.sets.done);
    let mut out = BufWriter::new(tempfile().context("a file for its games")?);
    out.write_all(&header::<GameRow>())?;
    let options = RunOptions { on_progress: &on_progress, ..RunOptions::new(threads, &STOP) };
    let options = RunOptions { games: Some(GamesSink { out: &mut out, every: 1 }), ..options };
    let counts = tournament::play(&contest, options)?;
    bar.finish();
    if !counts.is_finished() {
        return Ok(None);
    }
    let results = Tournament::of(&contest).results(&counts)?;
    let checked = run.check_after_replay(&result_hash(&results.tables.named()));
    checked.with_context(|| directory.join(RUN_FILE).display().to_string())?;
    let mut file = out.into_inner().context("a file for its games")?;
    file.seek(SeekFrom::Start(0))?;
    Ok(Some(file))
}
