//! Positions with one sensible answer, by decision.
#![allow(missing_docs)]

use crate::common::{self, answers, answers_after, rules, set, turn, turn_of};
use unolab_engine::rules::Rules;

/// Each row: all hands, the top card, and the one answer.
#[track_caller]
fn check(rules: &Rules, rows: &[(&[&str], &str, &str)]) {
    for (hands, top, expected) in rows {
        assert_eq!(answers(rules, turn(rules, hands, top), "heuristic"), set(&[expected]), "{hands:?} on {top}");
    }
}

#[test]
fn wild_is_kept_while_other_card_is_playable() {
    let classic = rules("classic", 2, &[]);
    check(
        &classic,
        &[
            (&["r5 W", "y1 y2 y3 y4"], "r0", "play r5"),
            (&["r5 W4 g1 g2", "y1 y2 y3 y4"], "r0", "play r5"),
            // Early in a round even drawing is better.
            (&["W g1 g2 b3 b4 y5", "y1 y2 y3 y4 r1 r2"], "r0", "draw"),
        ],
    );
}

#[test]
fn hand_playable_in_one_turn_is_played_out() {
    let classic = rules("classic", 2, &[]);
    check(
        &classic,
        &[
            (&["rS gS g5", "y1 y2 y3"], "r0", "play rS"),
            // The other order would end on a card that cannot follow.
            (&["rS rD gD g7", "y1 y2 y3"], "r0", "play rS"),
        ],
    );
}

#[test]
fn player_with_one_card_is_attacked() {
    let classic = rules("classic", 3, &[]);
    check(
        &classic,
        &[
            (&["rD r5 g1 b2", "y1", "y2 y3 y4"], "r0", "play rD"),
            (&["rS r5 g1 b2", "y1", "y2 y3 y4"], "r0", "play rS"),
            // The previous seat holds one card, so the direction is not reversed.
            (&["rR r5 g1 b2", "y2 y3 y4", "y1"], "r0", "play r5"),
        ],
    );
}

#[test]
fn color_on_which_next_player_drew_is_kept() {
    let classic = rules("classic", 2, &[]);
    let state = turn_of(&classic, 1, &["W g1 b1", "y2"], "g9", "");
    // The seat draws on green and keeps two cards, so it probably cannot follow green.
    let answer = answers_after(&classic, state, "heuristic", &[("draw", "y3")]);
    assert_eq!(answer, set(&["play g1"]));
}

#[test]
fn partner_is_not_attacked() {
    let teams = rules("classic", 4, &["match.teams=fixed"]);
    // The partner sits across, so a Skip on the next player gives the partner the turn.
    check(&teams, &[(&["rS r5 g1 b2", "y1", "y2", "y3 y4 y5"], "r0", "play rS")]);
    let targets = rules("disney", 4, &["match.teams=fixed", "tinker.weights=[1,0,0,0]"]);
    let state = turn(&targets, &["rD g1 b2 b3", "y1 y2 y3", "y4", "y5 y6"], "r0");
    let chosen = answers_after_button(&targets, state, "play rD");
    assert!(chosen != set(&["target 2"]), "{chosen:?}");
}

#[test]
fn hand_is_swapped_only_for_shorter_one() {
    let swap = rules("swap-hands", 3, &[]);
    let after = |own: &str, first: &str, second: &str| {
        let state = turn(&swap, &[own, first, second], "r0");
        answers_after(&swap, state, "heuristic", &[("play WS r", "")])
    };
    assert_eq!(after("WS g1 g2 g3", "y1 y2", "b1 b2 b3"), set(&["swap 1"]));
    assert_eq!(after("WS g1", "y1 y2", "b1 b2 b3"), set(&["no-swap"]));
}

#[test]
fn lap_ends_at_shortest_hand() {
    let cars = rules("cars", 3, &[]);
    let lap =
        |hands: [&str; 3], steps: &[(&str, &str)]| answers_after(&cars, turn(&cars, &hands, "r0"), "heuristic", steps);
    // After one pass, seat 2's hand is in front of seat 0; the next hand would be seat 1's.
    let hands = ["WL g1 g2 g3", "y1", "b1 b2 b3"];
    assert_eq!(lap(hands, &[("play WL", "")]), set(&["rotate"]));
    assert_eq!(lap(hands, &[("play WL", ""), ("rotate", "")]), set(&["keep-hand"]));
    // The seat's own hand returns last; the seat waits for it if it is the shortest.
    let hands = ["WL g1", "y1 y2", "b1 b2 b3"];
    assert_eq!(lap(hands, &[("play WL", ""), ("rotate", "")]), set(&["rotate"]));
}

#[test]
fn likely_bluff_is_challenged() {
    let classic = rules("classic", 3, &[]);
    let answer_to = |hand: &str| {
        let state = turn_of(&classic, 2, &["y1 y2 y3 y4", "r1 r2 r3", hand], "r0", "");
        answers_after(&classic, state, "heuristic", &[("play W4 g", "")])
    };
    assert_eq!(answer_to("W4 g1"), set(&["accept"]));
    // A hand of this many cards almost certainly has a red one.
    let many = "W4 g1 g2 g3 g4 g6 g7 g8 g9 b1 b2 b3 b4 b6 b7 b8 b9 y6 y7 y8 y9";
    assert_eq!(answer_to(many), set(&["challenge"]));
}

#[test]
fn seeing_hand_in_duel_justifies_wrong_challenge() {
    let classic = rules("classic", 2, &[]);
    let state = turn_of(&classic, 1, &["y1 y2 y3 y4", "W4 g1"], "r0", "");
    assert_eq!(answers_after(&classic, state, "heuristic", &[("play W4 g", "")]), set(&["challenge"]));
    assert_eq!(answers_after(&classic, state, "greedy", &[("play W4 g", "")]), set(&["accept"]));
}

#[test]
fn every_card_of_color_is_discarded() {
    let disney = rules("disney", 2, &["tinker.weights=[1,0,0,0]"]);
    let state = turn(&disney, &["WA r1 r5 g5 g7 b2", "y1 y2 y3"], "y0");
    // The other five can follow the five on top.
    assert_eq!(answers_after_button(&disney, state, "play WA"), set(&["discard-all r5"]));
}

#[test]
fn number_protects_before_action_card() {
    let disney =
        rules("disney", 2, &["tinker.weights=[1,0,0,0]", "challenge.who=none", "draw_four.enforcement=engine"]);
    let state = turn_of(&disney, 1, &["rD r1 g5 b2", "WV y1 y2 y3"], "g0", "");
    assert_eq!(answers_after_button(&disney, state, "play WV"), set(&["protect r1"]));
}

#[test]
fn cheese_touch_is_answered() {
    let wimpy = rules("wimpy-kid", 2, &[]);
    let state = turn_of(&wimpy, 1, &["y7 g1 b2", "yC y1 y2 r3"], "y0", "");
    assert_eq!(answers_after(&wimpy, state, "heuristic", &[("play yC", "g2 b3")]), set(&["play y7"]));
}

/// The answer of seat 0 after an action that presses the button, which always lights red.
fn answers_after_button(
    rules: &Rules,
    state: unolab_engine::state::RoundState,
    action: &str,
) -> std::collections::BTreeSet<String> {
    let mut told = common::Told::new(rules, state, "heuristic", 0);
    told.act_with_button(action, unolab_engine::color::Color::Red);
    set(&[&rules.write_action(told.answer().into())])
}

#[test]
fn equal_cards_are_ordered_by_points_for_points_goal() {
    use unolab_agents::agent::Agent;
    use unolab_engine::knowledge::Knowledge;
    use unolab_engine::observation::{NO_SCORES, Observation};
    use unolab_engine::seat::{BySeat, Seat};

    let classic = rules("classic", 2, &[]);
    let state = turn(&classic, &["r1 r9 g5 b2", "y1 y2 y3"], "r0");
    let answer = |agent: &str, scores: &BySeat<u32>| {
        let knowledge = Knowledge::default();
        let observation = Observation::of(&classic, &state, &knowledge, scores, Seat::new(0));
        classic.write_action(common::agent(agent, &classic, Seat::new(0), 1).choose(&observation).into())
    };
    let mut scores = NO_SCORES;
    scores[Seat::new(1)] = 120;
    for (agent, alone, in_a_match) in [
        ("heuristic:goal=win", "play r1", "play r1"),
        ("heuristic:goal=points", "play r9", "play r9"),
        ("heuristic:goal=match", "play r1", "play r9"),
        ("heuristic", "play r1", "play r9"),
    ] {
        assert_eq!(
            (answer(agent, &NO_SCORES).as_str(), answer(agent, &scores).as_str()),
            (alone, in_a_match),
            "{agent}"
        );
    }
}
