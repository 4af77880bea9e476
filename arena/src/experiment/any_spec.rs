//! [`AnySpec`]: the spec of any experiment that leaves a run directory.

use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unolab_agents::registry::Registry;

use super::balance::Balance;
use super::balance::error::BalanceError;
use super::balance::spec::BalanceSpec;
use super::league::Leagues;
use super::luck_pilot::with_luck_adjustment;
use super::sprt::SequentialTest;
use super::tournament::Tournament;
use super::train::spec::{InitialWeights, TrainError, TrainSpec};
use super::train::training::Training;
use super::tune::spec::TuneSpec;
use super::tune::{TuneError, Tuning};
use crate::run::active::ActiveRun;
use crate::run::checkpoint::{OutputOptions, RunSpec};
use crate::run::directory::Outputs;
use crate::run::driver::on_threads;
use crate::run::error::RunError;
use crate::run::execution::Execution;
use crate::run::results::Tabulate;
use crate::schedule::contest::{Contest, ContestError};
use crate::spec::luck::LuckAdjustment;
use crate::spec::seal::{KeyParseError, Seal, SealKey, WrongKey};
use crate::spec::{Command, Format, Spec, SpecHash};

/// The spec of any experiment that leaves a run directory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum AnySpec {
    /// A tournament, a match, a league, or a sequential test.
    Contest(Spec),
    /// A balance run.
    Balance(BalanceSpec),
    /// A tuning run.
    Tune(TuneSpec),
    /// A training run.
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

/// Why the experiment of a spec cannot be played here.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PrepareError {
    /// The agents, rules and seats of a contest are incompatible.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// A balance run is impossible.
    #[error(transparent)]
    Balance(#[from] BalanceError),
    /// A tuning run is impossible.
    #[error(transparent)]
    Tune(#[from] TuneError),
    /// A training run is impossible.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// The weights from which a training run started are needed.
    #[error("started from weights that are not in its directory; run unolab train with --from")]
    InitialWeights,
    /// The key of a sealed run is needed.
    #[error("the run is sealed, and its key is missing")]
    NoKey,
    /// The key is invalid.
    #[error(transparent)]
    InvalidKey(#[from] KeyParseError),
    /// The key belongs to another run.
    #[error(transparent)]
    WrongKey(#[from] WrongKey),
    /// The system cannot support the run.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Work on an experiment of any type.
pub trait ExperimentTask {
    /// The result of the work.
    type Output;

    /// Does the work.
    ///
    /// # Errors
    /// If the experiment cannot be played.
    fn run<E: Tabulate>(self, experiment: &E) -> Result<Self::Output, RunError>;
}

impl AnySpec {
    /// The spec with the key of its seal, if it is sealed.
    ///
    /// # Errors
    /// If the key is missing, or belongs to another run.
    pub fn opened_by(self, key: Option<&str>) -> Result<Self, PrepareError> {
        Ok(match self {
            Self::Contest(spec) => Self::Contest(Spec { seal: seal_with_key(spec.seal, key)?, ..spec }),
            Self::Balance(spec) => Self::Balance(BalanceSpec { seal: seal_with_key(spec.seal, key)?, ..spec }),
            Self::Tune(spec) => Self::Tune(TuneSpec { seal: seal_with_key(spec.seal, key)?, ..spec }),
            Self::Train(spec) => Self::Train(spec),
        })
    }

    /// Prepares the experiment of this spec on this number of threads, and does this work on it.
    ///
    /// # Errors
    /// If the experiment cannot be played here.
    pub fn with_experiment<T: ExperimentTask>(
        self,
        options: OutputOptions,
        registry: &Registry,
        threads: usize,
        task: T,
    ) -> Result<T::Output, PrepareError> {
        Ok(match self {
            Self::Contest(spec) if spec.command == (Command::Tournament { format: Format::League }) => {
                task.run(&on_threads(threads, || Leagues::new(&spec, options.luck, registry))??)
            }
            Self::Contest(spec) => {
                let contest = &contest_of(spec, options.luck, registry, threads)?;
                match contest.spec().command {
                    Command::Sprt(hypotheses) => task.run(&SequentialTest { contest, hypotheses }),
                    Command::Match | Command::Tournament { .. } => task.run(&Tournament::of(contest)),
                }
            }
            Self::Balance(spec) => task.run(&on_threads(threads, || Balance::prepare(&spec, registry))??),
            Self::Tune(spec) => task.run(&on_threads(threads, || Tuning::prepare(&spec, registry))??),
            Self::Train(spec) => {
                if let Some(InitialWeights::Files(_)) = spec.from {
                    return Err(PrepareError::InitialWeights);
                }
                let course = spec.course(None, registry)?;
                task.run(&Training::new(*spec, course))
            }
        }?)
    }

    /// Plays the run of this spec silently, and publishes its tables.
    ///
    /// # Errors
    /// If it cannot be played here, or a file cannot be written.
    pub fn replay(
        self,
        outputs: &Outputs,
        execution: &Execution,
        registry: &Registry,
        stop: &AtomicBool,
    ) -> Result<Replayed, PrepareError> {
        let threads = execution.num_threads(1);
        self.with_experiment(outputs.options, registry, threads, Replay { outputs, execution, stop })
    }
}

/// The seal of a run with its key, if it is sealed.
///
/// # Errors
/// If the key is missing, or belongs to another run.
pub fn seal_with_key(seal: Option<Seal>, key: Option<&str>) -> Result<Option<Seal>, PrepareError> {
    match (seal, key) {
        (None, _) => Ok(None),
        (Some(_), None) => Err(PrepareError::NoKey),
        (Some(seal), Some(key)) => Ok(Some(seal.opened_by(key.parse::<SealKey>()?)?)),
    }
}

/// How a replay ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replayed {
    /// Its tables are published.
    Finished,
    /// It was stopped before its end.
    Stopped,
}

/// Plays a run silently.
struct Replay<'a> {
    outputs: &'a Outputs,
    execution: &'a Execution,
    stop: &'a AtomicBool,
}

impl ExperimentTask for Replay<'_> {
    type Output = Replayed;

    fn run<E: Tabulate>(self, experiment: &E) -> Result<Replayed, RunError> {
        let Some(mut run) = ActiveRun::open(experiment, self.outputs, self.execution)? else {
            return Ok(Replayed::Finished);
        };
        run.play(&(), self.stop)?;
        if !run.is_finished()? {
            return Ok(Replayed::Stopped);
        }
        let results = experiment.results(run.counts())?;
        run.publish(&results, &|_| Ok(Vec::new()))?;
        Ok(Replayed::Finished)
    }
}

/// The contest of a spec, with the observers that its luck adjustment needs.
///
/// # Errors
/// If its agents, rules and seats are incompatible.
pub fn contest_of(
    spec: Spec,
    luck: LuckAdjustment,
    registry: &Registry,
    threads: usize,
) -> Result<Contest, PrepareError> {
    let contest = Contest::of(spec, registry)?;
    Ok(match luck {
        LuckAdjustment::Off => contest,
        LuckAdjustment::On => on_threads(threads, || with_luck_adjustment(contest))??,
    })
}
