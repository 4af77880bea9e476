//! Your own bot: it implements the `Agent` trait and is registered with the built-in agents. Every command of `unolab` accepts
//! it: `cargo run --release -p own-bot -- match --agents thrifty:bonus=30,greedy`
//!
//! An illegal answer or a panic costs the bot the game; both are reported as faults. `cargo doc --open` has all methods of
//! `Observation` and `Rules`.

use std::process::ExitCode;

use unolab::action::Action;
use unolab::agents::agent::Agent;
use unolab::agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab::color::Color;
use unolab::event::{Event, VisibleEvent};
use unolab::observation::Observation;

/// Plays the colored card with the most points, and a wild only if nothing else can be played. It prefers the color on which
/// the next player had to draw.
struct MyBot {
    /// The option `bonus`: the points that this color is worth.
    bonus: u32,
    /// The color on which the next player had to draw last.
    lacking: Option<Color>,
}

impl Agent for MyBot {
    fn choose(&mut self, observation: &Observation<'_>) -> Action {
        let rules = observation.rules();
        let value = |action: &Action| match action.card().map(|card| (card, rules.color_of(card))) {
            None => 0,
            Some((_, None)) => 1,
            Some((card, color)) if color == self.lacking => 2 + rules.points(card) + self.bonus,
            Some((card, _)) => 2 + rules.points(card),
        };
        observation.legal_actions().into_iter().max_by_key(value).expect("there is always a legal action")
    }

    /// A new round: everything about the round before is outdated.
    fn begin_round(&mut self, _: &Observation<'_>) {
        self.lacking = None;
    }

    /// Every event, as this seat sees it.
    fn observe(&mut self, seen: VisibleEvent, observation: &Observation<'_>) {
        if let VisibleEvent::Open(Event::Acted { seat, action: Action::Draw, .. }) = seen
            && seat == observation.next_seat(observation.seat())
        {
            self.lacking = observation.color();
        }
    }
}

const THRIFTY: AgentRegistration = AgentRegistration {
    name: "thrifty",
    summary: "the colored card with the most points, wilds last, and the color that the next player lacks",
    options: &[("bonus", "the points that this color is worth, from 0; default 10")],
    configure: |_, options| {
        let bonus = options.take::<u16>("bonus", "a whole number from 0 to 65535")?.unwrap_or(10).into();
        Ok(AgentFactory::boxed(move |_, _, _| Box::new(MyBot { bonus, lacking: None })))
    },
};

fn main() -> ExitCode {
    unolab::run(Registry::default().with(THRIFTY))
}
