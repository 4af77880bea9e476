//! [`Policy`]: the seed, the time and the access of all programs of a run.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::run_log::RunLog;

/// The settings for all programs of a run. By default the run is not sealed and no program is confined.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Whether programs are started.
    pub start: ProgramStart,
    /// The source of the seed that programs get.
    pub program_seed: ProgramSeed,
    /// Whether programs are kept from what is not theirs.
    pub sandbox: Sandbox,
    /// The agents, as they are written, whose programs may use the network all the same.
    pub network: BTreeSet<String>,
    /// Files and directories that a confined program may read besides its own.
    pub readable: Vec<PathBuf>,
    /// Files and directories that it may read and write.
    pub writable: Vec<PathBuf>,
    /// Files and directories that it may not read, wherever they are: those of the run. They need not exist yet.
    pub hidden: Vec<PathBuf>,
    /// The log of the programs, if there is one.
    pub run_log: Option<Arc<RunLog>>,
}

/// Whether programs are started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProgramStart {
    /// They are, as soon as an agent is configured.
    #[default]
    Allowed,
    /// They are not: an agent is configured, but cannot play. For what reads results and plays no game.
    Refused,
}

/// The source of the seed that a program gets at the beginning of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProgramSeed {
    /// Only the program's first decision, so it reveals nothing.
    #[default]
    FirstView,
    /// The stream of its seat, which must then come from a key that nobody can guess.
    AgentSeed,
}

/// Whether programs are kept from the files, processes and networks that are not theirs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Sandbox {
    /// They may do whatever the user may.
    #[default]
    Off,
    /// They are kept from as much as this system can keep them from.
    Auto,
    /// They are kept from all of it, or do not start.
    Require,
}
