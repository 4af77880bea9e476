//! Policies written in Python as agents: the questions of the games on all threads are answered together.
//!
//! A game that needs an answer adds its question to a queue and waits. When no more questions arrive, the thread that holds
//! the interpreter takes the queue, calls each policy once for all its questions, and returns the answers.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use unolab_agents::agent::{Agent, EventSubscription};
use unolab_agents::fault::{Fault, FaultCause};
use unolab_agents::greedy::Greedy;
use unolab_agents::options::{OptionError, Options};
use unolab_agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab_engine::action::{Action, Call};
use unolab_engine::encoding::{EncodedDecision, Encoding, VoluntaryDraw};
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::Seat;

/// The data that all questions of one table share.
#[derive(Debug)]
pub(crate) struct PolicyTable {
    pub(crate) rules: Rules,
    /// An identifier of exactly these rules.
    pub(crate) rules_hash: String,
    pub(crate) seats: usize,
    pub(crate) encoding: Encoding,
}

impl PolicyTable {
    fn new(rules: &Rules, seats: usize) -> Self {
        Self { rules: rules.clone(), rules_hash: rules.hash(), seats, encoding: Encoding::new(rules, seats, 0) }
    }

    /// Whether the table has these rules. Variants with the same name may differ: files in two directories, or overrides.
    fn is_of(&self, rules: &Rules, seats: usize) -> bool {
        let same_rules = || self.rules.parameters() == rules.parameters() && self.rules.kinds() == rules.kinds();
        self.seats == seats && self.rules.name() == rules.name() && same_rules()
    }
}

/// A position in which a policy has to choose.
#[derive(Debug)]
pub(crate) struct Question {
    pub(crate) policy: usize,
    pub(crate) table: Arc<PolicyTable>,
    pub(crate) seat: usize,
    pub(crate) row: Vec<u8>,
    pub(crate) mask: Vec<u8>,
    pub(crate) ids: Vec<i16>,
    pub(crate) num_legal: usize,
    /// A random number for policies that need one.
    pub(crate) chance: u64,
    pub(crate) answer: Sender<Answer>,
}

/// The answer of a policy.
#[derive(Debug)]
pub(crate) enum Answer {
    /// The id of an action, legal or not.
    Action(i64),
    /// The exception that it raised.
    Raised(String),
}

/// Sends questions of agents.
#[derive(Debug, Clone)]
pub(crate) struct Asker {
    questions: Sender<Question>,
    tables: Arc<Mutex<Vec<Arc<PolicyTable>>>>,
}

/// Receives the questions of an [`Asker`].
#[derive(Debug)]
pub(crate) struct Questions(Receiver<Question>);

impl Asker {
    pub(crate) fn with_questions() -> (Self, Questions) {
        let (questions, incoming) = channel();
        (Self { questions, tables: Arc::default() }, Questions(incoming))
    }

    fn table(&self, rules: &Rules, seats: usize) -> Arc<PolicyTable> {
        let mut tables = self.tables.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = tables.iter().find(|table| table.is_of(rules, seats)) {
            return Arc::clone(table);
        }
        let table = Arc::new(PolicyTable::new(rules, seats));
        tables.push(Arc::clone(&table));
        table
    }
}

impl Questions {
    /// Collects questions until none arrives for a moment, or until there are `most`; returns none if none arrive in time.
    pub(crate) fn questions(&mut self, most: usize, wait: Duration) -> Vec<Question> {
        const MOMENT: Duration = Duration::from_micros(150);
        let mut questions = Vec::new();
        let Ok(first) = self.0.recv_timeout(wait) else { return questions };
        questions.push(first);
        while questions.len() < most
            && let Ok(next) = self.0.recv_timeout(MOMENT)
        {
            questions.push(next);
        }
        questions
    }
}

/// A policy as registered.
#[derive(Debug, Clone)]
pub(crate) struct RegisteredPolicy {
    pub(crate) number: usize,
    pub(crate) draw: VoluntaryDraw,
    pub(crate) asker: Asker,
}

thread_local! {
    /// The policies of the contest that this thread is building: the entries of a registry are functions without state.
    static POLICIES: RefCell<HashMap<String, RegisteredPolicy>> = RefCell::default();
}

/// Calls `with` with a registry of these policies, and returns its result. The policies are available only during the call.
pub(crate) fn with_policies<T>(policies: HashMap<String, RegisteredPolicy>, with: impl FnOnce(&Registry) -> T) -> T {
    let mut registry = Registry::default();
    for name in policies.keys() {
        // The name of an entry is leaked, because it must be static; there are few of them.
        let name: &'static str = Box::leak(name.clone().into_boxed_str());
        registry = registry.with(AgentRegistration { name, summary: "a policy in Python", options: &[], configure });
    }
    POLICIES.set(policies);
    let result = with(&registry);
    POLICIES.take();
    result
}

fn configure(_: &Registry, options: &mut Options) -> Result<AgentFactory, OptionError> {
    let policy = POLICIES.with_borrow(|policies| policies.get(&options.name).cloned());
    let Some(policy) = policy else {
        return Err(OptionError::Value {
            option: "name",
            value: options.name.clone(),
            allowed: "a policy of this tournament".into(),
        });
    };
    Ok(AgentFactory::boxed(move |_, seat, rng| Box::new(PolicyAgent::new(policy.clone(), seat, rng))))
}

/// A policy in one seat of one game.
struct PolicyAgent {
    policy: RegisteredPolicy,
    seat: Seat,
    decisions: u32,
    chance: Rng,
    /// Plays on after the game is lost.
    substitute: Greedy,
    fault: Option<Fault>,
}

impl fmt::Debug for PolicyAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PolicyAgent").field("number", &self.policy.number).finish_non_exhaustive()
    }
}

impl PolicyAgent {
    fn new(policy: RegisteredPolicy, seat: Seat, rng: Rng) -> Self {
        Self { policy, seat, decisions: 0, chance: rng.clone().fork(), substitute: Greedy::new(rng), fault: None }
    }

    /// The policy's choice among the offered actions, or among all legal ones if `offered` is `None`. `None` once the game is
    /// lost.
    fn ask(
        &mut self,
        observation: &Observation<'_>,
        asked: EncodedDecision,
        offered: Option<&[Action]>,
    ) -> Option<Action> {
        if self.fault.is_some() {
            return None;
        }
        self.decisions += 1;
        let seats = observation.rules().num_players().max(observation.dealt_seats().end());
        let table = self.policy.asker.table(observation.rules(), seats);
        let encoding = &table.encoding;
        let mut row = vec![0; encoding.obs_size()];
        let (mut mask, mut ids) = (vec![0; encoding.num_actions()], vec![0; encoding.num_actions()]);
        encoding.write_row(observation, asked, &mut row);
        let offered = match offered {
            None => encoding.write_legal(observation, self.policy.draw, &mut mask, &mut ids),
            Some(actions) => encoding.write_offered(actions, &mut mask, &mut ids),
        };
        let legal: Vec<i16> = ids[..offered.len()].to_vec();
        let (answer, answered) = channel();
        let question = Question {
            policy: self.policy.number,
            table: Arc::clone(&table),
            seat: observation.seat().index(),
            row,
            mask,
            ids,
            num_legal: legal.len(),
            chance: u64::from(self.chance.bits()) << 32 | u64::from(self.chance.bits()),
            answer,
        };
        let said = match self.policy.asker.questions.send(question) {
            Ok(()) => answered.recv().ok(),
            Err(_) => None,
        };
        // A missing answer means that the tournament is being stopped, so the result of the game is not used.
        let (kind, what) = match said? {
            Answer::Action(id) => match i16::try_from(id).ok().filter(|id| legal.contains(id)) {
                Some(id) => return usize::try_from(id).ok().and_then(|id| encoding.actions().action(id)),
                None => {
                    let rules = observation.rules();
                    let names: Vec<String> = legal
                        .iter()
                        .filter_map(|&id| encoding.actions().action(usize::try_from(id).ok()?))
                        .map(|action| rules.write_action(action.into()))
                        .collect();
                    (FaultCause::Illegal, format!("action {id} is not legal; legal: {}", names.join(", ")))
                }
            },
            Answer::Raised(what) => (FaultCause::Crash, what),
        };
        self.fault = Some(Fault { seat: self.seat, decision: self.decisions, kind, what });
        None
    }
}

impl Agent for PolicyAgent {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.ask(observation, EncodedDecision::Ordinary, None).unwrap_or_else(|| self.substitute.choose(observation))
    }

    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        match self.ask(observation, EncodedDecision::Call(action), Some(&[Action::Uno, Action::Silent])) {
            Some(Action::Silent) => Call::Silent,
            _ => Call::Uno,
        }
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let asked = if options.iter().any(|option| option.card().is_some()) {
            EncodedDecision::JumpIn
        } else {
            EncodedDecision::Window
        };
        let mut offered = options.to_vec();
        if !offered.contains(&Action::Silent) {
            offered.push(Action::Silent);
        }
        self.ask(observation, asked, Some(&offered)).unwrap_or_else(|| self.substitute.interrupt(observation, options))
    }

    fn subscription(&self) -> EventSubscription {
        EventSubscription::Shown
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }
}
