//! `unolab._native.Batch`: environments that are stepped together.

use std::sync::{Arc, Mutex};

use numpy::{
    Element, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2, PyReadwriteArray3,
    ToPyArray,
};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::json;
use unolab_agents::registry::Registry;
use unolab_engine::rng::Rng;

use crate::arrays::{Arrays, Outputs, OwnedRow, Sizes};
use crate::batch::{self, Autoreset, IllegalActionId, IllegalActionMode};
use crate::game::{GameReplay, GameStatus, Stream};
use crate::py_round::Round;
use crate::reward::Reward;
use crate::setting::{Opponent, Setting, Unit};
use crate::table::{ArgumentError, Table, voluntary};

/// Environments that are stepped together. `unolab.VecEnv` is its public interface.
#[pyclass(module = "unolab._native")]
#[derive(Debug)]
pub(crate) struct Batch {
    table: Arc<Table>,
    /// The table of the rounds: observations have no history.
    round_table: Arc<Table>,
    num_envs: usize,
    sizes: Sizes,
    /// In a mutex, because agents need not be `Sync`.
    batch: Mutex<batch::Batch>,
    /// The arrays of `step_row`, made in its first call.
    row: Option<OwnedRow>,
    spec: String,
    samples: Rng,
}

/// The arrays of a step, borrowed: each only once.
type Borrowed<'py> = (
    PyReadwriteArray2<'py, u8>,
    PyReadwriteArray2<'py, u8>,
    PyReadwriteArray1<'py, i8>,
    PyReadwriteArray2<'py, i16>,
    PyReadwriteArray1<'py, i16>,
    PyReadwriteArray2<'py, f32>,
    PyReadwriteArray1<'py, f32>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray1<'py, bool>,
    PyReadwriteArray2<'py, u8>,
    PyReadwriteArray3<'py, u8>,
);

/// The state of a game: the seed and the number of its environment, the number of the game, whether it has ended, and the ids
/// of its actions.
type GameState = (u64, u64, u64, &'static str, Vec<u16>);

/// The result of a reset of Gymnasium: the observation, and a dict with the mask.
type ShownRow<'py> = (Bound<'py, PyArray1<u8>>, Bound<'py, PyDict>);

/// The result of a step of Gymnasium: the observation, the learner's reward, whether the game is terminated and truncated, and a
/// dict with the mask.
type SteppedRow<'py> = (Bound<'py, PyArray1<u8>>, f32, bool, bool, Bound<'py, PyDict>);

/// A player of a seat that is not the learner's: a policy of the caller by its number and name, or a built-in agent.
#[derive(Debug, FromPyObject)]
enum Candidate {
    Policy((i16, String)),
    Agent(String),
}

impl Candidate {
    /// The player in the spec of an environment.
    fn spec(&self) -> serde_json::Value {
        match self {
            Self::Policy((_, name)) => json!({ "policy": name }),
            Self::Agent(text) => json!(text),
        }
    }

    fn configure(&self, registry: &Registry) -> Result<Opponent, ArgumentError> {
        match self {
            Self::Policy((number, _)) => Ok(Opponent::Policy(*number)),
            Self::Agent(text) if text.contains("cmd:") => {
                let why =
                    "an external bot can fail, which a batch cannot report; allowed: built-in agents and policies";
                Err(ArgumentError(format!("opponents: {text}: {why}")))
            }
            Self::Agent(text) => {
                let agent = registry.configure(text).map_err(|error| ArgumentError(format!("opponents: {error}")))?;
                Ok(Opponent::Agent(agent))
            }
        }
    }
}

/// The spec of the opponents: a seat with a single candidate is that candidate.
fn opponents_spec(seats: &[Vec<Candidate>]) -> serde_json::Value {
    let seat = |candidates: &Vec<Candidate>| match candidates.as_slice() {
        [only] => only.spec(),
        several => several.iter().map(Candidate::spec).collect(),
    };
    seats.iter().map(seat).collect()
}

fn rows<'a, T: Element, D: numpy::ndarray::Dimension>(
    array: &'a mut numpy::PyReadwriteArray<'_, T, D>,
    name: &str,
    len: usize,
) -> Result<&'a mut [T], ArgumentError> {
    let slice = array.as_slice_mut().map_err(|_| ArgumentError(format!("{name}: the array is not C-contiguous")))?;
    if slice.len() == len {
        Ok(slice)
    } else {
        Err(ArgumentError(format!("{name}: {} elements; needed: {len}", slice.len())))
    }
}

impl Batch {
    /// Calls `with` with the environments and a table without history for their rounds.
    pub(crate) fn with<T>(&self, with: impl FnOnce(&batch::Batch, &Arc<Table>) -> T) -> T {
        let batch = self.batch.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        with(&batch, &self.round_table)
    }

    /// The round of an environment.
    pub(crate) fn round_of(batch: &batch::Batch, table: &Arc<Table>, env: usize) -> Result<Round, ArgumentError> {
        let (game, setting) = (batch.game(env), batch.setting());
        Round::of_row(Arc::clone(table), game.row_deal(setting), game.actions_of_round())
    }

    pub(crate) const fn num_envs(&self) -> usize {
        self.num_envs
    }

    fn batch(&mut self) -> &mut batch::Batch {
        self.batch.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The single environment, and the arrays of its row.
    fn single_env(&mut self) -> Result<(&mut batch::Batch, &mut OwnedRow), ArgumentError> {
        if self.num_envs != 1 {
            return Err(ArgumentError(format!("{} environments; needed: 1", self.num_envs)));
        }
        let batch = self.batch.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok((batch, self.row.get_or_insert_with(|| OwnedRow::new(self.sizes))))
    }

    /// The slices of these arrays, all of the right size.
    fn slices<'a>(&self, arrays: &'a mut Borrowed<'_>) -> Result<Arrays<'a>, ArgumentError> {
        let (n, Sizes { obs, full, mask, legal, seats }) = (self.num_envs, self.sizes);
        Ok(Arrays {
            obs: rows(&mut arrays.0, "obs", n * obs)?,
            mask: rows(&mut arrays.1, "action_mask", n * mask)?,
            to_play: rows(&mut arrays.2, "to_play", n)?,
            legal: rows(&mut arrays.3, "legal", n * legal)?,
            num_legal: rows(&mut arrays.4, "num_legal", n)?,
            rewards: rows(&mut arrays.5, "rewards", n * seats)?,
            learner_reward: rows(&mut arrays.6, "learner_reward", n)?,
            terminated: rows(&mut arrays.7, "terminated", n)?,
            truncated: rows(&mut arrays.8, "truncated", n)?,
            final_obs: rows(&mut arrays.9, "final_obs", n * obs)?,
            full_obs: rows(&mut arrays.10, "full_obs", n * full)?,
        })
    }
}

/// The observation of a row, and a dict with its mask.
fn shown_row<'py>(py: Python<'py>, row: &OwnedRow) -> PyResult<ShownRow<'py>> {
    let info = PyDict::new(py);
    let mask = PyArray1::from_iter(py, row.mask.iter().map(|&byte| byte.cast_signed()));
    info.set_item(intern!(py, "action_mask"), mask)?;
    Ok((row.obs.to_pyarray(py), info))
}

/// The players of each seat after the learner's; the players of a single seat apply to all.
fn opponents(given: &[Vec<Candidate>], seats: usize) -> Result<Vec<Vec<Opponent>>, ArgumentError> {
    let registry = Registry::default();
    let configure = |candidates: &Vec<Candidate>| candidates.iter().map(|each| each.configure(&registry)).collect();
    let mut opponents: Vec<Vec<Opponent>> = given.iter().map(configure).collect::<Result<_, ArgumentError>>()?;
    if opponents.iter().any(Vec::is_empty) {
        return Err(ArgumentError("opponents: an empty list of players for a seat; allowed: one or more".into()));
    }
    if let [only] = opponents.as_slice() {
        opponents = vec![only.clone(); seats - 1];
    }
    let others = seats - 1;
    match opponents.len() {
        0 => Err(ArgumentError(
            "opponents: an empty list; allowed: None, one player for all other seats, or one each".into(),
        )),
        len if len == others => Ok(opponents),
        len if others == 1 => Err(ArgumentError(format!("opponents: {len} players for 1 other seat; allowed: 1"))),
        len => Err(ArgumentError(format!("opponents: {len} players for {others} other seats; allowed: 1 or {others}"))),
    }
}

/// The random streams of the environments.
fn streams(seeds: &PyReadonlyArray1<'_, u64>, numbers: &PyReadonlyArray1<'_, u64>) -> PyResult<Vec<Stream>> {
    let pairs = seeds.as_slice()?.iter().zip(numbers.as_slice()?);
    Ok(pairs.map(|(&seed, &number)| Stream { seed, number }).collect())
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (variant, seats, seeds, numbers, overrides, unit, voluntary_draw, reward, opponents, autoreset, max_decisions, threads, history, outputs))]
    #[expect(clippy::too_many_arguments, reason = "the options of an environment, by name in Python")]
    fn new(
        variant: &str,
        seats: usize,
        seeds: PyReadonlyArray1<'_, u64>,
        numbers: PyReadonlyArray1<'_, u64>,
        overrides: Vec<String>,
        unit: &str,
        voluntary_draw: bool,
        reward: &str,
        opponents: Option<Vec<Vec<Candidate>>>,
        autoreset: &str,
        max_decisions: u32,
        threads: usize,
        history: usize,
        outputs: &str,
    ) -> PyResult<Self> {
        let table = Table::new(variant, seats, &overrides, voluntary(voluntary_draw), history)?;
        let streams = streams(&seeds, &numbers)?;
        let Some(first) = streams.first() else {
            return Err(ArgumentError("num_envs: 0; allowed: 1 or more".into()).into());
        };
        if max_decisions == 0 {
            return Err(ArgumentError("max_decisions: 0; allowed: 1 or more".into()).into());
        }
        let written = Outputs::named(outputs)?;
        if matches!(written, Outputs::Mask | Outputs::Ids) && history > 0 {
            let reason =
                format!("history: {history} events, which are part of observations; with outputs=\"{outputs}\": 0");
            return Err(ArgumentError(reason).into());
        }
        let mut options = json!({
            "reward": reward,
            "opponents": opponents.as_deref().map(opponents_spec),
            "autoreset": autoreset,
            "max_decisions": max_decisions,
            "unit": unit,
        });
        let sizes = Sizes::new(&table, written);
        if written != Outputs::All {
            // Only here, so that the hash with all arrays is the same as before this option existed.
            options["outputs"] = outputs.into();
        }
        let spec = table.spec(options.as_object().cloned().unwrap_or_default(), sizes.obs);
        let (autoreset, reward) = (Autoreset::named(autoreset)?, Reward::named(reward)?);
        let opponents = opponents.map_or(Ok(Vec::new()), |given| self::opponents(&given, seats))?;
        let round_table = Arc::new(table.without_history());
        let table = Arc::new(table);
        let unit = Unit::named(unit, &table.rules)?;
        let setting = Setting::new(unit, Arc::clone(&table), opponents, max_decisions);
        let (num_envs, samples) = (streams.len(), Rng::from_seed(first.seed));
        let batch = batch::Batch::new(setting, &streams, autoreset, reward, written, threads)?;
        Ok(Self { table, round_table, num_envs, sizes, batch: Mutex::new(batch), row: None, spec, samples })
    }

    /// Bytes of an observation; none if they are not written.
    #[getter]
    fn obs_size(&self) -> usize {
        self.sizes.obs
    }

    /// Bytes of a mask; none if they are not written.
    #[getter]
    fn mask_size(&self) -> usize {
        self.sizes.mask
    }

    /// The number of actions.
    #[getter]
    fn num_actions(&self) -> usize {
        self.table.encoding.num_actions()
    }

    /// Every action in the notation, by its id.
    #[getter]
    fn action_names(&self) -> Vec<String> {
        self.table.action_names()
    }

    /// Everything that determines the meaning of the arrays, as canonical JSON.
    #[getter]
    fn spec(&self) -> &str {
        &self.spec
    }

    /// Writes the current observations.
    fn show(&mut self, py: Python<'_>, mut arrays: Borrowed<'_>) -> PyResult<()> {
        let slices = self.slices(&mut arrays)?;
        let batch = self.batch();
        py.detach(|| batch.show(slices));
        Ok(())
    }

    /// Starts again with these random streams.
    fn reseed(
        &mut self,
        py: Python<'_>,
        seeds: PyReadonlyArray1<'_, u64>,
        numbers: PyReadonlyArray1<'_, u64>,
        mut arrays: Borrowed<'_>,
    ) -> PyResult<()> {
        let streams = streams(&seeds, &numbers)?;
        if streams.len() != self.num_envs {
            return Err(
                ArgumentError(format!("seed: {} seeds for {} environments", streams.len(), self.num_envs)).into()
            );
        }
        self.samples = Rng::from_seed(streams[0].seed);
        let slices = self.slices(&mut arrays)?;
        let batch = self.batch();
        py.detach(|| batch.reseed(&streams, slices));
        Ok(())
    }

    /// The games, from which `restore` restores them, and the random numbers of `sample`.
    fn state(&mut self) -> (Vec<GameState>, [u8; 8]) {
        let samples = self.samples.to_bytes();
        let games = self.batch().state().map(|(stream, GameReplay { episode, actions }, status)| {
            (stream.seed, stream.number, episode, status.name(), actions)
        });
        (games.collect(), samples)
    }

    /// Restores the games of `state`.
    fn restore(&mut self, games: Vec<(u64, u64, u64, String, Vec<u16>)>, samples: [u8; 8]) -> PyResult<()> {
        if games.len() != self.num_envs {
            return Err(
                ArgumentError(format!("state: {} games for {} environments", games.len(), self.num_envs)).into()
            );
        }
        let game = |(seed, number, episode, status, actions): (u64, u64, u64, String, Vec<u16>)| {
            let status =
                GameStatus::named(&status).ok_or_else(|| ArgumentError(format!("state: unknown status {status:?}")))?;
            Ok((Stream { seed, number }, GameReplay { episode, actions }, status))
        };
        let games: Vec<_> = games.into_iter().map(game).collect::<Result<_, ArgumentError>>()?;
        self.batch().restore(&games)?;
        self.samples = Rng::from_bytes(samples);
        Ok(())
    }

    /// The round of an environment.
    fn round(&self, env: usize) -> PyResult<Round> {
        Ok(self.with(|batch, table| Self::round_of(batch, table, env))?)
    }

    /// The number of the policy for which each environment waits; -1 for the learner.
    fn waiting<'py>(&mut self, py: Python<'py>) -> Bound<'py, PyArray1<i16>> {
        let waiting: Vec<i16> = self.batch().waiting().collect();
        waiting.to_pyarray(py)
    }

    /// Plays the actions of policies; negative for environments that wait for none. Returns the first environment whose
    /// action is not offered; no action is then played.
    fn continue_games<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
        mut arrays: Borrowed<'py>,
    ) -> PyResult<Option<usize>> {
        let actions = actions.as_slice()?;
        let slices = self.slices(&mut arrays)?;
        let batch = self.batch();
        Ok(py.detach(|| batch.continue_games(actions, slices)).err())
    }

    /// Begins a new game in each environment whose flag is set.
    fn reset(&mut self, py: Python<'_>, which: PyReadonlyArray1<'_, bool>, mut arrays: Borrowed<'_>) -> PyResult<()> {
        let which = which.as_slice()?;
        if which.len() != self.num_envs {
            return Err(ArgumentError(format!(
                "reset_mask: {} values for {} environments",
                which.len(),
                self.num_envs
            ))
            .into());
        }
        let slices = self.slices(&mut arrays)?;
        let batch = self.batch();
        py.detach(|| batch.reset(which, slices));
        Ok(())
    }

    /// Plays one action in each environment. An action that is not offered either loses its game, or is returned and no action
    /// is played.
    fn step<'py>(
        &mut self,
        py: Python<'py>,
        actions: PyReadonlyArray1<'py, i64>,
        illegal_loses: bool,
        mut arrays: Borrowed<'py>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let actions = actions.as_slice()?;
        if actions.len() != self.num_envs {
            return Err(ArgumentError(format!("actions: {} for {} environments", actions.len(), self.num_envs)).into());
        }
        let slices = self.slices(&mut arrays)?;
        let batch = self.batch();
        let illegal = if illegal_loses { IllegalActionMode::Loses } else { IllegalActionMode::Refused };
        match py.detach(|| batch.step(actions, illegal, slices)) {
            Ok(()) => Ok(None),
            Err(IllegalActionId { env, seat, action, legal }) => (env, seat, action, legal).into_pyobject(py).map(Some),
        }
    }

    /// `reset` for a single environment, with new arrays, which is faster.
    fn reset_row<'py>(&mut self, py: Python<'py>) -> PyResult<ShownRow<'py>> {
        let (batch, row) = self.single_env()?;
        py.detach(|| batch.reset(&[true], row.arrays()));
        shown_row(py, row)
    }

    /// `step` for a single environment, with new arrays, which is faster. Returns None, and plays nothing, if the action is not an
    /// integer, or is not offered and does not lose the game.
    fn step_row<'py>(
        &mut self,
        py: Python<'py>,
        action: &Bound<'py, PyAny>,
        illegal_loses: bool,
    ) -> PyResult<Option<SteppedRow<'py>>> {
        let Ok(action) = action.extract() else { return Ok(None) };
        let (batch, row) = self.single_env()?;
        let illegal = if illegal_loses { IllegalActionMode::Loses } else { IllegalActionMode::Refused };
        if py.detach(|| batch.step(&[action], illegal, row.arrays())).is_err() {
            return Ok(None);
        }
        let ([reward], [terminated], [truncated]) = (row.learner_reward, row.terminated, row.truncated);
        let (obs, info) = shown_row(py, row)?;
        Ok(Some((obs, reward, terminated, truncated, info)))
    }

    /// One of the ids in each row, each equally likely.
    #[pyo3(signature = (legal, num_legal, seed))]
    fn sample<'py>(
        &mut self,
        py: Python<'py>,
        legal: PyReadonlyArray2<'py, i16>,
        num_legal: PyReadonlyArray1<'py, i16>,
        seed: Option<u64>,
    ) -> PyResult<Bound<'py, PyArray1<i32>>> {
        let (ids, lens) = (legal.as_slice()?, num_legal.as_slice()?);
        let width = self.num_actions();
        let mut seeded = seed.map(Rng::from_seed);
        let rng = seeded.as_mut().unwrap_or(&mut self.samples);
        let choose = |(row, &len): (&[i16], &i16)| {
            let len = usize::try_from(len).unwrap_or(0).clamp(1, width);
            #[expect(clippy::cast_possible_truncation, reason = "494 actions at most")]
            let chosen = rng.below(len as u32) as usize;
            i32::from(row[chosen])
        };
        let chosen: Vec<i32> = ids.chunks_exact(width).zip(lens).map(choose).collect();
        Ok(chosen.to_pyarray(py))
    }
}
