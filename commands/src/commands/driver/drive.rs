//! Drives an experiment: prepares its directory, plays it, and writes its tables.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
#[cfg(unix)]
use unolab_agents::external::descriptors;
use unolab_agents::options::is_program;
use unolab_arena::run::checkpoint::{Checkpoint, Counts, Job, OutputOptions, RunSpec, SHARD_FILE, ShardTime};
use unolab_arena::run::directory::{Claim, DirectoryError, Plan, RunDirectory, TIME_FILE};
use unolab_arena::run::driver::{self, Checkpoints, Progress, RunOptions};
use unolab_arena::run::error::RunError;
use unolab_arena::run::experiment::Experiment;
use unolab_arena::run::shard::{RunProgress, Shard};
use unolab_arena::schedule::patience::Blocks;
use unolab_arena::spec::SpecHash;
use unolab_arena::tables::table::TableFormat;
use unolab_arena::words::{counted, grouped};

use super::checkpoints::{after_checkpoint, checkpoint_interval};
use super::command::{ExperimentCommand, Invocation};
use super::dry_run::{DryRunPlan, left};
use super::faults::lost_summary;
use super::json::{self, JsonObject, print_json};
use super::last_words;
use super::publish::publish;
use super::remote;
use super::rows_file::RowsFile;
use super::tables;
use crate::args::MOST_SETS;
use crate::disk::check_no_broken_link;
use crate::exit::Exit;
use crate::interrupt::{STOP, stop_on_ctrl_c};
use crate::output::{fitted, line_width, print, shown, warn};
use crate::progress::{Bar, Standing};
use crate::report::figure::file_name;

/// Runs an experiment, or the rest of it, into its directory. Calls `before` with the counts when the directory is ready.
pub(in crate::commands) fn drive<E: ExperimentCommand>(
    experiment: &E,
    invocation: &Invocation<'_>,
    before: impl FnOnce(&E::Counts) -> anyhow::Result<()>,
) -> anyhow::Result<Exit> {
    let kept = invocation.kept;
    let threads = kept.num_threads_for(experiment.games_at_once());
    let shard = invocation.shard()?;
    if have_programs_played(experiment.spec()) {
        check_number_of_shards(shard)?;
        check_descriptors(experiment, threads)?;
    }
    let path = kept.out.clone().unwrap_or_else(|| dir_of(experiment.name(), experiment.spec().hash(), shard));
    check_no_broken_link("--out", &path)?;
    let initial = initial_checkpoint(experiment, shard, invocation.outputs);
    let make_sure_it_is_its = |counts: &E::Counts| {
        let broken =
            || DirectoryError::Broken { path: path.clone(), reason: "its counts do not belong to its spec".into() };
        experiment.accepts(counts, shard).then_some(()).ok_or_else(broken)
    };
    if invocation.is_dry {
        if kept.json {
            bail!("--json: a dry run has no results; remove --json or --dry-run");
        }
        let plan = Plan::of(&path, &initial, kept.start(), &invocation.asked)?;
        let Some(DryRunPlan { counts, words }) = left(plan, initial.counts) else {
            return print_finished(experiment, &path, invocation);
        };
        make_sure_it_is_its(&counts)?;
        let text = experiment.dry_run(&counts, invocation.outputs, threads)?;
        let text = format!("{text}\n{} {words}\nnothing was played\n", shown(&path));
        print(&fitted(&text, line_width()))?;
        return Ok(Exit::Done);
    }
    // From before the directory exists: a run that is visible can be stopped.
    stop_on_ctrl_c()?;
    let (directory, checkpoint) = match RunDirectory::open(&path, initial, kept.start(), invocation.asked.clone())? {
        Claim::Play(directory, checkpoint) => (directory, *checkpoint),
        Claim::Finished => {
            print_finished(experiment, &path, invocation)?;
            return experiment.exit_of_finished(&path);
        }
    };
    make_sure_it_is_its(&checkpoint.counts)?;
    before(&checkpoint.counts)?;
    run_and_publish(experiment, threads, directory, checkpoint, invocation)
}

/// In a run with programs a shard has whole blocks: there the count of timeouts begins.
fn check_number_of_shards(shard: Shard) -> anyhow::Result<()> {
    if shard.number_of_shards() > Blocks::NUMBER {
        bail!("--shard {shard}: a run with programs has at most {} shards", Blocks::NUMBER);
    }
    Ok(())
}

/// Each thread may need a process of each program at a time, and each process takes files.
#[cfg(unix)]
fn check_descriptors<E: Experiment>(experiment: &E, threads: usize) -> anyhow::Result<()> {
    let programs = experiment.spec().agents().into_iter().filter(|agent| is_program(agent)).count() as u64;
    let Some(limit) = descriptors::limit() else { return Ok(()) };
    // A program that plays several games at once has a process for several threads.
    let processes = threads.div_ceil(experiment.games_at_once()) as u64;
    let needed = descriptors::OWN + processes * programs * descriptors::PER_PROCESS;
    if needed <= limit {
        return Ok(());
    }
    let per_thread = programs * descriptors::PER_PROCESS;
    let fewer = limit.saturating_sub(descriptors::OWN) / per_thread * experiment.games_at_once() as u64;
    let or_fewer = if fewer > 0 { format!(", or use --threads {fewer} or fewer") } else { String::new() };
    bail!(
        "--threads {threads}: {} with {} of up to {} open files each, and {} for unolab, make {needed}; the limit is {limit}: raise \
         it with `ulimit -n {needed}`{or_fewer}",
        counted(processes, "thread"),
        counted(programs, "program"),
        descriptors::PER_PROCESS,
        descriptors::OWN,
    )
}

#[cfg(not(unix))]
const fn check_descriptors<E: Experiment>(_: &E, _: usize) -> anyhow::Result<()> {
    Ok(())
}

/// The first checkpoint of an experiment.
pub(in crate::commands) fn initial_checkpoint<E: Experiment>(
    experiment: &E,
    shard: Shard,
    outputs: OutputOptions,
) -> Checkpoint<E::Spec, E::Counts> {
    Checkpoint { job: Job::new(experiment.spec(), shard, outputs), seconds: 0.0, counts: experiment.empty(shard) }
}

/// `runs/balance-0123456789abcdef`.
pub(in crate::commands) fn dir_of(command: &str, spec: SpecHash, shard: Shard) -> PathBuf {
    let whole = format!("runs/{command}-{spec}");
    PathBuf::from(if shard == Shard::WHOLE { whole } else { format!("{whole}-shard-{}", shard.file_name()) })
}

/// Nothing to do, if all files exist.
fn print_finished<E: ExperimentCommand>(
    experiment: &E,
    path: &Path,
    invocation: &Invocation<'_>,
) -> anyhow::Result<Exit> {
    let kept = invocation.kept;
    let without = |flag: &str| DirectoryError::OtherJob { path: path.into(), difference: format!("without {flag}") };
    if kept.tables == TableFormat::Parquet && !tables::are_all_parquet(path)? {
        return Err(without("--tables parquet").into());
    }
    if let Some(metric) = invocation.figures.iter().find(|metric| !path.join(file_name(metric)).exists()) {
        return Err(without(&format!("--plot {metric}")).into());
    }
    if kept.json {
        print_outcome_json(experiment, path, Shard::WHOLE, json::tables_in(path)?)?;
    } else if !kept.is_quiet() {
        print(&format!("{} is finished\n", shown(path)))?;
    }
    Ok(Exit::Done)
}

/// Resumes a run, writes its tables into its directory and prints them.
fn run_and_publish<E: ExperimentCommand>(
    experiment: &E,
    threads: usize,
    directory: RunDirectory,
    checkpoint: Checkpoint<E::Spec, E::Counts>,
    invocation: &Invocation<'_>,
) -> anyhow::Result<Exit> {
    let (begin, before) = (Instant::now(), experiment.games(&checkpoint.counts));
    let RunProgress { done, of } = checkpoint.counts.done();
    let bar = match invocation.kept.is_quiet() {
        true => Bar::hidden(),
        false if E::MAY_END_EARLY && of == MOST_SETS => Bar::without_end("sets"),
        false if E::MAY_END_EARLY => Bar::at_most(of, E::COUNTED),
        false => Bar::of(of, E::COUNTED),
    };
    bar.begin_at(done);
    let remote = invocation.kept.remote;
    let checkpoint =
        run(experiment, threads, remote, &bar, &directory, checkpoint).with_context(|| resume_hint(&directory))?;
    bar.print_message(&speed(experiment.games(&checkpoint.counts) - before, begin.elapsed(), threads));
    bar.finish();
    if let Some(registry) = invocation.programs {
        last_words::keep(&directory, registry)?;
    }

    let is_finished = experiment.horizon(&checkpoint.counts)?.is_empty();
    if is_finished && checkpoint.job.outputs.games_csv.is_some() && have_programs_played(experiment.spec()) {
        RowsFile::check_complete(&directory, &experiment.written(&checkpoint.counts))?;
    }
    let (path, shard) = (directory.path().to_owned(), checkpoint.job.shard);
    let mut found = experiment.found(&checkpoint.counts)?;
    let last = match (is_finished, shard) {
        (true, Shard::WHOLE) => {
            found.figures = experiment.figures(&checkpoint.counts, invocation.figures)?;
            publish(experiment.spec(), &found, directory, &checkpoint, threads, invocation.extras())?;
            format!("{}\n", experiment.result_location(&path))
        }
        (true, _) => {
            let time = ShardTime { seconds: checkpoint.seconds };
            directory.write(TIME_FILE, serde_json::to_string(&time)? + "\n")?;
            directory.write(SHARD_FILE, Checkpoint { seconds: 0.0, ..checkpoint.clone() }.to_json())?;
            directory.publish()?;
            format!("shard {shard} in {}; unolab merge merges the shards\n", shown(&path))
        }
        (false, _) => {
            print_interrupted(&directory, checkpoint.counts.done(), E::COUNTED);
            String::new()
        }
    };
    match (invocation.kept.json, is_finished) {
        (true, true) => {
            let tables = if shard == Shard::WHOLE { found.in_json() } else { JsonObject::new() };
            print_outcome_json(experiment, &path, shard, tables)?;
        }
        (true, false) => {}
        (false, _) if invocation.kept.is_quiet() => {}
        (false, _) => print(&(found.text + &last))?,
    }
    Ok(if is_finished { experiment.exit(&checkpoint.counts) } else { Exit::Stopped })
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

/// A program that is not confined can write to any file.
fn have_programs_played(spec: &impl RunSpec) -> bool {
    spec.agents().into_iter().any(is_program)
}

/// Continues from a checkpoint, and saves others from time to time.
fn run<E: ExperimentCommand>(
    experiment: &E,
    threads: usize,
    remote: Option<u64>,
    bar: &Bar,
    directory: &RunDirectory,
    from: Checkpoint<E::Spec, E::Counts>,
) -> anyhow::Result<Checkpoint<E::Spec, E::Counts>> {
    let Checkpoint { job, seconds, counts } = from;
    for change in &job.played_with.changed_programs {
        warn(&format!("warning: {}: changed during the run: {change}", directory.path().display()));
    }
    let begin = Instant::now();
    let checkpoint = |counts| Checkpoint { job: job.clone(), seconds: seconds + begin.elapsed().as_secs_f64(), counts };
    let written = if counts.done().done > 0 { experiment.written(&counts) } else { Vec::new() };
    let mut rows = job.outputs.games_csv.map(|every| RowsFile::open(directory, &written, every)).transpose()?;
    let synced = rows.as_ref().map(RowsFile::synced).transpose()?;
    let take = |counts: &E::Counts| {
        bar.set_standing(Standing {
            leader: experiment.leader(counts),
            faults: lost_summary(&experiment.lost_by_faults(counts)),
        });
        if let Some(file) = &synced {
            file.sync_data()?;
        }
        directory.keep(&checkpoint(counts.clone())).map_err(std::io::Error::other)?;
        after_checkpoint(directory);
        Ok(())
    };
    let options = RunOptions {
        threads,
        stop: &STOP,
        on_progress: &|Progress { sets, .. }| bar.show(sets.done),
        games: rows.as_mut().map(RowsFile::sink),
        checkpoints: Some(Checkpoints { interval: checkpoint_interval(), take: &take }),
    };
    let counts = match remote {
        None => driver::run(experiment, counts, options)?,
        Some(at_least) => remote::run(experiment, &job, at_least, counts, options)?,
    };
    take(&counts).map_err(RunError::Checkpoint)?;
    Ok(checkpoint(counts))
}

/// Prints that a run was stopped, and how to resume it.
fn print_interrupted(directory: &RunDirectory, RunProgress { done, of }: RunProgress, thing: &str) {
    let path = directory.path().display();
    let what_is_there = if directory.is_growing() {
        format!("{path} can be resumed: add --resume")
    } else {
        format!("nothing was written to {path}")
    };
    warn(&format!("stopped after {} of {}; {what_is_there}", grouped(done), counted(of, thing)));
}

/// The advice that follows the reason when a run fails.
fn resume_hint(directory: &RunDirectory) -> String {
    let path = directory.path().display();
    if directory.is_growing() {
        format!("the run failed; {path} has the counts so far: add --resume to continue")
    } else {
        format!("the run failed; nothing was written to {path}")
    }
}

fn speed(games: u64, time: Duration, threads: usize) -> String {
    let seconds = time.as_secs_f64();
    let rate = games as f64 / seconds.max(1e-9);
    let (games, threads) = (counted(games, "game"), counted(threads as u64, "thread"));
    format!("{games} in {seconds:.1} s on {threads}: {rate:.0} per second")
}
