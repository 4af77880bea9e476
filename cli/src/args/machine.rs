//! What concerns this machine: its speed, its shell, its manual, work for others.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::numbers::number;

/// How a worker plays.
///
/// Reads what a command with --remote writes, and writes what that reads: `docs/many-machines.md` has the lines. One batch is
/// played at a time; it ends when its input does.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Threads that fit what has to be fitted before the first batch; batches are played on one [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// What to measure, and how to print it.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Print JSON for machines
    #[arg(long)]
    pub(crate) json: bool,
    /// A tenth of the time, for a first look
    #[arg(long)]
    pub(crate) quick: bool,
    /// Preset names or paths of variant files, separated by commas [default: every preset]
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
}

/// For whom commands are completed.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Where manual pages go.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder for a page of each command; without it the page of unolab is printed
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
