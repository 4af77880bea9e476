//! A bot of one's own: written against the `Agent` trait, registered beside the built-in ones, and sent into a
//! tournament. `cargo run --release -p own-bot`
//!
//! An answer that is not legal costs a bot the game, and so does a panic: both are named as offences.

use std::sync::atomic::AtomicBool;

use unolab_agents::agent::Agent;
use unolab_agents::registry::{Entry, Maker, Registry};
use unolab_arena::contest::Contest;
use unolab_arena::runner::{self, Conduct};
use unolab_arena::spec::{Command, Entrant, Format, SeatingPlan, Spec, Unit, Variant};
use unolab_arena::tables::{PlayedSection, summary};
use unolab_arena::terminal::section_table;
use unolab_engine::action::Action;
use unolab_engine::observation::Observation;
use unolab_engine::rules::Rules;

/// Gets rid of the card that counts most, but keeps wilds for when nothing else can be played.
struct Thrifty;

impl Agent for Thrifty {
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

fn main() -> anyhow::Result<()> {
    let registry = Registry::default().with(Entry {
        name: "thrifty",
        summary: "the coloured card that counts most, wilds last",
        options: &[],
        configure: |_, _| Ok(Maker::boxed(|_, _, _| Box::new(Thrifty))),
    });
    let spec = Spec {
        command: Command::Tournament { format: Format::RoundRobin },
        entrants: Entrant::name_all(["thrifty", "random", "heuristic"]),
        variants: vec![Variant::of(&Rules::preset("classic"))],
        seats: vec![2, 4],
        sets: 500,
        seed: 1,
        seating: SeatingPlan::Rotate,
        unit: Unit::Round,
    };
    let contest = Contest::of(spec, &registry)?;
    let conduct = Conduct { threads: 2, stop: &AtomicBool::new(false), on_progress: &|_| {} };
    let counted = runner::play(&contest, &conduct, None)?;
    for played in PlayedSection::all(contest.spec(), contest.schedule(), &counted.tallies) {
        println!("{}", section_table(&summary::rows(played), played.section.fair_share(), 100));
    }
    Ok(())
}
