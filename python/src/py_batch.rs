//! `unolab._native.Batch`: environments that are stepped together.

use std::sync::{Arc, Mutex};

use numpy::{Element, PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadwriteArray1, PyReadwriteArray2, ToPyArray};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use serde_json::json;
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_engine::rng::Rng;

use crate::batch::{self, Arrays, Autoreset, Illegal, IllegalActionId, Outputs, Sizes};
use crate::game::{Setting, Unit};
use crate::reward::Reward;
use crate::table::{Table, Wrong, voluntary};

/// Environments that are stepped together. `unolab.VecEnv` is its public interface.
#[pyclass(module = "unolab._native")]
#[derive(Debug)]
pub(crate) struct Batch {
    table: Arc<Table>,
    num_envs: usize,
    sizes: Sizes,
    /// In a mutex, because agents need not be `Sync`.
    batch: Mutex<batch::Batch>,
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
);

fn rows<'a, T: Element, D: numpy::ndarray::Dimension>(
    array: &'a mut numpy::PyReadwriteArray<'_, T, D>,
    name: &str,
    len: usize,
) -> Result<&'a mut [T], Wrong> {
    let slice = array.as_slice_mut().map_err(|_| Wrong(format!("{name}: the array is not C-contiguous")))?;
    if slice.len() == len { Ok(slice) } else { Err(Wrong(format!("{name}: {} elements; needed: {len}", slice.len()))) }
}

impl Batch {
    fn batch(&mut self) -> &mut batch::Batch {
        self.batch.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// The slices of these arrays, all of the right size.
    fn slices<'a>(&self, arrays: &'a mut Borrowed<'_>) -> Result<Arrays<'a>, Wrong> {
        let (n, Sizes { obs, mask, legal, seats }) = (self.num_envs, self.sizes);
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
        })
    }
}

/// Creates agents from these specs for this number of seats; one spec applies to all seats.
fn opponents(texts: &[String], seats: usize) -> Result<Vec<AgentSpec>, Wrong> {
    let registry = Registry::default();
    let configure = |text: &String| {
        if text.contains("cmd:") {
            let why = "an external bot can fail, which a batch cannot report; allowed: built-in agents";
            return Err(Wrong(format!("opponents: {text}: {why}")));
        }
        registry.configure(text).map_err(|error| Wrong(format!("opponents: {error}")))
    };
    let mut opponents: Vec<AgentSpec> = texts.iter().map(configure).collect::<Result<_, _>>()?;
    if let [only] = opponents.as_slice() {
        opponents = vec![only.clone(); seats - 1];
    }
    match opponents.len() {
        0 => Err(Wrong("opponents: an empty list; allowed: None, one agent for all other seats, or one each".into())),
        len if len == seats - 1 => Ok(opponents),
        len => {
            Err(Wrong(format!("opponents: {len} agents for {} other seats; allowed: 1 or {}", seats - 1, seats - 1)))
        }
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(signature = (variant, seats, num_envs, seed, overrides, unit, voluntary_draw, reward, opponents, autoreset, max_decisions, threads, history, outputs))]
    #[expect(clippy::too_many_arguments, reason = "the options of an environment, by name in Python")]
    fn new(
        variant: &str,
        seats: usize,
        num_envs: usize,
        seed: u64,
        overrides: Vec<String>,
        unit: &str,
        voluntary_draw: bool,
        reward: &str,
        opponents: Option<Vec<String>>,
        autoreset: &str,
        max_decisions: u32,
        threads: usize,
        history: usize,
        outputs: &str,
    ) -> PyResult<Self> {
        let table = Table::new(variant, seats, &overrides, voluntary(voluntary_draw), history)?;
        if num_envs == 0 {
            return Err(Wrong("num_envs: 0; allowed: 1 or more".into()).into());
        }
        if max_decisions == 0 {
            return Err(Wrong("max_decisions: 0; allowed: 1 or more".into()).into());
        }
        let written = Outputs::named(outputs)?;
        if written != Outputs::All && history > 0 {
            let reason =
                format!("history: {history} events, which are part of observations; with outputs=\"{outputs}\": 0");
            return Err(Wrong(reason).into());
        }
        let mut options = json!({
            "reward": reward,
            "opponents": opponents,
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
        let opponents = opponents.map_or(Ok(Vec::new()), |texts| self::opponents(&texts, seats))?;
        let table = Arc::new(table);
        let unit = Unit::named(unit, &table.rules)?;
        let setting = Setting::new(unit, Arc::clone(&table), opponents, max_decisions, seed);
        let batch = batch::Batch::new(setting, num_envs, autoreset, reward, written, threads)?;
        Ok(Self { table, num_envs, sizes, batch: Mutex::new(batch), spec, samples: Rng::from_seed(seed) })
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

    /// Starts again with this seed.
    fn reseed(&mut self, py: Python<'_>, seed: u64, mut arrays: Borrowed<'_>) -> PyResult<()> {
        self.samples = Rng::from_seed(seed);
        let slices = self.slices(&mut arrays)?;
        let batch = self.batch();
        py.detach(|| batch.reseed(seed, slices));
        Ok(())
    }

    /// Begins a new game in each environment whose flag is set.
    fn reset(&mut self, py: Python<'_>, which: PyReadonlyArray1<'_, bool>, mut arrays: Borrowed<'_>) -> PyResult<()> {
        let which = which.as_slice()?;
        if which.len() != self.num_envs {
            return Err(Wrong(format!("reset_mask: {} values for {} environments", which.len(), self.num_envs)).into());
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
            return Err(Wrong(format!("actions: {} for {} environments", actions.len(), self.num_envs)).into());
        }
        let slices = self.slices(&mut arrays)?;
        let batch = self.batch();
        let illegal = if illegal_loses { Illegal::Loses } else { Illegal::Refused };
        match py.detach(|| batch.step(actions, illegal, slices)) {
            Ok(()) => Ok(None),
            Err(IllegalActionId { env, seat, action, legal }) => (env, seat, action, legal).into_pyobject(py).map(Some),
        }
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
