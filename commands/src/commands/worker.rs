//! `unolab worker`: plays batches for a run on another machine, from standard input to standard output.

use std::io::{self, BufRead, Read as _};

use anyhow::{Context, bail};
use clap::Args;
use serde::de::IgnoredAny;
use unolab_agents::options::is_program;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::any_spec::{AnySpec, ExperimentTask};
use unolab_arena::run::checkpoint::{Job, RunSpec as _};
use unolab_arena::run::error::RunError;
use unolab_arena::run::programs::ProgramVersions;
use unolab_arena::run::remote::{RunMessage, answer};
use unolab_arena::run::results::Tabulate;
use unolab_arena::run::shard::Shard;
use unolab_engine::rng;

use crate::args::number;
use crate::exit::Exit;

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

pub(crate) fn run(args: &WorkerArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let mut lines = io::stdin().lock();
    let mut first = String::new();
    if lines.read_line(&mut first).context("standard input")? == 0 {
        return Ok(Exit::Done);
    }
    let RunMessage::<Job<AnySpec>, IgnoredAny>::Job(job) =
        serde_json::from_str(&first).context("standard input: the first line is not a job, as --remote writes it")?
    else {
        bail!("standard input: the first line is not a job; allowed: the output of --remote, from its beginning");
    };
    let (version, generator) = (env!("CARGO_PKG_VERSION"), rng::GENERATOR_ID);
    if (&*job.unolab, &*job.generator) != (version, generator) {
        bail!("the job is of unolab {} with {}; this is {version} with {generator}", job.unolab, job.generator);
    }
    // Programs are started only for the user who names them, not for others who can write to this worker.
    if let Some(program) = job.spec.agents().into_iter().find(|agent| is_program(agent)) {
        bail!("the job has the agent {program}: programs are not sent to other machines; play it without --remote");
    }
    let changed = job.played_with.changed_programs(&ProgramVersions::now(job.spec.agents()));
    if !changed.is_empty() {
        bail!("the job was begun with other files than those here: {}", changed.join(", "));
    }
    let threads = args.threads.map_or(1, usize::from);
    let work =
        AnswerRequests { shard: job.shard, games_csv: job.outputs.games_csv, lines: first.as_bytes().chain(lines) };
    job.spec.with_experiment(job.outputs, registry, threads, work)?;
    Ok(Exit::Done)
}

/// Plays the batches that these lines request.
struct AnswerRequests<L> {
    shard: Shard,
    games_csv: Option<u64>,
    lines: L,
}

impl<L: BufRead> ExperimentTask for AnswerRequests<L> {
    type Output = ();

    fn run<E: Tabulate>(self, experiment: &E) -> Result<(), RunError> {
        answer(experiment, self.shard, self.games_csv, self.lines, io::stdout())
    }
}
