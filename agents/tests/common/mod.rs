//! Hand-made positions, and an agent's answers there.
#![allow(dead_code, missing_docs, unreachable_pub, reason = "each test crate uses its part")]

use std::collections::BTreeSet;

use unolab_agents::agent::Agent;
use unolab_agents::player::{Player, TablePlayer};
use unolab_agents::registry::Registry;
use unolab_agents::table::{Counts, Table};
use unolab_engine::action::{Action, Call};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{FeatureSet, Override, PresetsOnly, Rules, TableSize, load};
use unolab_engine::script::{Outcome, Script};
use unolab_engine::seat::{BySeat, Direction, Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundSetup, RoundState};

pub fn rules(variant: &str, seats: usize, settings: &[&str]) -> Rules {
    let overrides: Vec<Override> = settings.iter().map(|text| text.parse().expect("key=value")).collect();
    load(variant, &overrides, TableSize::Seats(seats), &PresetsOnly).unwrap_or_else(|error| panic!("{error}")).rules
}

pub fn agent(text: &str, rules: &Rules, seat: Seat, seed: u64) -> Player {
    let spec = Registry::default().configure(text).unwrap_or_else(|error| panic!("{error}"));
    spec.make(rules, seat, Rng::from_seed(seed))
}

/// All events, in order.
#[derive(Debug, Default, PartialEq)]
pub struct Log(pub Vec<Event>);

impl EventSink for Log {
    fn on_event(&mut self, _state: &RoundState, event: Event) {
        self.0.push(event);
    }
}

pub type Played = (RoundState, Counts, Log);

/// Deals the round of this number and plays it with these agents.
pub fn play_round<P: FeatureSet, A: TablePlayer>(rules: &Rules, set: u64, agents: &mut [A]) -> Played {
    let (mut chance, mut log) = (Rng::keyed(7, set, Purpose::Cards { round: 0 }), Log::default());
    let seats = SeatSet::first(agents.len());
    let mut listener: &mut dyn EventSink = &mut log;
    let mut state = RoundState::deal_for::<P>(rules, seats, Seat::new(0), &mut chance, &mut listener);
    let (counts, _) =
        Table { rules, agents, scores: &NO_SCORES, state: &mut state, chance: &mut chance }.play_round::<P>(listener);
    (state, counts, log)
}

/// When a table pauses: a type for all closures, so that the table is compiled once for them.
pub type Pause<'a> = &'a dyn Fn(&RoundState, &Counts) -> bool;

/// No listener, of the type of all listeners, for the same reason.
pub fn no_listener() -> &'static mut dyn EventSink {
    Box::leak(Box::new(()))
}

/// The time that an agent takes for a decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    Quick,
    /// It searches, or evaluates a net.
    Slow,
}

/// Agents that are tested in other forms than the default, such as with a small budget: the registered name, and the specs of
/// the tested agents.
const TESTED_FORMS: [(&str, Pace, &[&str]); 9] = [
    ("random", Pace::Quick, &["random", "random:copies=true", "random:uniform=true"]),
    ("card-ranking", Pace::Quick, &["card-ranking", "card-ranking:goal=points"]),
    ("mixbot", Pace::Quick, &["mixbot", "mixbot:counting=false"]),
    ("heuristic", Pace::Quick, &["heuristic", "heuristic:goal=points"]),
    ("forgetful", Pace::Quick, &["forgetful:p=0.5,q=0.5,agent=(mixbot)"]),
    ("net", Pace::Slow, &["net", "net:goal=match"]),
    (
        "monte-carlo",
        Pace::Slow,
        &[
            "monte-carlo:rollouts=4,policy=random,goal=match,belief=uniform",
            "monte-carlo:rollouts=6,policy=greedy,goal=points",
        ],
    ),
    ("ismcts", Pace::Slow, &["ismcts:iterations=6,trees=2,playouts=2,policy=random"]),
    ("exploiter", Pace::Slow, &["exploiter:iterations=6,of=greedy"]),
];

/// Every registered agent without perfect information, in the forms above or by its name. `cmd` is omitted because it needs a
/// program.
pub fn agents_by_pace() -> Vec<(String, Pace)> {
    let registry = Registry::default();
    let named = registry.entries().map(|entry| entry.name).filter(|&name| name != "cmd");
    let honest = named.filter(|name| !registry.configure(name).expect("the default form").sees_everything());
    let forms = honest.flat_map(|name| match TESTED_FORMS.iter().find(|(tested, ..)| *tested == name) {
        Some((_, pace, texts)) => texts.iter().map(|text| (text.to_string(), *pace)).collect(),
        None => vec![(name.to_string(), Pace::Quick)],
    });
    forms.collect()
}

/// A turn of seat 0: every seat's hand, the top card, and the color in force if the card has none. All other cards are in the
/// draw pile.
pub fn turn(rules: &Rules, hands: &[&str], top: &str) -> RoundState {
    turn_of(rules, 0, hands, top, "")
}

/// A turn of any seat, with cards under the top card.
pub fn turn_of(rules: &Rules, seat: usize, hands: &[&str], top: &str, under_top: &str) -> RoundState {
    let (top, color) = top.split_once(' ').map_or((top, None), |(top, color)| (top, color.chars().next()));
    let top = rules.parse_card(top).expect("a card");
    let under_top = rules.parse_cards(under_top).expect("cards");
    let mut by_seat = BySeat::<Cards>::default();
    let mut draw_pile = rules.deck().minus(under_top);
    draw_pile.remove(top);
    for (hand, text) in by_seat.iter_mut().zip(hands) {
        *hand = rules.parse_cards(text).expect("cards");
        draw_pile = draw_pile.minus(*hand);
    }
    let setup = RoundSetup {
        seats: SeatSet::first(hands.len()),
        dealer: Seat::new(0),
        direction: Direction::Left,
        to_act: Seat::new(seat),
        hands: by_seat,
        top,
        under_top,
        color: color.and_then(Color::from_letter),
        draw_pile,
    };
    RoundState::from_setup(&setup, rules).unwrap_or_else(|errors| panic!("{errors:?}"))
}

/// A round whose events an agent in seat 0 receives.
pub struct Told<'a> {
    pub rules: &'a Rules,
    pub state: RoundState,
    pub agent: Player,
    knowledge: Knowledge,
}

struct Listener<'a> {
    rules: &'a Rules,
    agent: &'a mut Player,
    knowledge: &'a mut Knowledge,
}

impl EventSink for Listener<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        let observation = Observation::of(self.rules, state, self.knowledge, &NO_SCORES, Seat::new(0));
        if let Some(seen) = observation.sees(event) {
            self.agent.observe(seen, &observation);
        }
    }
}

impl<'a> Told<'a> {
    pub fn new(rules: &'a Rules, state: RoundState, agent: &str, seed: u64) -> Self {
        let agent = self::agent(agent, rules, Seat::new(0), seed);
        Self { rules, state, agent, knowledge: Knowledge::default() }
    }

    /// Begins a round from the state.
    pub fn begin_round(&mut self) {
        self.agent.begin_round(&Observation::of(self.rules, &self.state, &self.knowledge, &NO_SCORES, Seat::new(0)));
    }

    /// Applies this action of the seat to act; `draws` are the cards drawn.
    pub fn act(&mut self, action: &str, draws: &str) {
        self.act_by_chance(action, draws, []);
    }

    /// The same with the button lighting this color.
    pub fn act_with_button(&mut self, action: &str, color: Color) {
        self.act_by_chance(action, "", [Outcome::Button(color)]);
    }

    fn act_by_chance(&mut self, action: &str, draws: &str, outcomes: impl IntoIterator<Item = Outcome>) {
        let action = self.rules.parse_action(action).expect("an action").action;
        let seat = self.state.current_seat().expect("the round continues");
        assert!(self.state.is_legal(self.rules, seat, action, Call::Silent), "{action:?}");
        let draws: Vec<Card> = self.rules.parse_card_list(draws).expect("cards");
        let mut chance = Script::new(draws, outcomes, 0);
        let mut listener = Listener { rules: self.rules, agent: &mut self.agent, knowledge: &mut self.knowledge };
        self.state.apply_action_unchecked(self.rules, seat, action, Call::Silent, &mut chance, &mut listener);
        assert_eq!((chance.mismatch(), chance.unused_cards()), (None, 0));
    }

    pub fn answer(&mut self) -> Action {
        let observation = Observation::of(self.rules, &self.state, &self.knowledge, &NO_SCORES, Seat::new(0));
        let action = self.agent.choose(&observation);
        assert!(observation.legal_actions().contains(&action), "{action:?} is not legal");
        action
    }
}

/// All answers of the agent in seat 0, over many streams; `before` are actions with the cards they draw.
pub fn answers_after(rules: &Rules, state: RoundState, agent: &str, before: &[(&str, &str)]) -> BTreeSet<String> {
    let answer = |seed: u64| {
        let mut told = Told::new(rules, state, agent, seed);
        before.iter().for_each(|(action, draws)| told.act(action, draws));
        rules.write_action(told.answer().into())
    };
    (0..100).map(answer).collect()
}

/// All answers of the agent on a turn of seat 0.
pub fn answers(rules: &Rules, state: RoundState, agent: &str) -> BTreeSet<String> {
    answers_after(rules, state, agent, &[])
}

pub fn set(actions: &[&str]) -> BTreeSet<String> {
    actions.iter().map(ToString::to_string).collect()
}
