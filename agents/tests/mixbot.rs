//! `mixbot`, by the sentences of its definition.
#![allow(missing_docs)]

use crate::common::{answers, answers_after, rules, set, turn, turn_of};
use unolab_engine::rules::Rules;

const FAR: [&str; 2] = ["y1 y2 y3", "y4 y6 y7"];
/// The next player holds one card.
const ENDGAME: [&str; 2] = ["y1", "y4 y6 y7"];

/// Each row: the hand, the top card, and all answers. Without counting, so that ties are visible.
#[track_caller]
fn check(rules: &Rules, others: [&str; 2], rows: &[(&str, &str, &[&str])]) {
    for (hand, top, expected) in rows {
        let state = turn(rules, &[hand, others[0], others[1]], top);
        assert_eq!(answers(rules, state, "mixbot:counting=false"), set(expected), "{hand} on {top}");
    }
}

#[test]
fn cards_are_ranked_as_published() {
    let classic = rules("classic", 3, &[]);
    check(
        &classic,
        FAR,
        &[
            ("rD rS r1 rR b1", "r0", &["play rD"]),
            ("rS r1 rR b1", "r0", &["play rS"]),
            ("r1 rR b1", "r0", &["play r1"]),
            ("rR W b1", "r0", &["play rR"]),
            ("W W4 b1", "r0", &["play W4 b"]),
            ("W b1", "r0", &["play W b"]),
        ],
    );
}

#[test]
fn cards_are_ranked_as_published_in_endgame() {
    let classic = rules("classic", 3, &[]);
    check(
        &classic,
        ENDGAME,
        &[
            ("gD W4 b1", "rD", &["play gD"]),
            ("gS W4 b1", "rS", &["play W4 g", "play W4 b"]),
            ("rS rR b1", "r0", &["play rS"]),
            ("rR r1 b1", "r0", &["play rR"]),
            ("r1 W b1", "r0", &["play r1"]),
        ],
    );
    // Only the next seat in the direction of play counts.
    check(&classic, [ENDGAME[1], ENDGAME[0]], &[("rR r1 b1", "r0", &["play r1"])]);
    // A bluff is never playable.
    check(&classic, ENDGAME, &[("W4 r1 b1", "r0", &["play r1"])]);
}

#[test]
fn wild_limits_match_publication() {
    let classic = rules("classic", 3, &[]);
    check(
        &classic,
        FAR,
        &[
            ("W b1 b2", "r0", &["play W b"]),
            ("W b1 b2 b3", "r0", &["draw"]),
            // Only colored cards count.
            ("W W W b1 b2", "r0", &["play W b"]),
            ("W4 b1 b2 b3 b4", "r0", &["play W4 b"]),
            ("W4 b1 b2 b3 b4 b6", "r0", &["draw"]),
            // Of two wilds one may be within its limit.
            ("W W4 b1 b2 b3", "r0", &["play W4 b"]),
        ],
    );
    check(&classic, ENDGAME, &[("W b1 b2 b3 b4", "r0", &["play W b"]), ("W4 b1 b2 b3 b4 b6", "r0", &["play W4 b"])]);
    // The limits do not apply if drawing is not allowed.
    let no_draws = rules("classic", 3, &["turn.draw=no_playable"]);
    check(&no_draws, FAR, &[("W b1 b2 b3 b4", "r0", &["play W b"])]);
}

#[test]
fn colored_card_follows_preferred_color() {
    let classic = rules("classic", 3, &[]);
    check(
        &classic,
        FAR,
        &[
            ("r5 g5 g1 b2", "y5", &["play g5"]),
            ("r5 g5 b5 r1 g1", "y5", &["play r5", "play g5"]),
            // No candidate has it, so all are kept.
            ("r5 b5 g1 g2", "y5", &["play r5", "play b5"]),
            // Copies count.
            ("r5 g5 g1 r2 r2", "y5", &["play r5"]),
        ],
    );
}

#[test]
fn wild_takes_preferred_color() {
    let classic = rules("classic", 3, &[]);
    check(
        &classic,
        FAR,
        &[
            ("W g1 g2", "r0", &["play W g"]),
            ("W g1 b1", "r0", &["play W g", "play W b"]),
            ("W4 g1 g2 b1 y3", "r0", &["play W4 g", "play W4 b", "play W4 y"]),
            ("W4 g1 g2 g3 b1", "r0", &["play W4 g"]),
            ("W W", "r0", &["play W r", "play W y", "play W g", "play W b"]),
        ],
    );
}

#[test]
fn last_card_has_no_color_preference() {
    let classic = rules("classic", 3, &[]);
    check(&classic, FAR, &[("W", "r0", &["play W"])]);
}

#[test]
fn drawn_wild_is_played_only_from_hand_of_at_most_two() {
    let classic = rules("classic", 3, &[]);
    let state = |hand: &str| turn(&classic, &[hand, FAR[0], FAR[1]], "r0");
    let after = |hand: &str, drawn: &str| answers_after(&classic, state(hand), "mixbot", &[("draw", drawn)]);
    assert_eq!(after("g1", "W"), set(&["play W g"]));
    assert_eq!(after("g1 b1", "W"), set(&["keep"]));
    assert_eq!(after("g1", "W4"), set(&["play W4 g"]));
    assert_eq!(after("g1 b1", "W4"), set(&["keep"]));
    assert_eq!(after("g1 b1 b2 b3", "rR"), set(&["play rR"]));
    // Also in the endgame.
    let endgame = turn(&classic, &["g1 b1", ENDGAME[0], ENDGAME[1]], "r0");
    assert_eq!(answers_after(&classic, endgame, "mixbot", &[("draw", "W")]), set(&["keep"]));
    // A card that must be played is played.
    let must = rules("classic", 3, &["turn.drawn_card=must"]);
    let state = turn(&must, &["g1 g2 b1", FAR[0], FAR[1]], "r0");
    assert_eq!(answers_after(&must, state, "mixbot", &[("draw", "W")]), set(&["play W g"]));
}

#[test]
fn counting_prefers_color_on_which_next_player_drew() {
    let classic = rules("classic", 3, &[]);
    // Seat 1 draws on green, so it has no green.
    let five_on_top = turn_of(&classic, 1, &["r5 g5 r1 g1", "y1 y2 b3", "y5 y4 y6"], "g5", "");
    let before = [("draw", "b4"), ("play y5", "")];
    assert_eq!(answers_after(&classic, five_on_top, "mixbot", &before), set(&["play g5"]));
    let without = answers_after(&classic, five_on_top, "mixbot:counting=false", &before);
    assert_eq!(without, set(&["play r5", "play g5"]));
    let wild_on_top = turn_of(&classic, 1, &["W g1 r1", "y1 y2 b3", "W y4 y6"], "g9", "");
    let before = [("draw", "b4"), ("play W b", "")];
    assert_eq!(answers_after(&classic, wild_on_top, "mixbot", &before), set(&["play W g"]));
    assert_eq!(answers_after(&classic, wild_on_top, "mixbot:counting=false", &before), set(&["play W g", "play W r"]));
}

#[test]
fn counting_considers_next_player_to_act() {
    // Seat 2 draws on green: it acts next after a Skip. Blue is most frequent, but neither Skip is blue.
    let classic = rules("classic", 3, &[]);
    let state = turn_of(&classic, 2, &["rS gS b1 b2", "y1 y2 b3", "y5 y4 b6"], "gS", "");
    assert_eq!(answers_after(&classic, state, "mixbot", &[("draw", "b8")]), set(&["play gS"]));
}

#[test]
fn score_of_acting_again_is_one_without_playable_card() {
    let classic = rules("classic", 2, &[]);
    // Blue is most frequent; r1 could follow rS, but no card could follow gR.
    let state = turn(&classic, &["rS gR r1 b1 b2 b3", "y1 y2 y3"], "rR");
    assert_eq!(answers(&classic, state, "mixbot"), set(&["play gR"]));
    assert_eq!(answers(&classic, state, "mixbot:counting=false"), set(&["play rS", "play gR"]));
}
