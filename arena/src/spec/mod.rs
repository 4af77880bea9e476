//! The inputs of a result as plain data: a [`Spec`] and its master seed determine a run.
//!
//! Threads, directories, and progress are not part of them, because they must not affect the tables.

pub mod agent_list;
pub mod allocation;
pub mod luck;
pub mod seal;
pub mod variant;

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};
use unolab_agents::options::{is_program, split_name};
use unolab_agents::registry::{AgentSpec, Registry, SpecError};
use unolab_engine::rng::{self, Purpose};
use unolab_engine::seat::Seat;
use unolab_stats::sprt::Hypotheses;

use seal::{Seal, Streams};

pub use allocation::Allocation;
pub use variant::Variant;

/// Everything that determines the tables of a run. Two equal specs give the same bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spec {
    /// The command, which determines the tables.
    #[serde(flatten)]
    pub command: Command,
    /// The entrants, in the order of `--agents`.
    pub entrants: Vec<Entrant>,
    /// The variants, one after the other.
    pub variants: Vec<Variant>,
    /// The numbers of seats, one after the other.
    pub seats: Vec<usize>,
    /// The number of deals, each of which every table plays at all its seatings.
    pub sets: u64,
    /// How the deals are allocated to sections.
    #[serde(default, skip_serializing_if = "Allocation::is_even")]
    pub allocation: Allocation,
    /// The master seed.
    pub seed: u64,
    /// The seatings of each deal.
    pub seating: SeatingPlan,
    /// The unit of a game.
    pub unit: Unit,
    /// The key of a sealed run, which enters all random numbers together with the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal: Option<Seal>,
}

impl Spec {
    /// The spec of a match of rounds at one table, with as many deals for every variant.
    #[must_use]
    pub fn even_match(entrants: Vec<Entrant>, variants: Vec<Variant>, seats: usize, sets: u64, seed: u64) -> Self {
        Self {
            command: Command::Match,
            entrants,
            variants,
            seats: vec![seats],
            sets,
            allocation: Allocation::Even,
            seed,
            seating: SeatingPlan::Rotate,
            unit: Unit::Round,
            seal: None,
        }
    }
}

/// The command of a run, which determines the tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "lowercase")]
pub enum Command {
    /// Entrants at all the tables of the format.
    Tournament {
        /// The format.
        format: Format,
    },
    /// One table: the first entrant against copies of the second, or exactly the entrants named.
    Match,
    /// The first entrant against copies of the second, until the test is decided; the sets are its maximum.
    Sprt(Hypotheses),
}

impl Command {
    /// Its name on the command line and in the name of the run's directory.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tournament { .. } => "tournament",
            Self::Match => "match",
            Self::Sprt(_) => "sprt",
        }
    }
}

/// The format of a tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Every combination of entrants sits at a table together.
    RoundRobin,
    /// The first entrant meets each of the others in turn, at a table with one of it and copies of the other.
    Gauntlet,
    /// Tiers that play separate round robins, with promotion and relegation by rating after each season.
    League,
}

/// The seatings of each deal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SeatingPlan {
    /// Rotations of one order at the table, so that every entrant has every seat.
    Rotate,
    /// All arrangements.
    All,
    /// A few arrangements in which every entrant follows every other equally often, because draw cards hit the next
    /// player.
    Neighbor,
}

/// The unit of a game.
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
    /// Unique within the spec: the given name, or the agent's text, followed by `#2` for the second with the same name.
    pub name: String,
    /// The agent and its options, as they are written after `--agents`.
    pub agent: String,
    /// Its random numbers.
    #[serde(default, skip_serializing_if = "AgentSeed::is_of_the_seat")]
    pub stream: AgentSeed,
    /// The number of cards that it is dealt in each round in addition to the other hands, as odds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub extra_cards: u8,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde requires")]
const fn is_zero(number: &u8) -> bool {
    *number == 0
}

impl Entrant {
    /// Its agent, by this registry.
    ///
    /// # Errors
    /// If the agent is unknown; the error names the entrant.
    pub fn configure(&self, registry: &Registry) -> Result<AgentSpec, SpecError> {
        let named = |error: SpecError| match self.name == self.agent {
            true => error,
            false => SpecError { text: format!("{}={}", self.name, error.text), ..error },
        };
        registry.configure(&self.agent).map_err(named)
    }

    /// Whether it plays like the other in every seat by construction: the same agent with the same random numbers and the same
    /// odds. A program, or a search with a time limit, may act differently each time.
    #[must_use]
    pub fn is_twin_of(&self, other: &Self) -> bool {
        let is_repeatable = !is_program(&self.agent) && !self.agent.contains("time=");
        let has_same_odds = self.extra_cards == other.extra_cards;
        self.agent == other.agent && self.stream == other.stream && has_same_odds && is_repeatable
    }
}

/// The random numbers of an agent for its choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AgentSeed {
    /// The random numbers of its seat, so that equal agents play the same game at both seatings.
    #[default]
    #[serde(rename = "oftheseat")]
    PerSeat,
    /// A separate stream in each seat, distinguished by a number: equal agents then differ only by noise.
    #[serde(rename = "apart")]
    Independent(u32),
}

impl AgentSeed {
    /// The name of the entrant that measures the noise.
    pub const CONTROL: &'static str = "control";

    const fn is_of_the_seat(&self) -> bool {
        matches!(self, Self::PerSeat)
    }

    /// The purpose of its stream in a seat.
    ///
    /// # Panics
    /// Never: there are at most ten seats.
    #[must_use]
    #[inline]
    pub fn purpose(self, seat: Seat) -> Purpose {
        match self {
            Self::PerSeat => Purpose::Agent(seat),
            Self::Independent(number) => {
                let seat = u32::try_from(seat.index()).expect("at most ten seats");
                Purpose::Other(FIRST_APART + number * 16 + seat)
            }
        }
    }
}

/// Other purposes have smaller numbers.
const FIRST_APART: u32 = 1 << 16;

impl Entrant {
    /// One entrant for each agent, in order, named by the name before its text (`mine=greedy`) or by the text. A repeated
    /// name becomes `greedy#2`, `greedy#3`.
    pub fn name_all<I>(agents: I) -> Vec<Self>
    where
        I: IntoIterator,
        I::Item: Into<String>,
    {
        let mut times_named: BTreeMap<String, usize> = BTreeMap::new();
        let named = |text: String| {
            let (name, agent) = split_name(&text);
            let name = name.unwrap_or(agent);
            let times = times_named.entry(name.to_owned()).or_default();
            *times += 1;
            let name = if *times == 1 { name.to_owned() } else { format!("{name}#{times}") };
            Self { name, agent: agent.to_owned(), stream: AgentSeed::PerSeat, extra_cards: 0 }
        };
        agents.into_iter().map(Into::into).map(named).collect()
    }

    /// The entrants with a noise floor: an entrant with the agent of an earlier one gets separate random numbers, and a
    /// copy of the first is added as `control`, unless the only other entrant is already a copy.
    #[must_use]
    pub fn with_control(mut entrants: Vec<Self>) -> Vec<Self> {
        let is_copy =
            |entrants: &[Self], at: usize| entrants[..at].iter().any(|earlier| earlier.agent == entrants[at].agent);
        let mut copies = 0;
        for at in 0..entrants.len() {
            if is_copy(&entrants, at) {
                copies += 1;
                entrants[at].stream = AgentSeed::Independent(copies);
            }
        }
        let is_pair_of_copies = entrants.len() == 2 && copies == 1;
        if let (Some(first), false) = (entrants.first(), is_pair_of_copies) {
            let stream = AgentSeed::Independent(copies + 1);
            entrants.push(Self { name: AgentSeed::CONTROL.into(), stream, ..first.clone() });
        }
        entrants
    }

    /// The entrants, each with separate random numbers.
    #[must_use]
    pub fn apart(entrants: Vec<Self>) -> Vec<Self> {
        entrants.into_iter().map(|entrant| Self { stream: AgentSeed::Independent(0), ..entrant }).collect()
    }
}

impl Spec {
    /// The source of its random numbers.
    #[must_use]
    pub fn streams(&self) -> Streams {
        Streams::new(self.seed, self.seal.as_ref().and_then(Seal::key))
    }

    /// The spec as text, which is hashed and stored in the run directory.
    ///
    /// # Panics
    /// Never: plain data of strings and whole numbers can always be written.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("strings and whole numbers can be written")
    }

    /// The hash that identifies this spec.
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
            allocation: Allocation::Even,
            seed: 1,
            seating: SeatingPlan::Rotate,
            unit: Unit::Round,
            seal: None,
        }
    }

    #[test]
    fn repeated_agent_is_separate_entrant() {
        let names: Vec<String> = Entrant::name_all(["greedy", "random", "greedy", "greedy"])
            .into_iter()
            .map(|entrant| entrant.name)
            .collect();
        assert_eq!(names, ["greedy", "random", "greedy#2", "greedy#3"]);
        let named = Entrant::name_all(["mine=cmd:\"python3 a=b.py\""]);
        let (name, agent) = ("mine".into(), "cmd:\"python3 a=b.py\"".into());
        assert_eq!(named, [Entrant { name, agent, stream: AgentSeed::PerSeat, extra_cards: 0 }]);
    }

    #[test]
    fn control_agent_has_independent_random_numbers() {
        let written = |agents: &[&str]| -> Vec<String> {
            let entrants = Entrant::with_control(Entrant::name_all(agents.iter().copied()));
            entrants.iter().map(|entrant| format!("{} {:?}", entrant.name, entrant.stream)).collect()
        };
        assert_eq!(written(&["random", "greedy"]), ["random PerSeat", "greedy PerSeat", "control Independent(1)"]);
        assert_eq!(written(&["random"]), ["random PerSeat", "control Independent(1)"]);
        assert_eq!(written(&["random", "random"]), ["random PerSeat", "random#2 Independent(1)"]);
        let (seat, other) = (Seat::new(0), Seat::new(9));
        let purposes = [AgentSeed::PerSeat, AgentSeed::Independent(0), AgentSeed::Independent(1)]
            .map(|stream| [stream.purpose(seat), stream.purpose(other)]);
        assert!((0..3).all(|one| (0..one).all(|two| purposes[one] != purposes[two])));
    }

    #[test]
    fn odds_enter_spec_and_control() {
        let mut spec = round_robin(&["random", "random"], &[2]);
        let without = spec.clone();
        assert!(!without.to_json().contains("extra_cards"));
        spec.entrants[0].extra_cards = 2;
        assert!(spec.to_json().contains(r#""agent":"random","extra_cards":2}"#), "{}", spec.to_json());
        assert_eq!(serde_json::from_str::<Spec>(&spec.to_json()).unwrap(), spec);
        assert_ne!(spec.hash(), without.hash());
        assert!(!spec.entrants[0].is_twin_of(&Entrant { extra_cards: 0, ..spec.entrants[0].clone() }));
        let with_control = Entrant::with_control(vec![spec.entrants[0].clone()]);
        assert_eq!(with_control[1].extra_cards, 2);
    }

    #[test]
    fn spec_round_trips() {
        let spec = round_robin(&["random", "greedy"], &[2, 4]);
        let text = spec.to_json();
        assert!(
            text.starts_with(r#"{"command":"tournament","format":"roundrobin","entrants":[{"name":"random""#),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<Spec>(&text).unwrap(), spec);
    }

    #[test]
    fn spec_hash_covers_every_result_field() {
        let spec = round_robin(&["random", "greedy"], &[2, 4]);
        assert_eq!(spec.hash().to_string().len(), 16);
        for other in [
            Spec { seed: 2, ..spec.clone() },
            Spec { sets: 11, ..spec.clone() },
            Spec { allocation: Allocation::Open, ..spec.clone() },
            Spec { seating: SeatingPlan::All, ..spec.clone() },
            Spec { unit: Unit::Match, ..spec.clone() },
            Spec { command: Command::Match, ..spec.clone() },
        ] {
            assert_ne!(other.hash(), spec.hash());
        }
    }
}
