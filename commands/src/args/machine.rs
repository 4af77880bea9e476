//! The commands about this machine: workers, speed, shell completions, manual pages.

use std::path::PathBuf;

use clap::Args;
use clap_complete::Shell;

use super::numbers::number;
use super::parse::{AgentList, parse_agents};

/// Play batches for a run on another machine.
///
/// The worker reads the requests of a command with --remote and writes the results; `docs/many-machines.md` describes the lines.
/// It plays one batch at a time and ends when its input ends.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// The number of threads that fit models before the first batch; each batch is played on one thread [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// What to measure, and how to print it.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Take a tenth of the time
    #[arg(long)]
    pub(crate) quick: bool,
    /// Editions, or paths of variant files, separated by commas [default: every edition]
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// Agents (see `unolab agents`), each measured in all seats, separated by commas: name:option=value,option=value; may be
    /// repeated [default: random, greedy, mixbot, and heuristic]
    #[arg(long, value_name = "LIST", value_parser = parse_agents)]
    pub(crate) agents: Vec<AgentList>,
}

/// The shell to complete commands in.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// The directory of the manual pages.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The directory for one page per command; without it, print the page of unolab
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}
