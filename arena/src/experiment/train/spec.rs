//! The spec of a training run as plain data.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unolab_agents::net::published::{Size, published_for};
use unolab_agents::net::weights::Weights;
use unolab_agents::registry::{Registry, SpecError};
use unolab_engine::rules::{LoadError, Rules, TableSize, Teams, load};

use super::course::{Plan, TrainingLoop};
use crate::run::checkpoint::RunSpec;
use crate::spec::seal::Seal;
use crate::spec::{SpecHash, Variant};

/// Everything that determines the result of a training run. Two equal specs give the same bytes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainSpec {
    /// Always `train`.
    pub command: CommandWord,
    /// The variants.
    pub variants: Vec<Variant>,
    /// The numbers of seats; every variant is played with the numbers that it allows.
    pub seats: Vec<usize>,
    /// The opponents of the net in addition to its last champion.
    pub field: Vec<String>,
    /// The initial weights, if they are not random.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<InitialWeights>,
    /// The size and the parameters of a training run.
    #[serde(flatten)]
    pub plan: Plan,
}

/// The initial weights of a training run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum InitialWeights {
    /// The weights of the agent `net` at these tables.
    Published,
    /// The mean of the nets in the files with these SHA-256s.
    Files(Vec<String>),
}

impl InitialWeights {
    /// The word for [`InitialWeights::Published`].
    pub const NET: &str = "net";
}

impl From<String> for InitialWeights {
    fn from(text: String) -> Self {
        if text == Self::NET { Self::Published } else { Self::Files(text.split('+').map(str::to_owned).collect()) }
    }
}

impl From<InitialWeights> for String {
    fn from(beginning: InitialWeights) -> Self {
        match beginning {
            InitialWeights::Published => InitialWeights::NET.into(),
            InitialWeights::Files(sha256s) => sha256s.join("+"),
        }
    }
}

/// The word `train`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandWord {
    /// The only value.
    Train,
}

/// Why a training run cannot start.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainError {
    /// Invalid rules.
    #[error(transparent)]
    Rules(#[from] LoadError),
    /// No variant allows any of the numbers of seats.
    #[error("none of the variants allows any of these numbers of seats")]
    NoTable,
    /// The variant has partners.
    #[error("{0}: match.teams: a net is trained for tables without partners; allowed: none")]
    Partners(String),
    /// An unknown agent of the field.
    #[error(transparent)]
    Field(#[from] SpecError),
    /// An agent that is not allowed as an opponent.
    #[error("agent `{0}`: sees all hands; allowed: agents that see only what their seat sees")]
    PerfectInformation(String),
    /// Published weights for only some of the tables, or different ones.
    #[error(
        "--from net: these tables have no net in common; allowed: only plain decks or only other decks, with only 2 seats or only more seats, or a file"
    )]
    NoPublished,
    /// No initial net.
    #[error("--pretrain 0 needs --from: an untrained net cannot play")]
    NoBeginning,
}

impl TrainSpec {
    /// The hash that identifies this spec.
    ///
    /// # Panics
    /// Never: the data is plain.
    #[must_use]
    pub fn hash(&self) -> SpecHash {
        SpecHash::of(&serde_json::to_string(self).expect("plain data can be written"))
    }

    /// The training loop of the spec, with the weights of its files, if the spec names any.
    ///
    /// # Errors
    /// If the training run cannot start.
    pub fn course(&self, from: Option<Weights>, registry: &Registry) -> Result<TrainingLoop, TrainError> {
        if self.plan.imitate == 0 && self.from.is_none() {
            return Err(TrainError::NoBeginning);
        }
        let mut tables = Vec::new();
        for &seats in &self.seats {
            for variant in &self.variants {
                let path = variant.path_of_text();
                let rules = load(&path, &[], TableSize::Any, variant)?.rules;
                if rules.parameters().teams != Teams::None {
                    return Err(TrainError::Partners(variant.name.clone()));
                }
                if rules.seats().contains(&seats) {
                    tables.push((load(&path, &[], TableSize::Seats(seats), variant)?.rules, seats));
                }
            }
        }
        if tables.is_empty() {
            return Err(TrainError::NoTable);
        }
        let field = self.field.iter().map(|agent| registry.configure(agent)).collect::<Result<Vec<_>, _>>()?;
        if let Some(agent) = field.iter().find(|agent| agent.sees_everything()) {
            return Err(TrainError::PerfectInformation(agent.text().into()));
        }
        let from = match self.from {
            Some(InitialWeights::Published) => Some(published_for_all(&tables).ok_or(TrainError::NoPublished)?),
            Some(InitialWeights::Files(_)) | None => from.map(Arc::new),
        };
        Ok(TrainingLoop { plan: self.plan.clone(), tables, field, from })
    }
}

/// The built-in net for each of these tables, if it is the same.
fn published_for_all(tables: &[(Rules, usize)]) -> Option<Arc<Weights>> {
    let mut nets = tables.iter().map(|(rules, seats)| published_for(rules, *seats, Size::Small));
    let first = nets.next()??;
    nets.all(|net| net.is_some_and(|net| Arc::ptr_eq(&net, &first))).then_some(first)
}

impl RunSpec for TrainSpec {
    fn hash(&self) -> SpecHash {
        self.hash()
    }

    fn agents(&self) -> Vec<&str> {
        self.field.iter().map(|agent| &**agent).collect()
    }

    fn seal(&self) -> Option<&Seal> {
        None
    }
}
