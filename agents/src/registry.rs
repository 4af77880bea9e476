//! The registry of agents, which creates an agent from its name and options.

use std::fmt;
use std::sync::Arc;

use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;
use unolab_engine::spelling::nearest;

use crate::agent::Agent;
use crate::agent::PerfectInformationAgent;
use crate::card_ranking::{CardRanking, Ranking};
use crate::diversity::Diversity;
#[cfg(unix)]
use crate::external;
use crate::first_legal::FirstLegal;
use crate::forgetful::{Forgetful, Forgetfulness};
use crate::goal::Goal;
use crate::greedy::Greedy;
use crate::heuristic::{Heuristic, Style, TableWeights, Weights};
use crate::mixbot::{Counting, MixBot};
use crate::net::player::{NetPlayer, NetSettings};
use crate::options::{OptionError, Options, shortened, split_name};
use crate::player::{AnyAgent, Player};
use crate::random::{Random, Uniform};
use crate::search::options as searching;
use crate::search::searcher::{Searcher, Settings};
use crate::turn_player::{TurnAgent, TurnPlayer};

/// A configured agent, from which an agent is created for each game and seat.
#[derive(Clone)]
pub struct AgentSpec {
    text: String,
    maker: AgentFactory,
}

/// Makes an agent for a seat under these rules, with its own stream.
pub type MakeAgent = dyn Fn(&Rules, Seat, Rng) -> Box<dyn Agent> + Send + Sync;

/// Makes the player of a policy for a seat under these rules, with its own stream.
pub type MakeTurnPlayer = dyn Fn(&Rules, Seat, Rng) -> TurnPlayer + Send + Sync;

/// Makes an agent with perfect information for a seat under these rules, with its own stream.
pub type MakePerfectInformation = dyn Fn(&Rules, Seat, Rng) -> Box<dyn PerfectInformationAgent> + Send + Sync;

/// How the agent is made.
#[derive(Clone)]
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub enum AgentFactory {
    /// `random`
    Random(Uniform),
    /// `first-legal`
    FirstLegal,
    /// `greedy`
    Greedy,
    /// `heuristic`
    Heuristic(Arc<Style>),
    /// `mixbot`
    MixBot(Counting),
    /// A policy for whole turns.
    Turns(Arc<MakeTurnPlayer>),
    /// Any other agent.
    Boxed(Arc<MakeAgent>),
    /// A user's program.
    Program {
        /// Makes a player of it.
        make: Arc<MakeAgent>,
        /// The number of games that it plays at once, from 1.
        games_at_once: usize,
    },
    /// An agent that is tailored to beat one agent.
    Exploiter(Arc<MakeAgent>),
    /// An agent with perfect information.
    PerfectInformation(Arc<MakePerfectInformation>),
}

impl fmt::Debug for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AgentSpec").field(&self.text).finish()
    }
}

impl AgentSpec {
    /// The text from which it was configured.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it is `random` in its default form, which [`crate::simd_batch`] plays.
    #[must_use]
    pub const fn is_plain_random(&self) -> bool {
        matches!(self.maker, AgentFactory::Random(Uniform::Cards))
    }

    /// Whether it is one of the rule players that take some hundred instructions per decision.
    #[must_use]
    pub const fn is_quick(&self) -> bool {
        use AgentFactory::{Boxed, Exploiter, PerfectInformation, Program};
        !matches!(self.maker, Boxed(_) | Program { .. } | Exploiter(_) | PerfectInformation(_))
    }

    /// Whether it chooses at random at each decision and has no memory, so that another agent of the same kind with other
    /// random numbers is equivalent.
    #[must_use]
    pub const fn is_random(&self) -> bool {
        matches!(self.maker, AgentFactory::Random(_))
    }

    /// An agent for one game.
    #[must_use]
    #[inline]
    pub fn make(&self, rules: &Rules, seat: Seat, rng: Rng) -> Player {
        let stream = rng.clone();
        let agent = match &self.maker {
            AgentFactory::Random(uniform) => AnyAgent::Random(Random::new(*uniform, rng)),
            AgentFactory::FirstLegal => AnyAgent::FirstLegal(FirstLegal),
            AgentFactory::Greedy => AnyAgent::Greedy(Greedy::new(rng)),
            AgentFactory::Heuristic(style) => AnyAgent::Heuristic(Heuristic::new(Arc::clone(style))),
            AgentFactory::MixBot(counting) => AnyAgent::MixBot(MixBot::new(*counting, rng)),
            AgentFactory::Turns(make) => AnyAgent::Turns(make(rules, seat, rng)),
            AgentFactory::Boxed(make) | AgentFactory::Program { make, .. } | AgentFactory::Exploiter(make) => {
                AnyAgent::Boxed(make(rules, seat, rng))
            }
            AgentFactory::PerfectInformation(make) => AnyAgent::PerfectInformation(make(rules, seat, rng)),
        };
        Player::new(agent, seat, stream)
    }

    /// The number of games that it plays at once, from 1; more than 1 for a program that is asked in batches.
    #[must_use]
    pub const fn games_at_once(&self) -> usize {
        match self.maker {
            AgentFactory::Program { games_at_once, .. } => games_at_once,
            _ => 1,
        }
    }

    /// Whether it sees the true state. Such a player is an upper bound, not a competitor.
    #[must_use]
    pub const fn sees_everything(&self) -> bool {
        matches!(self.maker, AgentFactory::PerfectInformation(_))
    }

    /// Whether it is rated. Agents that see all hands, and agents that are tailored to another agent, are not.
    #[must_use]
    pub const fn is_contender(&self) -> bool {
        !matches!(self.maker, AgentFactory::PerfectInformation(_) | AgentFactory::Exploiter(_))
    }
}

/// One kind of agent that a text can name.
#[derive(Clone)]
pub struct AgentRegistration {
    /// Its name.
    pub name: &'static str,
    /// A description in one line.
    pub summary: &'static str,
    /// Its options, each with its effect and allowed values.
    pub options: &'static [(&'static str, &'static str)],
    /// Reads its options.
    pub configure: fn(&Registry, &mut Options) -> Result<AgentFactory, OptionError>,
}

impl fmt::Debug for AgentRegistration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentRegistration").field("name", &self.name).finish_non_exhaustive()
    }
}

/// All agents that can be named.
#[derive(Debug, Clone)]
pub struct Registry {
    entries: Vec<AgentRegistration>,
    #[cfg(unix)]
    policy: external::Policy,
}

/// Why a text does not name an agent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpecError {
    /// The text.
    pub text: String,
    /// The error, and the allowed values.
    pub reason: String,
}

impl fmt::Display for SpecError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "agent `{}`: {}", shortened(&self.text), self.reason)
    }
}

impl std::error::Error for SpecError {}

impl Default for Registry {
    /// The agents that come with the project.
    fn default() -> Self {
        Self {
            entries: BUILT_IN.to_vec(),
            #[cfg(unix)]
            policy: external::Policy::default(),
        }
    }
}

const HEURISTIC_OPTIONS: &[(&str, &str)] = &{
    let mut options = [("", ""); Weights::NAMES.len() + 1];
    options[0] = ("goal", "win (the round), points, or match (win the match, given the scores; the default)");
    let (_, weights) = options.split_at_mut(1);
    weights.copy_from_slice(Weights::NAMES);
    options
};

const BUILT_IN: &[AgentRegistration] = &[
    AgentRegistration {
        name: "random",
        summary: "uniform over distinct playable cards; draws only if nothing is playable",
        options: &[
            ("copies", "true: each copy in hand counts"),
            ("uniform", "true: uniform over all legal actions, voluntary draws and keeps included"),
        ],
        configure: |_, options| {
            let copies = options.take("copies", "true or false")?.unwrap_or(false);
            let actions = options.take("uniform", "true or false")?.unwrap_or(false);
            match (copies, actions) {
                (false, false) => Ok(AgentFactory::Random(Uniform::Cards)),
                (true, false) => Ok(AgentFactory::Random(Uniform::Copies)),
                (false, true) => Ok(AgentFactory::Random(Uniform::Actions)),
                (true, true) => Err(OptionError::Value {
                    option: "uniform",
                    value: "true".into(),
                    allowed: "false, with copies=true".into(),
                }),
            }
        },
    },
    AgentRegistration {
        name: "first-legal",
        summary: "the first legal action in the engine's order; for tests and speed",
        options: &[],
        configure: |_, _| Ok(AgentFactory::FirstLegal),
    },
    AgentRegistration {
        name: "greedy",
        summary: "the playable card with the highest points; color most frequent in hand",
        options: &[],
        configure: |_, _| Ok(AgentFactory::Greedy),
    },
    AgentRegistration {
        name: "diversity",
        summary: "the colored card that most distinct colored kinds in hand could follow",
        options: &[],
        configure: |_, _| Ok(AgentFactory::boxed(|_, _, rng| Box::new(Diversity::new(rng)))),
    },
    AgentRegistration {
        name: "card-ranking",
        summary: "the card with the highest rank: draw two, skip, number, reverse, draw four, wild",
        options: &[("goal", "win, or points: skip, number, draw two, reverse, wild, draw four; default win")],
        configure: |_, options| {
            let allowed = "win or points";
            let ranking = match options.take::<String>("goal", allowed)?.as_deref() {
                None | Some("win") => Ranking::Win,
                Some("points") => Ranking::Points,
                Some(other) => {
                    return Err(OptionError::Value { option: "goal", value: other.into(), allowed: allowed.into() });
                }
            };
            Ok(AgentFactory::boxed(move |_, _, rng| Box::new(CardRanking::new(ranking, rng))))
        },
    },
    AgentRegistration {
        name: "mixbot",
        summary: "the strongest published bot we found, rule-based: card ranks, limits for wilds, preferred colors, card counting",
        options: &[("counting", "false: do not count cards, its last tie-break; default true")],
        configure: |_, options| {
            let counts = options.take("counting", "true or false")?.unwrap_or(true);
            let counting = if counts { Counting::On } else { Counting::Off };
            Ok(AgentFactory::MixBot(counting))
        },
    },
    AgentRegistration {
        name: "heuristic",
        summary: "our own rule-based player, for every decision of every variant",
        options: HEURISTIC_OPTIONS,
        configure: |_, options| {
            let goal = options.take("goal", Goal::NAMES)?.unwrap_or(Style::STANDARD.goal);
            let mut weights = TableWeights::STANDARD;
            for (name, _) in Weights::NAMES {
                let allowed = "a number from -1000000 to 1000000";
                match options.take::<f32>(name, allowed)? {
                    None => {}
                    Some(value) if value.abs() <= 1e6 => weights.set(name, value),
                    Some(value) => {
                        let (value, allowed) = (value.to_string(), allowed.into());
                        return Err(OptionError::Value { option: name, value, allowed });
                    }
                }
            }
            Ok(AgentFactory::Heuristic(Arc::new(Style { goal, weights })))
        },
    },
    AgentRegistration {
        name: "net",
        summary: "a trained neural net without search: plays the action with the highest value",
        options: &[
            ("goal", "win (the round), points, or match (win the match, given the scores); default win"),
            ("size", "small, or large, which is stronger and slower, for two players and plain decks; default small"),
            ("weights", "a weights file written by unolab train, instead of the built-in net"),
        ],
        configure: |_, options| {
            let settings = NetSettings::of(options)?;
            Ok(AgentFactory::boxed(move |_, _, _| Box::new(NetPlayer::new(settings.clone()))))
        },
    },
    AgentRegistration {
        name: "monte-carlo",
        summary: "rollouts of each legal action, in sampled deals of the unseen cards",
        options: searching::MONTE_CARLO,
        configure: |_, options| searching::monte_carlo(options).map(AgentFactory::searcher),
    },
    AgentRegistration {
        name: "ismcts",
        summary: "information-set Monte Carlo tree search, in sampled deals of the unseen cards",
        options: searching::ISMCTS,
        configure: |_, options| searching::ismcts(options).map(AgentFactory::searcher),
    },
    AgentRegistration {
        name: "clairvoyant",
        summary: "sees all hands and searches the true state: an upper bound for other agents",
        options: searching::CLAIRVOYANT,
        configure: |_, options| {
            let settings = searching::clairvoyant(options)?;
            Ok(AgentFactory::PerfectInformation(Arc::new(move |_, _, rng| Box::new(Searcher::new(settings, rng)))))
        },
    },
    AgentRegistration {
        name: "exploiter",
        summary: "tailored to one agent: ismcts whose rollouts follow its policy, or a net trained against it",
        options: searching::EXPLOITER,
        configure: |_, options| {
            if let Some(net) = NetSettings::trained_against(options)? {
                return Ok(AgentFactory::Exploiter(Arc::new(move |_, _, _| Box::new(NetPlayer::new(net.clone())))));
            }
            let settings = searching::exploiter(options)?;
            Ok(AgentFactory::Exploiter(Arc::new(move |_, _, rng| Box::new(Searcher::new(settings, rng)))))
        },
    },
    AgentRegistration {
        name: "forgetful",
        summary: "another agent, made to forget some UNO calls and catches (uno.calls = \"explicit\")",
        options: &[
            ("agent", "the agent that plays, such as (mixbot:counting=false); default heuristic"),
            ("p", "the probability of forgetting a call, default 0.1"),
            ("q", "the probability of missing a catch, default 0.1"),
        ],
        configure: |registry, options| {
            let text = match options.take("agent", "an agent")? {
                Some(text) => text,
                None => lone_name(options)?.unwrap_or_else(|| "heuristic".to_string()),
            };
            let within = registry.configure(&text).map_err(|error| OptionError::Object {
                object: format!("agent={}", error.text),
                reason: error.reason,
            })?;
            if within.sees_everything() {
                let allowed = "an agent that sees only what its seat sees".into();
                return Err(OptionError::Value { option: "agent", value: text, allowed });
            }
            let forgets = Forgetfulness { call: probability(options, "p")?, catch: probability(options, "q")? };
            Ok(AgentFactory::boxed(move |rules, seat, rng| {
                let own = rng.clone().fork();
                Box::new(Forgetful::new(within.make(rules, seat, rng), forgets, own))
            }))
        },
    },
    #[cfg(unix)]
    AgentRegistration {
        name: "cmd",
        summary: "your bot: cmd:\"python3 mybot.py\"; `unolab bot protocol` prints the protocol, docs/contests.md lists what a bot can see",
        options: &[
            (
                "decision_ms",
                "milliseconds of processor time and sleep for a decision, default 1000; waiting for a busy processor does not count (Linux)",
            ),
            ("game_ms", "milliseconds for all decisions of a game, default 60000; counted in the same way"),
            ("start_ms", "milliseconds from start to the answer to hello, default 10000"),
            ("fresh", "true: start a new process for each game, which is slower; default false"),
        ],
        configure: |registry, options| {
            let (make, games_at_once) = external::configure(options, registry.policy())?;
            Ok(AgentFactory::Program { make, games_at_once })
        },
    },
];

impl AgentFactory {
    /// Creates an agent that is not played in bulk: `make` creates one for each game and seat.
    pub fn boxed(make: impl Fn(&Rules, Seat, Rng) -> Box<dyn Agent> + Send + Sync + 'static) -> Self {
        Self::Boxed(Arc::new(make))
    }

    /// Creates an agent whose turns are played in bulk: `make` creates a policy for each game and seat.
    pub fn turns<A: TurnAgent + 'static>(make: impl Fn(&Rules, Seat, Rng) -> A + Send + Sync + 'static) -> Self {
        Self::Turns(Arc::new(move |rules, seat, rng| TurnPlayer::new(make(rules, seat, rng))))
    }

    fn searcher(settings: Settings) -> Self {
        Self::boxed(move |_, _, rng| Box::new(Searcher::new(settings, rng)))
    }
}

/// The part of an agent spec that names its kind.
fn kind_of(agent: &str) -> &str {
    agent.split(':').next().unwrap_or(agent).trim()
}

/// Takes an agent name without options. An agent with options or a program is written as `agent=(...)`, so that all code that
/// reads the spec finds it.
fn lone_name(options: &mut Options) -> Result<Option<String>, OptionError> {
    match options.take_object() {
        Some(text) if text.contains([':', '=']) => Err(OptionError::NoOption { text, meant: Some("agent") }),
        name => Ok(name),
    }
}

fn probability(options: &mut Options, option: &'static str) -> Result<f64, OptionError> {
    let allowed = "a probability from 0 to 1";
    match options.take(option, allowed)? {
        None => Ok(0.1),
        Some(p) if (0.0..=1.0).contains(&p) => Ok(p),
        Some(p) => Err(OptionError::Value { option, value: p.to_string(), allowed: allowed.into() }),
    }
}

impl Registry {
    /// Adds an agent, or replaces the one of the same name.
    #[must_use]
    pub fn with(mut self, entry: AgentRegistration) -> Self {
        self.entries.retain(|other| other.name != entry.name);
        self.entries.push(entry);
        self
    }

    /// Removes the agent with this name.
    #[must_use]
    pub fn without(mut self, name: &str) -> Self {
        self.entries.retain(|entry| entry.name != name);
        self
    }

    /// Applies this policy to programs (`cmd`).
    #[cfg(unix)]
    #[must_use]
    pub fn with_policy(self, policy: external::Policy) -> Self {
        Self { policy, ..self }
    }

    /// The settings for programs.
    #[cfg(unix)]
    #[must_use]
    pub const fn policy(&self) -> &external::Policy {
        &self.policy
    }

    /// Configures programs without starting them, for commands that do not play.
    #[must_use]
    pub fn without_starting_programs(&self) -> Self {
        #[cfg(unix)]
        let policy = external::Policy { start: external::ProgramStart::Refused, ..self.policy.clone() };
        Self {
            #[cfg(unix)]
            policy,
            ..self.clone()
        }
    }

    /// All agents.
    pub fn entries(&self) -> impl Iterator<Item = &AgentRegistration> {
        self.entries.iter()
    }

    /// The agent with this name.
    #[must_use]
    pub fn entry(&self, name: &str) -> Option<&AgentRegistration> {
        self.entries().find(|entry| entry.name == name)
    }

    /// The error for an unknown name in this text, with a suggestion and the known names.
    #[must_use]
    pub fn unknown_agent_message(&self, text: &str, name: &str) -> String {
        let names: Vec<&str> = self.entries().map(|entry| entry.name).collect();
        let is_command = name.contains([' ', '/', '\\']) || [".py", ".js", ".sh"].iter().any(|end| name.ends_with(end));
        let hint = match nearest(name, names.iter().copied()) {
            Some(meant) => format!("did you mean `{meant}`? "),
            None if text.split_once('=').is_some_and(|(_, agent)| self.entry(kind_of(agent)).is_some()) => {
                "the name before `=` may have letters, digits, `-`, `_`, `.` and `@`; ".into()
            }
            None if is_command => format!("for a program write cmd:\"{}\"; ", shortened(text)),
            None => String::new(),
        };
        let name = shortened(name);
        format!("unknown agent `{name}`; {hint}agents: {}", names.join(", "))
    }

    /// The agent that the text configures; a name before it (`mine=greedy`) is ignored.
    ///
    /// # Errors
    /// The agent's name is unknown, or its options are invalid; the reason lists the allowed values.
    pub fn configure(&self, text: &str) -> Result<AgentSpec, SpecError> {
        let fail = |reason: String| SpecError { text: text.into(), reason };
        let (_, text) = split_name(text);
        let mut options: Options = text.parse().map_err(|error: OptionError| fail(error.to_string()))?;
        let Some(entry) = self.entry(&options.name) else {
            return Err(fail(self.unknown_agent_message(text, &options.name)));
        };
        let known: Vec<&'static str> = entry.options.iter().map(|(option, _)| *option).collect();
        let maker = (entry.configure)(self, &mut options).and_then(|maker| options.finish(&known).map(|()| maker));
        let maker = maker.map_err(|error| fail(error.to_string()))?;
        Ok(AgentSpec { text: text.trim().into(), maker })
    }
}
