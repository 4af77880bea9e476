//! Proven wins are found on hand-made positions, and hold for every play of the others and every draw.
#![allow(missing_docs)]

use std::collections::BTreeSet;

use crate::common::{agent, answers, rules, set, turn, turn_of};
use unolab_agents::agent::Agent;
use unolab_agents::player::Player;
use unolab_agents::search::endgame::winning_actions;
use unolab_engine::action::{Action, Call};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{Rules, TableSize, VariantFiles, VariantText, load, presets};
use unolab_engine::scoring::are_partners;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::{Outcome, RoundState};

fn winning(rules: &Rules, state: &RoundState, seat: Seat) -> Vec<Action> {
    let knowledge = Knowledge::default();
    let observation = Observation::of(rules, state, &knowledge, &NO_SCORES, seat);
    winning_actions(&observation, &observation.legal_actions())
}

fn written(rules: &Rules, state: &RoundState) -> BTreeSet<String> {
    winning(rules, state, Seat::new(0)).into_iter().map(|action| rules.write_action(action.into())).collect()
}

#[test]
fn forced_line_is_found() {
    for (variant, seats, settings, hands, top, expected) in [
        ("classic", 2, &[][..], &["rS gS g1", "y1 y2"][..], "r5", &["play rS"][..]),
        ("classic", 2, &[], &["rD rR gR g1 b7", "y1 y2"], "r5", &[]),
        ("classic", 2, &[], &["rD rR gR g1", "y1 y2"], "r5", &["play rD"]),
        ("handheld", 2, &[], &["rS gS g1", "y1 y2"], "r5", &["play rS"]),
        ("wimpy-kid", 2, &[], &["rD bD b1", "y1 y2"], "r5", &["play rD"]),
        // An honest draw four wins even if it is challenged; a bluff does not.
        ("classic", 2, &[], &["W4 b1", "y1 y2"], "r5", &["play W4 b"]),
        ("classic", 2, &[], &["W4 r1", "y1 y2"], "b5", &["play W4 r"]),
        ("classic", 2, &[], &["W4 rS r1", "y1 y2"], "b5", &["play W4 r"]),
        ("classic", 2, &[], &["W4 rS r1", "y1 y2"], "r5", &[]),
        // With more seats a Skip gives the turn to another seat.
        ("classic", 3, &[], &["rS rD r1", "y1 y2", "g1 g2"], "r5", &[]),
        // A Reverse does not skip in every variant; a Draw Two may be answered under stacking.
        ("classic", 2, &["two_player.reverse=literal"], &["rR r1", "y1 y2"], "r5", &[]),
        ("classic", 2, &["house.stacking=same_kind"], &["rD r1", "y1 y2"], "r5", &[]),
        ("classic", 2, &["house.stacking=same_kind"], &["rS r1", "y1 y2"], "r5", &["play rS"]),
    ] {
        let rules = rules(variant, seats, settings);
        assert_eq!(written(&rules, &turn(&rules, hands, top)), set(expected), "{variant} {settings:?} {hands:?}");
    }
}

/// A Blank that makes others discard may remove the last card of an unseen hand, so a win is not certain.
#[test]
fn discard_effect_on_others_proves_nothing() {
    struct File;
    impl VariantFiles for File {
        fn read(&self, base: &str, _from: &str) -> Result<VariantText, String> {
            let text = "base = \"classic\"\n[[custom]]\ncode = \"rX\"\ncolor = \"red\"\n\
                        effects = [{ discard = { who = \"others\", cards = \"wilds\" } }, { skip = \"all\" }]\n";
            Ok(VariantText { name: base.into(), text: text.into() })
        }
    }
    let rules = load("mine", &[], TableSize::Seats(2), &File).expect("good rules").rules;
    assert_eq!(written(&rules, &turn(&rules, &["rX g1", "W"], "r5")), set(&[]));
}

/// All other cards are under the top card.
fn few_left(rules: &Rules, hands: &[&str], top: &str, draw_pile: &str) -> RoundState {
    let mut under = rules.deck().minus(rules.parse_cards(draw_pile).unwrap());
    under.remove(rules.parse_card(top.split(' ').next().unwrap()).unwrap());
    let under = hands.iter().fold(under, |under, hand| under.minus(rules.parse_cards(hand).unwrap()));
    turn_of(rules, 0, hands, top, &rules.write_cards(under).to_string())
}

#[test]
fn win_is_proven_if_no_unseen_card_can_answer() {
    let classic = rules("classic", 2, &[]);
    // No unseen card can follow a blue card, except cards that the Wild can follow.
    let state = few_left(&classic, &["b1 W", "r2"], "b5", "g3 y4 y6");
    assert_eq!(written(&classic, &state), set(&["play b1", "play W b"]));
    // A green seven follows neither, but the drawn card may be a blue Skip.
    let state = few_left(&classic, &["b1 W", "r2"], "b5", "g3 y4 bS");
    assert_eq!(written(&classic, &state), set(&[]));
    // A card that can follow is harmless if it does not skip the seat.
    let state = few_left(&classic, &["b1 W", "r2 g4"], "b5", "g3 y4 y1");
    assert_eq!(written(&classic, &state), set(&["play b1", "play W b"]));
}

#[test]
fn agents_play_proven_win() {
    let classic = rules("classic", 2, &[]);
    let line = turn(&classic, &["rD rR gR g1", "y1 y2"], "r5");
    let answer = few_left(&classic, &["b1 b2", "r3"], "b5", "g3 y4 y6");
    for name in ["monte-carlo:rollouts=1,bias=0", "ismcts:iterations=1,bias=0", "ismcts:iterations=1,goal=points"] {
        for state in [line, answer] {
            let proven = written(&classic, &state);
            assert!(!proven.is_empty() && answers(&classic, state, name).is_subset(&proven), "{name} {proven:?}");
        }
    }
}

/// Plays a round of random players; whenever a seat has a proven win, it is played out against random players.
fn check_a_round(rules: &Rules, seats: usize, seed: u64) -> u32 {
    let mut rng = Rng::from_seed(seed);
    let mut players: Vec<Player> = Seat::first(seats).map(|seat| agent("random", rules, seat, seed)).collect();
    let mut step = |state: &mut RoundState, rng: &mut Rng, action: Option<Action>| {
        let seat = state.current_seat().unwrap();
        let knowledge = Knowledge::default();
        let observation = Observation::of(rules, state, &knowledge, &NO_SCORES, seat);
        let action = action.unwrap_or_else(|| players[seat.index()].choose(&observation));
        let call = if state.is_legal(rules, seat, action, Call::Uno) { Call::Uno } else { Call::Silent };
        state.apply_action_unchecked(rules, seat, action, call, rng, &mut ());
    };
    let mut state = RoundState::deal(rules, SeatSet::first(seats), Seat::new(0), &mut rng, &mut ());
    let mut proven = 0;
    for _ in 0..1_000 {
        let Some(seat) = state.current_seat() else { return proven };
        for action in winning(rules, &state, seat) {
            proven += 1;
            let (mut line, mut chance) = (state, rng.fork());
            step(&mut line, &mut chance, Some(action));
            while let Some(to_act) = line.current_seat() {
                let next = (to_act == seat).then(|| winning(rules, &line, seat)[0]);
                step(&mut line, &mut chance, next);
            }
            let won = |winner| are_partners(rules.parameters().teams, winner, seat);
            assert!(matches!(line.outcome(), Some(Outcome::WentOut(winner)) if won(winner)), "{action:?} {line:?}");
        }
        step(&mut state, &mut rng, None);
    }
    proven
}

#[test]
fn partner_going_out_wins() {
    let partners = rules("classic", 4, &["match.teams=fixed"]);
    assert!((0..60).map(|seed| check_a_round(&partners, 4, seed)).sum::<u32>() > 20);
}

#[test]
fn proven_facts_hold_in_every_edition() {
    for name in presets::NAMES {
        for settings in [
            &[][..],
            &["house.seven_zero=true"],
            &["house.stacking=any_draw", "draw_two.target=next"],
            &["turn.draw_count=until_playable"],
        ] {
            let check = |seats| {
                let rules = rules(name, seats, settings);
                (0..60).map(|seed| check_a_round(&rules, seats, seed)).sum::<u32>()
            };
            let proven = check(2) + check(4);
            assert!(proven > 20, "{name} {settings:?}: {proven}");
        }
    }
}
