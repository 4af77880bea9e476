//! `unolab play`: starts the program `unolab-play`, which is built separately.

use std::env;
use std::ffi::OsString;
#[cfg(unix)]
use std::os::unix::process::ExitStatusExt as _;
use std::path::PathBuf;
use std::process::{Command, ExitStatus};

use anyhow::{Context, bail};
use clap::Args;

use crate::exit::Exit;

/// The options of the program `unolab-play`, which has its own help.
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Its options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    pub(crate) arguments: Vec<OsString>,
}

/// The name of the other program.
const PROGRAM: &str = "unolab-play";

/// Runs it with these arguments, and ends with its exit status.
pub(crate) fn run(arguments: &[OsString]) -> anyhow::Result<Exit> {
    let Some(program) = found()? else {
        bail!(
            "{} does not exist, nor is there a {PROGRAM} in PATH: install it with `cargo install --path play`, or, if you run \
             unolab from target/release, build it with `cargo build --release -p unolab-play`",
            path_next_to_this_program()?.display()
        );
    };
    let status = Command::new(&program).args(arguments).status().with_context(|| program.display().to_string())?;
    Ok(exit_of(status))
}

/// Ends with the exit status or the signal of the other program.
fn exit_of(status: ExitStatus) -> Exit {
    match status.code() {
        Some(0) => Exit::Done,
        Some(130) => Exit::Stopped,
        _ if is_interrupted(status) => Exit::Stopped,
        _ => Exit::BadInput,
    }
}

#[cfg(unix)]
const SIGINT: i32 = 2;

#[cfg(unix)]
fn is_interrupted(status: ExitStatus) -> bool {
    status.signal() == Some(SIGINT)
}

#[cfg(not(unix))]
const fn is_interrupted(_: ExitStatus) -> bool {
    false
}

/// Whether the other program exists.
pub(super) fn is_installed() -> bool {
    found().is_ok_and(|program| program.is_some())
}

/// The other program: next to this one, or in `PATH`.
fn found() -> anyhow::Result<Option<PathBuf>> {
    let name = format!("{PROGRAM}{}", env::consts::EXE_SUFFIX);
    let in_path =
        env::var_os("PATH").into_iter().flat_map(|directories| env::split_paths(&directories).collect::<Vec<_>>());
    let places = std::iter::once(path_next_to_this_program()?).chain(in_path.map(|directory| directory.join(&name)));
    Ok(places.into_iter().find(|place| place.is_file()))
}

fn path_next_to_this_program() -> anyhow::Result<PathBuf> {
    let own = env::current_exe().context("the path of this program")?;
    Ok(own.with_file_name(format!("{PROGRAM}{}", env::consts::EXE_SUFFIX)))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn interrupted_run_exits_with_130() {
        const SIGKILL: i32 = 9;
        let exits = [(0, Exit::Done), (1, Exit::BadInput), (130, Exit::Stopped)];
        let ended = exits.map(|(code, exit)| (code << 8, exit)).into_iter();
        for (status, exit) in ended.chain([(SIGINT, Exit::Stopped), (SIGKILL, Exit::BadInput)]) {
            assert_eq!(exit_of(ExitStatus::from_raw(status)), exit, "{status}");
        }
    }
}
