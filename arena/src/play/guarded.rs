//! Guarded agents: a panic loses the game only for its agent, as for programs. From then on `greedy` plays the seat to the
//! end, and the game is lost.
//!
//! Catching a panic at every decision would take time, so agents are not guarded at first. If a game fails, its batch is played
//! again with all agents guarded. Up to the panic these are the same games, because agents get the same streams.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

use unolab_agents::agent::PerfectInformationAgent;
use unolab_agents::agent::{Agent, EventSubscription, GameResult};
use unolab_agents::fault::{Fault, FaultCause};
use unolab_agents::greedy::Greedy;
use unolab_agents::player::Player;
use unolab_agents::stop::{Stopped, SystemFailure};
use unolab_engine::action::{Action, Call};
use unolab_engine::event::VisibleEvent;
use unolab_engine::observation::Observation;
use unolab_engine::rng::Rng;
use unolab_engine::seat::Seat;
use unolab_engine::state::RoundState;

/// Whether agents are guarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Guard {
    /// Their panics are passed on.
    Off,
    /// Their panics are faults.
    On,
}

thread_local! {
    static IS_ON: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread plays guarded games: a panic in them is counted and not printed.
#[must_use]
pub fn is_guarding() -> bool {
    IS_ON.get()
}

/// Plays games; if an agent panics, plays them again with all agents guarded, which identifies the agent. The agent has then
/// lost that game. If agents have panicked before, all are guarded from the beginning.
///
/// # Errors
/// The message of a panic outside an agent.
pub(crate) fn catch_panics<R>(have_panicked: &AtomicBool, play: impl Fn(Guard) -> R) -> Result<R, String> {
    if !have_panicked.load(Ordering::Relaxed)
        && let Ok(played) = caught(Guard::Off, || play(Guard::Off))
    {
        return Ok(played);
    }
    have_panicked.store(true, Ordering::Relaxed);
    caught(Guard::Off, || play(Guard::On))
}

/// Does work that may panic; returns the message of a panic.
fn caught<R>(guard: Guard, work: impl FnOnce() -> R) -> Result<R, String> {
    let before = IS_ON.replace(guard == Guard::On);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_ON.set(before);
    done.map_err(|panic| {
        if panic.is::<Stopped>() || panic.is::<SystemFailure>() {
            resume_unwind(panic); // not an agent's fault, so the run ends
        }
        let words = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref().copied());
        words.unwrap_or("without a word").to_owned()
    })
}

/// An agent that may panic.
struct Guarded {
    /// `None` once it has lost the game.
    agent: Option<Player>,
    substitute: Greedy,
    seat: Seat,
    subscription: EventSubscription,
    decisions: u32,
    fault: Option<Fault>,
}

/// The created agent, guarded. `stream` is its own stream, which its substitute uses from the start.
pub(crate) fn guarded(seat: Seat, stream: Rng, make: impl FnOnce() -> Player) -> Player {
    let mut guarded = Guarded {
        agent: None,
        substitute: Greedy::new(stream.clone()),
        seat,
        subscription: EventSubscription::Nothing,
        decisions: 0,
        fault: None,
    };
    match caught(Guard::On, || {
        let agent = make();
        (agent.subscription(), agent)
    }) {
        Ok((subscription, agent)) => (guarded.subscription, guarded.agent) = (subscription, Some(agent)),
        Err(words) => guarded.lose(&words),
    }
    if guarded.agent.as_ref().is_some_and(Player::sees_everything) {
        Player::of_perfect_information(Box::new(guarded), seat, stream)
    } else {
        Player::of(Box::new(guarded), seat, stream)
    }
}

impl Guarded {
    fn lose(&mut self, words: &str) {
        let what = format!("panicked: {words}");
        self.fault = Some(Fault { seat: self.seat, decision: self.decisions.max(1), kind: FaultCause::Crash, what });
        let agent = self.agent.take();
        // An agent that panics again when it is dropped has already lost.
        let _ = caught(Guard::On, || drop(agent));
    }

    /// The agent's answer; `None` if it has lost the game, now or before.
    fn ask<R>(&mut self, ask: impl FnOnce(&mut Player) -> R) -> Option<R> {
        let agent = self.agent.as_mut()?;
        match caught(Guard::On, || ask(agent)) {
            Ok(answer) => Some(answer),
            Err(words) => {
                self.lose(&words);
                None
            }
        }
    }

    fn decide<R>(&mut self, ask: impl FnOnce(&mut Player) -> R) -> Option<R> {
        self.decisions += u32::from(self.agent.is_some());
        self.ask(ask)
    }
}

impl Agent for Guarded {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        self.decide(|agent| agent.choose(observation)).unwrap_or_else(|| self.substitute.choose(observation))
    }

    fn call(&mut self, observation: &Observation<'_>, action: Action) -> Call {
        self.decide(|agent| agent.call(observation, action))
            .unwrap_or_else(|| self.substitute.call(observation, action))
    }

    fn interrupt(&mut self, observation: &Observation<'_>, options: &[Action]) -> Action {
        self.decide(|agent| agent.interrupt(observation, options))
            .unwrap_or_else(|| self.substitute.interrupt(observation, options))
    }

    fn begin_round(&mut self, observation: &Observation<'_>) {
        self.ask(|agent| agent.begin_round(observation));
    }

    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        self.ask(|agent| agent.observe(seen, observation));
    }

    fn subscription(&self) -> EventSubscription {
        self.subscription
    }

    fn take_note(&mut self) -> Option<String> {
        self.ask(Agent::take_note).flatten()
    }

    fn game_over(&mut self, result: &GameResult) {
        self.ask(|agent| agent.game_over(result));
    }

    fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref().or_else(|| self.agent.as_ref().and_then(Agent::fault))
    }
}

impl PerfectInformationAgent for Guarded {
    fn choose_with_perfect_information(&mut self, truth: &RoundState, observation: &Observation<'_>) -> Action {
        let choose = |agent: &mut Player| agent.choose_with_perfect_information(truth, observation);
        self.decide(choose).unwrap_or_else(|| self.substitute.choose(observation))
    }
}
