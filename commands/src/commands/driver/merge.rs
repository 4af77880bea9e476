//! Merges the shards of a run into the bytes of the whole run.

use std::path::PathBuf;

use unolab_arena::run::checkpoint::{OutputOptions, Sharded};
use unolab_arena::run::execution::{Execution, Outputs};
use unolab_arena::run::merge_shards::{ShardOf, merge_shards};

use super::command::{ExperimentCommand, command_line};
use super::drive::DRAW_PAGE;
use crate::args::MergeArgs;

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
