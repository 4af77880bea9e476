//! Every agent answers legally in random variants, in about half of which no card is left to draw.
#![allow(missing_docs)]

use crate::common::{Pace, Pause, agents_by_pace, no_listener};
use crate::sheets::{Sheet, below, one_of, random_custom_cards, random_settings};
use unolab_agents::agent::Agent;
use unolab_agents::player::Player;
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_agents::table::{Counts, Ending, MAX_DECISIONS, Table};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::observation::NO_SCORES;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{AllFeatures, Rules, presets};
use unolab_engine::seat::{BySeat, MAX_SEATS, Seat, SeatSet};
use unolab_engine::state::{RoundSetup, RoundState};

/// Agents that search or evaluate a net, with small budgets. Every such registered agent must be listed.
const SEARCHES: [&str; 11] = [
    "monte-carlo:rollouts=3,belief=inferred",
    "monte-carlo:rollouts=3,belief=uniform,policy=greedy,own=card-ranking,goal=points",
    "ismcts:iterations=2",
    "ismcts:iterations=2,trees=2,playouts=2,policy=random,own=greedy,goal=match,laps=1",
    "clairvoyant:iterations=2",
    "exploiter:iterations=2",
    "net",
    "net:goal=points",
    "forgetful:p=0.2,q=0.5,agent=(ismcts:iterations=2,laps=1)",
    "forgetful:agent=(forgetful:agent=random)",
    "monte-carlo:rollouts=2,policy=net,own=net,laps=1",
];

/// A variant of any edition with random settings, often with custom cards.
fn any_variant(rng: &mut Rng) -> (Sheet, Rules, usize) {
    loop {
        let mut sheet = Sheet::plain(one_of(rng, &presets::NAMES));
        if rng.chance(0.5) {
            sheet.custom = random_custom_cards(rng);
        }
        sheet.set = random_settings(rng);
        // Decisions about draw cards when no card can be drawn are more frequent than usual.
        if rng.chance(0.4) {
            sheet.set.push("cheese_touch.may_refuse=false".into());
            sheet.set.push("deck.cheese_touch=8".into());
        }
        if rng.chance(0.4) {
            sheet.set.extend(["house.stacking=any_draw".into(), "draw_two.target=next".into()]);
        }
        let seats = 2 + below(rng, MAX_SEATS - 1);
        if let Ok(rules) = sheet.rules(seats) {
            return (sheet, rules, seats);
        }
    }
}

/// A round after the deal, or with the draw pile also dealt to the hands.
fn any_round(rules: &Rules, seats: usize, rng: &mut Rng) -> RoundState {
    let (seated, dealer) = (SeatSet::first(seats), Seat::new(below(rng, seats)));
    let dealt = RoundState::deal(rules, seated, dealer, rng, &mut ());
    if rng.chance(0.5) {
        return dealt;
    }
    let mut hands = BySeat::<Cards>::default();
    dealt.seats().for_each(|seat| hands[seat] = dealt.hand(seat));
    let mut left: Vec<Card> = dealt.draw_pile().iter().collect();
    let number = left.len();
    rng.shuffle_front(&mut left, number);
    for (place, card) in left.into_iter().enumerate() {
        hands[Seat::new(place % seats)].add(card);
    }
    let setup = RoundSetup {
        seats: seated,
        dealer,
        direction: dealt.direction(),
        to_act: Seat::new(below(rng, seats)),
        hands,
        top: dealt.top(),
        under_top: Cards::EMPTY,
        color: Some(dealt.color().unwrap_or(unolab_engine::color::Color::Red)),
        draw_pile: Cards::EMPTY,
    };
    // Editions that begin with another decision than a turn keep the deal.
    RoundState::from_setup(&setup, rules).unwrap_or(dealt)
}

/// Rounds of at most this many decisions.
fn assert_all_answer_legally(agents: &[&str], variants: usize, decisions: u32) {
    let registry = Registry::default();
    let specs: Vec<AgentSpec> = agents.iter().map(|text| registry.configure(text).unwrap()).collect();
    let mut rng = Rng::from_seed(1);
    let mut dry = 0;
    for number in 0..variants {
        let (sheet, rules, seats) = any_variant(&mut rng);
        let mut state = any_round(&rules, seats, &mut rng);
        dry += usize::from(!state.can_draw());
        let seated: Vec<&AgentSpec> = (0..seats).map(|_| &specs[below(&mut rng, specs.len())]).collect();
        let mut players: Vec<Player> =
            Seat::first(seats).zip(&seated).map(|(seat, spec)| spec.make(&rules, seat, rng.fork())).collect();
        let mut table =
            Table { rules: &rules, agents: &mut players, scores: &NO_SCORES, state: &mut state, chance: &mut rng };
        let is_enough: Pause<'_> = &|_, counts| counts.decisions >= decisions;
        table.play_until::<AllFeatures>(no_listener(), &mut Counts::default(), is_enough);
        for (player, spec) in players.iter().zip(seated) {
            assert_eq!(player.fault(), None, "{spec:?} in variant {number}: {seats} seats, {sheet:?}");
        }
    }
    assert!(4 * dry > variants, "in {dry} of {variants} there is nothing to draw at first");
}

#[test]
fn rule_agents_answer_legally_in_any_variant() {
    let agents = agents_by_pace();
    let quick: Vec<&str> =
        agents.iter().filter(|(_, pace)| *pace == Pace::Quick).map(|(text, _)| text.as_str()).collect();
    assert_all_answer_legally(&quick, 3_000, MAX_DECISIONS);
}

#[test]
fn search_agent_list_includes_every_slow_agent() {
    for (text, pace) in agents_by_pace() {
        let name = text.split(':').next().expect("a name");
        let is_searched = SEARCHES.iter().any(|search| search.split(':').next() == Some(name));
        assert!(pace == Pace::Quick || is_searched, "{name} is missing in SEARCHES");
    }
}

#[test]
fn search_agents_answer_legally_in_any_variant() {
    let with_cheap_ones: Vec<&str> = SEARCHES.into_iter().chain(["greedy", "mixbot", "heuristic"]).collect();
    assert_all_answer_legally(&with_cheap_ones, 25, 50);
}

/// With few cards left to draw, a Cheese Touch has to be answered with the only yellow card, which is another Cheese Touch.
#[test]
fn compulsory_cheese_touch_with_empty_pile_is_answered() {
    let set = ["cheese_touch.may_refuse=false", "deal.hand_size=11"].map(String::from).to_vec();
    let rules = Sheet { set, ..Sheet::plain("wimpy-kid") }.rules(10).unwrap();
    let registry = Registry::default();
    let mut rng = Rng::from_seed(1);
    for agent in ["greedy", "mixbot", "card-ranking", "diversity", "heuristic", "monte-carlo:rollouts=2,laps=1"] {
        let spec = registry.configure(agent).unwrap();
        for _ in 0..if agent.contains(':') { 1 } else { 10 } {
            let seats = SeatSet::first(10);
            let mut state = RoundState::deal(&rules, seats, Seat::new(0), &mut rng, &mut ());
            let mut players: Vec<Player> = Seat::first(10).map(|seat| spec.make(&rules, seat, rng.fork())).collect();
            let mut table =
                Table { rules: &rules, agents: &mut players, scores: &NO_SCORES, state: &mut state, chance: &mut rng };
            table.play_without_events();
            assert!(players.iter().all(|player| player.fault().is_none()), "{agent}");
        }
    }
}

/// Makes every player draw repeatedly: rounds without a winner, in which each decision is searched.
const ENDLESS: &str = r#"
[[custom]]
code = "rB"
color = "red"
copies = 4
points = 0
match = "any"
start = "return"
effects = [{ draw = { who = "chosen", count = 1 } }]
[[custom]]
code = "yY"
color = "yellow"
copies = 1
points = 1000
match = "any"
start = "plain"
effects = [{ draw = { who = "others", count = 2 } }]
[[custom]]
code = "rQ"
color = "red"
copies = 3
points = 0
match = "5"
start = "return"
effects = [{ task = { p = 1.0, fail = [{ task = { p = 0.5, fail = ["reverse"] } }] } }, { draw = { who = "others", count = 20 } }]
[[custom]]
code = "gY"
color = "green"
copies = 1
points = 1000
match = "skip"
start = "plain"
effects = [{ discard = { who = "random_other", cards = "named_color" } }]
"#;

/// A small budget takes a short time even if rounds do not end, because searches and playouts are limited.
#[test]
fn endless_round_is_played_to_limit() {
    let set = ["deck.cheese_touch=3", "deck.draw_two=5", "deck.W=4", "deck.skip=6", "deck.yS=0", "uno.penalty=4"];
    let set = set.map(String::from).to_vec();
    let rules = Sheet { custom: ENDLESS.into(), set, ..Sheet::plain("wimpy-kid") }.rules(4).unwrap();
    let registry = Registry::default();
    let mut rng = Rng::from_seed(921);
    let agents =
        ["diversity", "monte-carlo:rollouts=3,belief=inferred,net=0"].map(|text| registry.configure(text).unwrap());
    let mut players: Vec<Player> =
        Seat::first(4).map(|seat| agents[seat.index() % 2].make(&rules, seat, rng.fork())).collect();
    let mut state = RoundState::deal(&rules, SeatSet::first(4), Seat::new(0), &mut rng, &mut ());
    let mut table =
        Table { rules: &rules, agents: &mut players, scores: &NO_SCORES, state: &mut state, chance: &mut rng };
    let (counts, ending) = table.play_without_events();
    assert_eq!((counts.decisions, ending), (MAX_DECISIONS, Ending::Truncated));
    assert!(players.iter().all(|player| player.fault().is_none()));
}

/// The variant files of `examples/variants`, by name.
fn example_variants() -> Vec<(String, Sheet)> {
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/variants");
    let mut paths: Vec<_> = std::fs::read_dir(directory)
        .expect("the directory exists")
        .map(|entry| entry.expect("readable").path())
        .collect();
    paths.sort();
    let sheet_of = |path: &std::path::PathBuf| {
        let text = std::fs::read_to_string(path).expect("readable");
        let mut table: toml::Table = text.parse().expect("TOML");
        let base = table.remove("base").and_then(|base| base.as_str().map(String::from)).expect("a base");
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        (name, Sheet { base, custom: table.to_string(), set: Vec::new() })
    };
    paths.iter().map(sheet_of).collect()
}

#[test]
fn every_agent_plays_every_example_variant() {
    let registry = Registry::default();
    let searchers =
        ["monte-carlo:rollouts=2", "ismcts:iterations=2", "clairvoyant:iterations=2", "exploiter:iterations=2"];
    // Programs are tested elsewhere; `cmd` alone does not name a program.
    let names: Vec<&str> = registry.entries().map(|entry| entry.name).filter(|&name| name != "cmd").collect();
    let mut rng = Rng::from_seed(1);
    let variants = example_variants();
    assert!(variants.len() >= 10, "{} files were found", variants.len());
    for (file, sheet) in variants {
        let sizes = sheet.rules(4).unwrap_or_else(|error| panic!("{file}: {error}")).seats();
        for seats in sizes {
            let rules = sheet.rules(seats).unwrap_or_else(|error| panic!("{file}: {error}"));
            for name in &names {
                let searcher = searchers.iter().find(|text| text.split(':').next() == Some(name));
                let spec = registry.configure(searcher.unwrap_or(name)).unwrap();
                let mut state = RoundState::deal(&rules, SeatSet::first(seats), Seat::new(0), &mut rng, &mut ());
                let mut players: Vec<Player> =
                    Seat::first(seats).map(|seat| spec.make(&rules, seat, rng.fork())).collect();
                let mut table = Table {
                    rules: &rules,
                    agents: &mut players,
                    scores: &NO_SCORES,
                    state: &mut state,
                    chance: &mut rng,
                };
                let most = if searcher.is_some() { 30 } else { 500 };
                let is_enough: Pause<'_> = &|_, counts| counts.decisions >= most;
                table.play_until::<AllFeatures>(no_listener(), &mut Counts::default(), is_enough);
                for player in &players {
                    assert_eq!(player.fault(), None, "{name} in {file} at {seats} seats");
                }
            }
        }
    }
}
