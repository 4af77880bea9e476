//! Writes a state as text. It does not use a library, so that the text behind a checksum cannot change with one.

use std::fmt::{Debug, Display};

use crate::card::Card;
use crate::rules::{COLOR_ONLY, Rules};
use crate::seat::{Seat, SeatSet};
use crate::state::phase::{AfterColor, BluffStatus, Cursor, Ending, Outcome, Phase, SkipCount, SwapFor, TargetFor};
use crate::state::round_state::{JumpIn, RoundState};

/// The text of a state.
pub(super) fn text(state: &RoundState, rules: &Rules) -> String {
    let mut text = String::with_capacity(1024);
    let mut under_top = state.discard_pile();
    under_top.remove(state.top);
    for seat in state.seats() {
        put(&mut text, format_args!("hands.{seat}"), quoted(rules.write_cards(state.hand(seat))));
    }
    put(&mut text, "top", quoted(rules.code(state.top)));
    if state.is_top_symbol_inactive() {
        put(&mut text, "top_word_is_dead", true);
    }
    if let Some(color) = state.color {
        put(&mut text, "color", quoted(color.name()));
    }
    put(&mut text, "under_top", quoted(rules.write_cards(under_top)));
    put(&mut text, "draw_pile", quoted(rules.write_cards(state.draw_pile)));
    let out_of_round = rules.deck().minus(state.deck);
    if !out_of_round.is_empty() {
        put(&mut text, "out_of_round", quoted(rules.write_cards(out_of_round)));
    }
    put(&mut text, "dealer", state.dealer);
    put(&mut text, "direction", quoted(state.direction.name()));
    put(&mut text, "first_seat", state.first_seat);
    put(&mut text, "first_direction", quoted(state.first_direction.name()));
    if state.reshuffles > 0 {
        put(&mut text, "reshuffles", state.reshuffles);
    }
    for (key, seats) in [("passed", state.passed), ("called", state.called), ("uncalled", state.uncalled)] {
        if !seats.is_empty() {
            put(&mut text, key, list(seats));
        }
    }
    for seat in state.seats().filter(|seat| state.missed_turns[seat.index()] > 0) {
        put(&mut text, format_args!("missed_turns.{seat}"), state.missed_turns[seat.index()]);
    }
    if !state.out.is_empty() {
        put(&mut text, "out", list(state.out));
    }
    if state.jump == JumpIn::Open {
        put(&mut text, "jump_in_is_open", true);
    }
    text.push_str("\n[decision]\n");
    write_decision(&mut text, state, rules);
    text
}

fn write_decision(text: &mut String, state: &RoundState, rules: &Rules) {
    put(text, "waits_for", quoted(state.phase.decision().unwrap_or("nothing")));
    put(text, "seat", state.to_act);
    match state.phase {
        // The color of a discard and of a protection is the one in force.
        Phase::Turn | Phase::Cheese | Phase::Discard(_) => {}
        Phase::Drawn(card) => put(text, "card", quoted(rules.code(card))),
        Phase::NameColor(then) => {
            let word = match then {
                AfterColor::OwnTurn => "own_turn",
                AfterColor::OwnSwap => "own_swap",
                AfterColor::NextTurn => "next_turn",
                AfterColor::Effect(_) => "effect",
            };
            put(text, "then", quoted(word));
            if let AfterColor::Effect(cursor) = then {
                put(text, "played_by", cursor.player);
                put(text, "effect", effect(cursor));
            }
        }
        Phase::Challenge(played) => {
            put(text, "played_by", played.by);
            if usize::from(played.match_row) != COLOR_ONLY {
                put(text, "on", quoted(rules.code(Card::new(usize::from(played.match_row)))));
            }
            put(text, "on_color", quoted(played.color_before.name()));
            put(text, "honest", played.bluff_status == BluffStatus::Honest);
            put(text, "penalty_drawn_since", played.drawn_since);
            put(text, "sum", played.sum);
        }
        Phase::Swap(swap_for) => match swap_for {
            SwapFor::StartCard => {}
            SwapFor::Effect(cursor) => put(text, "effect", effect(cursor)),
        },
        Phase::Target(target_for) => match target_for {
            TargetFor::ButtonDrawTwo => {}
            TargetFor::Effect(cursor) => put(text, "effect", effect(cursor)),
        },
        Phase::Choice(cursor) => {
            put(text, "played_by", cursor.player);
            put(text, "effect", effect(cursor));
        }
        Phase::Lap(passes) => put(text, "passes", passes),
        Phase::Protect(protection) => {
            put(text, "played_by", protection.by);
            if let Some(seat) = protection.exempt {
                put(text, "exempt", seat);
            }
        }
        Phase::Stack(stack) => put(text, "sum", stack.sum),
        Phase::Over(Outcome::WentOut(seat)) => put(text, "went_out", seat),
        Phase::Over(Outcome::Void) => put(text, "void", true),
    }
}

/// The position in the steps of the top card, counted from its first step.
fn effect(cursor: Cursor) -> String {
    let skips = match cursor.skips {
        SkipCount::Next(count) => count.to_string(),
        SkipCount::All => quoted("all"),
    };
    let seat = |key: &str, seat: Option<Seat>| seat.map_or_else(String::new, |seat| format!(", {key} = {seat}"));
    let (target, chooser) = (seat("target", cursor.target), seat("chooser", cursor.chooser));
    let is_last_card = cursor.ending == Ending::GoesOut;
    format!("{{ next_step = {}, skips = {skips}, is_last_card = {is_last_card}{target}{chooser} }}", cursor.next)
}

fn put(text: &mut String, key: impl Display, value: impl Display) {
    use std::fmt::Write as _;
    writeln!(text, "{key} = {value}").expect("a string takes everything");
}

/// Codes and names are plain letters and digits, which Rust and TOML quote identically.
fn quoted(value: impl Debug) -> String {
    format!("{value:?}")
}

fn list(seats: SeatSet) -> String {
    quoted(seats.iter().map(Seat::index).collect::<Vec<_>>())
}
