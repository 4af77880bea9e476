//! [`Policy`]: the start, the seed, and the access of all programs of a run.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::super::diagnostics::RunLog;

/// The settings for all programs of a run. By default the run is not sealed and no program is confined.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Whether programs are started.
    pub start: ProgramStart,
    /// The source of the seed that programs get.
    pub program_seed: ProgramSeed,
    /// Whether programs are confined.
    pub sandbox: Sandbox,
    /// The agents, as they are written, whose confined programs may use the network.
    pub network: BTreeSet<String>,
    /// Files and directories that a confined program may read in addition to its directory.
    pub readable: Vec<PathBuf>,
    /// Files and directories that it may read and write.
    pub writable: Vec<PathBuf>,
    /// Files and directories of the run, which it may not read, wherever they are. They need not exist yet.
    pub hidden: Vec<PathBuf>,
    /// The log of the programs, if there is one.
    pub run_log: Option<Arc<RunLog>>,
}

/// Whether programs are started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProgramStart {
    /// A program is started as soon as its agent is configured.
    #[default]
    Allowed,
    /// Programs are not started: an agent is configured, but cannot play. For commands that read results without playing.
    Refused,
}

/// The source of the seed that a program gets at the beginning of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ProgramSeed {
    /// Only the program's first decision, so it reveals nothing.
    #[default]
    FirstView,
    /// The stream of its seat, which must then come from a secret key.
    AgentSeed,
}

/// Whether programs are confined to their files, without other processes and without a network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Sandbox {
    /// They have all rights of the user.
    #[default]
    Off,
    /// They are confined to the extent that this system supports.
    Auto,
    /// They are confined completely, or do not start.
    Require,
}
