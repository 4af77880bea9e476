//! What determines a result, as plain data: a [`Spec`] and the master seed in it are the only inputs of a run.
//!
//! Threads, folders and progress are not here: they must not change a byte of the tables.

pub mod agent_list;
pub mod luck;
pub mod seal;
pub mod variant;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use unolab_engine::rng;
use unolab_stats::sprt::Hypotheses;

use seal::{Seal, Streams};

pub use variant::Variant;

/// Everything that determines the tables of a run. Two equal specs give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// Who plays whom.
    #[serde(flatten)]
    pub command: Command,
    /// Who takes part, in the order they were named.
    pub entrants: Vec<Entrant>,
    /// The rules they play by, one after the other.
    pub variants: Vec<Variant>,
    /// The numbers of seats they play at, one after the other.
    pub seats: Vec<usize>,
    /// Deals: every table plays every one of them, at all its seatings.
    pub sets: u64,
    /// What all random numbers derive from.
    pub seed: u64,
    /// Who sits where when a deal is played again.
    pub seating: SeatingPlan,
    /// What one game is.
    pub unit: Unit,
    /// In a sealed run a key goes into all random numbers besides the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

/// Which command a run belongs to, and so who plays whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
pub enum Command {
    /// Entrants at all the tables that the format asks for.
    Tournament {
        /// Which tables these are.
        format: Format,
    },
    /// One table: the first entrant against copies of the second, or exactly the entrants named.
    Match,
    /// The first entrant against copies of the second, until the test is decided; the sets are the most it may take.
    Sprt(Hypotheses),
}

impl Command {
    /// Its name on the command line and in the name of the run's folder.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tournament { .. } => "tournament",
            Self::Match => "match",
            Self::Sprt(_) => "sprt",
        }
    }
}

/// Who meets whom in a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Every choice of entrants sits at a table together.
    RoundRobin,
    /// The first entrant meets each of the others in turn: one of it, and copies of the other.
    Gauntlet,
    /// Tiers that play round robins of their own; by their ratings the best rise and the last fall, season after season.
    League,
}

/// Who sits where when a deal is played again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatingPlan {
    /// The order at the table stays and moves on one seat at a time, until everyone has sat everywhere.
    Rotate,
    /// Every arrangement there is.
    All,
    /// Few arrangements in which every entrant follows every other equally often, because the left neighbour takes
    /// one's draw cards.
    Neighbor,
}

/// What one game is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// A single round.
    Round,
    /// Rounds to the target score.
    Match,
}

/// A named, configured agent that takes part.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Entrant {
    /// Unique within the spec: the agent's text, and `#2` for the second of the same text.
    pub name: String,
    /// The agent and its options, as they are written after `--agents`.
    pub agent: String,
}

impl Entrant {
    /// One entrant for each agent, in order. An agent named again becomes `greedy#2`, `greedy#3`.
    pub fn name_all<I>(agents: I) -> Vec<Self>
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let mut times_named: BTreeMap<String, usize> = BTreeMap::new();
        let named = |agent: String| {
            let times = times_named.entry(agent.clone()).or_default();
            *times += 1;
            let name = if *times == 1 { agent.clone() } else { format!("{agent}#{times}") };
            Self { name, agent }
        };
        agents.into_iter().map(Into::into).map(named).collect()
    }
}

impl Spec {
    /// Where its random numbers come from.
    #[must_use]
    pub fn streams(&self) -> Streams {
        Streams::new(self.seed, self.seal.as_ref().and_then(Seal::key))
    }

    /// The spec as text: what is hashed, and what a run's folder keeps.
    ///
    /// # Panics
    /// Never: plain data of strings and whole numbers can always be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings and whole numbers can be written")
    }

    /// The name of this spec among all specs.
    #[must_use]
    pub fn hash(&self) -> SpecHash {
        SpecHash::of(&self.to_json())
    }
}

/// A short name for a spec: sixteen hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct SpecHash(u64);

impl SpecHash {
    /// The hash of a spec's text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        Self(rng::digest(text))
    }
}

impl fmt::Display for SpecHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A small spec for the tests of this crate.
    pub(crate) fn round_robin(agents: &[&str], seats: &[usize]) -> Spec {
        Spec {
            command: Command::Tournament { format: Format::RoundRobin },
            entrants: Entrant::name_all(agents.iter().copied()),
            variants: vec![Variant { name: "classic".into(), rules: "rules = 1".into(), hash: "0".into() }],
            seats: seats.to_vec(),
            sets: 10,
            seed: 1,
            seating: SeatingPlan::Rotate,
            unit: Unit::Round,
            seal: None,
        }
    }

    #[test]
    fn an_agent_named_again_is_another_entrant() {
        let names: Vec<String> = Entrant::name_all(["greedy", "random", "greedy", "greedy"])
            .into_iter()
            .map(|entrant| entrant.name)
            .collect();
        assert_eq!(names, ["greedy", "random", "greedy#2", "greedy#3"]);
    }

    #[test]
    fn a_spec_reads_back() {
        let spec = round_robin(&["random", "greedy"], &[2, 4]);
        let text = spec.to_json();
        assert!(
            text.starts_with(r#"{"command":"tournament","format":"roundrobin","entrants":[{"name":"random""#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Spec>(&text).unwrap(), spec);
    }

    #[test]
    fn whatever_determines_the_result_is_in_the_hash() {
        let spec = round_robin(&["random", "greedy"], &[2, 4]);
        assert_eq!(spec.hash().to_string().len(), 16);
        for other in [
            Spec { seed: 2, ..spec.clone() },
            Spec { sets: 11, ..spec.clone() },
            Spec { seating: SeatingPlan::All, ..spec.clone() },
            Spec { unit: Unit::Match, ..spec.clone() },
            Spec { command: Command::Match, ..spec.clone() },
        ] {
            assert_ne!(other.hash(), spec.hash());
        }
    }
}
