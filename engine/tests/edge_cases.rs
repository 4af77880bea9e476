//! Rules that games rarely reach.

#![allow(missing_docs)]

use unolab_engine::action::Call;
use unolab_engine::cards::Cards;
use unolab_engine::chance::{Chance, FromRand, TaskResult};
use unolab_engine::color::Color;
use unolab_engine::event::Event;
use unolab_engine::observation::NO_SCORES;
use unolab_engine::rng::Rng;
use unolab_engine::round::{Deal, Round};
use unolab_engine::rules::{Rules, TableSize, VariantFiles, VariantText, load};
use unolab_engine::scoring::{round_places, round_points};
use unolab_engine::script::{Outcome as Scripted, Script};
use unolab_engine::seat::{BySeat, Direction, Seat, SeatSet};
use unolab_engine::state::{EventSink, Outcome, RoundSetup, RoundState, StartError};

use crate::blank::blank;
use crate::user_bytes::{FILE, OneFile};

/// Two players play their last card as protection: the first in the order of play goes out and is first, the other is second,
/// although both hold no card (DI-07, DI-08).
#[test]
fn first_emptied_hand_in_play_order_wins() {
    let rules = Rules::preset("disney");
    let cards = |text: &str| rules.parse_cards(text).expect("cards");
    for (direction, first, second) in [(Direction::Left, 1, 2), (Direction::Right, 2, 1)] {
        let hands = ["WV r1", "g7", "g9", "b5 g1"].into_iter().map(cards).collect();
        let setup = RoundSetup {
            seats: SeatSet::first(4),
            dealer: Seat::new(0),
            direction,
            to_act: Seat::new(0),
            hands,
            top: rules.parse_card("y5").expect("a card"),
            under_top: Cards::EMPTY,
            color: None,
            draw_pile: cards("y1 y2 y3 y4"),
        };
        let mut state = RoundState::from_setup(&setup, &rules).expect("a position");
        let mut chance = Script::new([], [Scripted::Button(Color::Green)], 1);
        let mut act = |seat: usize, text: &str| {
            let action = rules.parse_action(text).expect("an action").action;
            let seat = Seat::new(seat);
            state.apply_action(&rules, seat, action, Call::Silent, &mut chance, &mut ()).expect("legal");
        };
        act(0, "play WV");
        for seat in if direction == Direction::Left { [1, 2, 3] } else { [3, 2, 1] } {
            act(seat, "accept");
        }
        for seat in if direction == Direction::Left { [1, 2, 3] } else { [3, 2, 1] } {
            act(seat, ["", "protect g7", "protect g9", "protect g1"][seat]);
        }
        assert_eq!(state.outcome(), Some(Outcome::WentOut(Seat::new(first))));
        let (places, points) = (round_places(&rules, &state), round_points(&rules, &state));
        assert_eq!([0, first, second, 3].map(|seat| places[Seat::new(seat)]), [3, 1, 2, 4], "{places:?}");
        assert_eq!(points[Seat::new(second)], 0);
        assert_eq!(points[Seat::new(first)], 1 + 5);
    }
}

/// A caught player is penalized once, even if no card is drawn and the effect of the played card is still in progress (X-22).
#[test]
fn player_is_caught_once_per_card() {
    let effects = "\"rotate_hands\", { draw = { who = \"chosen\", count = 1 } }";
    let settings = "uno.calls = \"explicit\"\nuno.penalty = 0";
    let (rules, mut state) = with_a_blank(settings, effects, ["bX r1", "y2 y3", "g5"]);
    let mut act = |seat: usize, text: &str| {
        let (seat, action) = (Seat::new(seat), rules.parse_action(text).expect("an action").action);
        state.apply_action(&rules, seat, action, Call::Silent, &mut Script::new([], [], 1), &mut ())
    };
    act(0, "play bX").expect("it is its turn");
    act(1, "catch 0").expect("it holds the one card of seat 2");
    act(0, "target 2").expect("a seat has to draw");
    act(1, "catch 0").expect_err("it has been caught");
    act(2, "catch 1").expect("it holds the one card of seat 0, and has not been caught");
}

/// A bound that does not divide 2^32: a quarter of the numbers are rejected here. The expected numbers were computed from the
/// generator by a short program (`x * bound`, repeated while the low half is below `2^32 mod bound`, otherwise the high
/// half).
#[test]
fn biased_random_numbers_are_redrawn() {
    let mut rng = Rng::from_seed(3);
    let drawn: Vec<u32> = (0..8).map(|_| rng.below(3 << 30)).collect();
    assert_eq!(drawn, EXPECTED);
}

const EXPECTED: [u32; 8] = [
    551_267_766,
    2_084_781_150,
    1_079_490_144,
    1_562_841_126,
    1_007_107_365,
    2_158_237_013,
    2_238_435_001,
    855_336_734,
];

/// Nine cards, of which one can start.
struct OneCanStart;

impl VariantFiles for OneCanStart {
    fn read(&self, _base: &str, _from: &str) -> Result<VariantText, String> {
        let mut text = String::from("base = \"classic\"\nseats.max = 2\ndeal.hand_size = 4\n");
        for key in ["skip", "reverse", "draw_two", "wild"] {
            text += &format!("deck.{key} = 0\n");
        }
        text += "deck.wild_draw_four = 8\n";
        for color in ["r", "y", "g", "b"] {
            for number in 0..10 {
                text += &format!("deck.{color}{number} = {}\n", u8::from((color, number) == ("r", 5)));
            }
        }
        Ok(VariantText { name: "one can start".into(), text })
    }
}

/// Hands that contain every card that can start are redealt; otherwise cards would be turned up forever (X-04).
#[test]
fn deal_leaves_valid_start_card() {
    let rules = load("one", &[], TableSize::Any, &OneCanStart).expect("a variant").rules;
    let (seats, start) = (SeatSet::first(2), rules.parse_card("r5").expect("a card"));
    for seed in 0..50 {
        let state = RoundState::deal(&rules, seats, Seat::new(0), &mut Rng::from_seed(seed), &mut ());
        let by_chance = Round::deal_by(&rules, Deal::first(2, Seat::new(0)), Rng::from_seed(seed));
        for state in [&state, Round::deal(&rules, seed).state(), by_chance.state()] {
            assert_eq!(state.top(), start, "seed {seed}");
            assert!(seats.iter().all(|seat| state.hand(seat).len() == 4));
        }
    }
}

#[test]
fn absent_seat_does_not_deal() {
    let rules = Rules::preset("classic");
    let cards = |text: &str| rules.parse_cards(text).expect("cards");
    let hands = BySeat::from_fn(|seat: Seat| if seat.index() > 0 { cards("r1 r2") } else { Cards::EMPTY });
    let seats: SeatSet = [1, 2].into_iter().map(Seat::new).collect();
    let start = rules.parse_card("b5").expect("a card");
    let begun = |dealer: usize| {
        let deal = Deal { seats, dealer: Seat::new(dealer), scores: NO_SCORES };
        Round::begin(&rules, deal, hands, &[start], Rng::from_seed(1)).map(|round| round.current_seat())
    };
    assert_eq!(begun(0), Err(StartError::DealerNotInRound(Seat::new(0))));
    assert_eq!(begun(1), Ok(Some(Seat::new(2))));
}

/// Three seats, the first of which is to act. In the deck is a blue card, `bX`, with these effects.
fn with_a_blank(settings: &str, effects: &str, hands: [&str; 3]) -> (Rules, RoundState) {
    let text = format!("base = \"classic\"\n{settings}\n{}", blank("bX", "blue", effects));
    let rules = load(FILE, &[], TableSize::Seats(3), &OneFile(&text)).expect("rules").rules;
    let cards = |text: &str| rules.parse_cards(text).expect("cards");
    let setup = RoundSetup {
        seats: SeatSet::first(3),
        dealer: Seat::new(2),
        direction: Direction::Left,
        to_act: Seat::new(0),
        hands: hands.into_iter().map(cards).collect(),
        top: rules.parse_card("b5").expect("a card"),
        under_top: Cards::EMPTY,
        color: None,
        draw_pile: cards("y1 y6 g9 r9"),
    };
    let state = RoundState::from_setup(&setup, &rules).expect("a position");
    (rules, state)
}

/// A player who takes a card from every player does not take one from their own hand.
#[test]
fn player_is_excluded_from_take_and_give() {
    for effect in ["take", "give"] {
        let effects = format!("{{ {effect} = {{ who = \"all\", count = 1 }} }}");
        let (rules, mut state) = with_a_blank("", &effects, ["bX r1 r2 r3", "y2 y3", "g5 g6"]);
        let play = rules.parse_action("play bX").expect("an action").action;
        let mut moves = Moves::default();
        state
            .apply_action(&rules, Seat::new(0), play, Call::Silent, &mut Script::new([], [], 1), &mut moves)
            .expect("legal");
        let expected = if effect == "take" { [(1, 0), (2, 0)] } else { [(0, 1), (0, 2)] };
        assert_eq!(moves.0, expected.map(|(from, to)| (Seat::new(from), Seat::new(to))), "{effect}");
    }
}

/// The seats between which cards were moved.
#[derive(Default)]
struct Moves(Vec<(Seat, Seat)>);

impl EventSink for Moves {
    fn on_event(&mut self, _state: &RoundState, event: Event) {
        if let Event::Moved { from, to, .. } = event {
            self.0.push((from, to));
        }
    }
}

/// If any player may challenge, only the next seat may play another draw card on a draw four (SW-20).
#[test]
fn only_next_seat_can_stack_on_draw_four() {
    let settings = "house.stacking = \"any_draw\"\nchallenge.who = \"any_other\"";
    let (rules, mut state) = with_a_blank(settings, "\"reverse\"", ["W4 r1 r2", "W4 y3", "W4 g6"]);
    let mut chance = Script::new([], [], 1);
    let mut act = |state: &mut RoundState, seat: usize, text: &str| {
        let action = rules.parse_action(text).expect("an action").action;
        state.apply_action(&rules, Seat::new(seat), action, Call::Silent, &mut chance, &mut ()).expect("legal");
    };
    act(&mut state, 0, "play W4 r");
    let can_stack = |state: &RoundState| state.legal_actions(&rules).iter().any(|action| action.card().is_some());
    assert_eq!((state.current_seat(), can_stack(&state)), (Some(Seat::new(1)), true));
    act(&mut state, 1, "accept");
    assert_eq!((state.current_seat(), can_stack(&state)), (Some(Seat::new(2)), false));
}

/// A task succeeds with the probability on its card, for every generator.
#[test]
fn task_frequency_matches_its_probability() {
    fn done(mut chance: impl Chance) -> usize {
        (0..2_000).filter(|_| chance.task(0.9) == TaskResult::Done).count()
    }
    for done in [done(FromRand(Rng::from_seed(1))), done(Rng::from_seed(1))] {
        assert!((1_740..=1_860).contains(&done), "{done} of 2,000, where 1,800 are expected");
    }
}
