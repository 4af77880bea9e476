//! The exit status and the message of an error.

use std::io::{self, ErrorKind, Write};

use crate::output::{is_readable, warn};
use crate::process::is_closed_pipe;

/// The outcome of a command that did its work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// The command has succeeded.
    Done,
    /// A check failed, or the null hypothesis was accepted.
    CheckFailed,
    /// The test is undecided.
    Undecided,
    /// Some input was invalid; the reasons have been printed.
    BadInput,
    /// Ctrl-C stopped it.
    Stopped,
}

/// The exit status of a command; prints the error if the command failed.
pub(crate) fn code_of(outcome: anyhow::Result<Exit>) -> u8 {
    match outcome {
        Ok(Exit::Done) => 0,
        Ok(Exit::CheckFailed) => 1,
        Ok(Exit::Undecided) => 3,
        Ok(Exit::BadInput) => 2,
        Ok(Exit::Stopped) => 130,
        // A closed pipe is not an error: the reader has stopped reading.
        Err(error) if is_closed_pipe(&error) => 0,
        Err(error) => {
            warn(&format!("error: {error:#}"));
            2
        }
    }
}

/// The exit status if the arguments request help or the version, or cannot be read.
pub(crate) fn exit_code_of_parse_error(told: &clap::Error) -> u8 {
    let plain = told.render().to_string();
    if told.use_stderr() && !is_readable(&plain) {
        warn(&plain);
        return u8::try_from(told.exit_code()).unwrap_or(2);
    }
    match told.print().and_then(|()| io::stdout().flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => code_of(Err(error.into())),
        _ => u8::try_from(told.exit_code()).unwrap_or(2),
    }
}
