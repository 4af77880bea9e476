//! The handheld on a clock that the test turns.

use tempfile::TempDir;
use unolab::Action;
use unolab::seat::Seat;
use unolab_play::handheld::{Button, DRAWN_CARD_MS, Handheld, Level, Screen};
use unolab_play::hi_score::HiScoreFile;

/// How often the test looks at the screen.
const TICK: u64 = 50;

/// When a person calls his own last card.
#[derive(Clone, Copy, PartialEq)]
enum Calls {
    Early,
    AtOnce,
    Never,
}

struct Play {
    machine: Handheld,
    now: u64,
    calls: Calls,
    /// The person's cards after each of his plays down to one card, as soon as the window is closed.
    _home: TempDir,
    file: std::path::PathBuf,
}

impl Play {
    fn new(seed: u64, calls: Calls) -> Self {
        let home = TempDir::new().expect("a folder");
        let file = home.path().join("hi-score");
        Self { machine: Handheld::new(seed, HiScoreFile::at(file.clone())), now: 0, calls, _home: home, file }
    }

    fn press(&mut self, button: Button) -> Screen {
        self.machine.press(button, self.now);
        self.machine.screen()
    }

    fn wait(&mut self, milliseconds: u64) -> Screen {
        let end = self.now + milliseconds;
        while self.now < end {
            self.now += TICK;
            self.machine.tick(self.now);
        }
        self.machine.screen()
    }

    /// Out of the demo and into a game of so many players.
    fn begin(&mut self, players: usize, level: Level) {
        self.press(Button::Reset);
        for _ in 2..players {
            self.press(Button::Right);
        }
        self.press(Button::Enter);
        if level == Level::Hard {
            self.press(Button::Right);
        }
        assert_eq!(self.press(Button::Enter).mode, "play");
    }

    fn hand(&self) -> u32 {
        self.machine.session().round().state().hand(Seat::new(0)).len()
    }

    fn uncalled(&self) -> bool {
        self.machine.session().round().state().uncalled().contains(Seat::new(0))
    }

    /// A person who plays the first card that fits, and calls as he does. Stops when `until` says so.
    fn go_on(&mut self, until: impl Fn(&Self, &Screen) -> bool) -> Screen {
        for _ in 0..400_000 {
            let screen = self.wait(TICK);
            if until(self, &screen) {
                return screen;
            }
            if self.uncalled() && self.calls == Calls::AtOnce {
                self.press(Button::Uno);
                continue;
            }
            match screen.mode {
                "color" | "round_over" => {
                    self.press(Button::Enter);
                }
                "play" if screen.is_asked => self.play_a_card(),
                _ => {}
            }
        }
        panic!("it never comes to that: {:?}", self.machine.screen().line);
    }

    fn play_a_card(&mut self) {
        let before = self.machine.session().number();
        let legal = self.machine.session().round().legal_actions().to_vec();
        let observation_hand: Vec<_> = self.machine.session().round().state().hand(Seat::new(0)).iter().collect();
        let fits = |index: usize| legal.iter().any(|action: &Action| action.card() == Some(observation_hand[index]));
        if matches!(legal[0], Action::NameColor(_)) {
            self.press(Button::Enter);
            return;
        }
        match (0..observation_hand.len()).find(|&index| fits(index)) {
            None if legal.contains(&Action::Keep) => {
                self.wait(DRAWN_CARD_MS);
            }
            None => {
                self.press(Button::Draw);
            }
            Some(index) => {
                while self.machine.screen().highlight != Some(index) {
                    let from = self.machine.screen().highlight;
                    if self.press(Button::Right).highlight == from {
                        break; // a drawn card cannot be scrolled away
                    }
                }
                if observation_hand.len() == 2 && self.calls == Calls::Early {
                    self.press(Button::Uno);
                }
                self.press(Button::Enter);
                if self.machine.screen().mode == "play" && self.machine.session().number() == before {
                    self.press(Button::Draw);
                }
            }
        }
    }
}

#[test]
fn the_demo_plays_by_itself_and_only_reset_leaves_it() {
    let mut play = Play::new(1, Calls::Never);
    assert_eq!(play.machine.screen().mode, "demo");
    for button in [Button::Enter, Button::Draw, Button::Uno, Button::Left, Button::Sound] {
        let screen = play.press(button);
        assert!(screen.mode == "demo" && screen.sound);
    }
    let first = play.machine.session().setup().seed;
    assert!(play.wait(10_000).frames > 5);
    play.wait(600_000);
    assert_ne!(play.machine.session().setup().seed, first, "another round follows");
    assert_eq!(play.press(Button::Reset).mode, "players");
}

#[test]
fn players_and_level_are_chosen_by_scrolling() {
    let mut play = Play::new(1, Calls::Never);
    play.press(Button::Reset);
    let players: Vec<usize> = (0..4).map(|_| play.press(Button::Right).players).collect();
    assert_eq!(players, [3, 4, 2, 3]);
    assert_eq!(play.press(Button::Left).players, 2);
    assert_eq!(play.press(Button::Left).players, 4);
    assert_eq!(play.press(Button::Enter).mode, "level");
    assert_eq!(play.press(Button::Left).level, Level::Hard);
    assert_eq!(play.press(Button::Right).level, Level::Easy);
    let screen = play.press(Button::Enter);
    assert_eq!((screen.mode, screen.names.len()), ("play", 4));
    assert!(screen.names[1..].iter().all(|name| name == "greedy"));
}

#[test]
fn who_forgets_to_call_draws_two_and_who_calls_in_time_does_not() {
    let mut penalties = [0, 0, 0];
    for (index, calls) in [Calls::Early, Calls::AtOnce, Calls::Never].into_iter().enumerate() {
        for seed in 1..=6 {
            let mut play = Play::new(seed, calls);
            play.begin(3, Level::Hard);
            let done = |play: &Play, screen: &Screen| {
                play.hand() == 1 || screen.mode == "round_over" || screen.mode == "match_over"
            };
            if play.go_on(done).mode != "play" {
                continue;
            }
            let (_, longest) = Level::Hard.reaction_ms();
            if calls == Calls::AtOnce && play.uncalled() {
                play.press(Button::Uno);
            }
            let hand = play.hand();
            play.wait(longest + TICK);
            penalties[index] += u32::from(play.hand() >= hand + 2 && calls == Calls::Never);
            if calls != Calls::Never {
                assert!(!play.uncalled(), "the call counts");
            }
        }
    }
    assert_eq!((penalties[0], penalties[1]), (0, 0));
    assert!(penalties[2] >= 2, "{penalties:?}");
}

#[test]
fn a_drawn_card_is_kept_when_the_time_is_over() {
    let mut play = Play::new(3, Calls::AtOnce);
    play.begin(2, Level::Easy);
    play.go_on(|_, screen| screen.mode == "play" && screen.is_asked);
    for _ in 0..200 {
        if play.machine.screen().is_asked && play.machine.session().legal().contains(&"keep".to_owned()) {
            let asked = play.machine.session().number();
            play.wait(DRAWN_CARD_MS - 2 * TICK);
            assert_eq!(play.machine.session().number(), asked, "there is time left");
            play.wait(4 * TICK);
            assert!(play.machine.session().number() > asked, "the time is over");
            return;
        }
        if play.machine.screen().mode == "round_over" {
            play.press(Button::Enter);
        }
        if play.machine.screen().is_asked {
            play.press(Button::Draw);
        }
        play.wait(TICK);
    }
    panic!("no drawn card could be played");
}

#[test]
fn a_whole_match_leaves_a_hi_score_that_reset_clears() {
    let mut play = Play::new(2, Calls::Early);
    play.begin(2, Level::Easy);
    let screen = play.go_on(|_, screen| screen.mode == "match_over");
    assert!(screen.scores.iter().any(|&score| score >= 500), "{:?}", screen.scores);
    assert_eq!(screen.hi_score, Some(screen.scores[0]));
    assert_eq!(
        std::fs::read_to_string(&play.file).map(|text| text.trim().parse().unwrap_or(0)).unwrap_or(0),
        screen.scores[0]
    );
    assert_eq!(play.press(Button::Enter).mode, "players");
    play.machine.hold(Button::Draw, play.now);
    assert_eq!(play.machine.screen().hi_score, Some(screen.scores[0]));
    play.press(Button::Reset);
    play.machine.hold(Button::Draw, play.now);
    assert_eq!(play.machine.screen().hi_score, Some(0));
}

#[test]
fn sounds_can_be_off() {
    let mut play = Play::new(1, Calls::Never);
    play.press(Button::Reset);
    assert!(!play.press(Button::Right).sounds.is_empty());
    assert!(!play.press(Button::Sound).sound);
    assert!(play.press(Button::Right).sounds.is_empty());
    assert!(play.press(Button::Sound).sound);
}
