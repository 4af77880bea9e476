//! The notes and faults of the agents of a game.

use std::sync::{Arc, Mutex, PoisonError};

use unolab_agents::agent::PerfectInformationAgent;
use unolab_agents::agent::{Agent, EventSubscription, GameResult};
use unolab_agents::fault::Fault;
use unolab_agents::player::Player;
use unolab_engine::action::{Action, Call};
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::Observation;
use unolab_engine::state::RoundState;

/// The notes and faults of the agents since the last write.
#[derive(Debug, Clone, Default)]
pub(super) struct SharedAgentLog(Arc<Mutex<AgentLog>>);

#[derive(Debug, Default)]
pub(super) struct AgentLog {
    pub(super) faults: Vec<Fault>,
    /// The log of the last answer.
    pub(super) note: Option<String>,
}

impl SharedAgentLog {
    pub(super) fn with<R>(&self, work: impl FnOnce(&mut AgentLog) -> R) -> R {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The agent with a log.
    pub(super) fn listening_to(&self, agent: Player) -> Player {
        agent.wrapped(|agent| LogSnapshot { agent, said: self.clone(), has_lost: false })
    }
}

/// An agent with a log.
struct LogSnapshot {
    agent: Player,
    said: SharedAgentLog,
    has_lost: bool,
}

impl LogSnapshot {
    /// Requests an answer: later notes do not belong to an earlier answer.
    fn answer<R>(&mut self, ask: impl FnOnce(&mut Player) -> R) -> R {
        let answer = self.notify(ask);
        let note = self.agent.take_note();
        self.said.with(|said| said.note = note);
        answer
    }

    fn notify<R>(&mut self, call: impl FnOnce(&mut Player) -> R) -> R {
        let result = call(&mut self.agent);
        if !self.has_lost
            && let Some(fault) = self.agent.fault()
        {
            self.has_lost = true;
            self.said.with(|said| said.faults.push(fault.clone()));
        }
        result
    }
}

impl Agent for LogSnapshot {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.answer(|agent| agent.choose(observation))
    }

    /// A decision about the call of the same action: the notes on the choice are kept.
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        let call = self.notify(|agent| agent.call(observation, action));
        if let Some(note) = self.agent.take_note() {
            self.said.with(|said| said.note = Some(note));
        }
        call
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let answer = self.answer(|agent| agent.interrupt(observation, options));
        if answer == Action::Silent {
            self.said.with(|said| said.note = None);
        }
        answer
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.notify(|agent| agent.begin_round(observation));
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.notify(|agent| agent.observe(seen, observation));
    }

    fn subscription(&self) -> EventSubscription {
        self.agent.subscription()
    }

    fn fault(&self) -> Option<&Fault> {
        self.agent.fault()
    }

    fn game_over(&mut self, result: &GameResult) {
        self.agent.game_over(result);
    }
}

impl PerfectInformationAgent for LogSnapshot {
    fn choose_with_perfect_information(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action {
        self.answer(|agent| agent.choose_with_perfect_information(truth, observation))
    }
}
