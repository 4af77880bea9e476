//! The interface of a command to its experiment, and the options of a run apart from its spec.

use std::path::Path;

use anyhow::bail;
use serde::{Deserialize, Serialize};
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::spec::BalanceSpec;
use unolab_arena::experiment::train::spec::TrainSpec;
use unolab_arena::experiment::tune::spec::TuneSpec;
use unolab_arena::run::checkpoint::{OutputOptions, RunSpec};
use unolab_arena::run::directory::RequestedFiles;
use unolab_arena::run::experiment::Experiment;
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::seal::Seal;
use unolab_arena::spec::{Spec, SpecHash};

use super::json::JsonObject;
use super::publish::{ExperimentOutput, Extras, Page};
use crate::args::RunOutputArgs;
use crate::exit::Exit;
use crate::output::shown;

/// The spec of any command that leaves a directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(in crate::commands) enum AnySpec {
    Contest(Spec),
    Balance(BalanceSpec),
    Tune(TuneSpec),
    Train(Box<TrainSpec>),
}

impl RunSpec for AnySpec {
    fn hash(&self) -> SpecHash {
        match self {
            Self::Contest(spec) => spec.hash(),
            Self::Balance(spec) => spec.hash(),
            Self::Tune(spec) => spec.hash(),
            Self::Train(spec) => spec.hash(),
        }
    }

    fn agents(&self) -> Vec<&str> {
        match self {
            Self::Contest(spec) => spec.agents(),
            Self::Balance(spec) => spec.agents(),
            Self::Tune(spec) => spec.agents(),
            Self::Train(spec) => spec.agents(),
        }
    }

    fn seal(&self) -> Option<&Seal> {
        match self {
            Self::Contest(spec) => spec.seal.as_ref(),
            Self::Balance(spec) => spec.seal.as_ref(),
            Self::Tune(spec) => spec.seal.as_ref(),
            Self::Train(_) => None,
        }
    }
}

/// The interface of a command to its experiment.
pub(in crate::commands) trait ExperimentCommand: Experiment {
    /// Whether the spec's number of sets is only a maximum.
    const MAY_END_EARLY: bool = false;

    /// The unit of progress, also for a stopped run.
    const COUNTED: &str = "set";

    /// The name of its directory in `runs`, before the hash.
    fn name(&self) -> &'static str;

    /// The leader or the standings, for the end of a line; empty before there is an interval.
    fn leader(&self, counts: &Self::Counts) -> String;

    /// The number of games that each entrant has lost by faults, of those that have lost any.
    fn lost_by_faults(&self, _counts: &Self::Counts) -> Vec<(String, u64)> {
        Vec::new()
    }

    /// The total number of games, if it is known.
    fn games_in_all(&self, _counts: &Self::Counts) -> Option<u64> {
        None
    }

    /// The tables of what is counted, as files and in words.
    fn found(&self, counts: &Self::Counts) -> anyhow::Result<ExperimentOutput>;

    /// Figures of the counts, and all other outputs that are not tables, each with the name of its file.
    fn figures(&self, _counts: &Self::Counts, _names: &[String]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
        Ok(Vec::new())
    }

    /// The remaining games and their time, in words.
    fn dry_run(&self, left: &Self::Counts, outputs: OutputOptions, threads: usize) -> anyhow::Result<String>;

    /// The message about the finished run.
    fn result_location(&self, path: &Path) -> String {
        format!("tables in {}", shown(path))
    }

    /// The object for `--json`, without the tables.
    fn json_summary(&self, _tables: &JsonObject) -> JsonObject {
        JsonObject::new()
    }

    /// The exit status of the command that has finished the run.
    fn exit(&self, _counts: &Self::Counts) -> Exit {
        Exit::Done
    }

    /// The exit status of the command that finds it finished in this directory: the same as when it finished.
    fn exit_of_finished(&self, _path: &Path) -> anyhow::Result<Exit> {
        Ok(Exit::Done)
    }
}

/// The options of a run apart from its spec.
pub(in crate::commands) struct Invocation<'a> {
    pub(in crate::commands) kept: &'a RunOutputArgs,
    pub(in crate::commands) outputs: OutputOptions,
    pub(in crate::commands) page: Page,
    /// The names of figures.
    pub(in crate::commands) figures: &'a [String],
    /// The requested optional files.
    pub(in crate::commands) asked: RequestedFiles,
    pub(in crate::commands) is_dry: bool,
    /// The registry of the programs that play, if their standard error is stored.
    pub(in crate::commands) programs: Option<&'a Registry>,
}

impl<'a> Invocation<'a> {
    /// Only tables, into the directory of the arguments.
    pub(in crate::commands) fn plain(kept: &'a RunOutputArgs, outputs: OutputOptions) -> Self {
        Self {
            kept,
            outputs,
            page: Page::NotAskedFor,
            figures: &[],
            asked: kept.asked(),
            is_dry: false,
            programs: None,
        }
    }

    /// The shard to play.
    ///
    /// # Errors
    /// If a shard is combined with an option for whole runs.
    pub(in crate::commands) fn shard(&self) -> anyhow::Result<Shard> {
        let shard = self.kept.shard()?;
        let figure = self.figures.first().map(|metric| format!("--plot {metric}"));
        let asked = (self.page == Page::Wanted).then(|| "--report".to_owned()).or(figure);
        match asked {
            Some(flag) if shard != Shard::WHOLE => bail!(
                "{flag}: a shard has no tables yet; pass the output of unolab merge to unolab report, not {flag} to \
                 --shard {shard}"
            ),
            _ => Ok(shard),
        }
    }

    pub(super) const fn extras(&self) -> Extras {
        Extras { tables: self.kept.tables, page: self.page }
    }
}
