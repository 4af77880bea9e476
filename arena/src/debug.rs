//! Requests the decisions of a recorded game from an agent again, to find answers that differ, fail, or are slow.
//!
//! The game continues as recorded, regardless of the agent's answers, so every decision is the recorded one. The agent gets all
//! events that a table would send.

use std::time::{Duration, Instant};

use unolab_agents::agent::{Agent as _, Observer as _};
use unolab_agents::player::Player;
use unolab_engine::action::{Action, Call};
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::Observation;
use unolab_engine::record::{ReplayError, ReplayEvent, ReplayStep, ReplayedRecord, replay};
use unolab_engine::round::{DecisionKind, DecisionOrder, Question};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Seat};
use unolab_engine::state::{EventSink as _, RoundState};

/// A decision that was requested from the agent again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplayedDecision {
    /// The line of the record that is the answer, or comes after a silence, from 1.
    pub line: usize,
    /// The round within the game, from 1.
    pub round: u32,
    /// The number of the player's decision in the game, from 1.
    pub decision: u32,
    /// Its kind.
    pub kind: &'static str,
    /// The position in a line: the hand, the top card and the color.
    pub position: String,
    /// The possible answers.
    pub actions: Vec<String>,
    /// The recorded answer.
    pub recorded: String,
    /// The author of the recorded answer.
    pub recorded_of: AnswerAuthor,
    /// The agent's answer now, or its fault.
    pub answer: Result<String, String>,
    /// The duration of the answer.
    pub time: Duration,
    /// The activity that took this time.
    pub time_of: TimedActivity,
}

/// The activity that took a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimedActivity {
    /// To decide.
    Decision,
    /// To start the agent again, after a fault, and to decide.
    StartAndDecision,
}

/// The author of a recorded answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AnswerAuthor {
    /// The player.
    Player,
    /// The agent that plays the seat after the player has lost the game by a fault.
    StandIn,
}

impl ReplayedDecision {
    /// Whether the decision took longer than this; `None` if the agent had to be started first.
    #[must_use]
    pub fn is_slower_than(&self, limit: Duration) -> bool {
        self.time_of == TimedActivity::Decision && self.time > limit
    }

    /// Whether the answer is the recorded one. `None` if a substitute played.
    #[must_use]
    pub fn is_same(&self) -> bool {
        match self.recorded_of {
            AnswerAuthor::Player => self.answer.as_ref() == Ok(&self.recorded),
            AnswerAuthor::StandIn => self.answer.is_ok(),
        }
    }
}

/// Requests the decisions of the player who began in this seat from a new agent; after a fault, another agent is
/// created.
///
/// # Errors
/// The first line that is not a line of a record, or differs from the result of the rules.
pub fn debug(
    text: &str,
    player: Seat,
    make: impl FnMut(&Rules, Seat) -> Player,
    on_asked: impl FnMut(&ReplayedDecision),
) -> Result<ReplayedRecord, ReplayError> {
    let mut session = Session {
        player,
        make,
        on_asked,
        agent: None,
        player_at: BySeat::from_fn(|seat| seat),
        seat: None,
        recorded_of: AnswerAuthor::Player,
        time_of: TimedActivity::Decision,
        order: DecisionOrder::default(),
        is_begun: false,
        round: 0,
        decisions: 0,
    };
    replay(text, &mut |step| session.see(&step))
}

/// A record while it is replayed.
struct Session<M, F> {
    player: Seat,
    make: M,
    on_asked: F,
    /// `None` before it is needed, and after a fault.
    agent: Option<Player>,
    player_at: BySeat<Seat>,
    /// The seat of the player in this round, if it takes part.
    seat: Option<Seat>,
    recorded_of: AnswerAuthor,
    /// The activity of the next decision.
    time_of: TimedActivity,
    order: DecisionOrder,
    /// Whether the agent has received the beginning of the round.
    is_begun: bool,
    round: u32,
    decisions: u32,
}

impl<M: FnMut(&Rules, Seat) -> Player, F: FnMut(&ReplayedDecision)> Session<M, F> {
    fn see(&mut self, step: &ReplayStep<'_>) {
        match step.what {
            ReplayEvent::Dealt { plan, .. } => {
                self.round += 1;
                self.player_at = plan.player_at;
                self.seat = plan.seats.iter().find(|&seat| plan.player_at[seat] == self.player);
                (self.order, self.is_begun) = (DecisionOrder::default(), false);
            }
            ReplayEvent::Event { event, state, knowledge, scores, .. } => {
                let scores = self.player_at.map(|player| scores[player]);
                let knowledge = &knowledge.without_implications();
                let at = Place { line: step.line, rules: step.rules, state, knowledge, scores: &scores };
                if let Event::Acted { seat, action, call } = event {
                    self.ask_until(&at, RecordedAction { seat, action, call });
                }
                self.on_event(&at, event);
            }
            ReplayEvent::Fault { player, .. } if player == self.player => self.recorded_of = AnswerAuthor::StandIn,
            _ => {}
        }
    }

    /// Every seat with a decision is asked before this action; the other players answer as recorded.
    fn ask_until(&mut self, at: &Place<'_>, acted: RecordedAction) {
        let mut options = Vec::new();
        while let Some(question) = self.order.question(at.rules, at.state) {
            DecisionOrder::options_into(at.rules, at.state, question, &mut options);
            let recorded = match question.kind {
                DecisionKind::Call { .. } if acted.call == Call::Uno => Action::Uno,
                DecisionKind::Call { .. } => Action::Silent,
                kind if kind.is_interruption() => {
                    let is_its = question.seat == acted.seat && options.contains(&acted.action);
                    if is_its { acted.action } else { Action::Silent }
                }
                _ => acted.action,
            };
            if self.seat == Some(question.seat) {
                self.ask(at, question, &options, recorded);
            }
            if self.order.answer(at.rules, at.state, question, recorded).is_some() {
                break;
            }
        }
    }

    fn ask(&mut self, at: &Place<'_>, question: Question, options: &[Action], recorded: Action) {
        let observation = at.seen_by(question.seat);
        self.decisions += 1;
        self.begin(at, question.seat);
        let Some(agent) = &mut self.agent else { return };
        let begin = Instant::now();
        let answer = match question.kind {
            DecisionKind::Call { with } => match agent.call(&observation, with) {
                Call::Uno => Action::Uno,
                Call::Silent => Action::Silent,
            },
            // Silence, the last option, is implicit.
            kind if kind.is_interruption() => agent.interrupt(&observation, &options[..options.len() - 1]),
            _ => match agent.perfect_information() {
                Some(seeing) => seeing.choose_with_perfect_information(at.state, &observation),
                None => agent.choose(&observation),
            },
        };
        let time = begin.elapsed();
        let fault = agent.fault().map(|fault| format!("{}: {}", fault.kind.name(), fault.what));
        let write = |action: Action| at.rules.write_action(ActionWithCall::from(action));
        (self.on_asked)(&ReplayedDecision {
            line: at.line,
            round: self.round,
            decision: self.decisions,
            kind: question.kind.word(),
            position: at.describe(question.seat),
            actions: options.iter().copied().map(write).collect(),
            recorded: write(recorded),
            recorded_of: self.recorded_of,
            answer: fault.map_or_else(|| Ok(write(answer)), Err),
            time,
            time_of: std::mem::replace(&mut self.time_of, TimedActivity::Decision),
        });
        if agent.fault().is_some() {
            (self.agent, self.is_begun, self.time_of) = (None, false, TimedActivity::StartAndDecision);
        }
    }

    /// Creates the agent and sends the beginning of the round, or its continuation from here.
    fn begin(&mut self, at: &Place<'_>, seat: Seat) {
        let agent = self.agent.get_or_insert_with(|| (self.make)(at.rules, seat));
        if !std::mem::replace(&mut self.is_begun, true) && agent.subscription().has_events() {
            agent.begin_round(&at.seen_by(seat));
        }
    }

    /// Passes an event on to the agent, if it subscribes to events.
    fn on_event(&mut self, at: &Place<'_>, event: Event) {
        let Some(seat) = self.seat else { return };
        let is_in_play = self.is_begun || matches!(event, Event::Acted { .. });
        if !is_in_play {
            return; // the beginning of a round is sent after the deal
        }
        self.begin(at, seat);
        let Some(agent) = &mut self.agent else { return };
        if agent.subscription().has_events() {
            let mut knowledge = at.knowledge.clone();
            knowledge.on_event(at.state, event);
            let observation = Observation::of(at.rules, at.state, &knowledge, at.scores, seat);
            agent.receive(event, &observation);
        }
    }
}

/// The recorded action.
#[derive(Clone, Copy)]
struct RecordedAction {
    seat: Seat,
    action: Action,
    call: Call,
}

/// The state at a line of the record.
struct Place<'a> {
    line: usize,
    rules: &'a Rules,
    state: &'a RoundState,
    knowledge: &'a Knowledge,
    scores: &'a BySeat<u32>,
}

impl Place<'_> {
    fn seen_by(&self, seat: Seat) -> Observation<'_> {
        Observation::of(self.rules, self.state, self.knowledge, self.scores, seat)
    }

    fn describe(&self, seat: Seat) -> String {
        let color = self.state.color().map_or_else(String::new, |color| format!(", {}", color.name()));
        let (hand, top) = (self.state.hand(seat), self.state.top());
        format!("holds {}; on {}{color}", self.rules.display(hand), self.rules.display(top))
    }
}
