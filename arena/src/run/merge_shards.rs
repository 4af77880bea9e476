//! Merges shards into a directory, with the bytes of the whole run.

use std::io;
use std::path::{Path, PathBuf};

use super::active::{ActiveRun, DrawPage, first_checkpoint};
use super::checkpoint::{Checkpoint, Job, ShardTime, Sharded};
use super::directory::{Outputs, RunDirectory, TIME_FILE};
use super::error::RunError;
use super::execution::{Execution, all_cores};
use super::experiment::Experiment;
use super::integrity::open;
use super::merge::MergedRun;
use super::results::Tabulate;
use super::rows_file;
use super::shard::Shard;

/// A shard of an experiment, with its directory.
pub type ShardOf<E> = (PathBuf, Checkpoint<<E as Experiment>::Spec, <E as Experiment>::Counts>);

/// Merges the shards of an experiment into a directory, with the bytes of the whole run; returns the directory.
///
/// # Errors
/// If they are not the whole run, or a file cannot be read or written.
///
/// # Panics
/// If there is no part.
pub fn merge_shards<E: Tabulate>(
    experiment: &E,
    parts: Vec<ShardOf<E>>,
    outputs: &Outputs,
    execution: &Execution,
    draw_page: DrawPage<'_>,
) -> Result<PathBuf, RunError>
where
    E::Counts: Sharded,
{
    let job = Job { shard: Shard::WHOLE, ..parts[0].1.job.clone() };
    let outputs = &Outputs { options: job.outputs, ..outputs.clone() };
    let whole = Checkpoint { job, ..first_checkpoint(experiment, Shard::WHOLE, outputs) };
    let is_its = |part: &E::Counts, shard| experiment.accepts(part, shard);
    let seconds = parts.iter().map(|(path, shard)| shard.seconds + seconds_of(path)).sum();
    let MergedRun { whole, parts } = MergedRun::of(parts, whole, execution.changed_programs, is_its)?;
    let whole = Checkpoint { seconds, ..whole };
    let path = execution.directory_of(experiment);
    let directory = RunDirectory::claim(&path, experiment.spec(), outputs.clone(), execution.changed_programs)?;
    if whole.job.outputs.games_csv.is_some() {
        let written = |(path, shard): &ShardOf<E>| (path.clone(), experiment.written(&shard.counts));
        rows_file::join(&directory, &parts.iter().map(written).collect::<Vec<_>>())?;
    }
    let results = &experiment.results(&whole.counts)?;
    ActiveRun { experiment, outputs, execution, threads: all_cores(), directory, checkpoint: whole }
        .publish(results, draw_page)?;
    Ok(path)
}

/// The seconds that a shard took; 0 without the file of its time.
fn seconds_of(shard: &Path) -> f64 {
    let text = open(&shard.join(TIME_FILE)).and_then(io::read_to_string).ok();
    let time = text.and_then(|text| serde_json::from_str::<ShardTime>(&text).ok());
    time.map_or(0.0, |time| time.seconds).max(0.0)
}
