//! `random`, `greedy`, `diversity`, and `card-ranking`, by the sentences of their definitions.
#![allow(missing_docs)]

use crate::common::{self, answers, answers_after, rules, set, turn, turn_of};

const OTHERS: &str = "y1 y2 y3";

/// Each row: an agent, its hand, the top card, and all possible answers with two opponents of three cards each.
#[track_caller]
fn check(rows: &[(&str, &str, &str, &[&str])]) {
    let classic = rules("classic", 3, &[]);
    for (agent, hand, top, expected) in rows {
        let state = turn(&classic, &[hand, OTHERS, "y4 y5 y6"], top);
        assert_eq!(answers(&classic, state, agent), set(expected), "{agent} with {hand} on {top}");
    }
}

#[test]
fn random_plays_any_playable_card_and_draws_only_without_one() {
    let named = ["play W4 r", "play W4 y", "play W4 g", "play W4 b"];
    check(&[
        ("random", "r1 r2 b7", "r0", &["play r1", "play r2"]),
        ("random", "r1 W4 b7", "r0", &[&["play r1"], &named[..]].concat()),
        ("random", "b1 g2", "r0", &["draw"]),
        ("random:copies=true", "r1 r1 b7", "r0", &["play r1"]),
        ("random:uniform=true", "r1 b7", "r0", &["play r1", "draw"]),
    ]);
}

#[test]
fn random_weights_kinds_or_copies() {
    let classic = rules("classic", 2, &[]);
    let state = turn(&classic, &["r1 r1 r2 b3", "y1"], "r0");
    let share_of_r1 = |agent: &str| {
        let hits = (0..4_000).filter(|&seed| {
            let mut told = common::Told::new(&classic, state, agent, seed);
            classic.write_action(told.answer().into()) == "play r1"
        });
        f64::from(u32::try_from(hits.count()).unwrap()) / 4_000.0
    };
    // Five standard deviations are 4%.
    assert!((share_of_r1("random") - 1.0 / 2.0).abs() < 0.04);
    assert!((share_of_r1("random:copies=true") - 2.0 / 3.0).abs() < 0.04);
    assert!((share_of_r1("random:uniform=true") - 1.0 / 3.0).abs() < 0.04);
}

#[test]
fn drawn_playable_card_is_played() {
    let classic = rules("classic", 2, &[]);
    let state = turn(&classic, &["b1 b2 b3 g4", "y1 y2"], "r0");
    for agent in ["random", "random:copies=true", "greedy", "diversity", "card-ranking"] {
        assert_eq!(answers_after(&classic, state, agent, &[("draw", "r5")]), set(&["play r5"]), "{agent}");
    }
    let both = set(&["play r5", "keep"]);
    assert_eq!(answers_after(&classic, state, "random:uniform=true", &[("draw", "r5")]), both);
}

#[test]
fn drawn_bluffing_draw_four_is_kept_except_by_random() {
    let classic = rules("classic", 2, &[]);
    // A voluntary draw: red is held.
    let state = turn(&classic, &["r1 b2", "y1 y2"], "r0");
    for agent in ["greedy", "diversity", "card-ranking", "mixbot"] {
        assert_eq!(answers_after(&classic, state, agent, &[("draw", "W4")]), set(&["keep"]), "{agent}");
    }
    assert!(!answers_after(&classic, state, "random", &[("draw", "W4")]).contains("keep"));
}

#[test]
fn greedy_plays_highest_points_and_most_frequent_color() {
    check(&[
        ("greedy", "r9 rS r1 b8", "r0", &["play rS"]),
        ("greedy", "rS rD rR b8", "r0", &["play rS", "play rD", "play rR"]),
        ("greedy", "W rS g1 g2 b1", "r0", &["play W g"]),
        ("greedy", "W g1 g2 b1 b2 y1", "r0", &["play W g", "play W b"]),
        ("greedy", "W W", "r0", &["play W r", "play W y", "play W g", "play W b"]),
        // A draw four counts only if it is honest.
        ("greedy", "W4 r1 b8", "r0", &["play r1"]),
        ("greedy", "W4 g1 g2", "r0", &["play W4 g"]),
        ("greedy", "b1 g2", "r0", &["draw"]),
    ]);
}

#[test]
fn pass_precedes_bluff_with_empty_piles() {
    let rules = rules("classic", 2, &["deck.wild=0", "draw_four.legality=no_other_playable"]);
    let rest = rules.deck().minus(rules.parse_cards("r0 W4 g1 y2").unwrap());
    let state =
        turn_of(&rules, 0, &["g1 y2", &rules.write_cards(rest.minus(rules.parse_cards("r1").unwrap()))], "r0", "");
    // The piles contain only r1 and W4, which are drawn; then no card is left.
    assert!(state.can_draw());
    for agent in ["greedy", "diversity", "card-ranking", "mixbot"] {
        assert_eq!(answers(&rules, state, agent), set(&["draw"]), "{agent}");
    }
}

#[test]
fn diversity_maximizes_colored_kinds_that_can_follow() {
    check(&[
        // r5: itself and r1; b0: itself, b2 and b3.
        ("diversity", "r5 r1 b0 b2 b3", "r0", &["play b0"]),
        // The same face in another color also follows: r5, r1, and g5 follow r5; r1 and r5 follow r1.
        ("diversity", "r5 r1 g5", "r0", &["play r5"]),
        // Distinct kinds: two copies count once.
        ("diversity", "r5 b0 b1 b1 r6 r7", "r0", &["play r5", "play r6", "play r7"]),
        // Wilds in hand do not count, and a wild is played only if no colored card can be played.
        ("diversity", "W W4 r5", "r0", &["play r5"]),
        ("diversity", "W g1 g2 b3", "r0", &["play W g"]),
        // All wilds are equal.
        ("diversity", "W W4 g1", "r0", &["play W g", "play W4 g"]),
        ("diversity", "b1 g2", "r0", &["draw"]),
    ]);
}

#[test]
fn card_ranking_follows_its_ranks() {
    check(&[
        ("card-ranking", "rD rS r1 rR W W4 b1", "r0", &["play rD"]),
        ("card-ranking", "rS r1 rR W b1", "r0", &["play rS"]),
        ("card-ranking", "r1 r9 rR W b1", "r0", &["play r1", "play r9"]),
        ("card-ranking", "rR W b1", "r0", &["play rR"]),
        ("card-ranking", "W W4 b1", "r0", &["play W4 b"]),
        ("card-ranking", "W b1", "r0", &["play W b"]),
        ("card-ranking:goal=points", "rD rS r1 rR W", "r0", &["play rS"]),
        ("card-ranking:goal=points", "rD r1 rR W", "r0", &["play r1"]),
        ("card-ranking:goal=points", "rD rR W", "r0", &["play rD"]),
        ("card-ranking:goal=points", "rR W b1", "r0", &["play rR"]),
        ("card-ranking:goal=points", "W W4 b1", "r0", &["play W b"]),
    ]);
}

#[test]
fn reverse_in_duel_ranks_as_skip() {
    let classic = rules("classic", 2, &[]);
    let state = turn(&classic, &["rR rS r1 b1", OTHERS], "r0");
    for agent in ["card-ranking", "card-ranking:goal=points", "mixbot:counting=false"] {
        assert_eq!(answers(&classic, state, agent), set(&["play rR", "play rS"]), "{agent}");
    }
}

#[test]
fn unlisted_cards_are_ranked_among_listed_ones() {
    let disney = rules("disney", 3, &[]);
    let state = |hand: &str| turn(&disney, &[hand, OTHERS, "y4 y5"], "r0");
    assert_eq!(answers(&disney, state("WV WA b1"), "card-ranking"), set(&["play WV"]));
    assert_eq!(answers(&disney, state("WA W b1"), "card-ranking"), set(&["play WA", "play W b"]));
    let wimpy = rules("wimpy-kid", 3, &[]);
    let state = turn(&wimpy, &["yC yS y1", "r1 r2", "r3 r4"], "y0");
    assert_eq!(answers(&wimpy, state, "card-ranking"), set(&["play yC"]));
}

#[test]
fn start_wild_takes_most_frequent_color() {
    let classic = rules("classic", 2, &[]);
    for agent in ["greedy", "diversity", "card-ranking", "mixbot"] {
        let answer = |seed: u64| {
            let hands = ["y1 y2", "g1 g2 g3 b1"].map(|text| classic.parse_cards(text).unwrap());
            let by_seat = [hands[1], hands[0]].into_iter().collect();
            let start = [classic.card("W").unwrap()];
            let seats = unolab_engine::seat::SeatSet::first(2);
            let dealer = unolab_engine::seat::Seat::new(1);
            let mut chance = unolab_engine::rng::Rng::from_seed(0);
            let state =
                unolab_engine::state::RoundState::begin(&classic, seats, dealer, by_seat, &start, &mut chance, &mut ());
            let mut told = common::Told::new(&classic, state.unwrap(), agent, seed);
            classic.write_action(told.answer().into())
        };
        assert!((0..20).all(|seed| answer(seed) == "color g"), "{agent}");
    }
}
