//! [`Checked`]: an agent whose answers are checked. One that is not legal costs it the game, by the rule for programs:
//! from there on `greedy` plays the seat to the end, and the game is lost.

use unolab_engine::action::{Action, Call};
use unolab_engine::event::Seen;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::seat::Seat;
use unolab_engine::state::RoundState;

use crate::agent::{Agent, Memory};
use crate::greedy::Greedy;
use crate::offence::{Offence, OffenceKind};
use crate::oracle::Oracle;

/// An agent whose answers are checked. The registry makes one of every agent that does not come with the project: the
/// engine itself looks only in test builds, and would go on from a state that cannot be.
#[derive(Debug)]
pub struct Checked<A: ?Sized> {
    seat: Seat,
    /// Plays the rest of a game that is lost.
    substitute: Greedy,
    decisions: u32,
    offence: Option<Offence>,
    agent: Box<A>,
}

impl<A: Agent + ?Sized> Checked<A> {
    /// The agent of this seat; `rng` is its stream, of which its substitute begins anew.
    #[must_use]
    pub const fn new(agent: Box<A>, seat: Seat, rng: Rng) -> Self {
        Self { seat, substitute: Greedy::new(rng), decisions: 0, offence: None, agent }
    }

    /// What the agent does; none if it has lost the game, by this or before.
    fn ask(
        &mut self,
        observation: &Observation<'_>,
        ask: impl FnOnce(&mut A) -> Action,
        is_legal: impl FnOnce(Action) -> bool,
    ) -> Option<Action> {
        if self.offence.is_some() {
            return None;
        }
        self.decisions += 1;
        let action = ask(&mut self.agent);
        if is_legal(action) {
            return Some(action);
        }
        let rules = observation.rules();
        let what = match action.card() {
            Some(card) if card.index() >= rules.kinds().len() => "a card that is not in the deck".into(),
            _ => format!("`{}` is not legal", rules.write_action(action.into())),
        };
        self.offence = Some(Offence { seat: self.seat, decision: self.decisions, kind: OffenceKind::Illegal, what });
        None
    }

    fn ask_for_choice(&mut self, observation: &Observation<'_>, ask: impl FnOnce(&mut A) -> Action) -> Action {
        self.ask(observation, ask, |action| observation.legal_actions().contains(&action))
            .unwrap_or_else(|| self.substitute.choose(observation))
    }
}

impl<A: Agent + ?Sized> Agent for Checked<A> {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.ask_for_choice(observation, |agent| agent.choose(observation))
    }

    // Either answer is legal wherever this is asked.
    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        if self.offence.is_some() {
            return self.substitute.call(observation, action);
        }
        self.decisions += 1;
        self.agent.call(observation, action)
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        let is_legal = |action| action == Action::Silent || options.contains(&action);
        self.ask(observation, |agent| agent.interrupt(observation, options), is_legal)
            .unwrap_or_else(|| self.substitute.interrupt(observation, options))
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        if self.offence.is_none() {
            self.agent.begin_round(observation);
        }
    }

    fn observe(&mut self, seen: Seen, observation: &Observation<'_>) {
        if self.offence.is_none() {
            self.agent.observe(seen, observation);
        }
    }

    fn memory(&self) -> Memory {
        self.agent.memory()
    }

    fn take_note(&mut self) -> Option<String> {
        self.agent.take_note()
    }

    fn offence(&self) -> Option<&Offence> {
        self.offence.as_ref().or_else(|| self.agent.offence())
    }
}

impl<A: Oracle + ?Sized> Oracle for Checked<A> {
    fn choose_seeing(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action {
        self.ask_for_choice(observation, |agent| agent.choose_seeing(truth, observation))
    }
}
