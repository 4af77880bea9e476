//! The handheld on a clock that the test controls: the rule sheet's description of the machine, and the rulings HH-07 to HH-22.

mod player;
mod uno;

use unolab::Action;
use unolab::seat::Seat;
use unolab::watch::Hand;
use unolab_play::handheld::{
    Button, DRAWN_CARD_MS, Handheld, HiScoreFile, IDLE_MS, Level, OFF_MS, Screen, THINKING_MS,
};

use self::player::{Calls, Play, TICK};

fn is_closed(hand: Option<&Hand>) -> bool {
    matches!(hand, Some(Hand::Closed(_)))
}

#[test]
fn demo_plays_until_reset() {
    let mut play = Play::new(1, Calls::Never);
    for button in [Button::Enter, Button::Draw, Button::Uno, Button::Left, Button::Right, Button::Sound] {
        let before = play.machine.screen();
        assert_eq!(before.mode, "demo");
        assert_eq!(play.press(button), before, "HH-15: {button:?}");
        play.machine.hold(button, play.now);
        assert_eq!(play.machine.screen(), before, "HH-15: {button:?}, held");
    }
    let first = play.machine.session().setup().seed;
    let screen = play.wait(10_000);
    assert!(screen.frames > 5 && screen.holder.is_none() && screen.people == ["you"]);
    let table = &screen.frame.table;
    assert!(table.hands.iter().all(|hand| is_closed(hand.as_ref())), "no person holds the machine: {table:?}");
    play.wait(600_000);
    assert_ne!(play.machine.session().setup().seed, first, "another round follows");
    assert!(!play.file.exists(), "HH-15: no hi-score");
    assert_eq!(play.press(Button::Reset).mode, "players");
}

/// HH-22.
#[test]
fn idle_machine_is_off_until_enter_or_uno_is_pressed() {
    for button in [Button::Enter, Button::Uno, Button::Reset] {
        let mut play = Play::new(1, Calls::Never);
        assert_eq!(play.wait(OFF_MS).mode, "demo", "the round is not over");
        let screen = play.wait(OFF_MS);
        assert_eq!((screen.mode, screen.line.as_str()), ("off", ""));
        for ignored in [Button::Draw, Button::Left, Button::Right, Button::Sound] {
            assert_eq!(play.press(ignored).mode, "off", "{ignored:?}");
        }
        assert_eq!(play.wait(IDLE_MS).mode, "off");
        assert_eq!(play.press(button).mode, "players", "{button:?}");
    }
}

#[test]
fn idle_demo_restarts_only_between_games() {
    let mut play = Play::new(1, Calls::Never);
    play.press(Button::Reset);
    assert_eq!(play.wait(IDLE_MS - 1).mode, "players");
    assert_eq!(play.press(Button::Right).mode, "players");
    assert_eq!(play.wait(IDLE_MS).mode, "demo");
    play.begin(2, Level::Easy);
    play.go_on(|_, screen| screen.is_asked);
    let asked = play.machine.screen();
    assert_eq!(play.wait(100 * IDLE_MS), Screen { sounds: Vec::new(), ..asked }, "HH-16: other decisions wait");
}

#[test]
fn scrolling_selects_players_then_level() {
    let mut play = Play::new(1, Calls::Never);
    play.press(Button::Reset);
    let players: Vec<usize> = (0..4).map(|_| play.press(Button::Right).players).collect();
    assert_eq!(players, [3, 4, 2, 3], "HH-17");
    assert_eq!(play.press(Button::Left).players, 2);
    assert_eq!(play.press(Button::Left).players, 4);
    assert_eq!(play.press(Button::Enter).mode, "level");
    assert_eq!(play.press(Button::Left).level, Level::Hard);
    assert_eq!(play.press(Button::Right).level, Level::Easy);
    assert!(play.machine.screen().line.contains("Level I "), "HH-12");
    let screen = play.press(Button::Enter);
    assert_eq!((screen.mode, screen.holder), ("play", Some(0)));
    assert_eq!(screen.names, ["you", "player 2", "player 3", "player 4"]);
}

/// HH-11: a level changes the agent, and how soon it presses.
#[test]
fn both_levels_have_same_rules() {
    let game = |level| {
        let mut play = Play::new(1, Calls::Never);
        play.begin(2, level);
        let setup = play.machine.session().setup().clone();
        let start = *play.machine.session().round().state();
        (setup.rules.to_toml(), setup.participants[1].name().to_owned(), start)
    };
    let (easy, hard) = (game(Level::Easy), game(Level::Hard));
    assert_eq!(easy.0, hard.0);
    assert_eq!((easy.1.as_str(), hard.1.as_str()), ("greedy", "heuristic"));
    assert_eq!(easy.2, hard.2, "the same cards");
}

/// HH-17 and the contract of the machine: one to four people, and machines in the remaining seats.
#[test]
fn any_mix_of_humans_and_machines_is_seated() {
    for (people, players) in [(1, 4), (2, 2), (2, 3), (3, 4), (4, 4)] {
        let names = &["Ada", "Ben", "Cy", "Dora"][..people];
        let mut play = Play::of(names, 7, Calls::AtOnce);
        let screen = play.press(Button::Reset);
        assert_eq!(screen.players, people.max(2));
        assert_eq!(play.press(Button::Left).players, 4, "it goes round");
        play.begin(players, Level::Hard);
        let screen = play.go_on(|_, screen| screen.mode == "match_over");
        assert_eq!(screen.names.len(), players);
        assert_eq!(screen.names[..people], *names);
        let best = screen.scores[..people].iter().max().copied();
        assert!(screen.scores.iter().any(|&score| score >= 500));
        assert_eq!(screen.hi_score, best, "HH-13: the best of the people");
    }
}

/// While the machine is handed on, it shows no hand.
#[test]
fn hand_is_visible_only_to_device_holder() {
    let mut play = Play::of(&["Ada", "Ben"], 5, Calls::AtOnce);
    play.begin(3, Level::Easy);
    let (mut handed_over, mut seen) = (0, [0, 0]);
    for _ in 0..2_000 {
        let screen = play.wait(TICK);
        let hands = &screen.frame.table.hands;
        for (seat, hand) in hands.iter().enumerate() {
            assert_eq!(is_closed(hand.as_ref()), screen.holder != Some(seat), "{screen:?}");
        }
        match (screen.mode, screen.holder) {
            ("hand_over", None) => {
                handed_over += 1;
                assert!(screen.line.contains("take the machine"), "{}", screen.line);
                for button in [Button::Draw, Button::Left, Button::Right, Button::Uno] {
                    assert_eq!(play.press(button).mode, "hand_over");
                }
                let next = play.press(Button::Enter);
                let acting = play.machine.session().round().state().current_seat();
                assert_eq!(next.holder.map(Seat::new), acting);
            }
            ("play", Some(person)) => {
                seen[person] += 1;
                if screen.is_asked {
                    play.take_turn();
                }
            }
            ("round_over" | "color", _) => {
                play.press(Button::Enter);
            }
            _ => {}
        }
    }
    assert!(handed_over > 10 && seen[0] > 10 && seen[1] > 10, "{handed_over} {seen:?}");
}

/// HH-16.
#[test]
fn drawn_card_is_kept_after_timeout() {
    let mut play = Play::new(3, Calls::AtOnce);
    play.begin(2, Level::Easy);
    for _ in 0..400 {
        let screen = play.wait(TICK);
        if screen.is_asked && play.legal().contains(&Action::Keep) {
            let asked = play.machine.session().number();
            let highlight = screen.highlight;
            assert_eq!(play.press(Button::Right).highlight, highlight, "only the drawn card may be played");
            play.wait(DRAWN_CARD_MS - 2 * TICK);
            assert_eq!(play.machine.session().number(), asked, "there is time left");
            play.wait(4 * TICK);
            assert!(play.machine.session().number() > asked, "the time is over");
            return;
        }
        if screen.is_asked {
            play.press(Button::Draw);
        } else if screen.mode == "round_over" {
            play.press(Button::Enter);
        }
    }
    panic!("no drawn card could be played");
}

/// HH-13 and HH-14.
#[test]
fn best_human_match_score_is_kept_until_reset() {
    let mut play = Play::new(2, Calls::Early);
    play.begin(2, Level::Easy);
    let screen = play.go_on(|_, screen| screen.mode == "match_over");
    assert!(screen.scores.iter().any(|&score| score >= 500), "{:?}", screen.scores);
    let score = screen.scores[0];
    assert!(score > 0 && screen.hi_score == Some(score));
    let kept =
        |play: &Play| std::fs::read_to_string(&play.file).expect("a file").trim().parse::<u32>().expect("a number");
    assert_eq!(kept(&play), score);
    assert_eq!(play.press(Button::Enter).mode, "players");
    // A new game keeps it, and so does switching the machine off.
    play.begin_again(2);
    play.machine.hold(Button::Draw, play.now);
    assert_eq!(play.machine.screen().hi_score, Some(score));
    assert_eq!(play.wait(10_000).hi_score, None, "it is shown for a while");
    play.machine.hold(Button::Sound, play.now);
    assert_eq!(play.machine.screen().mode, "players", "a new game");
    play.machine = Handheld::new(&["you".to_owned()], 9, HiScoreFile::at(play.file.clone()));
    play.now = 0;
    play.press(Button::Reset);
    play.machine.hold(Button::Draw, play.now);
    assert_eq!(play.machine.screen().hi_score, Some(score));
    play.press(Button::Reset);
    play.machine.hold(Button::Draw, play.now);
    assert_eq!((play.machine.screen().hi_score, kept(&play)), (Some(0), 0));
}

#[test]
fn lower_score_does_not_replace_hi_score() {
    let mut play = Play::new(2, Calls::Early);
    std::fs::write(&play.file, "100000\n").expect("a file");
    play.begin(2, Level::Easy);
    // RESET in the demo keeps it: otherwise it would be lost whenever the machine is switched off.
    let screen = play.go_on(|_, screen| screen.mode == "match_over");
    assert_eq!(screen.hi_score, Some(100_000));
}

#[test]
fn sounds_can_be_disabled() {
    let mut play = Play::new(1, Calls::Never);
    play.press(Button::Reset);
    assert!(!play.press(Button::Right).sounds.is_empty());
    assert!(!play.press(Button::Sound).sound);
    assert!(play.press(Button::Right).sounds.is_empty());
    assert!(play.press(Button::Sound).sound);
}

/// Nothing depends on how often the screen is read.
#[test]
fn equal_buttons_and_times_give_equal_games() {
    let told = |tick: u64| {
        let mut play = Play::new(4, Calls::Never);
        play.begin(4, Level::Hard);
        let mut lines = Vec::new();
        for step in 0..60_u64 {
            let end = play.now + 2 * THINKING_MS + 77 * (step % 5);
            while play.now < end {
                play.wait(tick.min(end - play.now));
            }
            let button = [Button::Enter, Button::Draw, Button::Right, Button::Enter, Button::Uno]
                [usize::try_from(step % 5).expect("small")];
            let screen = play.press(button);
            lines.push((screen.mode, screen.frame, screen.scores));
        }
        (lines, play.machine.session().record())
    };
    assert_eq!(told(10), told(3_600_000));
}
