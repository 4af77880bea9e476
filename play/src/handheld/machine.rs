//! [`Handheld`]: the machine, its buttons and its modes.

use std::sync::Arc;

use unolab::agents::registry::Registry;
use unolab::record::Unit;
use unolab::rules::{Override, PresetsOnly, TableSize, load};
use unolab::seat::{BySeat, Seat};
use unolab::{Action, Card, Color, DecisionKind, Rng};

use super::button::Button;
use super::hi_score::HiScoreFile;
use super::level::Level;
use super::mode::Mode;
use super::sound::Sound;
use super::uno_race::{UnoPress, UnoRaces};
use crate::session::{Participant, Session, Setup};

/// The time in which a drawn card may be played (HH-16).
pub const DRAWN_CARD_MS: u64 = 3_000;

/// The machine's delay before a decision, so that people can follow.
pub const THINKING_MS: u64 = 900;

/// The time for which a false press blocks the UNO button; a press during this time starts it again (HH-21).
pub const FALSE_PRESS_MS: u64 = 1_000;

/// The time for which the high score is shown.
pub const HI_SCORE_MS: u64 = 3_000;

/// The idle time without a running game after which the demo begins.
pub const IDLE_MS: u64 = 180_000;

/// The time without a press after which the machine turns itself off at the end of a round of the demo (HH-22).
pub const OFF_MS: u64 = 1_800_000;

/// The time for which a message is shown.
pub(super) const MESSAGE_MS: u64 = 2_500;

/// The fewest players.
const FEWEST_PLAYERS: usize = 2;

/// The most players.
pub const MOST_PLAYERS: usize = 4;

/// Whether events at the time of a press happen before or after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeBound {
    /// All events that are due by this time.
    Time(u64),
    /// All events that are due before a person's press: in the same millisecond the person is first.
    Press(u64),
}

/// The machine.
pub struct Handheld {
    /// The people, in the first seats.
    pub(super) people: Vec<String>,
    pub(super) mode: Mode,
    pub(super) players: usize,
    pub(super) level: Level,
    pub(super) session: Session,
    pub(super) seed: u64,
    pub(super) rng: Rng,
    pub(super) now: u64,
    pub(super) pressed_last: u64,
    /// The person whose hand is on the screen.
    pub(super) holder: Option<Seat>,
    pub(super) highlight: usize,
    /// UNO was pressed with this card highlighted (HH-09).
    pub(super) called_for: Option<Card>,
    pub(super) races: UnoRaces,
    /// The time until which a false press blocks each person's UNO button.
    pub(super) uno_blocked_until: BySeat<u64>,
    /// When the last turn was taken.
    pub(super) since: u64,
    pub(super) is_sound_on: bool,
    pub(super) sounds: Vec<Sound>,
    pub(super) hi_score: HiScoreFile,
    pub(super) shows_hi_score_until: u64,
    /// A line of text, and the time until which it is shown.
    pub(super) message: Option<(String, u64)>,
}

impl std::fmt::Debug for Handheld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handheld").field("mode", &self.mode).field("now", &self.now).finish_non_exhaustive()
    }
}

impl Handheld {
    /// A new machine, in demo mode, for one to four people.
    ///
    /// # Panics
    /// If there are no people, or more than four.
    #[must_use]
    pub fn new(people: &[String], seed: u64, hi_score: HiScoreFile) -> Self {
        assert!((1..=MOST_PLAYERS).contains(&people.len()), "one to four people");
        Self {
            people: people.to_vec(),
            mode: Mode::Demo,
            players: FEWEST_PLAYERS,
            level: Level::Easy,
            session: dealt(&[], FEWEST_PLAYERS, Level::Hard, seed),
            seed,
            rng: Rng::from_seed(seed),
            now: 0,
            pressed_last: 0,
            holder: None,
            highlight: 0,
            called_for: None,
            races: UnoRaces::default(),
            uno_blocked_until: BySeat::default(),
            since: 0,
            is_sound_on: true,
            sounds: Vec::new(),
            hi_score,
            shows_hi_score_until: 0,
            message: None,
        }
    }

    /// The game that is played.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// Whether a round with people has just ended.
    #[must_use]
    pub const fn round_is_over(&self) -> bool {
        matches!(self.mode, Mode::RoundOver | Mode::MatchOver)
    }

    /// A button press; UNO belongs to the person who holds the machine. In the same millisecond, a press by a person precedes
    /// the machine's.
    pub fn press(&mut self, button: Button, now: u64) {
        self.pass_time(TimeBound::Press(now));
        self.pressed_last = self.now;
        self.message = None;
        match button {
            Button::Reset => self.reset(),
            Button::Enter | Button::Uno if self.mode == Mode::Off => self.choose_players(),
            _ if self.is_demo_or_off() => {}
            Button::Sound => self.is_sound_on = !self.is_sound_on,
            _ => {
                self.sounds.push(Sound::Click);
                self.press_in_mode(button);
            }
        }
        self.tick(now);
    }

    /// A person's own UNO button was pressed.
    pub fn press_uno(&mut self, person: Seat, now: u64) {
        self.pass_time(TimeBound::Press(now));
        if self.mode == Mode::Off {
            return self.press(Button::Uno, now);
        }
        if self.is_person(person) {
            self.pressed_last = self.now;
            self.message = None;
            self.sounds.push(Sound::Click);
            self.call_uno(person);
        }
        self.tick(now);
    }

    /// A button was held for two seconds.
    pub fn hold(&mut self, button: Button, now: u64) {
        match button {
            Button::Draw | Button::Sound if self.is_demo_or_off() => self.tick(now),
            Button::Draw => {
                self.tick(now);
                self.pressed_last = self.now;
                self.shows_hi_score_until = self.now + HI_SCORE_MS;
            }
            Button::Sound => {
                self.tick(now);
                self.pressed_last = self.now;
                self.choose_players();
            }
            other => self.press(other, now),
        }
    }

    /// Advances the clock.
    pub fn tick(&mut self, now: u64) {
        self.pass_time(TimeBound::Time(now));
    }

    fn press_in_mode(&mut self, button: Button) {
        match self.mode {
            Mode::ChoosePlayers => match button {
                Button::Left => {
                    self.players = if self.players == self.fewest() { MOST_PLAYERS } else { self.players - 1 }
                }
                Button::Right => {
                    self.players = if self.players == MOST_PLAYERS { self.fewest() } else { self.players + 1 }
                }
                // Without a machine at the table there is no level to choose.
                Button::Enter if self.players == self.people.len() => self.new_match(),
                Button::Enter => self.mode = Mode::ChooseLevel,
                _ => {}
            },
            Mode::ChooseLevel => match button {
                Button::Left | Button::Right => self.level = self.level.other(),
                Button::Enter => self.new_match(),
                _ => {}
            },
            Mode::Play => self.press_in_play(button),
            Mode::ChooseColor(card, chosen) => match button {
                Button::Left => self.mode = Mode::ChooseColor(card, (chosen + 3) % 4),
                Button::Right => self.mode = Mode::ChooseColor(card, (chosen + 1) % 4),
                Button::Enter => {
                    self.mode = Mode::Play;
                    let color = Color::from_index(chosen);
                    self.take_turn(match self.asked() {
                        Some(DecisionKind::NameColor) => Action::NameColor(color),
                        _ => Action::PlayNaming(card, color),
                    });
                }
                Button::Uno => self.holder.into_iter().for_each(|person| self.call_uno(person)),
                _ => self.sounds.push(Sound::Refused),
            },
            Mode::HandOver(person) => match button {
                Button::Enter => (self.mode, self.holder, self.highlight) = (Mode::Play, Some(person), 0),
                _ => self.sounds.push(Sound::Refused),
            },
            Mode::RoundOver if button == Button::Enter => {
                // The round is over and the match is not.
                if self.session.next_round().is_ok() {
                    self.begin_round();
                }
            }
            Mode::MatchOver if button == Button::Enter => self.choose_players(),
            Mode::Off | Mode::Demo | Mode::RoundOver | Mode::MatchOver => {}
        }
    }

    /// The smallest number of players with these people (HH-17).
    fn fewest(&self) -> usize {
        self.people.len().max(FEWEST_PLAYERS)
    }

    pub(crate) fn is_demo_or_off(&self) -> bool {
        matches!(self.mode, Mode::Demo | Mode::Off)
    }

    /// RESET leaves the demo; in a game it also clears the high score (HH-14).
    fn reset(&mut self) {
        if !self.is_demo_or_off() {
            self.hi_score.write(0);
        }
        (self.players, self.level, self.is_sound_on) = (self.fewest(), Level::Easy, true);
        self.choose_players();
    }

    fn choose_players(&mut self) {
        (self.mode, self.holder, self.called_for) = (Mode::ChoosePlayers, None, None);
        self.races.clear();
        self.message = None;
    }

    fn new_match(&mut self) {
        self.seed = self.seed.wrapping_add(1);
        self.session = dealt(&self.people, self.players, self.level, self.seed);
        // With one person the machine never changes hands.
        self.holder = (self.people.len() == 1).then_some(Seat::new(0));
        self.begin_round();
    }

    fn begin_round(&mut self) {
        (self.mode, self.highlight, self.called_for, self.since) = (Mode::Play, 0, None, self.now);
        self.races.clear();
        self.message = None;
    }

    /// Turns the machine off (HH-22).
    pub(super) fn turn_off(&mut self) {
        (self.mode, self.holder) = (Mode::Off, None);
        self.races.clear();
    }

    pub(super) fn begin_demo(&mut self) {
        self.seed = self.seed.wrapping_add(1);
        let players = FEWEST_PLAYERS + usize::try_from(self.seed % 3).unwrap_or(0);
        self.session = dealt(&[], players, Level::Hard, self.seed);
        self.begin_round();
        (self.mode, self.holder) = (Mode::Demo, None);
    }

    pub(super) fn is_person(&self, seat: Seat) -> bool {
        !self.is_demo_or_off() && self.session.people().contains(seat)
    }

    /// Handles the immediate consequences of an event.
    pub(super) fn settle(&mut self) {
        if self.mode.is_in_round() {
            while self.settle_one() {}
        }
    }

    fn settle_one(&mut self) -> bool {
        let Some(decision) = self.session.round().decision() else {
            self.end_round();
            return false;
        };
        if let DecisionKind::Call { with } = decision.kind {
            let has_called = if self.is_person(decision.seat) {
                Some(decision.seat) == self.holder && with.card() == self.called_for.take()
            } else {
                self.rng.below(100) < self.machine_level().early_calls_percent()
            };
            self.session.answer_for_current_seat(if has_called { Action::Uno } else { Action::Silent });
            return true;
        }
        self.follow_windows();
        if self.races.apply_winner(&mut self.session) {
            return true;
        }
        self.find_holder();
        false
    }

    /// A race for every seat that has one card and has not called.
    fn follow_windows(&mut self) {
        let state = self.session.round().state();
        let machines = state.seats().filter(|&seat| !self.is_person(seat)).collect();
        let open = state.uncalled().iter().filter(|&holder| state.hand(holder).len() == 1).collect();
        self.races.follow(open, machines, self.machine_level(), self.now, &mut self.rng);
    }

    /// The level of the machine's seats.
    fn machine_level(&self) -> Level {
        if self.mode == Mode::Demo { Level::Hard } else { self.level }
    }

    /// Announces the first press of UNO.
    pub(super) fn announce(&mut self, press: UnoPress) {
        self.sounds.extend(Sound::of(press.action()));
        let (by, holder) = (self.name(press.by), self.name(press.holder));
        self.show_message(if press.by == press.holder {
            format!("{by}: UNO!")
        } else {
            format!("{by}: UNO! Two cards for {holder}")
        });
    }

    fn end_round(&mut self) {
        self.races.clear();
        if self.mode == Mode::Demo {
            return;
        }
        self.sounds.push(Sound::Fanfare);
        if !self.session.is_over() {
            self.mode = Mode::RoundOver;
            return;
        }
        self.mode = Mode::MatchOver;
        let best = self.session.scores()[..self.people.len()].iter().copied().max().unwrap_or(0);
        if best > self.hi_score.read() {
            self.hi_score.write(best);
            self.show_message("New high score!");
        }
    }
}

/// A match by the rules of the handheld, with UNO calls by button; without people, a round of machines.
fn dealt(people: &[String], players: usize, level: Level, seed: u64) -> Session {
    let set: Override = "uno.calls=explicit".parse().expect("a key and a value");
    let rules =
        load("handheld", &[set], TableSize::Seats(players), &PresetsOnly).expect("the handheld can be played").rules;
    let agent = Registry::default().configure(level.agent()).expect("an agent of ours");
    let participants = people.iter().cloned().map(Participant::Person);
    let participants = participants.chain(std::iter::repeat(Participant::Agent(agent))).take(players).collect();
    let unit = if people.is_empty() { Unit::Round } else { Unit::Match };
    Session::new(Setup { rules: Arc::new(rules), participants, unit, seed, worlds: 2 })
}
