//! Golden playthroughs: whole rounds of random legal play, with every answer the engine gives after every action.
//!
//! They are readable, and show the effects of a change of the engine. `UNOLAB_BLESS=1 cargo test -p unolab-engine --test all
//! playthroughs` writes them again.

use std::fmt::Write as _;

use crate::{golden, random_play};
use unolab_engine::event::Event;
use unolab_engine::knowledge::Knowledge;
use unolab_engine::notation::ActionWithCall;
use unolab_engine::record::describe;
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::scoring::{round_places, round_points};
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{EventSink, RoundState};

const MOST_BYTES: usize = 60_000;

#[test]
fn classic_with_two_seats() {
    check("classic-2", "classic", 2, &[], &["\"challenge\"", "\"drawn\""]);
}

#[test]
fn classic_with_ten_seats() {
    check("classic-10", "classic", 10, &[], &["\"challenge\"", "becomes a draw pile"]);
}

#[test]
fn disney_with_three_seats() {
    check("disney-3", "disney", 3, &[], &["\"challenge\"", "\"protect\"", "\"discard\"", "\"target\""]);
}

#[test]
fn cars_with_four_seats() {
    check("cars-4", "cars", 4, &[], &["\"lap\""]);
}

#[test]
fn wimpy_kid_with_four_seats() {
    check("wimpy-kid-4", "wimpy-kid", 4, &[], &["\"cheese\"", "takes two more"]);
}

#[test]
fn swap_hands_with_five_seats_and_explicit_calls() {
    let overrides = ["uno.calls=explicit", "deck.swap_hands=4"];
    check("swap-hands-5", "swap-hands", 5, &overrides, &["swaps hands", "and calls UNO", "calls UNO late", "catches"]);
}

/// Compares the playthrough of the first seed, from 1, that contains all of these events and is not too long to read.
fn check(file: &str, variant: &str, seats: usize, overrides: &[&str], wanted: &[&str]) {
    let rules = random_play::rules(variant, seats, overrides);
    let text = (1..1000)
        .map(|seed| playthrough(&rules, seats, overrides, seed))
        .find(|text| text.len() < MOST_BYTES && wanted.iter().all(|words| text.contains(words)))
        .unwrap_or_else(|| panic!("{wanted:?} are not met in one round"));
    golden::check(&format!("playthroughs/{file}.txt"), &text);
}

/// Receives all events and records them.
struct Chronicle<'a> {
    rules: &'a Rules,
    knowledge: Knowledge,
    text: String,
}

impl EventSink for Chronicle<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        if let Some(words) = describe(self.rules, state, event) {
            let heading = if matches!(event, Event::Acted { .. }) { "\n>" } else { "-" };
            writeln!(self.text, "{heading} {words}").expect("a string takes everything");
        }
    }
}

fn playthrough(rules: &Rules, seats: usize, overrides: &[&str], seed: u64) -> String {
    let set: String = overrides.iter().map(|text| format!(", {text}")).collect();
    let heading = format!("A round of {} for {seats}, seat 0 deals, seed {seed}{set}\n\n", rules.name());
    let mut chronicle = Chronicle { rules, knowledge: Knowledge::default(), text: heading };
    let (mut cards, mut choices) = (Rng::from_seed(seed), Rng::from_seed(seed + 1000));
    let mut state = random_play::deal(rules, SeatSet::first(seats), Seat::new(0), &mut cards, &mut chronicle);
    write_answers(&mut chronicle, &state);
    while !state.is_terminal() {
        let chosen = random_play::choose(rules, &state, &mut choices);
        random_play::apply(rules, &mut state, chosen, &mut cards, &mut chronicle);
        write_answers(&mut chronicle, &state);
    }
    let mut text = chronicle.text;
    let by_seat = |number: &dyn Fn(Seat) -> u32| {
        Seat::first(seats).map(|seat| number(seat).to_string()).collect::<Vec<_>>().join(" ")
    };
    let (left, points, places) = (state.points_left(rules), round_points(rules, &state), round_places(rules, &state));
    writeln!(text, "\npoints left: {}", by_seat(&|seat| left[seat])).expect("a string takes everything");
    writeln!(text, "points:      {}", by_seat(&|seat| points[seat])).expect("a string takes everything");
    writeln!(text, "places:      {}", by_seat(&|seat| places[seat].into())).expect("a string takes everything");
    writeln!(text, "checksum:    {:016x}", state.checksum(rules)).expect("a string takes everything");
    text
}

/// Writes the engine's answers about a state.
fn write_answers(chronicle: &mut Chronicle<'_>, state: &RoundState) {
    let rules = chronicle.rules;
    let state_text = state.to_text(rules);
    let (_, decision) = state_text.split_once("[decision]\n").expect("every state has one");
    let mut lines = vec![
        decision.trim_end().replace('\n', ", "),
        format!(
            "top {}{}, color {}, direction {}, draw pile {}, discard pile {}, reshuffles {}",
            rules.code(state.top()),
            if state.is_top_symbol_inactive() { " (dead word)" } else { "" },
            state.color().map_or("none", |color| color.name()),
            state.direction().name(),
            state.draw_pile_len(),
            state.discard_pile_len(),
            state.reshuffles()
        ),
    ];
    lines.extend(state.seats().map(|seat| hand_line(chronicle, state, seat)));
    let texts = |actions: Vec<unolab_engine::action::Action>| -> String {
        actions
            .into_iter()
            .map(|action| rules.write_action(ActionWithCall::from(action)))
            .collect::<Vec<_>>()
            .join(", ")
    };
    if let Some(seat) = state.current_seat() {
        lines.push(format!("legal: {}", texts(state.legal_actions(rules))));
        let bluffs = state.playable(rules, seat) - state.legitimately_playable(rules, seat);
        if bluffs.any() {
            lines.push(format!("bluffs: {}", rules.write_cards(bluffs.iter().collect())));
        }
    }
    for seat in state.seats() {
        let interruptions = state.legal_interruptions(rules, seat);
        if !state.is_terminal() && !interruptions.is_empty() {
            lines.push(format!("out of turn, seat {seat}: {}", texts(interruptions)));
        }
    }
    if !state.uncalled().is_empty() {
        lines.push(format!("uncalled: {:?}", state.uncalled()));
    }
    for line in lines {
        writeln!(chronicle.text, "  {line}").expect("a string takes everything");
    }
}

/// A hand, and the other players' knowledge of it.
fn hand_line(chronicle: &Chronicle<'_>, state: &RoundState, seat: Seat) -> String {
    let rules = chronicle.rules;
    let mut line = format!("seat {seat}: {}", rules.write_cards(state.hand(seat)));
    for other in state.seats() {
        let known = chronicle.knowledge.of(other, seat);
        if !known.is_empty() {
            write!(line, " (seat {other} knows {})", rules.write_cards(known)).expect("a string takes everything");
        }
    }
    line
}
