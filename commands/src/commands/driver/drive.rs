//! Drives an experiment: prepares its directory, plays it, and writes and prints its tables.

use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use unolab_agents::options::is_program;
use unolab_arena::run::active::{ActiveRun, Observer, plan};
use unolab_arena::run::checkpoint::RunSpec as _;
use unolab_arena::run::directory::{DirectoryError, figure_file};
use unolab_arena::run::driver::Progress;
use unolab_arena::run::execution::all_cores;
use unolab_arena::run::publish::DrawPage;
use unolab_arena::run::results::Results;
use unolab_arena::run::shard::{RunProgress, Shard};
use unolab_arena::tables::table::TableFormat;
use unolab_arena::words::{counted, grouped};

use super::command::{ExperimentCommand, Invocation, Printing};
use super::decision_times::decision_times;
use super::dry_run::{DryRunPlan, left};
use super::interim::Interim;
use super::json::{self, JsonObject, one_table, print_json, tables_of};
use super::tables;
use crate::args::{MOST_SETS, PlayMode};
use crate::disk::check_no_broken_link;
use crate::exit::Exit;
use crate::interrupt::{STOP, stop_on_ctrl_c};
use crate::output::{fitted, line_width, print, shown, warn};
use crate::progress::{Bar, Standing};
use crate::report::{PAGE_FILE, PLOTS_DIR, Report};

/// Runs an experiment, or the rest of it, into its directory. Calls `before` with the counts when the directory is ready.
pub(in crate::commands) fn drive<E: ExperimentCommand>(
    experiment: &E,
    invocation: &Invocation,
    before: impl FnOnce(&E::Counts) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let Invocation { outputs, execution, mode, .. } = invocation;
    let path = execution.directory_of(experiment);
    check_no_broken_link("--out", &path)?;
    if *mode == PlayMode::DryRun {
        return print_plan(experiment, invocation, &path);
    }
    warn_of_threads_for_programs(experiment, invocation);
    // Set before the directory exists, so that a visible run can be stopped.
    stop_on_ctrl_c()?;
    let Some(mut run) = ActiveRun::open(experiment, outputs, execution)? else {
        print_finished(experiment, &path, invocation)?;
        return experiment.exit_of_finished(&path);
    };
    before(run.counts())?;
    play(experiment, &mut run, invocation).with_context(|| how_to_resume(&run))?;
    publish(experiment, run, invocation)
}

/// Warns the user if programs play on more threads than there are cores: then they wait for a processor.
fn warn_of_threads_for_programs<E: ExperimentCommand>(experiment: &E, invocation: &Invocation) {
    let at_once = experiment.games_at_once();
    let (threads, cores) = (invocation.execution.num_threads(at_once), all_cores());
    if threads > cores.max(at_once)
        && invocation.printing != Printing::Nothing
        && experiment.spec().agents().into_iter().any(is_program)
    {
        let cores = counted(cores as u64, "core");
        warn(&format!("warning: --threads {threads}: programs play on {cores}, so they often wait for a processor"));
    }
}

/// Prints the games, the time and the directory of a run; plays only a short pilot.
fn print_plan<E: ExperimentCommand>(experiment: &E, invocation: &Invocation, path: &Path) -> anyhow::Result<Exit> {
    let Invocation { outputs, execution, printing, .. } = invocation;
    if matches!(printing, Printing::Json | Printing::QuietJson) {
        bail!("--json: a dry run has no results; remove --json or --dry-run");
    }
    let Some(DryRunPlan { counts, words }) =
        left(plan(experiment, outputs, execution)?, experiment.empty(execution.shard))
    else {
        return print_finished(experiment, path, invocation);
    };
    let text = experiment.dry_run(&counts, outputs.options, execution.num_threads(experiment.games_at_once()))?;
    let text = format!("{text}\n{} {words}\nnothing was played\n", shown(path));
    print(&fitted(&text, line_width()))?;
    Ok(Exit::Done)
}

/// Reports that the run is finished, if all files exist.
fn print_finished<E: ExperimentCommand>(experiment: &E, path: &Path, invocation: &Invocation) -> anyhow::Result<Exit> {
    let Invocation { outputs, printing, .. } = invocation;
    let without = |flag: &str| DirectoryError::OtherJob { path: path.into(), difference: format!("without {flag}") };
    if outputs.tables == TableFormat::Parquet && !tables::are_all_parquet(path)? {
        return Err(without("--tables parquet").into());
    }
    if let Some(metric) = outputs.figures.iter().find(|metric| !path.join(figure_file(metric)).exists()) {
        return Err(without(&format!("--plot {metric}")).into());
    }
    match printing {
        Printing::Json | Printing::QuietJson => {
            print_outcome_json(experiment, path, Shard::WHOLE, json::tables_in(path)?)?;
        }
        Printing::Tables => print(&format!("{} is finished\n", shown(path)))?,
        Printing::Nothing => {}
    }
    Ok(Exit::Done)
}

/// Shows the progress and the standings of a run, and its interim reports.
struct ProgressReport<'a, E> {
    experiment: &'a E,
    bar: &'a Bar,
    interim: Interim<'a, E>,
}

impl<E: ExperimentCommand> Observer<E::Counts> for ProgressReport<'_, E> {
    fn on_progress(&self, Progress { sets, .. }: Progress) {
        self.bar.show(sets.done);
    }

    fn on_checkpoint(&self, counts: &E::Counts) {
        self.bar.set_standing(Standing {
            leader: self.experiment.leader(counts),
            faults: self.experiment.faults(counts).in_short(),
        });
    }

    fn after_checkpoint(&self, counts: &E::Counts) -> io::Result<()> {
        self.interim.print_faults(&self.experiment.faults(counts).first);
        self.interim.print_tables_if_due(counts).map_err(io::Error::other)
    }

    fn checkpoint_interval(&self) -> Option<Duration> {
        self.interim.interval()
    }
}

/// Plays the rest of a run.
fn play<E: ExperimentCommand>(
    experiment: &E,
    run: &mut ActiveRun<'_, E>,
    invocation: &Invocation,
) -> anyhow::Result<()> {
    let (begin, games_before, RunProgress { done, of }) = (Instant::now(), experiment.games(run.counts()), run.done());
    let bar = match invocation.printing {
        Printing::Nothing | Printing::QuietJson => Bar::hidden(),
        _ if E::MAY_END_EARLY && of == MOST_SETS => Bar::without_end("sets"),
        _ if E::MAY_END_EARLY => Bar::at_most(of, E::COUNTED),
        _ => Bar::of(of, E::COUNTED),
    };
    bar.begin_at(done);
    for change in run.changed_programs() {
        warn(&format!("warning: {}: changed during the run: {change}", run.path().display()));
    }
    let interim = Interim::begin(experiment, run.counts(), &bar, invocation.report_interval);
    let observer = ProgressReport { experiment, bar: &bar, interim };
    for warning in run.play(&observer, &STOP)? {
        warn(&format!("warning: {warning}"));
    }
    bar.print_message(&speed(experiment.games(run.counts()) - games_before, begin.elapsed(), run.num_threads()));
    bar.finish();
    Ok(())
}

/// Writes the tables of a run into its directory, and prints them.
fn publish<E: ExperimentCommand>(
    experiment: &E,
    run: ActiveRun<'_, E>,
    invocation: &Invocation,
) -> anyhow::Result<Exit> {
    let Invocation { outputs, execution, printing, .. } = invocation;
    let (path, shard, counts) = (run.path().to_owned(), execution.shard, run.counts().clone());
    let is_finished = run.is_finished()?;
    let mut results = experiment.results(&counts)?;
    let (times, rows_of_times) = execution.programs.as_ref().map(decision_times).unwrap_or_default();
    let text = experiment.text(&counts, &results)? + &times;
    let last = match (is_finished, shard) {
        (true, Shard::WHOLE) => {
            results.files.extend(experiment.figures(&counts, &outputs.figures)?);
            if let Some(warning) = run.publish(&results, DRAW_PAGE)? {
                warn(&format!("warning: {warning}"));
            }
            format!("{}\n", experiment.result_location(&path))
        }
        (true, _) => {
            run.publish_shard()?;
            format!("shard {shard} in {}; unolab merge merges the shards\n", shown(&path))
        }
        (false, _) => {
            print_interrupted(&run, E::COUNTED);
            String::new()
        }
    };
    match printing {
        Printing::Json | Printing::QuietJson if is_finished => {
            let is_whole = shard == Shard::WHOLE;
            let mut tables = if is_whole { in_json(experiment, &counts, &results) } else { JsonObject::new() };
            if !rows_of_times.is_empty() {
                tables.extend(one_table("decision_times", rows_of_times));
            }
            print_outcome_json(experiment, &path, shard, tables)?;
        }
        Printing::Json | Printing::QuietJson | Printing::Nothing => {}
        Printing::Tables => print(&(text + &last))?,
    }
    Ok(if is_finished { experiment.exit(&counts) } else { Exit::Stopped })
}

/// Draws the page of a run.
pub(in crate::commands) const DRAW_PAGE: DrawPage<'static> = &|files| {
    let Report { html, plots } = Report::of(files)?;
    let plots = plots.into_iter().map(|plot| (format!("{PLOTS_DIR}/{}", plot.name), plot.svg.into_bytes()));
    Ok([(PAGE_FILE.to_owned(), html.into_bytes())].into_iter().chain(plots).collect())
};

/// The tables of an experiment by their names.
pub(in crate::commands) fn in_json<E: ExperimentCommand>(
    experiment: &E,
    counts: &E::Counts,
    Results { tables, faults, .. }: &Results,
) -> JsonObject {
    let tables = tables_of(tables).into_iter().chain(tables_of(faults));
    tables.chain(experiment.tables_without_file(counts)).collect()
}

/// The result of an experiment as one JSON object.
fn print_outcome_json<E: ExperimentCommand>(
    experiment: &E,
    path: &Path,
    shard: Shard,
    tables: JsonObject,
) -> anyhow::Result<()> {
    let mut json_summary = experiment.json_summary(&tables);
    json_summary.extend(json::path_of(path));
    json_summary.insert("spec_hash".into(), experiment.spec().hash().to_string().into());
    if shard != Shard::WHOLE {
        json_summary.insert("shard".into(), shard.to_string().into());
    }
    print_json(experiment.name(), json_summary, tables)
}

/// Prints that a run was stopped, and how to resume it.
fn print_interrupted<E: ExperimentCommand>(run: &ActiveRun<'_, E>, unit: &str) {
    let (path, RunProgress { done, of }) = (run.path().display(), run.done());
    let what_is_there = match run.can_be_resumed() {
        true => format!("{path} can be resumed: add --resume"),
        false => format!("nothing was written to {path}"),
    };
    warn(&format!("stopped after {} of {}; {what_is_there}", grouped(done), counted(of, unit)));
}

/// The advice that follows the reason when a run fails.
fn how_to_resume<E: ExperimentCommand>(run: &ActiveRun<'_, E>) -> String {
    let path = run.path().display();
    match run.can_be_resumed() {
        true => format!("the run failed; {path} has the counts so far: add --resume to continue"),
        false => format!("the run failed; nothing was written to {path}"),
    }
}

fn speed(games: u64, time: Duration, threads: usize) -> String {
    let seconds = time.as_secs_f64();
    let rate = games as f64 / seconds.max(1e-9);
    let (games, threads) = (counted(games, "game"), counted(threads as u64, "thread"));
    format!("{games} in {seconds:.1} s on {threads}: {rate:.0} per second")
}
