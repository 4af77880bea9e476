//! Two bots, registered with the built-in agents. `MyBot` implements the `Agent` trait. `Highest` is a policy for whole turns, which
//! is faster. Every command of `unolab` accepts them:
//! `cargo run --release -p own-bot -- match --agents thrifty:bonus=30,greedy`
//!
//! An illegal answer or a panic costs a bot the game; both are reported as faults. `cargo doc --open` has all methods of
//! `Observation` and `Rules`.

use std::process::ExitCode;

use unolab::action::Action;
use unolab::agents::agent::Agent;
use unolab::agents::registry::{AgentFactory, AgentRegistration, Registry};
use unolab::agents::turn_player::TurnAgent;
use unolab::card::{Card, CardSet};
use unolab::cards::Cards;
use unolab::color::Color;
use unolab::cpu::Isa;
use unolab::event::{Event, VisibleEvent};
use unolab::fast::{Bluffs, TurnPolicy};
use unolab::observation::Observation;
use unolab::rules::Rules;

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

/// Plays the card with the most points. An agent that needs only its hand is faster as a policy for whole turns.
struct Highest;

impl TurnPolicy for Highest {
    const BLUFFS: Bluffs = Bluffs::Never;

    fn pick<M: Isa>(&mut self, rules: &Rules, _hand: Cards, playable: CardSet) -> Card {
        playable.iter().max_by_key(|&card| rules.points(card)).expect("a playable card")
    }

    fn name(&mut self, rules: &Rules, rest: Cards) -> Color {
        Color::ALL.into_iter().max_by_key(|&color| rest.len_of(rules.of_color(color))).expect("four colors")
    }
}

/// The other decisions are answered as by `heuristic`.
impl TurnAgent for Highest {}

const HIGHEST: AgentRegistration = AgentRegistration {
    name: "highest",
    summary: "the card with the most points",
    options: &[],
    configure: |_, _| Ok(AgentFactory::turns(|_, _, _| Highest)),
};

fn main() -> ExitCode {
    unolab::run(Registry::default().with(THRIFTY).with(HIGHEST))
}
