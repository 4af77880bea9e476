//! [`NetPlayer`]: plays the action of highest value.

use std::path::Path;
use std::sync::Arc;

use sha2::{Digest, Sha256};
use unolab_engine::action::Action;
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::{Decision, Observation};
use unolab_engine::rules::{Rules, Teams};

use super::judge::Judge;
use super::published::{PUBLISHED_FILES, Size, published_for};
use super::weights::{self, Weights};
use crate::agent::{Agent, EventSubscription};
use crate::goal::Goal;
use crate::heuristic::{Heuristic, Style};
use crate::options::{OptionError, Options, agents_named};

/// The options of `net`.
#[derive(Debug, Clone)]
pub struct NetSettings {
    own: Option<Arc<Weights>>,
    size: Size,
    goal: Goal,
}

impl NetSettings {
    /// A custom net, used if it fits the table, with the goal of winning rounds.
    #[must_use]
    pub const fn with(own: Arc<Weights>) -> Self {
        Self { own: Some(own), size: Size::Small, goal: Goal::Win }
    }

    /// The published nets.
    #[must_use]
    pub const fn published() -> Self {
        Self { own: None, size: Size::Small, goal: Goal::Win }
    }

    /// A custom net from this file, used if it fits the table.
    ///
    /// # Errors
    /// If the file cannot be read, or has no weights.
    pub fn from_file(file: &str) -> Result<Self, String> {
        read(file).map(Self::with)
    }

    /// A judge for a table, with the net that fits it; `None` with partners, for which no net was trained.
    #[must_use]
    pub fn judge(&self, rules: &Rules, seats: usize) -> Option<Judge> {
        let has_partners = rules.parameters().teams != Teams::None;
        let weights = self.weights(rules, seats).filter(|_| !has_partners)?;
        Some(Judge::new(Some(weights), rules))
    }

    /// Reads the options of `net`.
    ///
    /// # Errors
    /// If a value is not allowed, or a file of weights cannot be read.
    pub fn of(options: &mut Options) -> Result<Self, OptionError> {
        let goal = options.take("goal", Goal::NAMES)?.unwrap_or(Goal::Win);
        let file: Option<String> = options.take("weights", "a file of weights, as unolab train writes them")?;
        let wrong =
            |(file, allowed): (&String, String)| OptionError::Value { option: "weights", value: file.clone(), allowed };
        let own = file.as_ref().map(|file| read(file).map_err(|allowed| wrong((file, allowed)))).transpose()?;
        let size = options.take("size", Size::NAMES)?.unwrap_or_default();
        Ok(Self { own, size, goal })
    }

    /// Reads the options of an exploiter: its net, if it has one.
    pub(crate) fn trained_against(options: &mut Options) -> Result<Option<Self>, OptionError> {
        let net = Self::of(options)?;
        if net.own.is_none() {
            return Ok(None);
        }
        // The agent against which it was trained does not affect its play.
        options.take::<String>("of", "an agent")?;
        for option in ["iterations", "time"] {
            if let Some(value) = options.take(option, "")? {
                return Err(OptionError::Value {
                    option,
                    value,
                    allowed: "none with weights: a net does not search".into(),
                });
            }
        }
        Ok(Some(net))
    }

    /// The goal.
    #[must_use]
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// The weights for a table, if there are any.
    #[must_use]
    pub fn weights(&self, rules: &Rules, seats: usize) -> Option<Arc<Weights>> {
        let own = self.own.as_ref().filter(|own| own.fit(rules, seats));
        own.cloned().or_else(|| published_for(rules, seats, self.size))
    }
}

/// The weights of a file; otherwise the allowed files.
fn read(file: &str) -> Result<Arc<Weights>, String> {
    let bytes = weights::file_content(Path::new(file)).map_err(|error| format!("a file that can be read ({error})"))?;
    Weights::from_bytes(&bytes).map(Arc::new).map_err(|error| format!("a file of weights; this one {error}"))
}

/// The weights files of every `net` and `exploiter` in this agent spec, including nested agents, each with the SHA-256 of its
/// content: the published files, and a custom file in its current state. A search uses only published files, which are a part of
/// the program.
#[must_use]
pub fn files_of(text: &str) -> Vec<(String, String)> {
    let sha256 = |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut files = Vec::new();
    for mut agent in agents_named(text).into_iter().filter(|agent| ["net", "exploiter"].contains(&&*agent.name)) {
        if let Ok(Some(file)) = agent.take::<String>("weights", "")
            && let Ok(bytes) = weights::file_content(Path::new(&file))
        {
            files.push((file, sha256(&bytes)));
        }
        let size = agent.take("size", Size::NAMES).ok().flatten().unwrap_or_default();
        let published = PUBLISHED_FILES.iter().filter(|file| file.size <= size);
        files.extend(published.map(|file| (file.name.to_owned(), sha256(file.bytes))));
    }
    files
}

/// The weights files that this agent spec names, including nested agents, and that were not trained for this table. There the
/// agent uses a published net, or none.
#[must_use]
pub fn files_that_do_not_fit(text: &str, rules: &Rules, seats: usize) -> Vec<String> {
    let files = agents_named(text).into_iter().filter(|agent| ["net", "exploiter"].contains(&&*agent.name));
    let files = files.filter_map(|mut agent| agent.take::<String>("weights", "").ok().flatten());
    files.filter(|file| read(file).is_ok_and(|weights| !weights.fit(rules, seats))).collect()
}

/// Plays by a net; see the module.
#[derive(Debug)]
pub struct NetPlayer {
    settings: NetSettings,
    mind: Backend,
    /// Its choices in this round.
    choices: u32,
}

/// After this many decisions in a round, which then probably repeats itself, `heuristic` plays the round to its end.
const PATIENCE: u32 = 100;

/// How decisions of a round are made.
#[derive(Debug)]
enum Backend {
    /// Before the first round.
    Asleep,
    Net(Box<Judge>),
    /// Without a net that fits, and with partners, for which no net was trained.
    Heuristic(Box<Heuristic>),
}

impl NetPlayer {
    /// An agent for one game.
    #[must_use]
    pub const fn new(settings: NetSettings) -> Self {
        Self { settings, mind: Backend::Asleep, choices: 0 }
    }

    fn wake(&mut self, observation: &Observation<'_>) -> &mut Backend {
        if matches!(self.mind, Backend::Asleep) {
            let rules = observation.rules();
            self.mind = match self.settings.judge(rules, observation.seats().len()) {
                Some(judge) => Backend::Net(Box::new(judge)),
                None => {
                    let style = Style { goal: self.settings.goal, ..Style::STANDARD };
                    Backend::Heuristic(Box::new(Heuristic::new(Arc::new(style))))
                }
            };
        }
        &mut self.mind
    }
}

impl Agent for NetPlayer {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let goal = self.settings.goal;
        self.choices += 1;
        let is_going_in_circles = self.choices > PATIENCE;
        match self.wake(observation) {
            Backend::Asleep => unreachable!("it has just been woken"),
            Backend::Heuristic(heuristic) => heuristic.choose(observation),
            Backend::Net(judge) if is_going_in_circles || matches!(observation.decision(), Decision::Choice(_)) => {
                judge.tracker().hint(observation)
            }
            Backend::Net(judge) => {
                let mut actions = observation.legal_actions();
                match actions.len() {
                    1 => actions.remove(0),
                    _ => actions[judge.best(observation, &actions, goal)],
                }
            }
        }
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        // Players can be eliminated between rounds, and other weights may fit then.
        self.mind = Backend::Asleep;
        self.choices = 0;
        match self.wake(observation) {
            Backend::Asleep => {}
            Backend::Heuristic(heuristic) => heuristic.begin_round(observation),
            Backend::Net(judge) => judge.tracker().begin_round(observation),
        }
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        match self.wake(observation) {
            Backend::Asleep => {}
            Backend::Heuristic(heuristic) => heuristic.observe(seen, observation),
            Backend::Net(judge) => judge.tracker().observe(seen, observation),
        }
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Events
    }
}
