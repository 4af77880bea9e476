//! `unolab._native.BuiltIn`: a built-in agent that answers for positions of rounds and of batches.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use numpy::{PyArray1, PyArray2, PyArrayMethods, ToPyArray};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use unolab_agents::agent::Agent;
use unolab_agents::greedy::Greedy;
use unolab_agents::net::judge::RoundValue;
use unolab_agents::net::network::{ACTIVATION_ONE, Network, WEIGHT_ONE};
use unolab_agents::net::player::NetSettings;
use unolab_agents::options::agents_named;
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_agents::stop::unless_stopped;
use unolab_engine::action::{Action, Call};
use unolab_engine::rng::Rng;
use unolab_engine::round::DecisionKind;

use crate::py_batch::Batch;
use crate::py_round::Round;
use crate::table::{ArgumentError, Table, voluntary};

/// The net of an agent, and the number that it values.
#[derive(Debug, Clone)]
struct Net {
    settings: NetSettings,
    value: RoundValue,
}

/// A built-in agent. `unolab.Agent` wraps it and documents it.
#[pyclass(module = "unolab._native")]
#[derive(Debug)]
pub(crate) struct BuiltIn {
    agent: AgentSpec,
    net: Option<Net>,
    /// The agent searches.
    searches: bool,
    /// In a mutex, so that several threads may use the agent.
    rng: Mutex<Rng>,
}

/// The net of the agent with this text; `None` if it plays without one.
fn net_of(text: &str) -> Result<Option<Net>, ArgumentError> {
    let Some(mut options) = agents_named(text).into_iter().next().filter(|options| options.name == "net") else {
        return Ok(None);
    };
    let settings = NetSettings::of(&mut options).map_err(|error| ArgumentError(format!("agent: {error}")))?;
    let value = RoundValue::try_from(settings.goal()).unwrap_or(RoundValue::ChanceToWin);
    Ok(Some(Net { settings, value }))
}

/// Whether the agent with this text searches, so that a decision may take long.
pub(crate) fn searches(text: &str) -> bool {
    const SEARCHES: [&str; 4] = ["monte-carlo", "ismcts", "clairvoyant", "exploiter"];
    agents_named(text).iter().any(|agent| SEARCHES.contains(&&*agent.name))
}

/// Whether a net has values for the current decision. It has none for UNO calls, catches, and jump-ins.
fn has_values(round: &Round) -> bool {
    let is_unvalued = |kind: DecisionKind| kind.is_interruption() || matches!(kind, DecisionKind::Call { .. });
    round.inner().decision().is_some_and(|decision| !is_unvalued(decision.kind))
}

/// Lets a signal such as Ctrl-C end a call that takes long.
struct Signals(Instant);

impl Signals {
    /// The time between two checks: each needs Python's lock.
    const PAUSE: Duration = Duration::from_millis(50);

    fn new() -> Self {
        Self(Instant::now())
    }

    /// Checks for signals, if the last check was long ago. The caller must not hold Python's lock.
    fn check(&mut self) -> PyResult<()> {
        if self.0.elapsed() < Self::PAUSE {
            return Ok(());
        }
        self.0 = Instant::now();
        Python::attach(|py| py.check_signals())
    }
}

/// Does the work on a different thread, and stops it after a signal such as Ctrl-C. The caller must not hold Python's lock.
pub(crate) fn interruptible<R: Send>(work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let (stop, (done, result)) = (&AtomicBool::new(false), mpsc::channel());
    thread::scope(|scope| {
        let working = thread::Builder::new().spawn_scoped(scope, move || {
            // After a signal, the caller no longer uses the result.
            let _ = done.send(unless_stopped(stop, work));
        });
        let working = working.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        loop {
            match result.recv_timeout(Signals::PAUSE) {
                Ok(Ok(result)) => return Ok(result),
                Err(mpsc::RecvTimeoutError::Timeout) => {
                    if let Err(interrupted) = Python::attach(|py| py.check_signals()) {
                        stop.store(true, Ordering::Relaxed);
                        return Err(interrupted);
                    }
                }
                Ok(Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => {
                    let _ = working.join(); // a panic ends here
                    return Err(PyRuntimeError::new_err("the agent was aborted"));
                }
            }
        }
    })
}

impl BuiltIn {
    /// `choose`, which a signal stops if the agent searches.
    fn answer(&self, round: &Round, rng: Rng) -> PyResult<Option<usize>> {
        if self.searches { Ok(interruptible(|| self.choose(round, rng))??) } else { Ok(self.choose(round, rng)?) }
    }

    /// A new stream of random numbers.
    fn fork(&self) -> Rng {
        self.rng.lock().unwrap_or_else(PoisonError::into_inner).fork()
    }

    /// The id of the agent's action in a round; `None` when the round is over.
    fn choose(&self, round: &Round, rng: Rng) -> Result<Option<usize>, ArgumentError> {
        let inner = round.inner();
        let Some(decision) = inner.decision() else { return Ok(None) };
        let (seat, rules) = (decision.seat, inner.rules());
        let mut player = self.agent.make(rules, seat, rng.clone());
        if player.subscription().has_events() {
            round.replay_before(seat, &mut player)?;
        }
        let observation = inner.observation(seat);
        let action = match decision.kind {
            DecisionKind::Call { with } => match player.call(&observation, with) {
                Call::Uno => Action::Uno,
                Call::Silent => Action::Silent,
            },
            DecisionKind::Window { .. } | DecisionKind::JumpIn => {
                let options = decision.actions.strip_suffix(&[Action::Silent]).unwrap_or(decision.actions);
                player.interrupt(&observation, options)
            }
            _ => match player.perfect_information() {
                Some(seeing) => seeing.choose_with_perfect_information(inner.state(), &observation),
                None => player.choose(&observation),
            },
        };
        if let Some(fault) = player.fault() {
            return Err(ArgumentError(format!("agent: {}", fault.what)));
        }
        let offered = round.offered();
        let chosen = if offered.contains(&action) {
            action
        } else {
            // The agent draws or keeps, but the table hides this action.
            let greedy = Greedy::new(rng).choose(&observation);
            if offered.contains(&greedy) { greedy } else { offered[0] }
        };
        Ok(Some(round.id(chosen)))
    }

    /// The ids of the offered actions, each with its value.
    fn judge(&self, round: &Round) -> Result<Vec<(usize, f64)>, ArgumentError> {
        let Some(net) = &self.net else {
            return Err(ArgumentError(format!("values: {} has none; allowed: net", self.agent.text())));
        };
        let inner = round.inner();
        let Some(decision) = inner.decision() else { return Ok(Vec::new()) };
        let seat = decision.seat;
        let Some(mut judge) = net.settings.judge(inner.rules(), round.table().seats) else {
            return Err(ArgumentError("values: there is no net for partners, for whom none was trained".into()));
        };
        let offered = round.offered();
        if !has_values(round) {
            return Err(ArgumentError(format!("values: a net has none for the decision `{}`", decision.kind.word())));
        }
        round.replay_before(seat, &mut judge)?;
        let values = judge.worths(&inner.observation(seat), offered, net.value);
        Ok(offered.iter().map(|&action| round.id(action)).zip(values).collect())
    }
}

#[pymethods]
impl BuiltIn {
    #[new]
    fn new(text: &str, seed: u64) -> PyResult<Self> {
        if text.contains("cmd:") {
            return Err(ArgumentError(format!(
                "agent: {text}: external bots play in tournaments; allowed: built-in agents"
            ))
            .into());
        }
        let agent = Registry::default().configure(text).map_err(|error| ArgumentError(error.to_string()))?;
        Ok(Self { net: net_of(text)?, agent, searches: searches(text), rng: Mutex::new(Rng::from_seed(seed)) })
    }

    /// The id of the agent's action; `None` when the round is over.
    fn act(&self, py: Python<'_>, round: PyRef<'_, Round>) -> PyResult<Option<usize>> {
        let (rng, round) = (self.fork(), Clone::clone(&*round));
        py.detach(|| self.answer(&round, rng))
    }

    /// The id of the agent's action in every environment; 0 if the game has ended.
    fn act_all<'py>(&self, py: Python<'py>, batch: PyRef<'py, Batch>) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let (batch, rng, mut signals) = (&*batch, &mut self.fork(), Signals::new());
        let ids = py.detach(|| {
            batch.with(|games, table| {
                let rows = (0..batch.num_envs()).map(|env| {
                    signals.check()?;
                    let id = self.answer(&Batch::round_of(games, table, env)?, rng.fork())?.unwrap_or(0);
                    Ok(i32::try_from(id).unwrap_or(0)) // 494 at most
                });
                rows.collect::<PyResult<Vec<i32>>>()
            })
        })?;
        Ok(ids.to_pyarray(py))
    }

    /// The ids of the offered actions, each with its value.
    fn values(&self, py: Python<'_>, round: PyRef<'_, Round>) -> PyResult<Vec<(usize, f64)>> {
        let round = Clone::clone(&*round);
        Ok(py.detach(|| self.judge(&round))?)
    }

    /// The value of every action in every environment; NaN where an action is not offered, and in rows whose decision has no
    /// values.
    fn values_all<'py>(&self, py: Python<'py>, batch: PyRef<'py, Batch>) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let (batch, mut signals) = (&*batch, Signals::new());
        let (rows, width) = py.detach(|| {
            batch.with(|games, table| {
                let width = table.encoding.num_actions();
                let mut rows = vec![f32::NAN; batch.num_envs() * width];
                for (env, row) in rows.chunks_exact_mut(width).enumerate() {
                    signals.check()?;
                    let round = Batch::round_of(games, table, env)?;
                    if self.net.is_some() && !has_values(&round) {
                        continue;
                    }
                    for (id, value) in self.judge(&round)? {
                        #[expect(clippy::cast_possible_truncation, reason = "an estimate")]
                        let value = value as f32;
                        row[id] = value;
                    }
                }
                PyResult::Ok((rows, width))
            })
        })?;
        rows.to_pyarray(py).reshape([batch.num_envs(), width])
    }

    /// The weights of the net for a table, as arrays by name.
    fn weights<'py>(
        &self,
        py: Python<'py>,
        variant: &str,
        seats: usize,
        overrides: Vec<String>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let Some(net) = &self.net else {
            return Err(ArgumentError(format!("weights: {} has none; allowed: net", self.agent.text())).into());
        };
        let rules = Table::new(variant, seats, &overrides, voluntary(true), 0)?.rules;
        let Some(weights) = net.settings.weights(&rules, seats) else {
            return Err(ArgumentError(format!("weights: there is no net for {variant} with {seats} players")).into());
        };
        let Network { first, first_bias, second, second_bias, third, third_bias, .. } = &weights.network;
        let [width, width_of_second] = weights.network.hidden().widths();
        let matrix = |weights: &[i16], width: usize| weights.to_pyarray(py).reshape([weights.len() / width, width]);
        let dict = PyDict::new(py);
        dict.set_item("first", matrix(first, width)?)?;
        dict.set_item("first_bias", first_bias.to_pyarray(py))?;
        dict.set_item("second", matrix(second, width)?)?;
        dict.set_item("second_bias", second_bias.to_pyarray(py))?;
        dict.set_item("third", matrix(third, width_of_second)?)?;
        dict.set_item("third_bias", third_bias.to_pyarray(py))?;
        dict.set_item("weight_one", [WEIGHT_ONE].to_pyarray(py))?;
        dict.set_item("activation_one", [ACTIVATION_ONE].to_pyarray(py))?;
        Ok(dict)
    }
}
