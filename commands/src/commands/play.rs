//! `unolab play`: starts the program `unolab-play`, which is built separately.

use std::env;
use std::ffi::OsString;
use std::io;
#[cfg(unix)]
use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

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

/// Runs it with these arguments. On Unix it replaces this process, so that signals reach it; elsewhere its exit status is returned.
pub(crate) fn run(arguments: &[OsString]) -> anyhow::Result<Exit> {
    let Some(program) = found()? else {
        bail!(
            "{} does not exist, nor is there a {PROGRAM} in PATH: install it with `cargo install --path play`, or, if you run \
             unolab from target/release, build it with `cargo build --release -p unolab-play`",
            path_next_to_this_program()?.display()
        );
    };
    outcome_of(Command::new(&program).args(arguments)).with_context(|| program.display().to_string())
}

#[cfg(unix)]
fn outcome_of(program: &mut Command) -> io::Result<Exit> {
    Err(program.exec())
}

#[cfg(not(unix))]
fn outcome_of(program: &mut Command) -> io::Result<Exit> {
    Ok(match program.status()?.code() {
        Some(0) => Exit::Done,
        Some(130) => Exit::Stopped,
        _ => Exit::BadInput,
    })
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
