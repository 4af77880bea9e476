//! The readers of a user's bytes, one function each: any bytes are either rejected with a reason or playable. The tests
//! and the fuzz targets call the same functions.

#![allow(dead_code, missing_docs, unreachable_pub, reason = "each crate uses its part")]

pub mod mutate;

use std::sync::LazyLock;

use unolab_engine::action::{Action, Call};
use unolab_engine::card::Card;
use unolab_engine::cards::Cards;
use unolab_engine::color::Color;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::match_play::MatchState;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::record::replay;
use unolab_engine::rng::{Rng, digest};
use unolab_engine::rules::{Override, Rules, TableSize, VariantFiles, VariantText, load, presets};
use unolab_engine::scenario::parse;
use unolab_engine::scoring::RoundResult;
use unolab_engine::seat::{BySeat, Direction, MAX_SEATS, Seat, SeatSet};
use unolab_engine::state::{RoundSetup, RoundState};

/// The name of a user's variant file.
pub const FILE: &str = "user.toml";

/// One file, returned for every name.
#[derive(Debug, Clone, Copy)]
pub struct OneFile<'a>(pub &'a str);

impl VariantFiles for OneFile<'_> {
    fn read(&self, base: &str, from: &str) -> Result<VariantText, String> {
        match from {
            "" => Ok(VariantText { name: FILE.into(), text: self.0.into() }),
            _ => Err(format!("unknown file \"{base}\"")),
        }
    }
}

/// Rules of every kind: the presets, and house rules with combinations of phases that no edition has.
static RULES: LazyLock<Vec<Rules>> = LazyLock::new(|| {
    let house: [(&str, &[&str]); 5] = [
        ("classic", &["house.stacking=any_draw", "house.jump_in=true", "house.seven_zero=true", "uno.calls=explicit"]),
        ("classic", &["challenge.who=any_other", "house.stacking=same_kind", "uno.calls=explicit"]),
        ("disney", &["tinker.resume=after_player", "villain_draw_four.last_card=full", "uno.calls=explicit"]),
        ("cars", &["turn.draw_count=until_playable", "turn.drawn_card=must", "turn.draw=no_playable"]),
        ("wimpy-kid", &["cheese_touch.may_refuse=false", "cheese_touch.last_card=draw", "uno.calls=explicit"]),
    ];
    let with = |name: &str, settings: &[&str]| {
        let overrides: Vec<Override> = settings.iter().map(|text| text.parse().expect("key=value")).collect();
        load(name, &overrides, TableSize::Any, &OneFile("")).expect("rules").rules
    };
    let custom = load(FILE, &[], TableSize::Any, &OneFile(CUSTOM)).expect("rules").rules;
    let presets = presets::NAMES.into_iter().map(Rules::preset);
    presets.chain(house.map(|(name, settings)| with(name, settings))).chain([custom]).collect()
});

/// Custom cards with choices, tasks, swaps, rotations, and discards.
const CUSTOM: &str = r#"
base = "swap-hands"
uno.calls = "explicit"
[[custom]]
name = "asks"
code = "gX"
color = "green"
copies = 4
match = "7"
effects = [{ draw = { who = "chosen", count = 2 } }, "swap_hands", { task = { p = 0.5, fail = ["reverse", { skip = 2 }] } }]
[[custom]]
name = "moves"
code = "WX"
color = "wild"
copies = 8
match = "any"
effects = ["name_color", "rotate_hands", { discard = { who = "others", cards = "named_color" } }, "swap_hands"]
"#;

/// The rules that a letter selects: `a` is the first preset.
pub fn rules_of(letter: u8) -> &'static Rules {
    &RULES[usize::from(letter.wrapping_sub(b'a')) % RULES.len()]
}

/// The letters of all rules.
pub fn letters() -> impl Iterator<Item = u8> {
    (b'a'..).take(RULES.len())
}

fn below(rng: &mut Rng, bound: usize) -> usize {
    rng.below(u32::try_from(bound).expect("small")) as usize
}

fn one_of<T: Copy>(rng: &mut Rng, items: &[T]) -> T {
    items[below(rng, items.len())]
}

/// Plays at random: sometimes out of turn and with calls, preferably cards. Each state is written and read back, and a seat
/// samples the cards that it does not see.
pub fn play_on(
    rules: &Rules,
    mut state: RoundState,
    mut knowledge: Knowledge,
    most: usize,
    rng: &mut Rng,
) -> RoundState {
    let mut actions: Vec<(Seat, Action)> = Vec::new();
    for decision in 0..most {
        let Some(to_act) = state.current_seat() else { break };
        if decision % 8 == 0 {
            look_at(rules, &state, &knowledge, rng);
        }
        actions.clear();
        if below(rng, 4) == 0 {
            for seat in state.seats() {
                actions.extend(state.legal_interruptions(rules, seat).into_iter().map(|action| (seat, action)));
            }
        }
        if actions.is_empty() {
            actions.extend(state.legal_actions(rules).into_iter().map(|action| (to_act, action)));
            assert!(!actions.is_empty(), "some seat can always do something: {}", state.to_text(rules));
            if below(rng, 8) > 0 && actions.iter().any(|(_, action)| action.card().is_some()) {
                actions.retain(|(_, action)| action.card().is_some());
            }
        }
        let (seat, action) = one_of(rng, &actions);
        let calls = state.is_legal(rules, seat, action, Call::Uno) && below(rng, 2) == 0;
        let call = if calls { Call::Uno } else { Call::Silent };
        let text = rules.write_action(ActionWithCall { action, call });
        assert_eq!(rules.parse_action(&text), Ok(ActionWithCall { action, call }));
        state.apply_action(rules, seat, action, call, rng, &mut knowledge).expect("what is listed is legal");
    }
    look_at(rules, &state, &knowledge, rng);
    let _ = RoundResult::of(rules, &state);
    state
}

fn look_at(rules: &Rules, state: &RoundState, knowledge: &Knowledge, rng: &mut Rng) {
    let text = state.to_text(rules);
    assert_eq!(RoundState::from_text(&text, rules).as_ref(), Ok(state), "{text}");
    let seats: Vec<Seat> = state.seats().collect();
    let seat = one_of(rng, &seats);
    let observation = Observation::of(rules, state, knowledge, &NO_SCORES, seat);
    observation.write_into(&mut Vec::new());
    let own = observation.sample_state(rng).hand(seat);
    // During a lap, a seat may know only some cards of a hand (CA-16).
    assert!(own.len() == state.hand(seat).len() && own.contains_all(observation.hand()));
}

/// Deals a round for this number of seats and plays it.
pub fn play_round(rules: &Rules, seats: usize, most: usize, rng: &mut Rng) {
    let plan = MatchState::new(seats, Seat::new(below(rng, seats.min(4)))).plan(rules);
    let mut knowledge = Knowledge::default();
    let state = RoundState::deal(rules, plan.seats, plan.dealer, rng, &mut knowledge);
    play_on(rules, state, knowledge, most, rng);
}

/// Whether it is a sentence that names its place.
fn is_a_reason(reason: &str) -> bool {
    reason.split_once(": ").is_some_and(|(place, what)| !place.trim().is_empty() && !what.trim().is_empty())
}

/// A variant file with overrides. Returns whether it can be played, and plays it if so.
pub fn variant_with(text: &str, overrides: &[Override], most: usize) -> bool {
    let mut rng = Rng::from_seed(digest(text));
    let loaded = match load(FILE, overrides, TableSize::Any, &OneFile(text)) {
        Ok(loaded) => loaded,
        Err(error) => {
            assert!(!error.reasons.is_empty());
            for reason in &error.reasons {
                let placed = reason.starts_with(FILE) || reason.starts_with("--set ");
                assert!(placed && is_a_reason(reason), "no place in: {reason}");
            }
            return false;
        }
    };
    let rules = loaded.rules;
    let written = rules.to_toml();
    let again = load(FILE, &[], TableSize::Any, &OneFile(&written)).expect("rules written out load again").rules;
    assert_eq!(again.hash(), rules.hash());
    let seats = one_of(&mut rng, &rules.seats().collect::<Vec<_>>());
    if let Ok(at_table) = load(FILE, overrides, TableSize::Seats(seats), &OneFile(text)) {
        play_round(&at_table.rules, seats, most, &mut rng);
    }
    true
}

/// A variant file.
pub fn variant(text: &str, most: usize) -> bool {
    variant_with(text, &[], most)
}

/// Overrides, one per line, of the preset that the first line names, or of classic.
pub fn overrides(text: &str, most: usize) -> bool {
    let first = text.lines().next().unwrap_or_default();
    let base = presets::NAMES.into_iter().find(|name| *name == first).unwrap_or("classic");
    let mut parsed = Vec::new();
    for line in text.lines() {
        match line.parse::<Override>() {
            Ok(setting) => parsed.push(setting),
            Err(reason) => assert!(!reason.to_string().is_empty()),
        }
    }
    variant_with(&format!("base = \"{base}\""), &parsed, most)
}

/// A position under these rules, as text.
pub fn position(rules: &Rules, text: &str, most: usize) -> bool {
    match RoundState::from_text(text, rules) {
        Err(error) => {
            assert!(!error.reason.is_empty());
            false
        }
        Ok(state) => {
            let mut rng = Rng::from_seed(digest(text));
            play_on(rules, state, Knowledge::default(), most, &mut rng);
            true
        }
    }
}

/// The parts of a position under these rules, from any bytes.
pub fn setup(rules: &Rules, bytes: &[u8], most: usize) -> bool {
    let mut bytes_left = bytes.iter().copied();
    let mut next = || usize::from(bytes_left.next().unwrap_or(0));
    let at_table = next() | next() << 8;
    let seats: SeatSet = Seat::first(MAX_SEATS).filter(|seat| at_table >> seat.index() & 1 == 1).collect();
    let mut cards = |most: usize| -> Cards {
        let mut cards = Cards::EMPTY;
        for _ in 0..next() % (most + 1) {
            // Mostly cards of the rules, sometimes a card that they do not have.
            let (kind, copies) = (next(), next());
            let card = if kind < 192 { Card::new(kind % rules.kinds().len()) } else { Card::new(kind % 64) };
            for _ in 0..1 + copies % 15 {
                if cards.count(card) < 15 {
                    cards.add(card);
                }
            }
        }
        cards
    };
    let hands = BySeat::from_fn(|_| cards(4));
    let (under_top, draw_pile) = (cards(6), cards(20));
    let setup = RoundSetup {
        seats,
        dealer: Seat::new(next() % MAX_SEATS),
        direction: if next() % 2 == 0 { Direction::Left } else { Direction::Right },
        to_act: Seat::new(next() % MAX_SEATS),
        hands,
        top: Card::new(next() % 64),
        under_top,
        color: [None, Some(Color::Red), Some(Color::Yellow), Some(Color::Green), Some(Color::Blue)][next() % 5],
        draw_pile,
    };
    match RoundState::from_setup(&setup, rules) {
        Err(errors) => {
            assert!(errors.iter().all(|error| !error.describe(rules).is_empty()) && !errors.is_empty());
            false
        }
        Ok(state) => {
            let whole = state
                .seats()
                .fold(state.draw_pile().plus(state.discard_pile()), |sum, seat| sum.plus(state.hand(seat)));
            assert!(rules.deck().contains_all(whole) && whole == state.deck());
            let mut rng = Rng::from_seed(bytes.len() as u64);
            play_on(rules, state, Knowledge::default(), most, &mut rng);
            true
        }
    }
}

/// A scenario file: run, and then played from its beginning.
pub fn scenario(text: &str, most: usize) -> bool {
    match parse("scenarios.toml", text, &OneFile("base = \"classic\"")) {
        Err(errors) => {
            assert!(!errors.is_empty() && errors.iter().all(|error| is_a_reason(&error.to_string())));
            false
        }
        Ok(scenarios) => {
            for scenario in &scenarios {
                let _ = scenario.run();
                if let Ok((rules, state)) = scenario.beginning() {
                    let mut rng = Rng::from_seed(digest(text));
                    play_on(rules, state, Knowledge::default(), most, &mut rng);
                }
            }
            true
        }
    }
}

/// A record.
pub fn record(text: &str) -> bool {
    match replay(text, &mut |step| drop(step.describe())) {
        Err(error) => {
            assert!(error.line >= 1 && error.line <= text.lines().count() + 1 && !error.reason.is_empty(), "{error}");
            false
        }
        Ok(_) => true,
    }
}

/// A list of cards, and an action, under these rules.
pub fn cards_and_actions(rules: &Rules, text: &str) -> bool {
    if let Ok(cards) = rules.parse_cards(text) {
        assert_eq!(cards.len() as usize, text.split_whitespace().count());
        assert_eq!(rules.parse_cards(&rules.write_cards(cards)), Ok(cards));
        return true;
    }
    match rules.parse_action(text) {
        Ok(spoken) => {
            assert_eq!(rules.parse_action(&rules.write_action(spoken)), Ok(spoken));
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    }
}
