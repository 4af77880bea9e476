//! Your own bot: it implements the `Agent` trait and is registered with the built-in agents. Every command of `unolab` accepts
//! it: `cargo run --release -p own-bot -- match --agents thrifty,greedy`
//!
//! An illegal answer or a panic costs the bot the game; both are reported as faults.

use std::process::ExitCode;

use unolab::action::Action;
use unolab::agents::agent::Agent;
use unolab::agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab::observation::Observation;

/// Plays the colored card with the most points, and a wild only if nothing else can be played.
struct MyBot;

impl Agent for MyBot {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let rules = observation.rules();
        let worth = |action: &Action| match action.card() {
            None => 0,
            Some(card) if !rules.colored().contains(card) => 1,
            Some(card) => 2 + rules.points(card),
        };
        observation.legal_actions().into_iter().max_by_key(worth).expect("there is always a legal action")
    }
}

const THRIFTY: AgentRegistration = AgentRegistration {
    name: "thrifty",
    summary: "the colored card with the most points, wilds last",
    options: &[],
    configure: |_, _| Ok(AgentFactory::boxed(|_, _, _| Box::new(MyBot))),
};

fn main() -> ExitCode {
    unolab::run(Registry::default().with(THRIFTY))
}
