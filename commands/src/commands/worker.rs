//! `unolab worker`: plays batches for a run on another machine, from standard input to standard output.

use std::io::{self, BufRead as _};

use anyhow::{Context, bail};
use serde::de::IgnoredAny;
use unolab_agents::options::is_program;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::Balance;
use unolab_arena::experiment::league::Leagues;
use unolab_arena::experiment::sprt::SequentialTest;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::experiment::train::training::Training;
use unolab_arena::experiment::tune::Tuning;
use unolab_arena::run::checkpoint::{Job, OutputOptions, RunSpec as _};
use unolab_arena::run::driver::on_threads;
use unolab_arena::run::programs::ProgramVersions;
use unolab_arena::run::remote::{RunMessage, answer};
use unolab_arena::spec::{Command, Format, Spec};
use unolab_engine::rng;

use super::driver::{AnySpec, request};
use crate::args::WorkerArgs;
use crate::exit::Exit;

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
    // Only the user who names a program starts it, not anyone who can write to this worker.
    if let Some(program) = job.spec.agents().into_iter().find(|agent| is_program(agent)) {
        bail!("the job has the agent {program}: programs are not sent to other machines; play it without --remote");
    }
    let changed = job.played_with.changed_programs(&ProgramVersions::now(job.spec.agents()));
    if !changed.is_empty() {
        bail!("the job was begun with other files than those here: {}", changed.join(", "));
    }
    let OutputOptions { games_csv, luck, .. } = job.outputs;
    let threads = args.threads.map_or(1, usize::from);
    let out = io::stdout();
    match job.spec {
        AnySpec::Contest(spec) if spec.command == (Command::Tournament { format: Format::League }) => {
            let leagues = on_threads(threads, || Leagues::new(&spec, luck, registry))??;
            answer(&leagues, games_csv, lines, out)?;
        }
        AnySpec::Contest(spec) => {
            let contest = request::contest_of(spec, job.outputs, registry, threads)?;
            match contest.spec() {
                Spec { command: Command::Sprt(hypotheses), .. } => {
                    let test = SequentialTest { contest: &contest, hypotheses: *hypotheses };
                    answer(&test, games_csv, lines, out)?;
                }
                _ => answer(&Tournament::of(&contest), games_csv, lines, out)?,
            }
        }
        AnySpec::Balance(spec) => {
            let balance = on_threads(threads, || Balance::prepare(&spec, registry))??;
            answer(&balance, games_csv, lines, out)?;
        }
        AnySpec::Tune(spec) => {
            let tuning = on_threads(threads, || Tuning::prepare(&spec, registry))??;
            answer(&tuning, games_csv, lines, out)?;
        }
        AnySpec::Train(spec) => {
            if spec.from.is_some() {
                bail!("--from: the initial weights of a training run are not sent to other machines");
            }
            answer(&Training::new(*spec.clone(), spec.course(None, registry)?), games_csv, lines, out)?;
        }
    }
    Ok(Exit::Done)
}
