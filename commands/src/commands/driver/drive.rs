//! Drives an experiment: prepares its directory, plays it, and writes and prints its tables.

use std::path::Path;

use anyhow::{Context, bail};
use unolab_agents::options::is_program;
use unolab_arena::run::active::{ActiveRun, DrawPage, plan};
use unolab_arena::run::checkpoint::{Counts as _, RunSpec as _};
use unolab_arena::run::directory::{DirectoryError, Plan, figure_file};
use unolab_arena::run::execution::all_cores;
use unolab_arena::run::results::Results;
use unolab_arena::run::shard::{RunProgress, Shard};
use unolab_arena::tables::table::TableFormat;
use unolab_arena::words::{counted, grouped};

use super::command::{ExperimentCommand, Invocation, Printing};
use super::decision_times::decision_times;
use super::json::{self, JsonObject, one_table, print_json, tables_of};
use super::progress_report::ProgressReport;
use super::tables;
use crate::args::PlayMode;
use crate::disk::check_no_broken_link;
use crate::exit::Exit;
use crate::interrupt::{STOP, stop_on_ctrl_c};
use crate::output::{fitted, line_width, print, shown, warn};
use crate::report::{PAGE_FILE, PLOTS_DIR, Report};

/// Runs an experiment, or the rest of it, into its directory.
pub(in crate::commands) fn drive<E: ExperimentCommand>(
    experiment: &E,
    invocation: &Invocation,
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
    for change in run.changed_programs() {
        warn(&format!("warning: {}: changed during the run: {change}", path.display()));
    }
    let progress = ProgressReport::begin(experiment, &run, invocation);
    let warnings = run.play(&progress, &STOP).with_context(|| how_to_resume(&run))?;
    warnings.iter().for_each(|warning| warn(&format!("warning: {warning}")));
    progress.finish(&run);
    let results = experiment.results(run.counts())?;
    publish(experiment, run, results, invocation)
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
    let (counts, state) = match plan(experiment, outputs, execution)? {
        Plan::Begin => (experiment.empty(execution.shard), "is free".to_owned()),
        Plan::Replace => {
            let state = "holds a finished run of the same spec and would be replaced";
            (experiment.empty(execution.shard), state.to_owned())
        }
        Plan::GoOn(checkpoint) => {
            let state = format!("holds {} of this run and would be resumed", checkpoint.counts.done());
            (checkpoint.counts, state)
        }
        Plan::Finished => return print_finished(experiment, path, invocation),
    };
    let text = experiment.dry_run(&counts, outputs.options, execution.num_threads(experiment.games_at_once()))?;
    let text = format!("{text}\n{} {state}\nnothing was played\n", shown(path));
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

/// Writes the results of a run into its directory if it is finished, and prints them.
fn publish<E: ExperimentCommand>(
    experiment: &E,
    run: ActiveRun<'_, E>,
    mut results: Results,
    invocation: &Invocation,
) -> anyhow::Result<Exit> {
    let Invocation { outputs, execution, printing, .. } = invocation;
    let (path, shard, counts) = (run.path().to_owned(), execution.shard, run.counts().clone());
    let is_finished = run.is_finished()?;
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
