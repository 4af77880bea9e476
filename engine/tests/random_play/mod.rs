//! Random legal play, seeded, for tests that need states of every kind.
#![allow(dead_code, unreachable_pub, reason = "each test crate uses its part")]

use crate::common;
use unolab_engine::action::{Action, Call};
use unolab_engine::chance::Chance;
use unolab_engine::rng::Rng;
use unolab_engine::rules::{BasicFeatures, FeatureSet, Override, PresetsOnly, Rules, TableSize, load, presets};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

/// A random legal action, sometimes an interruption, a call, or silence. Half of the time a card is played if possible, so
/// that rounds end.
pub fn choose(rules: &Rules, state: &RoundState, rng: &mut Rng) -> (Seat, Action, Call) {
    let seats: Vec<Seat> = state.seats().collect();
    let interrupter = *rng.pick(&seats).expect("two seats at least");
    let interruptions = state.legal_interruptions(rules, interrupter);
    if rng.chance(0.3)
        && let Some(&action) = rng.pick(&interruptions)
    {
        return (interrupter, action, Call::Silent);
    }
    if !state.uncalled().is_empty() && rng.chance(0.05) {
        return (interrupter, Action::Silent, Call::Silent);
    }
    let seat = state.current_seat().expect("the round is not over");
    let mut actions = state.legal_actions(rules);
    if rng.chance(0.5) && actions.iter().any(|action| action.card().is_some()) {
        actions.retain(|action| action.card().is_some());
    }
    let action = *rng.pick(&actions).expect("some seat can always do something");
    let calls = state.is_legal(rules, seat, action, Call::Uno) && rng.chance(0.5);
    (seat, action, if calls { Call::Uno } else { Call::Silent })
}

/// Applies an action like batches of games: with the smallest feature set that fits.
pub fn apply(
    rules: &Rules,
    state: &mut RoundState,
    (seat, action, call): (Seat, Action, Call),
    mut chance: &mut dyn Chance,
    mut events: &mut dyn EventSink,
) {
    if <BasicFeatures>::fits(rules) {
        state.apply_action_for::<BasicFeatures>(rules, seat, action, call, &mut chance, &mut events);
    } else {
        state.apply_action_unchecked(rules, seat, action, call, chance, events);
    }
}

/// Deals a round with the smallest feature set that fits.
pub fn deal(rules: &Rules, seats: SeatSet, dealer: Seat, rng: &mut Rng, mut events: &mut dyn EventSink) -> RoundState {
    if <BasicFeatures>::fits(rules) {
        RoundState::deal_for::<BasicFeatures>(rules, seats, dealer, rng, &mut events)
    } else {
        RoundState::deal(rules, seats, dealer, rng, events)
    }
}

/// The number of actions after which a round is truncated, because random play may never end with some house rules.
const MOST_ACTIONS: usize = 10_000;

/// Plays a whole round, and passes on every state, including the first and the last.
pub fn play_round(
    rules: &Rules,
    seats: SeatSet,
    dealer: Seat,
    [chance, choices]: [&mut Rng; 2],
    events: &mut dyn EventSink,
    mut on_state: impl FnMut(&RoundState),
) -> RoundState {
    let mut state = deal(rules, seats, dealer, chance, events);
    on_state(&state);
    for _ in 0..MOST_ACTIONS {
        if state.is_terminal() {
            break;
        }
        let chosen = choose(rules, &state, choices);
        apply(rules, &mut state, chosen, chance, events);
        on_state(&state);
    }
    state
}

/// A preset with `--set` overrides, written as on the command line.
pub fn rules(variant: &str, seats: usize, overrides: &[&str]) -> Rules {
    let overrides: Vec<Override> = overrides.iter().map(|text| text.parse().expect("key=value")).collect();
    match load(variant, &overrides, TableSize::Seats(seats), &PresetsOnly) {
        Ok(loaded) => loaded.rules,
        Err(error) => panic!("{variant}, {seats} seats, {overrides:?}: {error}"),
    }
}

/// Rules of every kind, each with a number of seats: all presets, and house rules with combinations of phases that no edition
/// has.
pub fn all_rules() -> Vec<(Rules, usize)> {
    let mut all = Vec::new();
    for name in presets::NAMES {
        all.extend([2, 3, 4].map(|seats| (rules(name, seats, &[]), seats)));
        if name != "handheld" {
            all.push((rules(name, 10, &[]), 10));
        }
        all.push((rules(name, 4, &["uno.calls=explicit"]), 4));
    }
    let house: [(&str, usize, &[&str]); 11] = [
        (
            "classic",
            4,
            &["house.stacking=any_draw", "house.jump_in=true", "house.seven_zero=true", "uno.calls=explicit"],
        ),
        (
            "classic",
            3,
            &["house.stacking=same_kind", "challenge.who=any_other", "uno.calls=explicit", "uno.window=while_one_card"],
        ),
        ("classic", 2, &["two_player.reverse=literal", "turn.draw_count=until_playable", "turn.drawn_card=must"]),
        (
            "classic",
            5,
            &["draw_four.enforcement=engine", "challenge.who=none", "turn.draw=no_playable", "start.wild=return"],
        ),
        ("classic", 3, &["deal.hand_size=1", "uno.calls=explicit", "challenge.winner_turn=loses"]),
        ("classic", 10, &["deal.hand_size=10", "draw_four.legality=no_other_playable"]),
        (
            "disney",
            4,
            &[
                "tinker.resume=after_player",
                "villain_draw_four.last_card=full",
                "uno.calls=explicit",
                "house.jump_in=true",
            ],
        ),
        (
            "disney",
            3,
            &["discard_all.choice=all", "villain_draw_four.last_card=full", "tinker.weights=[0.5, 0.5, 0, 0]"],
        ),
        ("cars", 3, &["house.stacking=any_draw", "house.seven_zero=true", "uno.calls=explicit"]),
        ("wimpy-kid", 4, &["cheese_touch.may_refuse=false", "cheese_touch.last_card=draw", "uno.calls=explicit"]),
        ("swap-hands", 3, &["swap_hands.optional=false", "deck.swap_hands=8", "uno.calls=explicit"]),
    ];
    all.extend(house.map(|(name, seats, overrides)| (rules(name, seats, overrides), seats)));
    all
}

/// Tables with random rules, including custom cards; incompatible combinations are skipped.
pub fn random_rules(count: u64) -> Vec<(Rules, usize)> {
    let mut all = Vec::new();
    for seed in 0..count {
        let mut rng = Rng::from_seed(seed);
        let base = presets::NAMES[common::below(&mut rng, presets::NAMES.len())];
        let custom = if rng.chance(0.6) { common::random_custom_cards(&mut rng) } else { String::new() };
        let sheet = common::Sheet { custom, set: common::random_settings(&mut rng), ..common::Sheet::plain(base) };
        let seats = 2 + common::below(&mut rng, 5);
        all.extend(sheet.rules(seats).ok().map(|rules| (rules, seats)));
    }
    for sheet in common::custom_variants() {
        // Partners need four seats.
        let seats = if sheet.rules(3).is_ok() { 3 } else { 4 };
        all.push((sheet.rules(seats).expect("the project's own variants load"), seats));
    }
    all
}
