//! The information of a seat: states that differ only in unseen cards give equal observations, and samples are possible and
//! have the right probabilities.

#![allow(missing_docs)]

use std::collections::BTreeMap;

use crate::{exchange, random_play};
use unolab_engine::action::{Action, Call};
use unolab_engine::card::{Card, CardSet};
use unolab_engine::cards::Cards;
use unolab_engine::encoding::{EncodedDecision, Encoding, VoluntaryDraw};
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::implication::{Conclusion, Implication};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::rng::Rng;
use unolab_engine::rules::{DrawCount, Rules, TableSize, VariantFiles, VariantText, load};
use unolab_engine::script::Script;
use unolab_engine::seat::{Direction, Seat, SeatSet};
use unolab_engine::state::{EventSink, Phase, RoundSetup, RoundState};

/// A seat that samples at every event, also in the middle of actions.
struct Samples<'a> {
    rules: &'a Rules,
    knowledge: Knowledge,
    rng: Rng,
}

impl EventSink for Samples<'_> {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.knowledge.on_event(state, event);
        for seat in state.seats() {
            let sampled =
                Observation::of(self.rules, state, &self.knowledge, &NO_SCORES, seat).sample_state(&mut self.rng);
            for other in state.seats() {
                assert_eq!(
                    sampled.hand(other).len(),
                    state.hand(other).len(),
                    "{event:?} {}",
                    state.to_text(self.rules)
                );
                assert!(sampled.hand(other).contains_all(self.knowledge.of(seat, other)));
            }
        }
    }

    fn receives_implications(&self) -> bool {
        true
    }

    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        self.knowledge.imply(state, implication);
    }
}

/// During an action its decision may already be answered: the hands still have the same numbers of cards.
#[test]
fn sample_during_action_has_correct_hand_sizes() {
    for (rules, seats) in random_play::all_rules().into_iter().chain(random_play::random_rules(60)) {
        let (mut chance, mut choices) = (Rng::from_seed(3), Rng::from_seed(4));
        let mut samples = Samples { rules: &rules, knowledge: Knowledge::with_implications(), rng: Rng::from_seed(5) };
        let mut state = random_play::deal(&rules, SeatSet::first(seats), Seat::new(1), &mut chance, &mut samples);
        for _ in 0..100 {
            if state.is_terminal() {
                break;
            }
            let chosen = random_play::choose(&rules, &state, &mut choices);
            random_play::apply(&rules, &mut state, chosen, &mut chance, &mut samples);
        }
    }
}

/// Shows states of random play under rules of every kind, with the cards that the seats have been shown.
fn in_many_states(mut see: impl FnMut(&Rules, &RoundState, &Knowledge, &mut Rng)) {
    for (rules, seats) in random_play::all_rules().into_iter().chain(random_play::random_rules(60)) {
        for seed in 0..2 {
            let (mut chance, mut choices) = (Rng::from_seed(seed), Rng::from_seed(seed + 100));
            let mut looks = Rng::from_seed(seed + 200);
            let mut knowledge = Knowledge::default();
            let mut state = random_play::deal(&rules, SeatSet::first(seats), Seat::new(1), &mut chance, &mut knowledge);
            for met in 0..400 {
                let is_rare = !matches!(state.phase(), Phase::Turn);
                if met < 40 || met % 16 == 0 || is_rare {
                    see(&rules, &state, &knowledge, &mut looks);
                }
                if state.is_terminal() {
                    break;
                }
                let chosen = random_play::choose(&rules, &state, &mut choices);
                random_play::apply(&rules, &mut state, chosen, &mut chance, &mut knowledge);
            }
        }
    }
}

/// All data of an observation, as text and bytes.
fn all_told(observation: &Observation<'_>, encoding: &Encoding) -> (String, Vec<u8>, Vec<u8>) {
    let mut bytes = Vec::new();
    observation.write_into(&mut bytes);
    let mut row = vec![0; encoding.obs_size()];
    for asked in [EncodedDecision::Ordinary, EncodedDecision::Window, EncodedDecision::JumpIn] {
        encoding.write_row(observation, asked, &mut row);
        bytes.extend(&row);
    }
    let (mut mask, mut ids) = (vec![0; encoding.num_actions()], vec![0; encoding.num_actions()]);
    encoding.write_legal(observation, VoluntaryDraw::Offered, &mut mask, &mut ids);
    let seats = observation.seats();
    let of_seats: Vec<_> = seats
        .iter()
        .map(|seat| (observation.hand_len(seat), observation.known(seat), observation.known_by(seat)))
        .collect();
    let text = format!(
        "{observation:?} {of_seats:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?}",
        observation.decision(),
        observation.decision_word(),
        observation.current_seat(),
        observation.legal_actions(),
        observation.legal_interruptions(),
        (observation.playable(), observation.legitimately_playable(), observation.can_follow()),
        (observation.can_draw(), observation.may_draw(), observation.draw_pile_len()),
        (observation.unseen(), observation.discard_pile(), observation.deck()),
        (
            observation.uncalled(),
            observation.direction(),
            observation.dealer(),
            observation.next_seat(observation.seat())
        ),
        observation.others().collect::<Vec<_>>(),
    );
    (text, bytes, mask)
}

#[test]
fn exchanging_unseen_cards_changes_no_observation() {
    let (mut pairs, mut guilt_differs, mut drawn_differs, mut not_taken_up) = (0, 0, 0, 0);
    in_many_states(|rules, state, knowledge, rng| {
        let encoding = Encoding::new(rules, state.seats().count(), 0);
        // A seat knows a hand that it has passed on, so its cards could not be exchanged.
        let is_lap = matches!(state.phase(), Phase::Lap(_));
        let knowledge = if is_lap { &Knowledge::default() } else { knowledge };
        for seat in state.seats() {
            let Some(other) = exchange::exchanged(rules, state, knowledge, seat, rng) else { continue };
            pairs += 1;
            not_taken_up += u32::from(is_lap && other.hand(seat) != state.hand(seat));
            let views = [state, &other].map(|world| Observation::of(rules, world, knowledge, &NO_SCORES, seat));
            let [here, there] = views.map(|view| all_told(&view, &encoding));
            assert_eq!(here, there, "seat {seat}\n{}\n{}", state.to_text(rules), other.to_text(rules));
            let seed = u64::from(rng.below(1 << 30));
            let [here, there] = views.map(|view| view.sample_state(&mut Rng::from_seed(seed)));
            assert_eq!(here, there, "samples of seat {seat}\n{}\n{}", state.to_text(rules), other.to_text(rules));
            match (state.phase(), other.phase()) {
                (Phase::Drawn(one), Phase::Drawn(another)) => drawn_differs += u32::from(one != another),
                (Phase::Challenge(_), Phase::Challenge(_)) => {
                    guilt_differs += u32::from(state.phase() != other.phase());
                }
                _ => {}
            }
        }
    });
    println!(
        "{pairs} pairs, {guilt_differs} with another guilt, {drawn_differs} with another card drawn, {not_taken_up} with another \
         hand before the seat"
    );
    assert!(pairs > 10_000 && guilt_differs > 100 && drawn_differs > 100 && not_taken_up > 100);
}

/// Everything that the others know after a seat has drawn: what each observes and has noticed, and its samples.
fn known_to_others(
    rules: &Rules,
    state: &RoundState,
    witness: &Witness,
    drawer: Seat,
) -> Vec<impl PartialEq + std::fmt::Debug + use<>> {
    let encoding = Encoding::new(rules, state.seats().count(), 8);
    let of_seat = |seat: Seat| {
        let observation = Observation::of(rules, state, &witness.knowledge, &NO_SCORES, seat);
        let seen: Vec<VisibleEvent> = witness.events.iter().filter_map(|event| event.as_seen_by(seat)).collect();
        let mut row = vec![0; encoding.obs_size()];
        encoding.write_history(&observation, seen.iter().rev().copied(), &mut row);
        (all_told(&observation, &encoding), seen, row, observation.sample_state(&mut Rng::from_seed(6)))
    };
    state.others(drawer).map(of_seat).collect()
}

/// All events, and what they show.
#[derive(Clone)]
struct Witness {
    events: Vec<Event>,
    knowledge: Knowledge,
}

impl EventSink for Witness {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.events.push(event);
        self.knowledge.on_event(state, event);
    }

    fn receives_implications(&self) -> bool {
        true
    }

    fn on_implication(&mut self, state: &RoundState, implication: Implication) {
        self.knowledge.imply(state, implication);
    }
}

/// One world where a seat draws a card that it can play, and keeps it, and one where it draws a card that it cannot play.
#[test]
fn others_do_not_learn_whether_kept_card_was_playable() {
    let mut pairs = 0;
    for (rules, seats) in random_play::all_rules().into_iter().chain(random_play::random_rules(60)) {
        if rules.parameters().draw_count == DrawCount::UntilPlayable {
            continue; // then a card that cannot be played is followed by another one
        }
        let (mut chance, mut choices) = (Rng::from_seed(8), Rng::from_seed(9));
        let mut witness = Witness { events: Vec::new(), knowledge: Knowledge::with_implications() };
        let mut state = random_play::deal(&rules, SeatSet::first(seats), Seat::new(0), &mut chance, &mut witness);
        for _ in 0..200 {
            let Some(seat) = state.current_seat() else { break };
            if state.phase() == Phase::Turn && state.draw_pile_len() > 1 && state.may_draw(&rules) {
                let [mut kept, mut other] = [None, None];
                for card in state.draw_pile().distinct() {
                    let (mut state, mut witness) = (state, witness.clone());
                    let mut script = Script::new([card], [], 0);
                    let mut act = |state: &mut RoundState, action| {
                        state.apply_action(&rules, seat, action, Call::Silent, &mut script, &mut witness)
                    };
                    act(&mut state, Action::Draw).expect("it may draw");
                    let could_play = matches!(state.phase(), Phase::Drawn(_));
                    let world = if could_play { &mut kept } else { &mut other };
                    if world.is_none() && (!could_play || act(&mut state, Action::Keep).is_ok()) {
                        *world = Some(known_to_others(&rules, &state, &witness, seat));
                    }
                    if kept.is_some() && other.is_some() {
                        break;
                    }
                }
                if let (Some(kept), Some(other)) = (kept, other) {
                    pairs += 1;
                    assert_eq!(kept, other, "{}\n{}", rules.to_toml(), state.to_text(&rules));
                }
            }
            let chosen = random_play::choose(&rules, &state, &mut choices);
            random_play::apply(&rules, &mut state, chosen, &mut chance, &mut witness);
        }
    }
    println!("{pairs} pairs");
    assert!(pairs > 1_000, "{pairs}");
}

/// A sample is a legal state: the hand contains the cards that the decision needs, and a draw four is a bluff only if the hand
/// makes it one.
#[test]
fn sampled_state_is_legal() {
    let mut phases = BTreeMap::new();
    in_many_states(|rules, state, knowledge, rng| {
        for seat in state.seats() {
            let view = Observation::of(rules, state, knowledge, &NO_SCORES, seat);
            let sampled = view.sample_state(rng);
            for other in state.seats() {
                assert_eq!(sampled.hand(other).len(), state.hand(other).len());
                assert!(sampled.hand(other).contains_all(knowledge.of(seat, other)));
            }
            let text = sampled.to_text(rules);
            assert_eq!(
                RoundState::from_text(&text, rules).as_ref(),
                Ok(&sampled),
                "{text}\nof\n{}",
                state.to_text(rules)
            );
            *phases.entry(state.phase().decision()).or_insert(0) += 1;
        }
    });
    println!("{phases:?}");
    assert_eq!(phases.len(), 13, "every kind of decision has been met: {phases:?}");
}

// ---- how likely ----

/// Ten cards: three of red, three of green, and four blue ones.
struct TenCards;

impl VariantFiles for TenCards {
    fn read(&self, _base: &str, _from: &str) -> Result<VariantText, String> {
        let mut text = String::from("base = \"classic\"\nseats.max = 3\ndeal.hand_size = 2\n");
        for key in ["skip", "reverse", "draw_two", "wild", "wild_draw_four"] {
            text += &format!("deck.{key} = 0\n");
        }
        for color in ["r", "y", "g", "b"] {
            for number in 0..10 {
                let copies = match (color, number) {
                    ("r", 1) | ("g", 2) | ("b", 3) => 2,
                    ("r", 4) | ("g", 5) | ("b", 6 | 7) => 1,
                    _ => 0,
                };
                text += &format!("deck.{color}{number} = {copies}\n");
            }
        }
        Ok(VariantText { name: "ten cards".into(), text })
    }
}

fn ten_cards() -> Rules {
    let rules = load("ten", &[], TableSize::Any, &TenCards).expect("a variant").rules;
    assert_eq!(rules.deck().len(), 10);
    rules
}

/// Seat 0 has r4, r1 is on top; seats 1 and 2 hold two cards each.
fn small_position(rules: &Rules, to_act: usize) -> RoundState {
    let cards = |text: &str| rules.parse_cards(text).expect("cards");
    let hands = ["r4", "g2 b3", "g5 b7"].into_iter().map(cards).collect();
    let setup = RoundSetup {
        seats: SeatSet::first(3),
        dealer: Seat::new(0),
        direction: Direction::Left,
        to_act: Seat::new(to_act),
        hands,
        top: rules.parse_card("r1").expect("a card"),
        under_top: Cards::EMPTY,
        color: None,
        draw_pile: cards("r1 g2 b3 b6"),
    };
    RoundState::from_setup(&setup, rules).expect("a position")
}

/// The number of ways to take each set of `count` of these cards, with copies distinguished.
fn ways(cards: Cards, count: u32) -> Vec<(Cards, f64)> {
    let list: Vec<Card> = cards.iter().collect();
    let mut ways: BTreeMap<[u64; 4], (Cards, f64)> = BTreeMap::new();
    for chosen in 0_u32..1 << list.len() {
        if chosen.count_ones() == count {
            let taken: Cards =
                list.iter().enumerate().filter(|(i, _)| chosen >> i & 1 == 1).map(|(_, &card)| card).collect();
            ways.entry(taken.planes()).or_insert((taken, 0.0)).1 += 1.0;
        }
    }
    ways.into_values().collect()
}

/// A chi-squared test of samples against the expected frequencies, with a limit of five standard deviations above its mean.
fn assert_as_likely_as(expected: &BTreeMap<String, f64>, mut sample: impl FnMut(&mut Rng) -> String) {
    const SAMPLES: u32 = 60_000;
    let mut rng = Rng::from_seed(5);
    let mut counts: BTreeMap<String, f64> = BTreeMap::new();
    for _ in 0..SAMPLES {
        let outcome = sample(&mut rng);
        assert!(expected.contains_key(&outcome), "{outcome} cannot be");
        *counts.entry(outcome).or_default() += 1.0;
    }
    let whole: f64 = expected.values().sum();
    let mut chi_square = 0.0;
    for (outcome, weight) in expected {
        let wanted = f64::from(SAMPLES) * weight / whole;
        assert!(wanted > 20.0, "too few samples for {outcome}");
        chi_square += (counts.get(outcome).copied().unwrap_or(0.0) - wanted).powi(2) / wanted;
    }
    let freedom = f64::from(u32::try_from(expected.len()).expect("few") - 1);
    println!("chi-square {chi_square:.1} with {freedom} degrees of freedom");
    assert!(
        chi_square < freedom + 5.0 * (2.0 * freedom).sqrt(),
        "chi-square {chi_square}, {freedom} degrees of freedom"
    );
    assert!(chi_square > freedom - 5.0 * (2.0 * freedom).sqrt(), "too even: {chi_square}");
}

fn hands_as_text(rules: &Rules, state: &RoundState) -> String {
    let [one, two] = [1, 2].map(|seat| rules.write_cards(state.hand(Seat::new(seat))));
    format!("{one} | {two}")
}

#[test]
fn deals_of_unseen_cards_are_uniform() {
    let rules = ten_cards();
    let state = small_position(&rules, 0);
    let knowledge = Knowledge::default();
    let view = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
    let mut expected = BTreeMap::new();
    for (one, ways_of_one) in ways(view.unseen(), 2) {
        for (two, ways_of_two) in ways(view.unseen().minus(one), 2) {
            let text = format!("{} | {}", rules.write_cards(one), rules.write_cards(two));
            *expected.entry(text).or_default() += ways_of_one * ways_of_two;
        }
    }
    assert_as_likely_as(&expected, |rng| hands_as_text(&rules, &view.sample_state(rng)));
}

#[test]
fn certain_cards_stay_and_others_are_uniform() {
    let rules = ten_cards();
    let state = small_position(&rules, 0);
    let mut knowledge = Knowledge::default();
    let known = rules.parse_cards("b3").expect("a card");
    knowledge.show(Seat::new(0), Seat::new(1), known);
    let view = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
    let mut expected = BTreeMap::new();
    for (one, ways_of_one) in ways(view.unseen().minus(known), 1) {
        for (two, ways_of_two) in ways(view.unseen().minus(known).minus(one), 2) {
            let text = format!("{} | {}", rules.write_cards(one.plus(known)), rules.write_cards(two));
            *expected.entry(text).or_default() += ways_of_one * ways_of_two;
        }
    }
    assert_as_likely_as(&expected, |rng| hands_as_text(&rules, &view.sample_state(rng)));
}

/// Every way to deal these cards, copies told apart, to places that exclude kinds.
fn for_each_deal(cards: &[Card], places: &[CardSet], dealt: &mut Vec<Card>, see: &mut impl FnMut(&[Card])) {
    let Some(excluded) = places.get(dealt.len()) else { return see(dealt) };
    for (number, &card) in cards.iter().enumerate().filter(|(_, card)| !excluded.contains(**card)) {
        dealt.push(card);
        for_each_deal(&[&cards[..number], &cards[number + 1..]].concat(), places, dealt, see);
        dealt.pop();
    }
}

/// Neither hand's limits contain the other's, so that dealing one place after the other is not uniform by itself.
#[test]
fn deals_within_limits_of_two_hands_are_equally_likely() {
    let rules = ten_cards();
    let state = small_position(&rules, 0);
    let kinds = |text: &str| rules.parse_cards(text).expect("cards").distinct();
    let mut knowledge = Knowledge::default();
    let conclusions = [
        (1, Conclusion::Lacks { since: 1 }, "b3 b6 g2"),
        (1, Conclusion::NewestIsNot, "r1"),
        (2, Conclusion::Lacks { since: 0 }, "g2"),
        (2, Conclusion::NewestIs, "b3 b6 b7 r1"),
    ];
    for (seat, conclusion, text) in conclusions {
        knowledge.imply(&state, Implication { seat: Seat::new(seat), conclusion, kinds: kinds(text) });
    }
    let view = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
    let places: Vec<CardSet> =
        [1, 2].iter().flat_map(|&of| knowledge.excluded(Seat::new(0), Seat::new(of)).to_vec()).collect();
    assert_eq!(places.len(), 4);
    let (unseen, mut expected) = (view.unseen().iter().collect::<Vec<_>>(), BTreeMap::new());
    for_each_deal(&unseen, &places, &mut Vec::new(), &mut |dealt| {
        let [one, two] = [&dealt[..2], &dealt[2..]].map(|hand| rules.write_cards(hand.iter().copied().collect()));
        *expected.entry(format!("{one} | {two}")).or_insert(0.0) += 1.0;
    });
    assert_as_likely_as(&expected, |rng| hands_as_text(&rules, &view.sample_state(rng)));
}

/// Seat 1 has drawn a card that can follow the green two: the other green two, or the five.
const DRAWN: &str = r#"
hands.0 = "r4"
hands.1 = "r1 b3 g5"
hands.2 = "g2 b7"
top = "g2"
color = "green"
under_top = ""
draw_pile = "r1 b3 b6"
dealer = 0
direction = "left"
first_seat = 1
first_direction = "left"
[decision]
waits_for = "drawn"
seat = 1
card = "g5"
"#;

/// Another seat may play the card that it has drawn: each playable card is equally likely, and so is the rest of the hand.
#[test]
fn just_drawn_card_is_any_consistent_card() {
    let rules = ten_cards();
    let state = RoundState::from_text(DRAWN, &rules).expect("a state");
    let knowledge = Knowledge::default();
    let view = Observation::of(&rules, &state, &knowledge, &NO_SCORES, Seat::new(0));
    let unseen = view.unseen();
    let mut expected = BTreeMap::new();
    for (drawn, copies) in ways(unseen.only(view.can_follow()), 1) {
        for (rest, ways_of_rest) in ways(unseen.minus(drawn), 2) {
            let text = format!("{} of {}", rules.write_cards(drawn), rules.write_cards(rest.plus(drawn)));
            *expected.entry(text).or_default() += copies * ways_of_rest;
        }
    }
    assert_as_likely_as(&expected, |rng| {
        let sampled = view.sample_state(rng);
        let Phase::Drawn(card) = sampled.phase() else { panic!("no card was drawn") };
        format!("{} of {}", rules.code(card), rules.write_cards(sampled.hand(Seat::new(1))))
    });
}
