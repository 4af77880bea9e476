//! Merges the shards of a run into the bytes of the whole run.

use std::path::PathBuf;

use clap::Args;
use unolab_arena::run::checkpoint::{OutputOptions, Sharded};
use unolab_arena::run::directory::Outputs;
use unolab_arena::run::execution::Execution;
use unolab_arena::run::merge_shards::{ShardOf, merge_shards};
use unolab_arena::run::programs::ChangedPrograms;
use unolab_arena::tables::table::TableFormat;

use super::command::{ExperimentCommand, command_line};
use super::drive::DRAW_PAGE;
use crate::args::values;

/// What to join.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The directories of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    pub(crate) shards: Vec<PathBuf>,
    /// The directory of the whole run [default: runs/COMMAND-HASH, with the hash of the spec]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The format of the tables: with parquet, also write Parquet
    #[arg(long, default_value = "csv", value_parser = values::table_format())]
    pub(crate) tables: TableFormat,
    /// The file with the key of a sealed run, which is then written into its run.json
    #[arg(long, alias = "seal-file", value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Merge shards even if they were played with different versions of unolab or of a bot; run.json records it
    #[arg(long, alias = "changed-programs")]
    pub(crate) allow_changed_bots: bool,
    /// Print only errors
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

impl MergeArgs {
    /// How to handle shards played by different programs.
    pub(crate) const fn changed_programs(&self) -> ChangedPrograms {
        ChangedPrograms::accepted_if(self.allow_changed_bots)
    }
}

/// Merges the parts of an experiment; returns the directory of the whole run.
pub(in crate::commands) fn merge<E: ExperimentCommand>(
    experiment: &E,
    parts: Vec<ShardOf<E>>,
    args: &MergeArgs,
) -> anyhow::Result<PathBuf>
where
    E::Counts: Sharded,
{
    let outputs = Outputs { tables: args.tables, ..Outputs::tables_only(OutputOptions::default()) };
    let execution = Execution {
        directory: args.out.clone(),
        changed_programs: args.changed_programs(),
        command_line: command_line(),
        ..Execution::default()
    };
    Ok(merge_shards(experiment, parts, &outputs, &execution, DRAW_PAGE)?)
}
