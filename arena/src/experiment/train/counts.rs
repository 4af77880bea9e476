//! [`TrainCounts`]: the progress of a training run, to be saved and resumed.
//!
//! Numbers are saved with all bits, so that an interrupted training run gives the same weights as an uninterrupted one. An
//! incomplete batch is not saved; it is played again.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use unolab_agents::net::float_net::{Adam, FloatNet, Samples, parameters};
use unolab_agents::net::hidden_layers::HiddenLayers;
use unolab_agents::net::weights::Weights;

use super::course::{CurveCounts, Progress};
use super::games::Score;
use crate::run::checkpoint::Counts;
use crate::run::shard::RunProgress;
use crate::tables::curve::CurveRow;

/// The progress of a training run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(into = "SavedProgress", try_from = "SavedProgress")]
pub struct TrainCounts {
    /// The state after all complete batches.
    pub progress: Progress,
    /// The total number of training decisions.
    pub of: u64,
    /// The samples of the next batch so far.
    pub(super) pending: Samples,
    pub(super) pending_score: Score,
}

impl TrainCounts {
    /// The state before the next batch.
    #[must_use]
    pub fn new(progress: Progress, of: u64) -> Self {
        Self { progress, of, pending: Samples::default(), pending_score: Score::default() }
    }
}

impl Counts for TrainCounts {
    fn done(&self) -> RunProgress {
        RunProgress { done: self.progress.choices.min(self.of), of: self.of }
    }
}

/// The counts as plain data.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct SavedProgress {
    choices: u64,
    of: u64,
    batches: u64,
    stage: u64,
    steps: u64,
    since: CurveCounts,
    curve: Vec<CurveRow>,
    champion: Option<Vec<u8>>,
    hidden: HiddenLayers,
    /// The bits of the weights, of their mean gradients, and of the mean squared gradients.
    numbers: [Vec<u32>; 3],
}

impl From<TrainCounts> for SavedProgress {
    fn from(TrainCounts { progress, of, .. }: TrainCounts) -> Self {
        let bits = |numbers: &[f32]| numbers.iter().map(|number| number.to_bits()).collect();
        let Progress { net, adam, champion, batches, choices, stage, since, curve } = progress;
        let numbers = [bits(net.weights()), bits(&adam.mean), bits(&adam.square)];
        let champion = champion.map(|champion| champion.to_bytes());
        let hidden = net.hidden();
        Self { choices, of, batches, stage, steps: adam.steps, since, curve, champion, hidden, numbers }
    }
}

impl TryFrom<SavedProgress> for TrainCounts {
    type Error = String;

    fn try_from(kept: SavedProgress) -> Result<Self, String> {
        let wrong_length =
            || format!("a net with hidden layers of {} has {} numbers", kept.hidden, parameters(kept.hidden));
        let [net, mean, square] = kept.numbers.map(|bits| bits.into_iter().map(f32::from_bits).collect::<Vec<f32>>());
        if net.iter().chain(&mean).chain(&square).any(|number| !number.is_finite()) {
            return Err("a number of the net is not finite".into());
        }
        if [&mean, &square].map(Vec::len) != [parameters(kept.hidden); 2] {
            return Err(wrong_length());
        }
        let read = |bytes: Vec<u8>| Weights::from_bytes(&bytes).map(Arc::new).map_err(|error| error.to_string());
        let progress = Progress {
            net: FloatNet::with(kept.hidden, net).ok_or_else(wrong_length)?,
            adam: Adam { mean, square, steps: kept.steps },
            champion: kept.champion.map(read).transpose()?,
            batches: kept.batches,
            choices: kept.choices,
            stage: kept.stage,
            since: kept.since,
            curve: kept.curve,
        };
        Ok(Self::new(progress, kept.of))
    }
}
