//! Calls of UNO and races for them: the rulings HH-07 to HH-09, HH-11, and HH-21.

use std::thread;

use unolab::Action;
use unolab::seat::Seat;
use unolab_play::handheld::{Button, DRAWN_CARD_MS, FALSE_PRESS_MS, Level};

use crate::player::{Calls, Play, TICK};

/// A game in which the person has one card without having called, and no machine has pressed; `None` if the round ends first.
fn race(seed: u64, level: Level) -> Option<Play> {
    let mut play = Play::new(seed, Calls::Never);
    play.begin(3, level);
    let screen = play.go_on(|play, screen| play.can_be_caught(0) || screen.mode.ends_with("over"));
    (screen.mode == "play").then_some(play)
}

/// The time until a machine presses; `None` if the race ends otherwise.
fn time_of_machine(mut play: Play) -> Option<u64> {
    let begin = play.now;
    while play.can_be_caught(0) {
        play.now += 1;
        play.machine.tick(play.now);
    }
    play.machine.screen().line.ends_with("UNO! Two cards for you").then_some(play.now - begin)
}

#[test]
fn early_or_immediate_call_is_safe() {
    for (calls, seed) in
        [Calls::Early, Calls::AtOnce].into_iter().flat_map(|calls| (1..=6).map(move |seed| (calls, seed)))
    {
        let mut play = Play::new(seed, calls);
        play.begin(3, Level::Hard);
        let screen = play.go_on(|play, screen| play.cards(0) == 1 || screen.mode.ends_with("over"));
        if screen.mode != "play" {
            continue;
        }
        if calls == Calls::AtOnce {
            assert!(screen.line.contains("One card left"), "{}", screen.line);
            let screen = play.press(Button::Uno);
            assert!(screen.line.contains("you: UNO!") && !screen.races.contains(&0), "{screen:?}");
        }
        if calls == Calls::Early {
            assert!(!play.can_be_caught(0), "the call counts");
        }
        let hand = play.cards(0);
        let (_, longest) = Level::Hard.reaction_ms();
        let screen = play.wait(longest);
        assert!(play.cards(0) <= hand || !screen.line.contains("for you"), "{screen:?}");
    }
}

/// HH-08: the first press wins; in the same millisecond it is the person's. The time of a machine is drawn for each race,
/// between the bounds of its level.
#[test]
fn race_is_decided_by_clock() {
    for level in [Level::Easy, Level::Hard] {
        let (shortest, longest) = level.reaction_ms();
        let mut times = Vec::new();
        for seed in 1..=12 {
            let Some(time) = race(seed, level).and_then(time_of_machine) else { continue };
            // The card was played at the last tick, or since the tick before.
            assert!((shortest..=longest + TICK).contains(&(time + TICK)), "{time}");
            for (late, cards) in [(0, 1), (1, 3)] {
                let mut play = race(seed, level).expect("the same game");
                let now = play.now + time + late;
                play.machine.press(Button::Uno, now);
                assert_eq!(play.cards(0), cards, "{late} late, seed {seed}: {:?}", play.machine.screen());
            }
            times.push(time);
        }
        times.sort_unstable();
        times.dedup();
        assert!(times.len() > 2, "{times:?}");
    }
}

/// HH-07: play continues, and the catch stays possible, as long as the seat has one card and has not called.
#[test]
fn open_window_persists_while_others_play() {
    let mut stayed_open = 0;
    for seed in 1..=30 {
        let mut play = Play::of(&["Ada", "Ben"], seed, Calls::Never);
        play.begin(2, Level::Easy);
        let screen = play.go_on(|play, screen| {
            play.can_be_caught(0) && screen.holder == Some(1) && screen.is_asked || screen.mode == "round_over"
        });
        if screen.mode != "play" || play.can_be_caught(1) {
            continue;
        }
        assert!(screen.races == [0] && screen.line.contains("Ada has one card"), "{screen:?}");
        assert_eq!(play.wait(60_000).races, [0], "without a machine no press comes from the clock");
        play.press(Button::Draw);
        if play.machine.screen().is_asked && play.legal().contains(&Action::Keep) {
            play.wait(DRAWN_CARD_MS);
        }
        let screen = play.machine.screen();
        assert!(screen.races == [0] && play.cards(0) == 1, "{screen:?}");
        play.machine.press_uno(Seat::new(1), play.now);
        assert_eq!(play.cards(0), 3);
        let screen = play.machine.screen();
        assert!(screen.races.is_empty() && !play.can_be_caught(0), "{screen:?}");
        // A false call costs nothing.
        let before = (play.cards(0), play.cards(1));
        play.machine.press_uno(Seat::new(1), play.now);
        assert_eq!((play.cards(0), play.cards(1)), before);
        stayed_open += 1;
    }
    assert!(stayed_open >= 3, "{stayed_open}");
}

/// HH-08: the first press wins at once, even if another race of the same moment has already been decided.
#[test]
fn simultaneous_races_are_decided_separately() {
    let mut decided = 0;
    for seed in 1..=80 {
        let mut play = Play::of(&["Ada", "Ben", "Cy"], seed, Calls::Never);
        play.begin(3, Level::Easy);
        let screen = play.go_on(|_, screen| screen.races.len() == 2 || screen.mode == "round_over");
        let [first, second] = screen.races[..] else { continue };
        let third = 3 - first - second;
        // The oldest race comes first, except for a person's own.
        play.machine.press_uno(Seat::new(second), play.now);
        let screen = play.machine.screen();
        assert_eq!((play.cards(first), play.cards(second), screen.races), (1, 1, vec![first]), "seed {seed}");
        play.machine.press_uno(Seat::new(third), play.now);
        let screen = play.machine.screen();
        assert_eq!((play.cards(first), play.cards(second)), (3, 1), "seed {seed}: {screen:?}");
        assert!(screen.races.is_empty() && !play.can_be_caught(first), "seed {seed}: {screen:?}");
        let text = play.machine.session().record();
        unolab::record::replay(&text, &mut |_| ()).unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        decided += 1;
    }
    assert!(decided >= 3, "{decided}");
}

/// Plays a match with two players; the person presses UNO this long after a race has begun, or without it all the time.
fn person_wins(seed: u64, level: Level, reaction: Option<u64>) -> bool {
    let mut play = Play::new(seed, Calls::Never);
    play.begin(2, level);
    let mut begun = None;
    for _ in 0..400_000 {
        let screen = play.wait(TICK);
        match screen.mode {
            "match_over" => return screen.scores[0] > screen.scores[1],
            "color" | "round_over" => {
                play.press(Button::Enter);
            }
            "play" if screen.is_asked => play.take_turn(),
            _ => {}
        }
        begun = if screen.races.is_empty() { None } else { begun.or(Some(play.now)) };
        let is_time = reaction.is_none_or(|reaction| begun.is_some_and(|begun| play.now >= begun + reaction));
        if is_time && screen.mode == "play" {
            play.machine.press_uno(Seat::new(0), play.now);
        }
    }
    panic!("the match does not end");
}

fn wins_of_person(level: Level, reaction: Option<u64>, matches: u64) -> usize {
    thread::scope(|scope| {
        let playing: Vec<_> =
            (1..=matches).map(|seed| scope.spawn(move || person_wins(seed, level, reaction))).collect();
        playing.into_iter().map(|game| game.join().expect("a result")).filter(|&wins| wins).count()
    })
}

/// Cards rather than the button decide a match between an attentive person and the machine.
#[test]
fn attentive_person_wins_about_half_of_matches() {
    let (easy, hard) = (wins_of_person(Level::Easy, Some(600), 8), wins_of_person(Level::Hard, Some(600), 8));
    assert!((3..=5).contains(&hard), "level II: {hard} of 8");
    assert!(easy > hard, "level I: {easy} of 8, level II: {hard}");
}

#[test]
fn constant_uno_presses_win_no_race() {
    let mashing = wins_of_person(Level::Hard, None, 10);
    assert!(mashing <= 5, "{mashing} of 10");
}

/// HH-21.
#[test]
fn false_press_blocks_uno_button_for_a_second() {
    for (pause, cards) in [(FALSE_PRESS_MS - 1, 1), (FALSE_PRESS_MS, 3)] {
        let mut tried = 0;
        for seed in 1..=30 {
            let mut play = Play::of(&["Ada", "Ben"], seed, Calls::Never);
            play.begin(2, Level::Easy);
            let screen = play.go_on(|play, screen| {
                screen.mode == "round_over"
                    || (play.cards(0) == 2 && screen.holder == Some(0) && screen.is_asked && screen.races.is_empty())
            });
            if screen.mode == "round_over" {
                continue;
            }
            // Ben presses too early: no player has one card yet.
            play.machine.press_uno(Seat::new(1), play.now);
            play.take_turn();
            play.press(Button::Enter);
            if !play.can_be_caught(0) || play.machine.screen().races != [0] {
                continue;
            }
            play.machine.press_uno(Seat::new(1), play.now + pause);
            assert_eq!(play.cards(0), cards, "seed {seed}, {pause} ms later");
            tried += 1;
        }
        assert!(tried >= 2, "{tried}");
    }
}

#[test]
fn machine_without_call_can_be_caught() {
    let mut caught = 0;
    for seed in 1..=30 {
        let mut play = Play::new(seed, Calls::AtOnce);
        play.begin(2, Level::Easy);
        let screen = play.go_on(|play, screen| play.can_be_caught(1) || screen.mode == "round_over");
        if screen.mode == "play" && screen.races == [1] {
            assert!(screen.line.contains("player 2 has one card"), "{}", screen.line);
            play.press(Button::Uno);
            assert_eq!(play.cards(1), 3);
            caught += 1;
        }
    }
    assert!(caught >= 3, "{caught}");
}

/// HH-09: an early call holds for the card in the highlight, with two cards in hand, and lapses with the next draw.
#[test]
fn early_call_lapses_on_other_card() {
    let mut tried = [0, 0, 0];
    for seed in 1..=60 {
        let mut play = Play::new(seed, Calls::Never);
        play.begin(2, Level::Easy);
        let screen = play.go_on(|play, screen| {
            (play.cards(0) == 2 && screen.is_asked && screen.races.is_empty()) || screen.mode.ends_with("over")
        });
        let Some(index) = play.playable().filter(|_| screen.mode == "play") else { continue };
        if play.legal().contains(&Action::Keep) || !play.legal().contains(&Action::Draw) {
            continue;
        }
        play.scroll_to(index);
        let said = play.press(Button::Uno).line;
        assert!(said.contains("UNO!"), "{said}");
        let what = usize::try_from(seed % 3).expect("small");
        match what {
            0 => {
                play.press(Button::Right);
                play.press(Button::Left);
            }
            1 => {
                play.press(Button::Draw);
            }
            _ => {}
        }
        if what != 1 {
            if play.press(Button::Enter).mode == "color" {
                play.press(Button::Enter);
            }
            if play.machine.screen().mode == "play" {
                assert_eq!(play.can_be_caught(0), what == 0, "HH-09");
                tried[what] += 1;
            }
        } else if play.cards(0) == 3 {
            assert!(!play.can_be_caught(0));
            tried[1] += 1;
        }
    }
    assert!(tried.iter().all(|&tried| tried >= 2), "{tried:?}");
}

#[test]
fn early_call_requires_two_cards_and_playable_one() {
    let mut play = Play::new(1, Calls::Never);
    play.begin(2, Level::Easy);
    play.go_on(|_, screen| screen.is_asked);
    let line = play.machine.screen().line;
    assert_eq!(play.press(Button::Uno).line, line, "seven cards are in the hand");
    assert!(!play.can_be_caught(0));
}
