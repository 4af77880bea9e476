//! What a program wrote and why it failed, for its author.

mod excerpt;
mod run_log;
mod spawn_error;

pub(super) use excerpt::{excerpt, truncated};
pub use run_log::RunLog;
pub(super) use run_log::{ProcessLog, ProgramLog, StderrSource};
pub(super) use spawn_error::{remedy_of_shortage, shell_error_message, spawn_error_message};
