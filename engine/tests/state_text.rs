//! The text form of a state reads back to an equal state, and an invalid text is rejected with a reason.

use crate::random_play;
use unolab_engine::rng::Rng;
use unolab_engine::rules::Rules;
use unolab_engine::seat::{Seat, SeatSet};
use unolab_engine::state::RoundState;

#[test]
fn states_of_random_play_round_trip() {
    let mut phases = std::collections::BTreeSet::new();
    for (rules, seats) in random_play::all_rules().into_iter().chain(random_play::random_rules(100)) {
        for seed in 0..2 {
            let rngs = [&mut Rng::from_seed(seed), &mut Rng::from_seed(seed + 100)];
            let mut met = 0;
            random_play::play_round(&rules, SeatSet::first(seats), Seat::new(1), rngs, &mut (), |state| {
                met += 1;
                if met > 60 && met % 16 != 0 && !state.is_terminal() {
                    return; // long rounds repeat themselves
                }
                let text = state.to_text(&rules);
                let read = RoundState::from_text(&text, &rules);
                assert_eq!(read.as_ref(), Ok(state), "{}, {seats} seats:\n{text}", rules.name());
                phases.extend(text.lines().find(|line| line.starts_with("waits_for")).map(String::from));
            });
        }
    }
    assert_eq!(phases.len(), 13, "every kind of decision has been met: {phases:?}");
}

#[test]
fn round_with_eliminated_seats_round_trips() {
    let rules = Rules::preset("classic");
    let seats: SeatSet = [0, 3, 5].map(Seat::new).into_iter().collect();
    let rngs = [&mut Rng::from_seed(1), &mut Rng::from_seed(2)];
    random_play::play_round(&rules, seats, Seat::new(3), rngs, &mut (), |state| {
        assert_eq!(RoundState::from_text(&state.to_text(&rules), &rules).as_ref(), Ok(state));
    });
}

/// Every accepted text is a playable position, and every other is rejected without a panic.
#[test]
fn altered_state_text_is_rejected_or_playable() {
    let (mut read, mut refused) = (0, 0);
    for (rules, seats) in random_play::all_rules().into_iter().chain(random_play::random_rules(60)) {
        let mut noise = Rng::from_seed(seats as u64);
        let rngs = [&mut Rng::from_seed(1), &mut Rng::from_seed(2)];
        let mut texts = Vec::new();
        random_play::play_round(&rules, SeatSet::first(seats), Seat::new(0), rngs, &mut (), |state| {
            texts.push(state.to_text(&rules));
        });
        for text in texts.iter().take(120) {
            for _ in 0..4 {
                match RoundState::from_text(&altered(text, &mut noise), &rules) {
                    Err(_) => refused += 1,
                    Ok(mut state) => {
                        read += 1;
                        for _ in 0..60 {
                            if state.is_terminal() {
                                break;
                            }
                            let chosen = random_play::choose(&rules, &state, &mut noise);
                            random_play::apply(&rules, &mut state, chosen, &mut noise, &mut ());
                        }
                    }
                }
            }
        }
    }
    assert!(read > 1000 && refused > 1000, "{read} read, {refused} refused");
}

/// The text with two cards exchanged, or with another word after the cards replaced.
fn altered(text: &str, noise: &mut Rng) -> String {
    const WORDS: [&str; 18] = [
        "turn",
        "drawn",
        "color",
        "challenge",
        "cheese",
        "swap",
        "lap",
        "target",
        "discard",
        "protect",
        "stack",
        "nothing",
        "0",
        "1",
        "2",
        "255",
        "true",
        "all",
    ];
    let (cards, rest) = text.split_once("dealer").expect("a dealer");
    let (mut cards, mut rest) = (words(cards), words(rest));
    if noise.chance(0.5) {
        let places: Vec<usize> = (0..cards.len()).filter(|&at| !cards[at].contains(['_', '=', '.', '"'])).collect();
        let (a, b) = (*noise.pick(&places).expect("cards"), *noise.pick(&places).expect("cards"));
        cards.swap(a, b);
    }
    if noise.chance(0.8) {
        let places: Vec<usize> =
            (0..rest.len()).filter(|&at| rest[at].starts_with(|c: char| c.is_alphanumeric())).collect();
        let others = [rest.clone(), WORDS.to_vec()].concat();
        rest[*noise.pick(&places).expect("words")] = noise.pick(&others).expect("words");
    }
    format!("{}dealer{}", cards.concat(), rest.concat())
}

/// The words of a text, and the text between them.
fn words(text: &str) -> Vec<&str> {
    text.split_inclusive(|c: char| !c.is_ascii_alphanumeric())
        .flat_map(|part| part.split_at_checked(part.len() - 1).map_or([part, ""], |(word, end)| [word, end]))
        .collect()
}

/// A small hand-written state.
const BY_HAND: &str = r#"
hands.0 = "r5 g7"
hands.1 = "W4 b1"
top = "W4"
color = "green"
under_top = "r9"
draw_pile = "y1 y2"
out_of_round = ""
dealer = 0
direction = "left"
first_seat = 1
first_direction = "left"
called = [0]
[decision]
waits_for = "challenge"
seat = 1
played_by = 0
on = "r9"
on_color = "red"
honest = false
sum = 4
"#;

/// The state above, with all other cards out of the round.
fn by_hand(rules: &Rules) -> String {
    let named = rules.parse_cards("r5 g7 W4 b1 W4 r9 y1 y2").expect("cards");
    let rest = rules.write_cards(rules.deck().minus(named));
    BY_HAND.replace("out_of_round = \"\"", &format!("out_of_round = \"{rest}\""))
}

#[test]
fn handwritten_state_is_parsed() {
    let rules = Rules::preset("classic");
    let state = RoundState::from_text(&by_hand(&rules), &rules).expect("a state");
    assert_eq!(state.current_seat(), Some(Seat::new(1)));
    assert_eq!(state.legal_actions(&rules).len(), 2);
}

#[test]
fn invalid_state_is_rejected_with_key_and_reason() {
    let rules = Rules::preset("classic");
    let text = by_hand(&rules);
    for (from, to, reason) in [
        ("r5 g7", "r5 g7 r5 r5", "hands.0: one r5 too many"),
        ("r5 g7", "r5", "draw_pile: g7 of the deck are nowhere"),
        ("r5 g7", "r5 g77", "hands.0: `g77` is not the code of a card"),
        ("r5 g7", "r5 WV", "hands.0: WV is not in the deck"),
        ("hands.0", "hands.12", "hands: `12` is not a seat"),
        ("hands.0 = \"r5 g7\"", "", "hands: 1 hands are not allowed; allowed: 2 to 10"),
        ("dealer = 0", "dealer = 4", "dealer: 4 is not allowed; allowed: 0, 1"),
        ("dealer = 0", "dealer = -1", "dealer"),
        ("dealer = 0", "deeler = 0", "unknown field `deeler`"),
        ("dealer = 0", "", "missing field `dealer`"),
        ("\"left\"", "\"up\"", "direction: up is not allowed; allowed: left, right"),
        ("color = \"green\"", "color = \"pink\"", "color: pink is not allowed; allowed: red, yellow, green, blue"),
        ("color = \"green\"", "", "color: missing; allowed: red"),
        ("called = [0]", "called = [7]", "called: 7 is not allowed"),
        ("called = [0]", "uncalled = [0]", "uncalled: not allowed without uno.calls"),
        ("called = [0]", "missed_turns.1 = 1", "missed_turns: not allowed without tinker.resume"),
        ("called = [0]", "jump_in_is_open = true", "jump_in_is_open: not allowed without house.jump_in"),
        ("called = [0]", "top_word_is_dead = 3", "top_word_is_dead"),
        ("\"challenge\"", "\"chalenge\"", "unknown variant `chalenge`, expected one of `turn`"),
        ("\nseat = 1\n", "\nseat = 0\n", "decision.played_by: 0 is the seat that decides"),
        ("honest = false", "honest = true", "decision.honest: true contradicts the hand of seat 0"),
        ("honest = false", "honest = \"no\"", "expected a boolean"),
        ("sum = 4", "sum = 2", "decision.sum: 2 is not allowed; allowed: 4 to 255"),
        ("sum = 4", "sum = 4\nsun = 4", "unknown field `sun`"),
        ("on = \"r9\"", "on = \"r99\"", "decision.on: `r99`"),
        (
            "sum = 4",
            "sum = 4\npenalty_drawn_since = 3",
            "decision.penalty_drawn_since: 3 is not allowed; allowed: 0 to 2",
        ),
        ("[decision]", "[decision", "TOML"),
    ] {
        assert!(text.contains(from), "{from}");
        refuse(&rules, &text.replacen(from, to, 1), reason);
    }
}

#[test]
fn decision_inconsistent_with_cards_is_rejected() {
    let rules = Rules::preset("classic");
    let (before, _) = BY_HAND.split_once("[decision]").expect("a decision");
    let text = by_hand(&rules);
    let (before, _) = text.split_once("[decision]").map_or((before, ""), |parts| parts);
    for (decision, reason) in [
        ("waits_for = \"cheese\"\nseat = 1", "decision.waits_for: not allowed: the top card is not a Cheese Touch"),
        ("waits_for = \"lap\"\nseat = 1\npasses = 1", "not a Victory Lap"),
        ("waits_for = \"discard\"\nseat = 1", "not a Wild Discard All"),
        ("waits_for = \"protect\"\nseat = 1\nplayed_by = 0", "decision.seat: seat 1 has no card of the color in force"),
        ("waits_for = \"stack\"\nseat = 1\nsum = 4", "not one that the seat could answer"),
        ("waits_for = \"drawn\"\nseat = 1\ncard = \"b1\"", "decision.card: seat 1 cannot play b1; allowed: W4"),
        ("waits_for = \"swap\"\nseat = 1", "not a Wild Swap Hands"),
        (
            "waits_for = \"swap\"\nseat = 1\neffect = { next_step = 1, skips = 0, is_last_card = false }",
            "asks for no such decision",
        ),
        (
            "waits_for = \"target\"\nseat = 1\neffect = { next_step = 9, skips = 0, is_last_card = false }",
            "decision.effect.next_step: 9",
        ),
        (
            "waits_for = \"target\"\nseat = 1\neffect = { next_step = 1, skips = 99, is_last_card = false }",
            "decision.effect.skips: 99",
        ),
        ("waits_for = \"color\"\nseat = 1\nthen = \"nap\"", "decision.then: nap is not allowed; allowed: own_turn"),
        ("waits_for = \"nothing\"\nseat = 1", "\"nothing\" needs one of"),
        ("waits_for = \"nothing\"\nseat = 1\nwent_out = 0", "decision.went_out: seat 0 still holds cards"),
        ("waits_for = \"turn\"\nseat = 2", "decision.seat: 2 is not allowed; allowed: 0, 1"),
    ] {
        refuse(&rules, &format!("{before}[decision]\n{decision}\n"), reason);
    }
}

fn refuse(rules: &Rules, text: &str, reason: &str) {
    match RoundState::from_text(text, rules) {
        Ok(_) => panic!("read, though it should be refused with `{reason}`:\n{text}"),
        Err(error) => assert!(error.to_string().contains(reason), "expected `{reason}`, found `{error}`"),
    }
}
