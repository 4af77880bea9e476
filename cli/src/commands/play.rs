//! `unolab play`: starts the program `unolab-play`, which is built separately.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, bail};

use crate::exit::Exit;

/// The name of the other program.
const PROGRAM: &str = "unolab-play";

/// Runs it with these arguments, and ends as it ends.
pub(crate) fn run(arguments: &[OsString]) -> anyhow::Result<Exit> {
    let program = beside()?;
    if !program.exists() {
        bail!(
            "{} does not exist: build it with `cargo build --release -p unolab-play`; it must be in the folder of this program",
            program.display()
        );
    }
    let status = Command::new(&program).args(arguments).status().with_context(|| program.display().to_string())?;
    Ok(if status.success() { Exit::Done } else { Exit::BadInput })
}

/// Whether the other program is there.
pub(super) fn is_installed() -> bool {
    beside().is_ok_and(|program| program.exists())
}

fn beside() -> anyhow::Result<PathBuf> {
    let own = env::current_exe().context("the path of this program")?;
    Ok(own.with_file_name(format!("{PROGRAM}{}", env::consts::EXE_SUFFIX)))
}
