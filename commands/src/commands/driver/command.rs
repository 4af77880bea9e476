//! The interface of a command to its experiment, and the options of a run apart from its spec.

use std::env;
use std::path::Path;

use anyhow::bail;
use unolab_agents::registry::Registry;
use unolab_arena::run::checkpoint::OutputOptions;
use unolab_arena::run::directory::{Outputs, Page};
use unolab_arena::run::execution::Execution;
use unolab_arena::run::results::{Results, Tabulate};
use unolab_arena::run::shard::Shard;

use super::faults::FaultsSoFar;
use super::json::JsonObject;
use crate::args::{CommonRunArgs, PlayMode};
use crate::exit::Exit;
use crate::output::shown;

/// The interface of a command to its experiment.
pub(in crate::commands) trait ExperimentCommand: Tabulate {
    /// Whether the spec's number of sets is only a maximum.
    const MAY_END_EARLY: bool = false;

    /// The unit of progress, also for a stopped run.
    const COUNTED: &str = "set";

    /// The leader or the standings, for the end of a line; empty before there is an interval.
    fn leader(&self, counts: &Self::Counts) -> String;

    /// The faults so far.
    fn faults(&self, _counts: &Self::Counts) -> FaultsSoFar {
        FaultsSoFar::default()
    }

    /// The total number of games, if it is known.
    fn games_in_all(&self, _counts: &Self::Counts) -> Option<u64> {
        None
    }

    /// The results in words.
    fn text(&self, counts: &Self::Counts, results: &Results) -> anyhow::Result<String>;

    /// Tables that have no file, for `--json`.
    fn tables_without_file(&self, _counts: &Self::Counts) -> JsonObject {
        JsonObject::new()
    }

    /// Figures of the counts, and other files that are not tables, each with its name.
    fn figures(&self, _counts: &Self::Counts, _metrics: &[String]) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
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

    /// The exit status of the command that finds the run finished in this directory: the same as when it finished.
    fn exit_of_finished(&self, _path: &Path) -> anyhow::Result<Exit> {
        Ok(Exit::Done)
    }
}

/// The options of a run apart from its spec.
pub(in crate::commands) struct Invocation {
    pub(in crate::commands) outputs: Outputs,
    pub(in crate::commands) execution: Execution,
    pub(in crate::commands) mode: PlayMode,
    pub(in crate::commands) printing: Printing,
    /// The time between two interim reports, in seconds.
    pub(in crate::commands) report_interval: Option<u64>,
}

/// The output of a command that runs an experiment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Printing {
    /// Readable tables, and progress.
    Tables,
    /// One JSON object, and progress.
    Json,
    /// One JSON object.
    QuietJson,
    /// Only errors.
    Nothing,
}

impl Invocation {
    /// A run with only tables, into the directory of the arguments.
    ///
    /// # Errors
    /// If a shard is combined with an option for whole runs.
    pub(in crate::commands) fn new(
        args: &CommonRunArgs,
        options: OutputOptions,
        mode: PlayMode,
    ) -> anyhow::Result<Self> {
        let printing = match (args.json, args.is_quiet()) {
            (true, false) => Printing::Json,
            (true, true) => Printing::QuietJson,
            (false, true) => Printing::Nothing,
            (false, false) => Printing::Tables,
        };
        let outputs = Outputs { tables: args.tables, ..Outputs::tables_only(options) };
        let execution = Execution { command_line: command_line(), ..args.execution()? };
        Ok(Self { outputs, execution, mode, printing, report_interval: args.report_interval })
    }

    /// Adds the HTML report, and figures of these metrics.
    ///
    /// # Errors
    /// If only a shard is played.
    pub(in crate::commands) fn with_page(mut self, page: Page, figures: Vec<String>) -> anyhow::Result<Self> {
        let shard = self.execution.shard;
        let figure = figures.first().map(|metric| format!("--plot {metric}"));
        let flag = (page == Page::Wanted).then(|| "--report".to_owned()).or(figure);
        if let Some(flag) = flag.filter(|_| shard != Shard::WHOLE) {
            bail!(
                "{flag}: a shard has no tables yet; pass the output of unolab merge to unolab report, not {flag} to \
                 --shard {shard}"
            );
        }
        self.outputs = Outputs { page, figures, ..self.outputs };
        Ok(self)
    }

    /// With the standard error of the programs of this registry stored.
    pub(in crate::commands) fn with_programs(mut self, registry: &Registry) -> Self {
        self.execution.programs = Some(registry.clone());
        self
    }

    /// The number of threads that prepare the run.
    pub(in crate::commands) fn num_threads(&self) -> usize {
        self.execution.num_threads(1)
    }
}

/// The arguments after the name of the command.
pub(in crate::commands) fn command_line() -> Vec<String> {
    env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect()
}
