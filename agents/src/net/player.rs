//! [`NetPlayer`]: plays the action of highest value.

use std::fs;
use std::sync::{Arc, LazyLock};

use sha2::{Digest, Sha256};
use unolab_engine::action::Action;
use unolab_engine::event::Seen;
use unolab_engine::observation::Observation;
use unolab_engine::rules::{Rules, Scoring, Teams};
use unolab_engine::seat::Seat;

use super::eyes::Eyes;
use super::inputs::Inputs;
use super::network::{ACTIVATION_ONE, HIDDEN, Value, WEIGHT_ONE, logistic};
use super::weights::Weights;
use crate::agent::{Agent, EventSubscription};
use crate::goal::Goal;
use crate::heuristic::{Heuristic, Style};
use crate::options::{OptionError, Options, agents_named};

/// The nets that come with the project.
static PUBLISHED: LazyLock<Vec<Arc<Weights>>> = LazyLock::new(|| {
    let read = |bytes: &&[u8]| Arc::new(Weights::from_bytes(bytes).expect("the files of the project are whole"));
    PUBLISHED_FILES.iter().map(|(_, bytes)| bytes).map(read).collect()
});

/// The files of the nets that come with the project, by name: of those that fit a table, the first is played with.
pub const PUBLISHED_FILES: [(&str, &[u8]); 4] = [
    ("plain-2.net", include_bytes!("published/plain-2.net")),
    ("plain-3-10.net", include_bytes!("published/plain-3-10.net")),
    ("special-2.net", include_bytes!("published/special-2.net")),
    ("special-3-10.net", include_bytes!("published/special-3-10.net")),
];

/// What the options of `net` say.
#[derive(Debug, Clone)]
pub struct NetSettings {
    own: Option<Arc<Weights>>,
    goal: Goal,
}

impl NetSettings {
    /// A net of one's own, where it fits the table, to win rounds.
    #[must_use]
    pub const fn with(own: Arc<Weights>) -> Self {
        Self { own: Some(own), goal: Goal::Win }
    }

    /// Reads the options.
    pub(crate) fn of(options: &mut Options) -> Result<Self, OptionError> {
        let goal = options.take("goal", Goal::NAMES)?.unwrap_or(Goal::Win);
        let file: Option<String> = options.take("weights", "a file of weights, as unolab train writes them")?;
        let own = file.map(|file| read(&file)).transpose()?;
        Ok(Self { own, goal })
    }

    /// The net for a table, if there is one.
    fn weights(&self, rules: &Rules, seats: usize) -> Option<Arc<Weights>> {
        let own = self.own.as_ref().filter(|own| own.fit(rules, seats));
        own.cloned().or_else(|| published_for(rules, seats))
    }
}

/// The published net for a table; none for partners, for whom none was trained.
pub(crate) fn published_for(rules: &Rules, seats: usize) -> Option<Arc<Weights>> {
    let fits = |published: &&Arc<Weights>| published.fit(rules, seats);
    PUBLISHED.iter().find(fits).filter(|_| rules.parameters().teams == Teams::None).cloned()
}

fn read(file: &str) -> Result<Arc<Weights>, OptionError> {
    let wrong = |allowed: String| OptionError::Value { option: "weights", value: file.into(), allowed };
    let bytes = fs::read(file).map_err(|error| wrong(format!("a file that can be read ({error})")))?;
    Weights::from_bytes(&bytes).map(Arc::new).map_err(|error| wrong(format!("a file of weights; this one {error}")))
}

/// The files of weights that the agent of this text plays with, or one within it, each with the SHA-256 of its content:
/// those that come with the project, and one's own as it is now.
#[must_use]
pub fn files_of(text: &str) -> Vec<(String, String)> {
    let sha256 = |bytes: &[u8]| Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let mut files = Vec::new();
    for mut agent in agents_named(text).into_iter().filter(|agent| agent.name == "net") {
        if let Ok(Some(file)) = agent.take::<String>("weights", "")
            && let Ok(bytes) = fs::read(&file)
        {
            files.push((file, sha256(&bytes)));
        }
        files.extend(PUBLISHED_FILES.iter().map(|(name, bytes)| ((*name).to_owned(), sha256(bytes))));
    }
    files
}

/// Plays by a net; see the module.
#[derive(Debug)]
pub struct NetPlayer {
    settings: NetSettings,
    mind: Mind,
    /// Its choices in this round.
    choices: u32,
}

/// Whoever has chosen so often in a round goes in circles: it is played to its end as `heuristic` would.
const PATIENCE: u32 = 200;

/// With what the decisions of a round are made.
#[derive(Debug)]
enum Mind {
    /// Before the first round.
    Asleep,
    Net(Box<Judge>),
    /// Where no net fits, and at tables of partners, for which none was trained.
    Heuristic(Box<Heuristic>),
}

/// Values actions by a net.
#[derive(Debug)]
pub struct Judge {
    /// None for one that only looks.
    weights: Option<Arc<Weights>>,
    eyes: Eyes,
    inputs: Inputs,
    sums: Vec<[i32; HIDDEN]>,
    values: Vec<Value>,
}

impl Judge {
    /// For one game. Without weights it only looks.
    #[must_use]
    pub fn new(weights: Option<Arc<Weights>>, rules: &Rules) -> Self {
        let (inputs, sums, values) = (Inputs::default(), Vec::new(), Vec::new());
        Self { weights, eyes: Eyes::new(rules), inputs, sums, values }
    }

    /// What it has seen.
    pub const fn eyes(&mut self) -> &mut Eyes {
        &mut self.eyes
    }

    /// What the actions last looked at lead to.
    #[must_use]
    pub const fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// Looks at what these actions lead to.
    pub fn look(&mut self, observation: &Observation<'_>, actions: &[Action]) {
        self.inputs.look(&mut self.eyes, observation, actions);
    }

    /// The values of these actions, in their order, with the caution of the weights; none without weights.
    pub fn values(&mut self, observation: &Observation<'_>, actions: &[Action]) -> &[Value] {
        let Self { weights, eyes, inputs, sums, values } = self;
        inputs.look(eyes, observation, actions);
        values.clear();
        if let Some(weights) = weights {
            weights.network.values(inputs, sums, values);
            if let Some(hinted) = inputs.hint().and_then(|hint| values.get_mut(hint)) {
                // What is known to be sensible is doubted least.
                let caution = i32::from(weights.caution) * (WEIGHT_ONE * ACTIVATION_ONE / 100);
                hinted.win += caution;
                hinted.points += caution / POINTS_OF_CAUTION;
            }
        }
        values
    }

    /// The number of the action of highest value, the first of equals.
    pub fn best(&mut self, observation: &Observation<'_>, actions: &[Action], goal: Goal) -> usize {
        let worth = Worth::of(goal, observation);
        let values = self.values(observation, actions).iter().map(|&value| worth.of_value(value));
        let mut best = (0, f64::NEG_INFINITY);
        for (i, value) in values.enumerate() {
            if value > best.1 {
                best = (i, value);
            }
        }
        best.0
    }
}

/// What is made of the two numbers of a [`Value`].
#[derive(Debug, Clone, Copy)]
enum Worth {
    Win,
    Points,
    /// The chance to win the round, and so much for each hundred points.
    Both {
        points: f64,
    },
}

/// What is a logarithm of odds for the round is so much less in hundreds of points.
const POINTS_OF_CAUTION: i32 = 10;

/// About how many cards are left in a losing hand.
const CARDS_LEFT: f64 = 5.0;

/// A side that needs so many average rounds more looks at points alone as much as at the round.
const FAR_FROM_THE_END: f64 = 4.0;

impl Worth {
    fn of(goal: Goal, observation: &Observation<'_>) -> Self {
        match goal {
            Goal::Win => Self::Win,
            Goal::Points => Self::Points,
            Goal::Match => Self::of_match(observation),
        }
    }

    /// Near the target a round decides the match, whatever it brings; far from it the points of a round count, and those
    /// that are kept from the others as much. Whoever is charged plays not to be.
    fn of_match(observation: &Observation<'_>) -> Self {
        let rules = observation.rules();
        let deck = rules.deck();
        let a_hand = CARDS_LEFT * f64::from(rules.points_of(deck)) / f64::from(deck.len().max(1));
        let target = f64::from(rules.parameters().target.get());
        let score = |seat: Seat| f64::from(observation.scores()[seat]);
        let own = score(observation.seat());
        let (a_round, left) = match rules.parameters().scoring {
            Scoring::WinnerTakes => {
                let most = observation.others().map(score).fold(own, f64::max);
                (a_hand * observation.others().count() as f64, target - most)
            }
            Scoring::RunningLowest | Scoring::Elimination => (a_hand, target - own),
        };
        let a_round = a_round.max(1.0);
        let distance = ((left - a_round) / (FAR_FROM_THE_END * a_round)).clamp(0.0, 1.0);
        Self::Both { points: distance * 100.0 / a_round }
    }

    fn of_value(self, value: Value) -> f64 {
        match self {
            Self::Win => f64::from(value.win),
            Self::Points => f64::from(value.points),
            Self::Both { points } => logistic(f64::from(value.win) / ONE) + points * f64::from(value.points) / ONE,
        }
    }
}

/// What stands for 1 in a [`Value`].
const ONE: f64 = (WEIGHT_ONE * ACTIVATION_ONE) as f64;

impl NetPlayer {
    /// An agent for one game.
    #[must_use]
    pub const fn new(settings: NetSettings) -> Self {
        Self { settings, mind: Mind::Asleep, choices: 0 }
    }

    fn wake(&mut self, observation: &Observation<'_>) -> &mut Mind {
        if matches!(self.mind, Mind::Asleep) {
            let rules = observation.rules();
            let weights = self.settings.weights(rules, observation.seats().len());
            self.mind = match weights {
                Some(weights) if rules.parameters().teams == Teams::None => {
                    Mind::Net(Box::new(Judge::new(Some(weights), rules)))
                }
                _ => {
                    let style = Style { goal: self.settings.goal, ..Style::STANDARD };
                    Mind::Heuristic(Box::new(Heuristic::new(Arc::new(style), rules)))
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
            Mind::Asleep => unreachable!("it has just been woken"),
            Mind::Heuristic(heuristic) => heuristic.choose(observation),
            Mind::Net(judge) if is_going_in_circles => judge.eyes().hint(observation),
            Mind::Net(judge) => {
                let mut actions = observation.legal_actions();
                match actions.len() {
                    1 => actions.remove(0),
                    _ => actions[judge.best(observation, &actions, goal)],
                }
            }
        }
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        // Seats can drop out between rounds, and other weights fit then.
        self.mind = Mind::Asleep;
        self.choices = 0;
        match self.wake(observation) {
            Mind::Asleep => {}
            Mind::Heuristic(heuristic) => heuristic.begin_round(observation),
            Mind::Net(judge) => judge.eyes().begin_round(observation),
        }
    }

    fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        match self.wake(observation) {
            Mind::Asleep => {}
            Mind::Heuristic(heuristic) => heuristic.observe(seen, observation),
            Mind::Net(judge) => judge.eyes().observe(seen, observation),
        }
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Events
    }
}
