//! Shared by all commands that run an experiment: the run directory, the driver, and the output of tables.

mod checkpoints;
mod command;
mod drive;
pub(super) mod dry_run;
mod faults;
pub(super) mod json;
mod last_words;
pub(super) mod leader;
pub(super) mod merge;
mod power;
mod publish;
pub(super) mod records;
mod remote;
pub(super) mod request;
mod rows_file;
mod stream;
pub(super) mod tables;
pub(super) mod tournament;

pub(super) use crate::interrupt::{STOP, stop_on_ctrl_c};
pub(super) use command::{AnySpec, ExperimentCommand, Invocation};
pub(super) use drive::{dir_of, drive};
pub(super) use faults::{faults_in_words, lost_by_faults};
pub(super) use publish::{ExperimentOutput, Page};
pub(super) use unolab_arena::run::directory::{RunFile, RunState};
