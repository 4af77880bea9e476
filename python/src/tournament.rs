//! `unolab._native.play`: a tournament or a match, its tables as CSV.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use numpy::ndarray::Array2;
use numpy::{IntoPyArray, ToPyArray};
use pyo3::exceptions::{PyOSError, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use unolab_agents::goal::Goal;
use unolab_agents::net::player::NetSettings;
use unolab_agents::search::valuation::Valuation;
use unolab_arena::analyze::{DecisionEvaluator, analyze, quality, weaknesses};
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::tournament::{self, Tournament};
use unolab_arena::run::active::ActiveRun;
use unolab_arena::run::checkpoint::{Counts as _, OutputOptions};
use unolab_arena::run::directory::Outputs;
use unolab_arena::run::driver::{self, Progress, RunOptions};
use unolab_arena::run::error::RunError;
use unolab_arena::run::execution::{Execution, all_cores};
use unolab_arena::run::manifest::RUN_FILE;
use unolab_arena::run::results::Tabulate as _;
use unolab_arena::schedule::contest::{Contest, ContestError};
use unolab_arena::spec::variant::load_for_seats;
use unolab_arena::spec::{Allocation, Command, Entrant, Format, SeatingPlan, Spec, Unit, Variant};
use unolab_arena::tables::table::Tables;
use unolab_engine::rules::Override;

use crate::policy::{Answer, Asker, Question, Questions, RegisteredPolicy, with_policies};
use crate::table::{ArgumentError, Disk, voluntary};

/// The number of threads that play if there are policies, and so the most positions in one call of a policy.
const THREADS_WITH_POLICIES: usize = 128;

/// The arguments of a tournament from Python.
#[derive(Debug, FromPyObject)]
pub(crate) struct Request {
    #[pyo3(item)]
    command: String,
    #[pyo3(item)]
    agents: Vec<String>,
    #[pyo3(item)]
    variants: Vec<String>,
    #[pyo3(item)]
    overrides: Vec<String>,
    #[pyo3(item)]
    seats: Vec<usize>,
    #[pyo3(item)]
    sets: u64,
    #[pyo3(item)]
    seed: u64,
    #[pyo3(item)]
    unit: String,
    #[pyo3(item)]
    seating: String,
    #[pyo3(item)]
    threads: usize,
    #[pyo3(item)]
    out: Option<String>,
}

fn one_of<T: Copy>(what: &str, word: &str, allowed: &[(&str, T)]) -> Result<T, ArgumentError> {
    allowed.iter().find(|(name, _)| *name == word).map(|&(_, value)| value).ok_or_else(|| {
        let names: Vec<&str> = allowed.iter().map(|&(name, _)| name).collect();
        ArgumentError(format!("{what}: \"{word}\" is not known; allowed: {}", names.join(", ")))
    })
}

impl Request {
    fn spec(&self) -> Result<Spec, ArgumentError> {
        let overrides: Vec<Override> = self
            .overrides
            .iter()
            .map(|text| text.parse().map_err(|error| ArgumentError(format!("overrides: {error}"))))
            .collect::<Result<_, _>>()?;
        let load = |variant: &String| {
            let loaded = load_for_seats(variant, &overrides, &self.seats, &Disk);
            loaded.map(|loaded| Variant::of(&loaded.rules)).map_err(|error| ArgumentError::rules(&error))
        };
        let commands = [
            ("roundrobin", Command::Tournament { format: Format::RoundRobin }),
            ("gauntlet", Command::Tournament { format: Format::Gauntlet }),
            ("match", Command::Match),
        ];
        let seatings =
            [("rotate", SeatingPlan::Rotate), ("all", SeatingPlan::All), ("neighbor", SeatingPlan::Neighbor)];
        Ok(Spec {
            command: one_of("format", &self.command, &commands)?,
            entrants: Entrant::name_all(self.agents.iter().cloned()),
            variants: self.variants.iter().map(load).collect::<Result<_, _>>()?,
            seats: self.seats.clone(),
            sets: self.sets,
            allocation: Allocation::Even,
            seed: self.seed,
            seating: one_of("seating", &self.seating, &seatings)?,
            unit: one_of("unit", &self.unit, &[("round", Unit::Round), ("match", Unit::Match)])?,
            seal: None,
        })
    }
}

/// Plays a tournament or a match, and returns its tables: a CSV for each file name.
///
/// `ask(number, obs, mask, ids, num_legal, seats, chances, table)` answers for the policy with this number; `table` has the
/// variant's name, the number of seats, and the hash of the rules. `progress(done)` receives the number of finished deals.
#[pyfunction]
pub(crate) fn play<'py>(
    py: Python<'py>,
    request: Request,
    policies: Vec<(String, bool)>,
    ask: Bound<'py, PyAny>,
    progress: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let spec = request.spec()?;
    let (asker, mut incoming) = Asker::with_questions();
    let registered: HashMap<String, RegisteredPolicy> = policies
        .iter()
        .enumerate()
        .map(|(number, (name, offered))| {
            (name.clone(), RegisteredPolicy { number, draw: voluntary(*offered), asker: asker.clone() })
        })
        .collect();
    drop(asker);
    let contest = with_policies(registered, |registry| Contest::of(spec, registry)).map_err(|error| match error {
        ContestError::Agent(error) => ArgumentError(format!("agents: {error}")),
        // Options have the same names here, without the dashes.
        error => ArgumentError(in_full(&error).split(": ").map(without_dashes).collect::<Vec<_>>().join(": ")),
    })?;
    let threads = match (policies.is_empty(), request.threads) {
        (false, _) => THREADS_WITH_POLICIES,
        (true, 0) => all_cores().max(contest.games_at_once()),
        (true, threads) => threads,
    };
    let experiment = Tournament::of(&contest);
    let outputs = Outputs::tables_only(OutputOptions::default());
    let run = |out: &str| Execution { threads: Some(threads), directory: Some(out.into()), ..Execution::default() };
    let execution = request.out.as_deref().map(run);
    let mut run = match &execution {
        Some(execution) => Some(claim(&experiment, &outputs, execution, !policies.is_empty())?),
        None => None,
    };
    let begin = Instant::now();
    let counts = play_and_answer(py, &contest, threads, &mut incoming, &ask, &progress)?;
    let results = experiment.results(&counts).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    if let Some(mut run) = run.take() {
        run.set_played(counts, begin.elapsed());
        run.publish(&results, &|_| Ok(Vec::new())).map_err(|error| PyOSError::new_err(in_full(&error)))?;
    }
    let (named, faults) = (results.tables.named(), results.faults.named());
    let dict = PyDict::new(py);
    for (file, csv) in named.iter().chain(&faults) {
        dict.set_item(*file, String::from_utf8_lossy(csv))?;
    }
    Ok(dict)
}

fn without_dashes(part: &str) -> &str {
    part.strip_prefix("--").unwrap_or(part)
}

/// An error with its causes.
fn in_full(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// The run in its directory, if it may be written. Equal specs of built-in agents give equal bytes, which may be overwritten.
/// The spec does not describe the play of a Python policy, so a finished run with a policy is kept.
fn claim<'a>(
    experiment: &'a Tournament<'a>,
    outputs: &'a Outputs,
    execution: &'a Execution,
    has_policies: bool,
) -> PyResult<ActiveRun<'a, Tournament<'a>>> {
    let path = execution.directory_of(experiment);
    let finished =
        || ArgumentError(format!("out: {} holds a finished run; allowed: another directory", path.display()));
    if has_policies && path.join(RUN_FILE).exists() {
        return Err(finished().into());
    }
    match ActiveRun::open(experiment, outputs, execution) {
        Ok(Some(run)) => Ok(run),
        Ok(None) => Err(finished().into()),
        Err(error) => {
            let reason = in_full(&error);
            Err(ArgumentError(format!("out: {}", reason.trim_start_matches("--out "))).into())
        }
    }
}

/// Plays on new threads, while this one answers for the policies and checks for Ctrl-C.
fn play_and_answer(
    py: Python<'_>,
    contest: &Contest,
    threads: usize,
    incoming: &mut Questions,
    ask: &Bound<'_, PyAny>,
    progress: &Bound<'_, PyAny>,
) -> PyResult<TournamentCounts> {
    let (stop, done) = (AtomicBool::new(false), AtomicU64::new(0));
    std::thread::scope(|scope| {
        let playing = std::thread::Builder::new().spawn_scoped(scope, || {
            let on_progress = |now: Progress| {
                done.fetch_max(now.sets.done, Ordering::Relaxed);
            };
            let options = RunOptions { on_progress: &on_progress, ..RunOptions::new(threads, &stop) };
            tournament::play(contest, options)
        });
        let playing = playing.map_err(|error| {
            PyRuntimeError::new_err(RunError::Threads { threads: 1, reason: error.to_string() }.to_string())
        })?;
        let mut wrong = None;
        let mut shown = 0;
        while !playing.is_finished() {
            let questions = py.detach(|| incoming.questions(threads, Duration::from_millis(20)));
            // After an error, policies are no longer called: dropped questions get no answer.
            if wrong.is_none() {
                let now = done.load(Ordering::Relaxed);
                let tell = || if now > shown { progress.call1((now,)).map(|_| ()) } else { Ok(()) };
                let told = answer(py, questions, ask).and_then(|()| py.check_signals()).and_then(|()| tell());
                shown = now;
                if let Err(error) = told {
                    stop.store(true, Ordering::Relaxed);
                    wrong = Some(error);
                }
            }
        }
        let played = py.detach(|| playing.join());
        if let Some(error) = wrong {
            return Err(error);
        }
        let part = match played {
            Ok(Ok(part)) => part,
            Ok(Err(error)) => return Err(PyRuntimeError::new_err(error.to_string())),
            Err(_) => return Err(PyRuntimeError::new_err("a game was aborted")),
        };
        progress.call1((part.done().done,))?;
        Ok(part)
    })
}

/// Calls each policy once for all of its questions at one table.
fn answer(py: Python<'_>, questions: Vec<Question>, ask: &Bound<'_, PyAny>) -> PyResult<()> {
    let mut groups: HashMap<(usize, usize), Vec<Question>> = HashMap::new();
    for question in questions {
        let table = std::sync::Arc::as_ptr(&question.table) as usize;
        groups.entry((question.policy, table)).or_default().push(question);
    }
    for ((policy, _), group) in groups {
        let Some(first) = group.first() else { continue };
        let (n, size, actions) = (group.len(), first.table.encoding.obs_size(), first.table.encoding.num_actions());
        let rows = |part: fn(&Question) -> &[u8], width: usize| {
            Array2::from_shape_vec((n, width), group.iter().flat_map(|question| part(question).to_vec()).collect())
                .map(|array| array.into_pyarray(py))
                .map_err(|error| PyRuntimeError::new_err(error.to_string()))
        };
        let (obs, mask) = (rows(|question| &question.row, size)?, rows(|question| &question.mask, actions)?);
        let ids: Vec<i16> = group.iter().flat_map(|question| question.ids.iter().copied()).collect();
        let ids = Array2::from_shape_vec((n, actions), ids)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?
            .into_pyarray(py);
        let number = |count: usize| i16::try_from(count).unwrap_or(i16::MAX);
        let lens: Vec<i16> = group.iter().map(|question| number(question.num_legal)).collect();
        let seats: Vec<i8> = group.iter().map(|question| i8::try_from(question.seat).unwrap_or(0)).collect();
        let chances: Vec<u64> = group.iter().map(|question| question.chance).collect();
        let table = (first.table.rules.name(), first.table.seats, first.table.rules_hash.as_str());
        let (lens, seats, chances) = (lens.to_pyarray(py), seats.to_pyarray(py), chances.to_pyarray(py));
        let said = ask.call1((policy, obs, mask, ids, lens, seats, chances, table))?;
        let said: Vec<(Option<i64>, String)> = said.extract()?;
        for (question, (action, raised)) in group.into_iter().zip(said) {
            let answer = action.map_or(Answer::Raised(raised), Answer::Action);
            // A game that has ended needs no answer.
            let _ = question.answer.send(answer);
        }
    }
    Ok(())
}

/// Evaluates the decisions of a record: the tables `decisions.csv` and `quality.csv`. A net takes no worlds, policy or seed.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "those of `unolab.analyze`")]
pub(crate) fn analyze_record<'py>(
    py: Python<'py>,
    name: &str,
    text: &str,
    evaluator: &str,
    worlds: Option<u32>,
    policy: Option<&str>,
    goal: &str,
    seed: Option<u64>,
) -> PyResult<Bound<'py, PyDict>> {
    let unknown = |what: &str, word: &str, allowed: &str| {
        ArgumentError(format!("{what}: \"{word}\" is not known; allowed: {allowed}"))
    };
    let goal: Goal = goal.parse().map_err(|()| unknown("goal", goal, "win, points, match"))?;
    let evaluator = match evaluator {
        "rollouts" => {
            let worlds = worlds.unwrap_or(400);
            if !(2..=1_000_000).contains(&worlds) {
                return Err(ArgumentError(format!("worlds: {worlds}; allowed: 2 to 1000000")).into());
            }
            let policies = "random, greedy, card-ranking, mixbot, heuristic";
            let policy = policy.unwrap_or("mixbot");
            let policy = policy.parse().map_err(|()| unknown("policy", policy, policies))?;
            DecisionEvaluator::Rollouts(Valuation { worlds, policy, goal }, seed.unwrap_or(1))
        }
        net => {
            if worlds.is_some() || policy.is_some() || seed.is_some() {
                return Err(ArgumentError(
                    "evaluator: a net takes no worlds, policy or seed; allowed: evaluator=\"rollouts\"".into(),
                )
                .into());
            }
            let settings = match net {
                "net" => NetSettings::published(),
                file => NetSettings::from_file(file).map_err(|allowed| {
                    ArgumentError(format!("evaluator: \"{file}\"; allowed: \"rollouts\", \"net\", or {allowed}"))
                })?,
            };
            DecisionEvaluator::Net(settings, goal.try_into().map_err(|error| ArgumentError(format!("goal: {error}")))?)
        }
    };
    let pool = driver::pool(all_cores());
    let pool = pool.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
    let stop = AtomicBool::new(false);
    let decided = std::thread::scope(|scope| {
        let deciding = scope.spawn(|| pool.install(|| analyze(name, text, &evaluator, &stop)));
        while !deciding.is_finished() {
            py.detach(|| std::thread::sleep(Duration::from_millis(5)));
            if let Err(interrupted) = py.check_signals() {
                stop.store(true, Ordering::Relaxed);
                return Err(interrupted);
            }
        }
        deciding.join().map_err(|_| PyRuntimeError::new_err("the analysis was aborted"))
    })?;
    let decisions = decided.map_err(|error| ArgumentError(error.to_string()))?;
    let (quality, weaknesses) = (quality(&decisions), weaknesses(&decisions));
    let dict = PyDict::new(py);
    for (file, csv) in Tables::none().with(decisions).with(quality).with(weaknesses).named() {
        dict.set_item(file, String::from_utf8_lossy(&csv))?;
    }
    Ok(dict)
}
