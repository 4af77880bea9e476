//! `unolab merge`: merges the shards of a run into the bytes of the whole run.

use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::any_spec::contest_of;
use unolab_arena::experiment::counts::TournamentCheckpoint;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::run::checkpoint::{CHECKPOINT_FILE, SHARD_FILE};
use unolab_arena::run::digest::check_digest;
use unolab_arena::run::execution::all_cores;
use unolab_arena::run::integrity::open;
use unolab_arena::run::manifest::RUN_FILE;
use unolab_arena::spec::Spec;
use unolab_arena::words::counted;

use super::balance;
use super::driver::json::{path_of, print_json, tables_in};
pub(crate) use super::driver::merge::MergeArgs;
use super::driver::merge::merge;
use crate::args::opened;
use crate::exit::Exit;
use crate::output::{print, shown};

/// Merges the shards. No game is played, so programs that a shard names are not started.
pub(crate) fn run(args: &MergeArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let registry = &registry.without_starting_programs();
    let path = match read::<Kind>(&args.shards[0])?.job.spec.command.as_str() {
        "balance" => balance::merge_parts(read_all(args)?, args, registry)?,
        _ => merge_tournament(read_all(args)?, args, registry)?,
    };
    if args.json {
        print_json("merge", path_of(&path), tables_in(&path)?)?;
    } else if !args.quiet {
        print(&format!("{} merged; tables in {}\n", counted(args.shards.len() as u64, "shard"), shown(&path)))?;
    }
    Ok(Exit::Done)
}

/// The fields of a part that identify its whole run.
#[derive(Deserialize)]
struct Kind {
    job: KindOfJob,
}

/// See [`Kind`].
#[derive(Deserialize)]
struct KindOfJob {
    spec: KindOfSpec,
}

/// See [`Kind`].
#[derive(Deserialize)]
struct KindOfSpec {
    command: String,
}

fn read_all<T: DeserializeOwned>(args: &MergeArgs) -> anyhow::Result<Vec<(PathBuf, T)>> {
    args.shards.iter().map(|path| Ok((path.clone(), read(path)?))).collect()
}

/// Merges the parts of a tournament or a match; prints the directory of the whole run.
fn merge_tournament(
    parts: Vec<(PathBuf, TournamentCheckpoint)>,
    args: &MergeArgs,
    registry: &Registry,
) -> anyhow::Result<PathBuf> {
    let job = parts[0].1.job.clone();
    let spec = Spec { seal: opened(job.spec.seal, args.key_file.as_deref())?, ..job.spec };
    let contest = contest_of(spec, job.outputs.luck, registry, all_cores());
    let contest = contest.with_context(|| args.shards[0].display().to_string())?;
    merge(&Tournament::of(&contest), parts, args)
}

/// The part in a directory.
fn read<T: DeserializeOwned>(directory: &Path) -> anyhow::Result<T> {
    let path = directory.join(SHARD_FILE);
    if directory.join(CHECKPOINT_FILE).exists() {
        bail!("{}: is unfinished; finish it with --resume first", directory.display());
    }
    if !path.exists() && directory.join(RUN_FILE).exists() {
        bail!("{}: holds a whole run, not a shard", directory.display());
    }
    let named = || format!("{}: is not a shard, as --shard writes it", path.display());
    let text = open(&path).and_then(io::read_to_string).with_context(named)?;
    check_digest(&text).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}
