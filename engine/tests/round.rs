//! [`Round`]: decisions, actions, rejections, records, and samples through the public interface.

use std::sync::Arc;

use crate::random_play;
use unolab_engine::action::Action;
use unolab_engine::cards::Cards;
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::implication::{Conclusion, Implication};
use unolab_engine::knowledge::Knowledge;
use unolab_engine::match_play::{MatchState, first_dealer};
use unolab_engine::observation::{NO_SCORES, Observation};
use unolab_engine::record::{Status, replay};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::round::{ApplyError, Deal, DecisionKind, MAX_DECISIONS, RecordError, Round};
use unolab_engine::rules::Rules;
use unolab_engine::seat::{BySeat, Direction, Seat, SeatSet};
use unolab_engine::state::{EventSink, Outcome, Phase, RoundSetup, RoundState};

/// Continues at random, and passes on the round before every decision and at its end.
fn play_on(round: &mut Round<&Rules>, rng: &mut Rng, mut on_decision: impl FnMut(&Round<&Rules>)) {
    loop {
        on_decision(round);
        let Some(decision) = round.decision() else { return };
        let mut actions = decision.actions.to_vec();
        if rng.chance(0.7) && actions.iter().any(|action| action.card().is_some()) {
            actions.retain(|action| action.card().is_some());
        }
        round.apply(*rng.pick(&actions).expect("something is legal")).expect("it is legal");
    }
}

fn rounds(mut play: impl FnMut(Round<&Rules>, &mut Rng)) {
    let tables = random_play::all_rules().into_iter().chain(random_play::random_rules(60));
    for (seed, (rules, seats)) in (0..).zip(tables) {
        let deal = Deal::first(seats, Seat::new(seats - 1));
        play(Round::deal_at(&rules, deal, Rng::from_seed(seed)), &mut Rng::from_seed(seed + 1000));
    }
}

#[test]
fn only_legal_actions_are_accepted() {
    let every_action: Vec<Action> = unolab_engine::action::ActionId::all().map(|id| id.action()).collect();
    rounds(|mut round, rng| {
        play_on(&mut round, rng, |round| {
            if round.decisions() % 7 > 0 {
                return;
            }
            for &action in &every_action {
                if action.card().is_some_and(|card| card.index() >= round.rules().kinds().len()) {
                    continue;
                }
                let (mut after, is_legal) = (round.clone(), round.legal_actions().contains(&action));
                match after.apply(action) {
                    Ok(()) => assert!(is_legal, "{action:?}"),
                    Err(error) => {
                        assert!(!is_legal, "{action:?}");
                        assert_eq!(after.state(), round.state());
                        assert_eq!((after.decision(), after.decisions()), (round.decision(), round.decisions()));
                        let text = error.to_string();
                        assert!(text.contains(&round.rules().display(action).to_string()), "{text}");
                        match (error, round.decision()) {
                            (ApplyError::Illegal(error), Some(decision)) => {
                                assert_eq!((error.seat, &*error.legal), (decision.seat, decision.actions));
                                assert!(text.contains(&format!("seat {} ", decision.seat)), "{text}");
                            }
                            (ApplyError::Over { .. }, None) => assert!(text.contains("over"), "{text}"),
                            other => panic!("{other:?}"),
                        }
                    }
                }
            }
        });
    });
}

#[test]
fn win_is_shared_only_at_end() {
    rounds(|mut round, rng| {
        play_on(&mut round, rng, |round| {
            let sum: f64 = round.returns().iter().sum();
            if round.is_terminal() {
                assert!((sum - 1.0).abs() < 1e-12, "{:?}", round.returns());
            } else {
                assert!(sum == 0.0 && round.points().iter().all(|&points| points == 0));
            }
        });
        assert_eq!(round.is_truncated(), round.decisions() == MAX_DECISIONS && !round.state().is_terminal());
        assert!(round.current_seat().is_none() && round.legal_actions().is_empty());
    });
}

/// Whether all seats have the same share of the win, and no points.
fn is_void(round: &Round<&Rules>) -> bool {
    let shares = round.returns();
    shares.iter().all(|&share| (share - 1.0 / shares.len() as f64).abs() < 1e-12)
        && round.points().iter().all(|&points| points == 0)
}

#[test]
fn blocked_round_is_void() {
    let rules = random_play::rules("classic", 3, &[]);
    let cards = |text: &str| rules.parse_cards(text).expect("codes of cards");
    let hands = ["r5 g7", "r6 r6", "g1"].into_iter().map(cards).collect();
    let setup = RoundSetup {
        seats: SeatSet::first(3),
        dealer: Seat::new(0),
        direction: Direction::Left,
        to_act: Seat::new(1),
        hands,
        top: rules.parse_card("b9").expect("the code of a card"),
        under_top: Cards::EMPTY,
        color: None,
        draw_pile: Cards::EMPTY,
    };
    let state = RoundState::from_setup(&setup, &rules).expect("a position");
    let mut round = Round::from_state(&rules, state, Knowledge::default(), BySeat::default(), Rng::from_seed(0));
    for seat in [1, 2, 0] {
        let decision = round.decision().expect("the round continues");
        assert_eq!((decision.seat, decision.actions), (Seat::new(seat), &[Action::Pass][..]));
        round.apply(Action::Pass).expect("it is legal");
    }
    assert_eq!(round.state().outcome(), Some(Outcome::Void));
    assert!(round.is_terminal() && !round.is_truncated() && is_void(&round));
}

#[test]
fn endless_round_is_void_after_limit() {
    for overrides in [&["turn.draw=always"][..], &["turn.draw=always", "uno.calls=explicit", "house.jump_in=true"]] {
        let rules = random_play::rules("classic", 2, overrides);
        let mut round = Round::deal(&rules, 3);
        let mut applied = 0;
        // Two players who never play while they can draw.
        let dull = [Action::Draw, Action::Keep, Action::Accept, Action::Silent];
        while let Some(decision) = round.decision() {
            let chosen = dull.into_iter().find(|action| decision.actions.contains(action));
            round.apply(chosen.unwrap_or(decision.actions[0])).expect("it is legal");
            applied += 1;
        }
        assert_eq!((applied, round.decisions()), (MAX_DECISIONS, MAX_DECISIONS));
        assert!(round.is_truncated() && round.is_terminal() && is_void(&round));
    }
}

#[test]
fn record_replays_to_same_end() {
    rounds(|mut round, rng| {
        play_on(&mut round, rng, |round| {
            if round.decisions() % 40 == 17 {
                let text = round.record().expect("the round began with a deal");
                let replayed = replay(&text, &mut |_| {}).expect("a record of a round replays");
                assert_eq!(replayed.status == Status::Truncated, !round.state().is_terminal());
            }
        });
        let text = round.record().expect("the round began with a deal");
        let replayed = replay(&text, &mut |_| {}).unwrap_or_else(|error| panic!("{error}\n{text}"));
        if replayed.status == Status::Finished {
            assert_eq!(replayed.points, round.points());
        }
    });
    for (name, players) in [("swap-hands", 8), ("classic", 4), ("disney", 3)] {
        let teams: &[&str] = match players {
            8 => &["match.teams=rotating_tables"],
            4 => &["match.teams=rotating"],
            _ => &[],
        };
        let rules = random_play::rules(name, players, teams);
        for seed in 0..20 {
            let mut round = Round::deal(&rules, seed);
            play_on(&mut round, &mut Rng::from_seed(seed), |_| {});
            let text = round.record().expect("the round began with a deal");
            let replayed = replay(&text, &mut |_| {}).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!((replayed.header.seed, replayed.header.agents.len()), (seed, players));
        }
    }
}

#[test]
fn later_round_of_match_has_no_separate_record() {
    let rules = random_play::rules("classic", 4, &["match.teams=rotating", "match.hands_per_partnership=1"]);
    let mut table = MatchState::new(4, Seat::new(2));
    let mut kinds = Vec::new();
    for round in 0..3 {
        let plan = table.plan(&rules);
        let mut round = Round::deal_at(&rules, Deal::of_match(&plan, &table), Rng::from_seed(round));
        play_on(&mut round, &mut Rng::from_seed(5), |_| {});
        kinds.push(round.record().map(|_| ()));
        table.count_round(&rules, &plan, round.state());
    }
    assert_eq!(kinds[0], Ok(()));
    let state = *Round::deal(&rules, 1).state();
    let in_the_middle = Round::from_state(&rules, state, Knowledge::default(), BySeat::default(), Rng::from_seed(1));
    assert_eq!(in_the_middle.record(), Err(RecordError::NotFromTheDeal));
}

/// The events that every seat sees, collected when they happen.
struct Watching(Vec<Vec<VisibleEvent>>);

impl EventSink for Watching {
    fn on_event(&mut self, _state: &RoundState, event: Event) {
        for (seat, seen) in self.0.iter_mut().enumerate() {
            seen.extend(event.as_seen_by(Seat::new(seat)));
        }
    }
}

#[test]
fn seat_history_matches_its_events() {
    rounds(|mut round, rng| {
        let seats = round.returns().len();
        let mut watching = Watching(Seat::first(seats).map(|seat| round.history(seat).collect()).collect());
        while let Some(decision) = round.decision() {
            let action = *rng.pick(decision.actions).expect("something is legal");
            round.apply_with_events(action, &mut watching).expect("it is legal");
        }
        for seat in Seat::first(seats) {
            assert!(round.history(seat).eq(watching.0[seat.index()].iter().copied()));
        }
        let mut again = Watching(vec![Vec::new(); seats]);
        round.replay_events(&mut again).expect("the round began with a deal");
        assert_eq!(again.0, watching.0);
    });
}

#[test]
fn sample_is_indistinguishable_to_its_seat() {
    let (mut jump_ins, mut calls) = (0, 0);
    rounds(|mut round, rng| {
        let mut sampling = Rng::from_seed(9);
        play_on(&mut round, rng, |round| {
            if round.decisions() % 3 > 0 && !matches!(round.decision().map(|d| d.kind), Some(DecisionKind::JumpIn)) {
                return;
            }
            for seat in round.state().seats() {
                let sample = round.sample(seat, &mut sampling);
                let bytes = |round: &Round<&Rules>| {
                    let mut bytes = Vec::new();
                    round.observation(seat).write_into(&mut bytes);
                    bytes
                };
                assert_eq!(bytes(&sample), bytes(round));
                assert_eq!(sample.current_seat(), round.current_seat());
                assert!(sample.history(seat).eq(round.history(seat)));
                assert_eq!(sample.record(), Err(RecordError::NotFromTheDeal));
                if let Some(decision) = round.decision() {
                    if decision.seat == seat {
                        assert_eq!(sample.decision(), round.decision());
                    } else {
                        jump_ins += u32::from(decision.kind == DecisionKind::JumpIn);
                        calls += u32::from(matches!(decision.kind, DecisionKind::Call { .. }));
                        assert!(!sample.decision().is_some_and(|d| matches!(d.kind, DecisionKind::Call { .. })));
                    }
                }
                if round.decisions() % 90 == 0 {
                    play_on(&mut { sample }, &mut sampling, |_| {});
                }
            }
        });
    });
    assert!(jump_ins > 50 && calls > 50, "{jump_ins} {calls}");
}

/// What is found by replaying a round is what is found on the way, also in a sample, and samples agree with it.
#[test]
fn implied_knowledge_is_what_events_imply() {
    let follow = |round: &mut Round<&Rules>, rng: &mut Rng, decisions: u32| {
        let (mut knowledge, mut implied) = (round.implied_knowledge(), 0);
        for _ in 0..decisions {
            let Some(decision) = round.decision() else { break };
            let action = *rng.pick(decision.actions).expect("something is legal");
            round.apply_with_events(action, &mut knowledge).expect("it is legal");
            let excludes = |by| round.state().others(by).any(|of| !knowledge.excluded(by, of).is_empty());
            implied += u32::from(round.state().seats().any(excludes));
        }
        assert_eq!(round.implied_knowledge(), knowledge);
        implied
    };
    let mut implied = 0;
    rounds(|mut round, rng| {
        while !round.is_terminal() {
            implied += follow(&mut round, rng, 25);
            let seat = rng.pick(&round.state().seats().collect::<Vec<_>>()).copied().expect("a seat");
            let mut sample = round.sample(seat, &mut Rng::from_seed(3));
            if !matches!(round.decision().map(|decision| decision.kind), Some(DecisionKind::JumpIn)) {
                let knowledge = round.implied_knowledge();
                let view = Observation::of(round.rules(), round.state(), &knowledge, round.scores(), seat);
                assert_eq!(*sample.state(), view.sample_state(&mut Rng::from_seed(3)));
            }
            implied += follow(&mut sample, rng, 25);
        }
    });
    println!("{implied} positions in which something is implied");
    assert!(implied > 5_000, "{implied}");
}

/// The seat to act holds cards that it could play, so it holds none if it draws although it need not.
#[test]
fn samples_agree_with_what_was_noted() {
    let rules = random_play::rules("classic", 2, &[]);
    let mut noted = 0;
    for seed in 0..40 {
        let mut round = Round::deal(&rules, seed);
        let seat = round.current_seat().expect("it has begun");
        let kinds = round.observation(seat).can_follow();
        if !round.legal_actions().contains(&Action::Draw) || round.state().phase() != Phase::Turn {
            continue;
        }
        round.imply(Implication { seat, conclusion: Conclusion::Lacks { since: 0 }, kinds });
        round.apply(Action::Draw).expect("it is legal");
        if matches!(round.state().phase(), Phase::Drawn(_)) {
            continue;
        }
        noted += 1;
        let other = round.state().next_seat(seat);
        for sampled in 0..20 {
            let sample = round.sample(other, &mut Rng::from_seed(sampled));
            assert!(sample.state().hand(seat).only(kinds).len() <= 1, "only the card just drawn can be one");
            assert!(sample.sample(other, &mut Rng::from_seed(1)).state().hand(seat).only(kinds).len() <= 1);
        }
    }
    assert!(noted > 10, "{noted}");
}

#[test]
fn round_accepts_shared_or_owned_rules_and_custom_chance() {
    let rules = Arc::new(random_play::rules("disney", 3, &[]));
    let mut shared = Round::deal(Arc::clone(&rules), 4);
    let mut borrowed = Round::deal(&*rules, 4);
    let mut owned = Round::deal(Rules::clone(&rules), 4);
    let mut rng = Rng::from_seed(1);
    while let Some(decision) = shared.decision() {
        let action = *rng.pick(decision.actions).expect("something is legal");
        shared.apply_unchecked(action);
        borrowed.apply(action).expect("the same round");
        owned.apply(action).expect("the same round");
    }
    assert_eq!((borrowed.state(), owned.state()), (shared.state(), shared.state()));
    let deal = Deal::first(3, Seat::new(1));
    let mut by_script = Round::deal_by(&*rules, deal, unolab_engine::script::Script::new([], [], 8));
    while let Some(decision) = by_script.decision() {
        let action = *rng.pick(decision.actions).expect("something is legal");
        by_script.apply(action).expect("it is legal");
    }
    replay(&by_script.record().expect("it was dealt"), &mut |_| {}).expect("it replays");
}

/// A seed deals the cards of the first set of a tournament with this seed, and its record names the seed.
#[test]
fn seed_deals_same_cards_as_in_tournament() {
    for (name, players) in [("classic", 4), ("disney", 3)] {
        let rules = random_play::rules(name, players, &[]);
        for seed in 0..5 {
            let round = Round::deal(&rules, seed);
            let stream = |purpose| Rng::keyed(seed, 0, purpose);
            let dealer = first_dealer(&rules, players, &mut stream(Purpose::Dealer));
            let seats = SeatSet::first(players);
            let dealt = RoundState::deal(&rules, seats, dealer, &mut stream(Purpose::Cards { round: 0 }), &mut ());
            assert_eq!(round.state(), &dealt);
            let header = replay(&round.record().expect("it was dealt"), &mut |_| {}).expect("it replays").header;
            assert_eq!((header.seed, header.set, header.dealer), (seed, 0, dealer));
        }
    }
}

/// A round's knowledge of hands matches its events, and an observation has the part that its seat may know.
#[test]
fn round_state_matches_its_events() {
    let (mut is_any_known, mut is_hand_before_known) = (false, false);
    rounds(|mut round, rng| {
        let mut told = Told(Knowledge::default());
        while let Some(decision) = round.decision() {
            let action = *rng.pick(decision.actions).expect("something is legal");
            round.apply_with_events(action, &mut told).expect("it is legal");
            for seat in round.state().seats() {
                let observation = round.observation(seat);
                let known = observation.knowledge();
                // During a lap, this is the hand in front of the seat, if the seat knows that hand.
                let by_itself = Observation::of(round.rules(), round.state(), &known, &NO_SCORES, seat);
                assert_eq!(by_itself.hand(), observation.hand());
                is_hand_before_known |= matches!(round.state().phase(), Phase::Lap(_))
                    && round.state().current_seat() != Some(seat)
                    && !observation.hand().is_empty();
                for other in round.state().others(seat) {
                    is_any_known |= !told.0.of(seat, other).is_empty();
                    assert_eq!(round.knowledge().of(seat, other), told.0.of(seat, other));
                    assert_eq!(known.of(seat, other), told.0.of(seat, other));
                    assert_eq!(known.of(other, seat), observation.known_by(other));
                }
            }
        }
    });
    assert!(is_any_known && is_hand_before_known);
}

struct Told(Knowledge);

impl EventSink for Told {
    fn on_event(&mut self, state: &RoundState, event: Event) {
        self.0.on_event(state, event);
    }
}

/// A player who holds one card and has not called may say UNO, and the others may catch it.
#[test]
fn window_is_open_to_holder_and_opponents() {
    let (mut calls, mut catches) = (0, 0);
    rounds(|mut round, rng| {
        play_on(&mut round, rng, |round| {
            let Some(decision) = round.decision() else { return };
            let DecisionKind::Window { holder } = decision.kind else { return };
            let word = if decision.seat == holder { Action::Uno } else { Action::Catch(holder) };
            assert_eq!(decision.actions, [word, Action::Silent]);
            calls += u32::from(word == Action::Uno);
            catches += u32::from(word != Action::Uno);
        });
    });
    assert!(calls > 0 && catches > 100, "{calls} {catches}");
}
