//! Shared by all commands that run an experiment: the run directory, the driver, and the output of tables.

mod command;
mod decision_times;
mod drive;
pub(super) mod dry_run;
mod faults;
pub(super) mod json;
pub(super) mod leader;
pub(super) mod merge;
mod progress_report;
pub(super) mod request;
pub(super) mod tables;
pub(super) mod tournament;

pub(super) use crate::interrupt::{STOP, stop_on_ctrl_c};
pub(super) use command::{ExperimentCommand, Invocation, Printing, command_line};
pub(super) use drive::{drive, in_json};
pub(super) use faults::{FaultsSoFar, faults_in_words};
pub(super) use unolab_arena::run::directory::{RunFile, RunState};
