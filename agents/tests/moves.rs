//! Seeded play is unchanged: checksums of every action and every drawn card, by table, equal the record in `moves.txt`.
//!
//! A faster implementation must not change the play. A change in `moves.txt` changes seeded results, including published
//! studies: it belongs in the same commit as these, with its reason.
#![allow(missing_docs)]

use std::fmt::Write as _;

use crate::blank::blank;
use crate::common;
use crate::golden;
use unolab_agents::Player;
use unolab_agents::registry::Registry;
use unolab_agents::table::Table;
use unolab_engine::cpu::dispatch;
use unolab_engine::event::Event;
use unolab_engine::hash::{digest, mix};
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::NO_SCORES;
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::rules::{FeatureSet, Rules, RulesKernel, TableSize, VariantFiles, VariantText, load, presets};
use unolab_engine::seat::{BySeat, Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

/// A checksum of the events.
struct Sum<'a> {
    rules: &'a Rules,
    value: u64,
    events: u32,
}

impl EventSink for Sum<'_> {
    fn on_event(&mut self, _state: &RoundState, event: Event) {
        let text = match event {
            Event::Acted { seat, action, call } => {
                format!("{seat} {}", self.rules.write_action(ActionWithCall { action, call }))
            }
            Event::Drew { seat, card } => format!("{seat} {}", self.rules.code(card)),
            _ => return,
        };
        self.events += 1;
        self.value = mix(self.value ^ digest(&text));
    }
}

/// Rounds at one table, with different seats and match scores from round to round.
struct Rounds<'a> {
    rules: &'a Rules,
    seats: usize,
    agents: &'a [&'a str],
    count: u64,
}

impl<'a> RulesKernel for &'a Rounds<'a> {
    type Output = Sum<'a>;

    fn rules(&self) -> &Rules {
        self.rules
    }

    #[inline(always)]
    fn run_by<P: FeatureSet>(self) -> Sum<'a> {
        let registry = Registry::default();
        let specs: Vec<_> = self.agents.iter().map(|text| registry.configure(text).unwrap()).collect();
        let mut sum = Sum { rules: self.rules, value: 0, events: 0 };
        for set in 0..self.count {
            let at = usize::try_from(set).unwrap();
            let agent_of = |seat: usize| &specs[(seat + at) % specs.len()];
            let make =
                |seat: Seat| agent_of(seat.index()).make(self.rules, seat, Rng::keyed(3, set, Purpose::Agent(seat)));
            let mut agents: Vec<Player> = Seat::first(self.seats).map(make).collect();
            let scores =
                if set % 2 == 0 { NO_SCORES } else { BySeat::new([0, 40, 80, 120, 160, 200, 240, 280, 320, 360]) };
            let mut chance = Rng::keyed(3, set, Purpose::Cards { round: 0 });
            let dealer = Seat::new(at % self.seats);
            let seats = SeatSet::first(self.seats);
            let mut listener: &mut dyn EventSink = &mut sum;
            let mut state = RoundState::deal_for::<P>(self.rules, seats, dealer, &mut chance, &mut listener);
            let mut table = Table {
                rules: self.rules,
                agents: &mut agents,
                scores: &scores,
                state: &mut state,
                chance: &mut chance,
            };
            table.play_round::<P>(listener);
        }
        sum
    }
}

/// The agents at each table.
const TABLES: [&[&str]; 9] = [
    &["heuristic"],
    &["heuristic:goal=points", "heuristic:goal=win"],
    &["mixbot"],
    &["mixbot:counting=false", "card-ranking", "diversity"],
    &["greedy"],
    &["random", "greedy", "heuristic"],
    &["random:copies=true", "mixbot", "heuristic", "greedy"],
    &["heuristic", "forgetful:p=0.5", "mixbot", "first-legal"],
    &["forgetful", "random"],
];

const RULES: [(&str, &[&str]); 16] = [
    ("classic", &["house.stacking=any_draw"]),
    ("classic", &["house.stacking=same_kind"]),
    ("classic", &["house.seven_zero=true"]),
    ("classic", &["house.jump_in=true"]),
    ("classic", &["uno.calls=explicit"]),
    ("classic", &["uno.calls=explicit", "house.jump_in=true", "house.seven_zero=true"]),
    ("classic", &["turn.draw_count=until_playable"]),
    ("classic", &["turn.draw=no_playable"]),
    ("classic", &["turn.drawn_card=must"]),
    ("classic", &["deal.hand_size=10"]),
    ("classic", &["deal.hand_size=1"]),
    ("classic", &["draw_four.legality=any"]),
    ("classic", &["draw_four.legality=no_other_playable"]),
    ("classic", &["match.teams=fixed"]),
    ("disney", &["match.teams=fixed"]),
    ("disney", &["tinker.resume=after_player"]),
];

/// Cards with every effect, in addition to the cards of the classic game.
const BLANKS: &str = "blanks";

/// The file of [`BLANKS`].
struct Blanks;

impl VariantFiles for Blanks {
    fn read(&self, _base: &str, _from: &str) -> Result<VariantText, String> {
        let cards = [
            blank("rX", "red", "\"reverse\", { draw = { who = \"next\", count = 1 } }"),
            blank("yX", "yellow", "{ take = { who = \"others\", count = 1 } }, { skip = 1 }"),
            blank("gX", "green", "{ give = { who = \"chosen\", count = 2 } }"),
            blank("bX", "blue", "\"rotate_hands\""),
            blank("bY", "blue", "\"swap_hands\""),
            blank("WX", "wild", "\"name_color\", { draw = { who = \"others\", count = 1 } }"),
            blank("WY", "wild", "\"name_color\", { discard = { who = \"all\", cards = \"named_color\" } }"),
            blank(
                "WZ",
                "wild",
                "{ task = { p = 0.5, fail = [{ take = { who = \"smallest_hand\", count = 1 } }] } }, { skip = \"all\" }",
            ),
        ];
        Ok(VariantText { name: "blanks.toml".into(), text: format!("base = \"classic\"\n{}", cards.concat()) })
    }
}

fn rules(variant: &str, seats: usize, settings: &[&str]) -> Rules {
    match variant {
        BLANKS => load(BLANKS, &[], TableSize::Seats(seats), &Blanks).unwrap_or_else(|error| panic!("{error}")).rules,
        preset => common::rules(preset, seats, settings),
    }
}

fn check_all(file: &str, tables: &[&[&str]], count: u64, numbers_of_seats: &[usize]) {
    let editions = presets::NAMES.into_iter().map(|name| (name, &[][..]));
    let mut text = String::new();
    for (variant, settings) in editions.chain(RULES).chain([(BLANKS, &[][..])]) {
        for &seats in numbers_of_seats {
            let teams = settings.iter().any(|setting| setting.starts_with("match.teams"));
            if teams && seats != 4 || seats > 2 && rules(variant, 2.max(seats.min(4)), settings).seats().end() < &seats
            {
                continue;
            }
            let rules = rules(variant, seats, settings);
            for agents in tables.iter().filter(|agents| agents.len() <= seats) {
                let rounds = Rounds { rules: &rules, seats, agents, count };
                let sum = dispatch(&rounds);
                let settings = settings.join(" ");
                let agents = agents.join(",");
                writeln!(text, "{:016x} {:7} {variant} {settings} {seats} {agents}", sum.value, sum.events).unwrap();
            }
        }
    }
    golden::check(file, &text);
}

#[test]
fn rule_agents_match_recorded_moves() {
    check_all("moves.txt", &TABLES, 80, &[2, 3, 4, 5, 7, 10]);
}

#[test]
fn net_agents_match_recorded_moves() {
    let tables: [&[&str]; 3] = [&["net"], &["net:goal=points", "heuristic"], &["net:goal=match", "mixbot"]];
    check_all("moves_of_net.txt", &tables, 12, &[2, 4]);
}

#[test]
fn search_agents_match_recorded_moves() {
    let tables: [&[&str]; 3] = [
        &["ismcts:iterations=6", "mixbot"],
        &["monte-carlo:rollouts=40", "heuristic"],
        &["clairvoyant:iterations=6,laps=0", "ismcts:iterations=6,belief=uniform,policy=random,goal=match", "random"],
    ];
    check_all("moves_of_search.txt", &tables, 8, &[2, 4]);
}
