//! Players at the machine, who press its buttons on a clock that the test controls.

use std::path::PathBuf;

use tempfile::TempDir;
use unolab::seat::Seat;
use unolab::{Action, Card};
use unolab_play::handheld::{Button, Handheld, HiScoreFile, Level, Screen};

/// The interval at which a test reads the screen.
pub(crate) const TICK: u64 = 150;

/// When the people call UNO for their own last card.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Calls {
    Early,
    AtOnce,
    Never,
}

pub(crate) struct Play {
    pub(crate) machine: Handheld,
    pub(crate) now: u64,
    pub(crate) calls: Calls,
    pub(crate) file: PathBuf,
    pub(crate) _home: TempDir,
}

impl Play {
    pub(crate) fn new(seed: u64, calls: Calls) -> Self {
        Self::of(&["you"], seed, calls)
    }

    pub(crate) fn of(people: &[&str], seed: u64, calls: Calls) -> Self {
        let home = TempDir::new().expect("a directory");
        let file = home.path().join("hi-score");
        let people: Vec<String> = people.iter().map(|&name| name.to_owned()).collect();
        let machine = Handheld::new(&people, seed, HiScoreFile::at(file.clone()));
        Self { machine, now: 0, calls, file, _home: home }
    }

    pub(crate) fn press(&mut self, button: Button) -> Screen {
        self.machine.press(button, self.now);
        self.machine.screen()
    }

    pub(crate) fn wait(&mut self, milliseconds: u64) -> Screen {
        self.now += milliseconds;
        self.machine.tick(self.now);
        self.machine.screen()
    }

    /// Leaves the demo and begins a game of this many players.
    pub(crate) fn begin(&mut self, players: usize, level: Level) -> Screen {
        let mut screen = self.press(Button::Reset);
        while screen.players < players {
            screen = self.press(Button::Right);
        }
        screen = self.press(Button::Enter);
        if screen.mode == "level" {
            if level == Level::Hard {
                self.press(Button::Right);
            }
            screen = self.press(Button::Enter);
        }
        assert!(["play", "hand_over"].contains(&screen.mode), "{screen:?}");
        screen
    }

    pub(crate) fn cards(&self, seat: usize) -> u32 {
        self.machine.session().round().state().hand(Seat::new(seat)).len()
    }

    pub(crate) fn can_be_caught(&self, seat: usize) -> bool {
        self.machine.session().round().state().uncalled().contains(Seat::new(seat)) && self.cards(seat) == 1
    }

    pub(crate) fn legal(&self) -> Vec<Action> {
        let session = self.machine.session();
        session.round().state().legal_actions(&session.setup().rules)
    }

    /// The position of the first playable card in the holder's hand.
    pub(crate) fn playable(&mut self) -> Option<usize> {
        let legal = self.legal();
        let holder = Seat::new(self.machine.screen().holder?);
        let hand: Vec<Card> = self.machine.session().round().state().hand(holder).iter().collect();
        hand.iter().position(|&card| legal.iter().any(|action| action.card() == Some(card)))
    }

    pub(crate) fn scroll_to(&mut self, index: usize) {
        while self.machine.screen().highlight != Some(index) {
            let from = self.machine.screen().highlight;
            assert_ne!(self.press(Button::Right).highlight, from, "scrolling moves");
        }
    }

    /// Plays the first card that fits for each person, until `until` holds.
    pub(crate) fn go_on(&mut self, until: impl Fn(&Self, &Screen) -> bool) -> Screen {
        for _ in 0..400_000 {
            let screen = self.wait(TICK);
            if until(self, &screen) {
                return screen;
            }
            for person in 0..screen.people.len() {
                if screen.races.contains(&person) && self.calls == Calls::AtOnce {
                    self.machine.press_uno(Seat::new(person), self.now);
                }
            }
            match screen.mode {
                "color" | "round_over" | "hand_over" => {
                    self.press(Button::Enter);
                }
                "play" if screen.is_asked => self.take_turn(),
                _ => {}
            }
        }
        panic!("the condition is never met: {:?}", self.machine.screen());
    }

    pub(crate) fn take_turn(&mut self) {
        let legal = self.legal();
        if matches!(legal[0], Action::NameColor(_)) {
            self.press(Button::Enter);
            return;
        }
        match self.playable() {
            None => {
                self.press(Button::Draw);
            }
            Some(index) => {
                if !legal.contains(&Action::Keep) {
                    self.scroll_to(index);
                }
                let holder = self.machine.screen().holder.expect("a person holds the machine");
                if self.cards(holder) == 2 && self.calls == Calls::Early {
                    self.press(Button::Uno);
                }
                self.press(Button::Enter);
            }
        }
    }
}

impl Play {
    /// Begins another game at the choice of players.
    pub(crate) fn begin_again(&mut self, players: usize) {
        assert_eq!(self.machine.screen().players, players);
        self.press(Button::Enter);
        assert_eq!(self.press(Button::Enter).mode, "play");
    }
}
