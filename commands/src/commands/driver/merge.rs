//! Merges the shards of a run into the bytes of the whole run.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use unolab_arena::run::checkpoint::{Checkpoint, Job, RunSpec as _, ShardTime, Sharded};
use unolab_arena::run::checksum::WrittenRows;
use unolab_arena::run::directory::{RunDirectory, TIME_FILE};
use unolab_arena::run::experiment::Experiment;
use unolab_arena::run::integrity::open;
use unolab_arena::run::merge::MergedRun;
use unolab_arena::run::shard::Shard;
use unolab_arena::tables::games::GameRow;
use unolab_arena::tables::{Row, header};

use super::command::ExperimentCommand;
use super::drive::{dir_of, initial_checkpoint};
use super::publish::{Extras, publish};
use crate::args::MergeArgs;

/// A shard of an experiment, with its directory.
type ShardOf<E> = (PathBuf, Checkpoint<<E as Experiment>::Spec, <E as Experiment>::Counts>);

/// Merges the parts of an experiment; prints the directory of the whole run.
pub(in crate::commands) fn merge<E: ExperimentCommand>(
    experiment: &E,
    parts: Vec<ShardOf<E>>,
    args: &MergeArgs,
) -> anyhow::Result<PathBuf>
where
    E::Counts: Sharded,
{
    let job = Job { shard: Shard::WHOLE, ..parts[0].1.job.clone() };
    let whole = Checkpoint { job, ..initial_checkpoint(experiment, Shard::WHOLE, parts[0].1.job.outputs) };
    let is_its = |part: &E::Counts, shard| experiment.accepts(part, shard);
    let seconds = parts.iter().map(|(path, shard)| shard.seconds + time_of(path)).sum();
    let MergedRun { whole, parts } = MergedRun::of(parts, whole, args.changed_programs(), is_its)?;
    let whole = Checkpoint { seconds, ..whole };
    let spec = experiment.spec();
    let path = args.out.clone().unwrap_or_else(|| dir_of(experiment.name(), spec.hash(), Shard::WHOLE));
    let directory = RunDirectory::claim(&path, spec, whole.job.outputs, args.asked())?;
    if whole.job.outputs.games_csv.is_some() {
        join_games(experiment, &directory, &parts)?;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found = experiment.found(&whole.counts)?;
    publish(spec, &found, directory, &whole, threads, Extras::only(args.tables))?;
    Ok(path)
}

/// The seconds that a shard took; 0 without the file of its time.
fn time_of(shard: &Path) -> f64 {
    let text = open(&shard.join(TIME_FILE)).and_then(io::read_to_string).ok();
    let time = text.and_then(|text| serde_json::from_str::<ShardTime>(&text).ok());
    time.map_or(0.0, |time| time.seconds).max(0.0)
}

/// The rows of each section, part by part: that is the order of the games.
fn join_games<E: ExperimentCommand>(
    experiment: &E,
    directory: &RunDirectory,
    parts: &[ShardOf<E>],
) -> anyhow::Result<()> {
    let header = header::<GameRow>();
    let mut out = BufWriter::new(directory.create(GameRow::FILE)?);
    out.write_all(&header).context(GameRow::FILE)?;
    let written: Vec<Vec<WrittenRows>> =
        parts.iter().map(|(_, checkpoint)| experiment.written(&checkpoint.counts)).collect();
    for section in 0..written[0].len() {
        for ((path, _), written) in parts.iter().zip(&written) {
            let path = path.join(GameRow::FILE);
            let from = header.len() as u64 + written[..section].iter().map(|rows| rows.bytes).sum::<u64>();
            let copied = open(&path).and_then(|mut file| {
                file.seek(SeekFrom::Start(from))?;
                written[section].check(&mut file, |bytes| out.write_all(bytes))
            });
            if let Err(reason) = copied.with_context(|| path.display().to_string())? {
                bail!("{}: {reason}", path.display());
            }
        }
    }
    out.flush().context(GameRow::FILE)
}
