//! The execution of a run. Tables do not depend on it.

use std::path::PathBuf;

use unolab_agents::registry::Registry;

use super::checkpoint::RunSpec as _;
use super::directory::Start;
use super::programs::ChangedPrograms;
use super::results::Tabulate;
use super::shard::Shard;
use crate::spec::SpecHash;

/// How a run is executed.
#[derive(Debug, Clone)]
pub struct Execution {
    /// The number of threads; `None` means one per processor core, and at least one per game that an agent plays at once.
    pub threads: Option<usize>,
    /// The directory of the run; `None` means `runs/NAME-HASH`, with the hash of the spec.
    pub directory: Option<PathBuf>,
    /// Whether the run starts from scratch or resumes.
    pub start: Start,
    /// Whether a run that other versions of its programs began may be resumed or replaced.
    pub changed_programs: ChangedPrograms,
    /// The shard to play.
    pub shard: Shard,
    /// With workers: the minimum number of batches into which the sets that can be played at a time are divided.
    pub workers: Option<u64>,
    /// The registry of the programs that play, if their standard error is stored.
    pub programs: Option<Registry>,
    /// The arguments after the name of the command, for `run.json`.
    pub command_line: Vec<String>,
}

impl Default for Execution {
    /// A whole run on all cores, in its default directory.
    fn default() -> Self {
        Self {
            threads: None,
            directory: None,
            start: Start::Anew,
            changed_programs: ChangedPrograms::Refused,
            shard: Shard::WHOLE,
            workers: None,
            programs: None,
            command_line: Vec::new(),
        }
    }
}

impl Execution {
    /// The number of threads for agents that play this number of games at once: each game waits on a separate thread.
    #[must_use]
    pub fn num_threads(&self, games_at_once: usize) -> usize {
        self.threads.unwrap_or_else(|| all_cores().max(games_at_once))
    }

    /// The directory of the run: `runs/balance-0123456789abcdef` unless another one is chosen.
    #[must_use]
    pub fn directory_of<E: Tabulate>(&self, experiment: &E) -> PathBuf {
        self.directory
            .clone()
            .unwrap_or_else(|| default_directory(experiment.name(), experiment.spec().hash(), self.shard))
    }
}

/// `runs/balance-0123456789abcdef`, and the name of the shard unless it is the whole run.
#[must_use]
pub fn default_directory(name: &str, spec: SpecHash, shard: Shard) -> PathBuf {
    let whole = format!("runs/{name}-{spec}");
    PathBuf::from(if shard == Shard::WHOLE { whole } else { format!("{whole}-shard-{}", shard.file_name()) })
}

/// The number of processor cores.
#[must_use]
pub fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
