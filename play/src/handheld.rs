//! The machine of the handheld edition: its buttons, its levels, its clock and its hi-score.
//!
//! It is told of buttons and of the time, in milliseconds, and shows a [`Screen`]; it asks no clock itself. What its sheet
//! leaves open is settled by the rulings HH-07 to HH-17, each cited where it is followed.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use unolab::agents::registry::Registry;
use unolab::record::Unit;
use unolab::rules::{Override, PresetsOnly, TableSize, load};
use unolab::seat::Seat;
use unolab::watch::{Eyes, Frame};
use unolab::{Action, Card, Color, DecisionKind, Rng};

use crate::hi_score::HiScoreFile;
use crate::session::{Session, Setup, Sitter};

/// How long a card that was just drawn may be played (HH-16).
pub const DRAWN_CARD_MS: u64 = 3_000;

/// How long the machine takes for a decision, so that it can be followed.
pub const THINKING_MS: u64 = 900;

/// How long the hi-score stays on the screen.
pub const HI_SCORE_MS: u64 = 3_000;

/// How long the demo shows a finished round.
const DEMO_PAUSE_MS: u64 = 4_000;

/// The person sits here; the others are machines (HH-17).
const PERSON: Seat = Seat::new(0);

/// The buttons of the sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Button {
    /// ENTER/PLAY: the highlighted card, or the selection.
    Enter,
    /// SCROLL LEFT.
    Left,
    /// SCROLL RIGHT.
    Right,
    /// DRAW; held: HI-SCORE.
    Draw,
    /// SOUND; held: NEW GAME.
    Sound,
    /// UNO: for oneself, or on an opponent.
    Uno,
    /// RESET, on the back.
    Reset,
}

/// How strong the machine is: by its play and by how soon it presses UNO (HH-08, HH-11).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Level {
    /// I.
    Easy,
    /// II.
    Hard,
}

impl Level {
    /// The agent that plays the machine's hands.
    const fn agent(self) -> &'static str {
        match self {
            Self::Easy => "greedy",
            Self::Hard => "heuristic",
        }
    }

    /// The shortest and the longest time until it presses UNO.
    #[must_use]
    pub const fn reaction_ms(self) -> (u64, u64) {
        match self {
            Self::Easy => (1_500, 3_000),
            Self::Hard => (700, 1_600),
        }
    }

    const fn other(self) -> Self {
        match self {
            Self::Easy => Self::Hard,
            Self::Hard => Self::Easy,
        }
    }
}

/// A sound that the page may play.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Sound {
    /// A button.
    Click,
    /// A card is played.
    Card,
    /// A card is drawn.
    Draw,
    /// Somebody has called UNO.
    Uno,
    /// Somebody was caught.
    Caught,
    /// A round is over.
    Fanfare,
    /// The button does nothing now.
    Refused,
}

/// What the machine is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Machines play all hands, and no button but RESET does anything (HH-15).
    Demo,
    ChoosePlayers,
    ChooseLevel,
    Play,
    /// Naming the colour of this card.
    ChooseColor(Card, usize),
    RoundOver,
    MatchOver,
}

/// A race to the UNO button, for the window of a seat with one card.
#[derive(Debug, Clone)]
struct Race {
    holder: Seat,
    /// When each machine presses it.
    presses: Vec<(Seat, u64)>,
    /// When the person did.
    person: Option<u64>,
}

/// The machine.
pub struct Handheld {
    mode: Mode,
    players: usize,
    level: Level,
    session: Session,
    seed: u64,
    rng: Rng,
    now: u64,
    highlight: usize,
    /// UNO was pressed with this card highlighted (HH-09).
    called_for: Option<Card>,
    race: Option<Race>,
    /// When the decision before the round was first there, and which it was.
    since: (u64, usize),
    is_sound_on: bool,
    sounds: Vec<Sound>,
    hi_score: HiScoreFile,
    shows_hi_score_until: u64,
    message: String,
}

/// What can be seen.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Screen {
    /// `demo`, `players`, `level`, `play`, `color`, `round_over` or `match_over`.
    pub mode: &'static str,
    /// One line of text.
    pub line: String,
    /// How many play.
    pub players: usize,
    /// How strong the machine is.
    pub level: Level,
    /// The name of each seat.
    pub names: Vec<String>,
    /// The round as the person sees it; in demo mode as nobody does.
    pub frame: Frame,
    /// Frames so far: a change is news.
    pub frames: usize,
    /// The number of the highlighted card in the hand.
    pub highlight: Option<usize>,
    /// The colour about to be named.
    pub color: Option<char>,
    /// Is the person asked?
    pub is_asked: bool,
    /// The match scores.
    pub scores: Vec<u32>,
    /// The best match score of a person (HH-13); there while it is shown.
    pub hi_score: Option<u32>,
    /// Are there sounds?
    pub sound: bool,
    /// Sounds since the last screen.
    pub sounds: Vec<Sound>,
}

impl std::fmt::Debug for Handheld {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handheld").field("mode", &self.mode).field("now", &self.now).finish_non_exhaustive()
    }
}

impl Handheld {
    /// A machine as it comes out of the box: in demo mode. Equal seeds, buttons and times give equal games.
    #[must_use]
    pub fn new(seed: u64, hi_score: HiScoreFile) -> Self {
        Self {
            mode: Mode::Demo,
            players: 2,
            level: Level::Easy,
            session: dealt(2, Level::Easy, seed, false),
            seed,
            rng: Rng::from_seed(seed),
            now: 0,
            highlight: 0,
            called_for: None,
            race: None,
            since: (0, usize::MAX),
            is_sound_on: true,
            sounds: Vec::new(),
            hi_score,
            shows_hi_score_until: 0,
            message: String::new(),
        }
    }

    /// The game that is played.
    #[must_use]
    pub const fn session(&self) -> &Session {
        &self.session
    }

    /// A button was pressed.
    pub fn press(&mut self, button: Button, now: u64) {
        self.tick(now);
        match button {
            Button::Reset => return self.reset(),
            _ if self.mode == Mode::Demo => return,
            Button::Sound => {
                self.is_sound_on = !self.is_sound_on;
                return;
            }
            _ => self.sounds.push(Sound::Click),
        }
        match self.mode {
            Mode::ChoosePlayers => match button {
                Button::Left => self.players = if self.players == 2 { 4 } else { self.players - 1 },
                Button::Right => self.players = if self.players == 4 { 2 } else { self.players + 1 },
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
                    let action = match self.asked() {
                        Some(DecisionKind::NameColor) => Action::NameColor(color),
                        _ => Action::PlayNaming(card, color),
                    };
                    self.act(action);
                }
                Button::Uno => self.press_uno(),
                _ => {}
            },
            Mode::RoundOver if button == Button::Enter => {
                // The round is over and the match is not.
                if self.session.next_round().is_ok() {
                    self.begin_round();
                }
            }
            Mode::MatchOver if button == Button::Enter => self.mode = Mode::ChoosePlayers,
            Mode::Demo | Mode::RoundOver | Mode::MatchOver => {}
        }
        self.settle();
    }

    /// A button was held for two seconds.
    pub fn hold(&mut self, button: Button, now: u64) {
        self.tick(now);
        match button {
            _ if self.mode == Mode::Demo => {}
            Button::Draw => self.shows_hi_score_until = self.now + HI_SCORE_MS,
            Button::Sound => self.mode = Mode::ChoosePlayers,
            other => self.press(other, now),
        }
    }

    /// RESET leaves the demo and clears the hi-score (HH-14).
    fn reset(&mut self) {
        if self.mode != Mode::Demo {
            self.hi_score.write(0);
        }
        (self.mode, self.players, self.level, self.is_sound_on) = (Mode::ChoosePlayers, 2, Level::Easy, true);
        self.message.clear();
    }

    fn new_match(&mut self) {
        self.seed = self.seed.wrapping_add(1);
        self.session = dealt(self.players, self.level, self.seed, true);
        self.begin_round();
    }

    fn begin_round(&mut self) {
        self.mode = Mode::Play;
        (self.highlight, self.called_for, self.race, self.since) = (0, None, None, (self.now, usize::MAX));
        self.message.clear();
    }

    /// The cards of the person, as the screen has them in a row.
    fn hand(&self) -> Vec<Card> {
        self.session.round().observation(PERSON).hand().iter().collect()
    }

    fn highlighted(&self) -> Option<Card> {
        self.hand().get(self.highlight).copied()
    }

    /// What the person is asked.
    fn asked(&self) -> Option<DecisionKind> {
        self.session.asked().filter(|_| !matches!(self.mode, Mode::Demo)).map(|(_, kind)| kind)
    }

    fn press_in_play(&mut self, button: Button) {
        if button == Button::Uno {
            return self.press_uno();
        }
        let count = self.hand().len().max(1);
        let is_fixed = matches!(self.asked(), Some(DecisionKind::Drawn));
        match button {
            Button::Left if !is_fixed => self.highlight = (self.highlight + count - 1) % count,
            Button::Right if !is_fixed => self.highlight = (self.highlight + 1) % count,
            Button::Draw => match self.asked() {
                Some(DecisionKind::Turn) => {
                    // A call made early lapses when a card is drawn (HH-09).
                    self.called_for = None;
                    self.act(if self.is_legal(Action::Draw) { Action::Draw } else { Action::Pass });
                }
                _ => self.sounds.push(Sound::Refused),
            },
            Button::Enter => self.play_highlighted(),
            _ => self.sounds.push(Sound::Refused),
        }
        if matches!(button, Button::Left | Button::Right) && self.called_for != self.highlighted() {
            // The call holds only for the card in the highlight (HH-09).
            self.called_for = None;
        }
    }

    fn is_legal(&self, action: Action) -> bool {
        self.session.round().legal_actions().contains(&action)
    }

    fn play_highlighted(&mut self) {
        let card = match (self.asked(), self.highlighted()) {
            (Some(DecisionKind::NameColor), _) => {
                // The start card was a Wild.
                let top = self.session.round().state().top();
                self.mode = Mode::ChooseColor(top, 0);
                return;
            }
            (Some(DecisionKind::Turn | DecisionKind::Drawn), Some(card)) => card,
            _ => return self.sounds.push(Sound::Refused),
        };
        if self.is_legal(Action::Play(card)) {
            self.act(Action::Play(card));
        } else if self.is_legal(Action::PlayNaming(card, Color::Red)) {
            self.mode = Mode::ChooseColor(card, 0);
        } else {
            self.message = "That card cannot be played".into();
            self.sounds.push(Sound::Refused);
        }
    }

    /// UNO: on an open window it counts by the clock; before the last card but one it is an early call.
    fn press_uno(&mut self) {
        if let Some(race) = &mut self.race {
            race.person.get_or_insert(self.now);
            return;
        }
        let is_turn = matches!(self.asked(), Some(DecisionKind::Turn | DecisionKind::Drawn));
        let card = self.highlighted();
        let is_playable = card.is_some_and(|card| {
            self.is_legal(Action::Play(card)) || self.is_legal(Action::PlayNaming(card, Color::Red))
        });
        if is_turn && self.hand().len() == 2 && is_playable {
            self.called_for = card;
            self.message = "UNO!".into();
            self.sounds.push(Sound::Uno);
        } else {
            // False calls cost nothing.
            self.sounds.push(Sound::Refused);
        }
    }

    fn act(&mut self, action: Action) {
        let before = self.session.number();
        self.session.answer_for_anybody(action);
        if self.session.number() > before {
            self.message.clear();
            match action {
                Action::Play(_) | Action::PlayNaming(..) => self.sounds.push(Sound::Card),
                Action::Draw => self.sounds.push(Sound::Draw),
                Action::Uno => self.sounds.push(Sound::Uno),
                Action::Catch(_) => self.sounds.push(Sound::Caught),
                _ => {}
            }
        } else {
            self.sounds.push(Sound::Refused);
        }
    }

    /// Time passes.
    pub fn tick(&mut self, now: u64) {
        self.now = self.now.max(now);
        self.settle();
    }

    /// Does everything that is due by now.
    fn settle(&mut self) {
        if matches!(self.mode, Mode::ChoosePlayers | Mode::ChooseLevel | Mode::RoundOver | Mode::MatchOver) {
            return;
        }
        while self.settle_one() {}
    }

    /// Does the next thing that is due; false if nothing is.
    fn settle_one(&mut self) -> bool {
        if self.session.round_is_over() {
            return self.end_round();
        }
        let number = self.session.number();
        if self.since.1 != number {
            self.since = (self.now, number);
        }
        let Some(decision) = self.session.round().decision() else { return false };
        let (seat, kind) = (decision.seat, decision.kind);
        match kind {
            DecisionKind::Window { holder } => self.settle_window(seat, holder),
            DecisionKind::Call { .. } => {
                // Before the card lies, only the person can have called; the machines race for it.
                let has_called = self.is_person(seat) && self.called_for.take().is_some();
                self.session.answer_for_anybody(if has_called { Action::Uno } else { Action::Silent });
                true
            }
            _ => {
                self.race = None;
                match (self.is_person(seat), kind) {
                    (true, DecisionKind::Drawn) => {
                        let card = self.session.round().observation(seat).decision();
                        if let unolab::observation::Decision::Drawn(Some(card)) = card {
                            self.highlight = self.hand().iter().position(|&other| other == card).unwrap_or(0);
                        }
                        // A drawn card that is not played in time is kept.
                        let is_late = self.now >= self.since.0 + DRAWN_CARD_MS && self.is_legal(Action::Keep);
                        if is_late {
                            self.mode = Mode::Play;
                            self.act(Action::Keep);
                        }
                        is_late
                    }
                    (true, _) => {
                        self.highlight = self.highlight.min(self.hand().len().saturating_sub(1));
                        false
                    }
                    (false, _) => {
                        if self.now < self.since.0 + THINKING_MS {
                            return false;
                        }
                        let drew = self.session.round().state().draw_pile_len();
                        self.session.step();
                        let is_draw = self.session.round().state().draw_pile_len() != drew;
                        self.sounds.push(if is_draw { Sound::Draw } else { Sound::Card });
                        true
                    }
                }
            }
        }
    }

    fn is_person(&self, seat: Seat) -> bool {
        self.mode != Mode::Demo && seat == PERSON
    }

    /// An open window is a race: whoever presses first, by the clock, has it (HH-08). It stays open as long as its holder
    /// has one card and has not called (HH-07), so somebody always presses in the end.
    fn settle_window(&mut self, asked: Seat, holder: Seat) -> bool {
        if self.race.as_ref().is_none_or(|race| race.holder != holder) {
            let (shortest, longest) = self.level.reaction_ms();
            let spread = u32::try_from(longest - shortest).unwrap_or(u32::MAX);
            let seats: Vec<Seat> = self.session.round().state().seats().filter(|&seat| !self.is_person(seat)).collect();
            let presses = seats
                .into_iter()
                .map(|seat| (seat, self.now + shortest + u64::from(self.rng.below(spread + 1))))
                .collect();
            self.race = Some(Race { holder, presses, person: None });
        }
        let Some(race) = &self.race else { return false };
        let machine = race.presses.iter().copied().min_by_key(|&(_, at)| at);
        let first = match (race.person, machine) {
            (Some(person), Some((_, at))) if person <= at => PERSON,
            (Some(_), None) => PERSON,
            (_, Some((seat, at))) if at <= self.now => seat,
            _ => return false,
        };
        let wanted = if first == holder { Action::Uno } else { Action::Catch(holder) };
        if asked == first {
            self.race = None;
            let who = if self.is_person(first) { "You call" } else { "UNO is called" };
            self.message = if first == holder { "UNO!".into() } else { format!("{who}: two cards to draw") };
            self.act(wanted);
        } else {
            self.session.answer_for_anybody(Action::Silent);
        }
        true
    }

    fn end_round(&mut self) -> bool {
        if self.mode == Mode::Demo {
            if self.since.1 != usize::MAX - 1 {
                self.since = (self.now, usize::MAX - 1);
            }
            if self.now >= self.since.0 + DEMO_PAUSE_MS {
                self.seed = self.seed.wrapping_add(1);
                self.session = dealt(2 + usize::try_from(self.seed % 3).unwrap_or(0), Level::Hard, self.seed, false);
                self.since = (self.now, usize::MAX);
            }
            return false;
        }
        self.sounds.push(Sound::Fanfare);
        self.race = None;
        if self.session.is_over() {
            self.mode = Mode::MatchOver;
            let score = self.session.scores()[PERSON.index()];
            if score > self.hi_score.read() {
                self.hi_score.write(score);
                self.message = "New hi-score!".into();
            }
        } else {
            self.mode = Mode::RoundOver;
        }
        false
    }

    /// What can be seen now; the sounds are handed out once.
    ///
    /// # Panics
    /// Never: a round begins with a frame.
    pub fn screen(&mut self) -> Screen {
        let frames = self.session.frames(if self.mode == Mode::Demo { Eyes::Bystander } else { Eyes::Seat(PERSON) });
        let sounds = std::mem::take(&mut self.sounds);
        let shows_hi_score = self.now < self.shows_hi_score_until || self.mode == Mode::MatchOver;
        Screen {
            mode: match self.mode {
                Mode::Demo => "demo",
                Mode::ChoosePlayers => "players",
                Mode::ChooseLevel => "level",
                Mode::Play => "play",
                Mode::ChooseColor(..) => "color",
                Mode::RoundOver => "round_over",
                Mode::MatchOver => "match_over",
            },
            line: self.line(),
            players: self.players,
            level: self.level,
            names: self.session.setup().sitters.iter().map(|sitter| sitter.name().to_owned()).collect(),
            frames: frames.len(),
            frame: frames.into_iter().next_back().expect("a round begins with a frame"),
            highlight: matches!(self.mode, Mode::Play | Mode::ChooseColor(..)).then_some(self.highlight),
            color: match self.mode {
                Mode::ChooseColor(_, chosen) => Some(Color::from_index(chosen).letter()),
                _ => None,
            },
            is_asked: self.asked().is_some() && self.race.is_none(),
            scores: self.session.scores(),
            hi_score: shows_hi_score.then(|| self.hi_score.read()),
            sound: self.is_sound_on,
            sounds: if self.is_sound_on { sounds } else { Vec::new() },
        }
    }

    fn line(&self) -> String {
        let level = match self.level {
            Level::Easy => "I (easy)",
            Level::Hard => "II (hard)",
        };
        match self.mode {
            Mode::Demo => "DEMO. Press RESET".into(),
            Mode::ChoosePlayers => format!("Players: {}. Scroll, then ENTER", self.players),
            Mode::ChooseLevel => format!("Level {level}. Scroll, then ENTER"),
            Mode::RoundOver => "The hand is over. ENTER for the next".into(),
            Mode::MatchOver if self.message.is_empty() => "The game is over. ENTER for a new one".into(),
            Mode::ChooseColor(..) => "Which colour? Scroll, then ENTER".into(),
            _ if !self.message.is_empty() => self.message.clone(),
            _ => match (&self.race, self.asked()) {
                (Some(race), _) if race.holder == PERSON => "One card left! Press UNO".into(),
                (Some(_), _) => "An opponent has one card. Press UNO".into(),
                (None, Some(DecisionKind::Drawn)) => "ENTER plays the drawn card".into(),
                (None, Some(DecisionKind::NameColor)) => "Press ENTER to name the colour".into(),
                (None, Some(_)) => "Your turn: ENTER plays, DRAW draws".into(),
                (None, None) => "…".into(),
            },
        }
    }
}

/// A match by the rules of the handheld, UNO calls being a matter of the buttons.
fn dealt(players: usize, level: Level, seed: u64, has_person: bool) -> Session {
    let set: Override = "uno.calls=explicit".parse().expect("a key and a value");
    let rules =
        load("handheld", &[set], TableSize::Seats(players), &PresetsOnly).expect("the handheld can be played").rules;
    let agent = Registry::default().configure(level.agent()).expect("an agent of ours");
    let sitters = (0..players)
        .map(|seat| if has_person && seat == 0 { Sitter::Person("you".into()) } else { Sitter::Agent(agent.clone()) })
        .collect();
    let unit = if has_person { Unit::Match } else { Unit::Round };
    Session::new(Setup { rules: Arc::new(rules), sitters, unit, seed, worlds: 2 })
}
