//! The spec of a tuning run as plain data.

use serde::{Deserialize, Serialize};
use unolab_engine::rng::mix;

use crate::experiment::balance::spec::Sweep;
use crate::run::checkpoint::RunSpec;
use crate::spec::seal::Seal;
use crate::spec::{Entrant, SeatingPlan, SpecHash, Variant};

/// Everything that determines the result of a tuning run. Two equal specs give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TuneSpec {
    /// Always `tune`.
    pub command: CommandWord,
    /// The agents at the tables.
    pub field: Vec<Entrant>,
    /// The rules that the keys change.
    pub base: Variant,
    /// The numbers of seats.
    pub seats: Vec<usize>,
    /// The keys to vary, each with its values.
    pub vary: Vec<Sweep>,
    /// The goals, as they were given.
    pub goals: Vec<String>,
    /// The number of rounds to play, over all candidates.
    pub budget: u64,
    /// The master seed.
    pub seed: u64,
    /// The seatings of each deal.
    pub seating: SeatingPlan,
    /// The good player that measures skill.
    pub good: String,
    /// The weak player that it meets for `good_share`.
    pub weak: String,
    /// The weak players that it meets for `skill`.
    pub panel: Vec<String>,
    /// The duration of a turn in milliseconds, for minutes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn_ms: Option<u32>,
    /// The key of a sealed run, which enters all random numbers together with the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

/// The word `tune`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommandWord {
    /// It.
    Tune,
}

impl TuneSpec {
    /// The seed of the deals that no candidate has played in the search.
    #[must_use]
    pub const fn fresh_seed(&self) -> u64 {
        mix(mix(self.seed) ^ 0x7475_6e65)
    }
}

impl RunSpec for TuneSpec {
    fn hash(&self) -> SpecHash {
        SpecHash::of(&serde_json::to_string(self).expect("plain data can be written"))
    }

    fn agents(&self) -> Vec<&str> {
        let field = self.field.iter().map(|entrant| &*entrant.agent);
        field.chain([&*self.good, &*self.weak]).chain(self.panel.iter().map(|agent| &**agent)).collect()
    }

    fn seal(&self) -> Option<&Seal> {
        self.seal.as_ref()
    }
}
