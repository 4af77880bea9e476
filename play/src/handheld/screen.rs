//! [`Screen`]: the visible state of the machine.

use serde::Serialize;
use unolab::seat::Seat;
use unolab::watch::{Frame, Perspective};
use unolab::{Color, DecisionKind};

use super::level::Level;
use super::machine::Handheld;
use super::mode::Mode;
use super::sound::Sound;
use crate::session::Participant;

/// The visible state of the machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Screen {
    /// `off`, `demo`, `players`, `level`, `play`, `color`, `hand_over`, `round_over` or `match_over`.
    pub mode: &'static str,
    /// One line of text.
    pub line: String,
    /// The number of players.
    pub players: usize,
    /// The strength of the machine.
    pub level: Level,
    /// The displayed name of each seat.
    pub names: Vec<String>,
    /// The names of the people at the machine, in the order of their seats.
    pub people: Vec<String>,
    /// The seat of the person who holds the machine and sees the hand.
    pub holder: Option<usize>,
    /// The round as the holder sees it; without a holder, with all hands hidden.
    pub frame: Frame,
    /// The number of frames so far, by which the page detects news.
    pub frames: usize,
    /// The number of the highlighted card in the hand.
    pub highlight: Option<usize>,
    /// The color that ENTER will name.
    pub color: Option<char>,
    /// Whether the person who holds the machine has to act.
    pub is_asked: bool,
    /// The seats with one card for which UNO can be pressed.
    pub races: Vec<usize>,
    /// The match scores.
    pub scores: Vec<u32>,
    /// The best match score of a person (HH-13), while it is shown.
    pub hi_score: Option<u32>,
    /// Whether sounds are on.
    pub sound: bool,
    /// Sounds since the last screen.
    pub sounds: Vec<Sound>,
}

impl Handheld {
    /// The visible state now; each sound is returned once.
    ///
    /// # Panics
    /// Never: a round begins with a frame.
    pub fn screen(&mut self) -> Screen {
        let frames = self.session.frames(self.holder.map_or(Perspective::Bystander, Perspective::Seat));
        let sounds = std::mem::take(&mut self.sounds);
        let shows_hi_score = self.now < self.shows_hi_score_until || self.mode == Mode::MatchOver;
        let has_highlight = matches!(self.mode, Mode::Play | Mode::ChooseColor(..)) && self.holder.is_some();
        Screen {
            mode: self.mode.word(),
            line: self.line(),
            players: self.players,
            level: self.level,
            names: self.session.round().state().seats().map(|seat| self.name(seat)).collect(),
            people: self.people.clone(),
            holder: self.holder.map(Seat::index),
            frames: frames.len(),
            frame: frames.into_iter().next_back().expect("a round begins with a frame"),
            highlight: has_highlight.then_some(self.highlight),
            color: match self.mode {
                Mode::ChooseColor(_, chosen) => Some(Color::from_index(chosen).letter()),
                _ => None,
            },
            is_asked: self.asked().is_some(),
            races: self.races.holders().map(Seat::index).collect(),
            scores: self.session.scores(),
            hi_score: shows_hi_score.then(|| self.hi_score.read()),
            sound: self.is_sound_on,
            sounds: if self.is_sound_on { sounds } else { Vec::new() },
        }
    }

    /// The displayed name of a seat.
    pub(super) fn name(&self, seat: Seat) -> String {
        match &self.session.setup().participants[seat.index()] {
            Participant::Person(name) => name.clone(),
            Participant::Agent(_) => format!("player {}", seat.index() + 1),
        }
    }

    fn line(&self) -> String {
        let message = self.message.as_ref().filter(|(_, until)| self.now < *until).map(|(text, _)| text.clone());
        match (self.mode, message) {
            (Mode::Off, _) => String::new(),
            (Mode::Demo, _) => "DEMO. Press RESET".into(),
            (Mode::ChoosePlayers, _) => format!("Players: {}. Scroll, then ENTER", self.players),
            (Mode::ChooseLevel, _) => format!("Level {}. Scroll, then ENTER", self.level.name()),
            (Mode::RoundOver, _) => "The hand is over. ENTER for the next".into(),
            (Mode::HandOver(person), _) => format!("{}, take the machine and press ENTER", self.name(person)),
            (Mode::Play, message) => self.prompt(message),
            (_, Some(message)) => message,
            (Mode::MatchOver, None) => "The game is over. ENTER for a new one".into(),
            (Mode::ChooseColor(..), None) => "Which color? Scroll, then ENTER".into(),
        }
    }

    /// The prompt; a race comes before any other message.
    fn prompt(&self, message: Option<String>) -> String {
        let races = self.races.holders().map(|holder| match holder {
            holder if Some(holder) == self.holder => "One card left: press UNO!".into(),
            holder => format!("{} has one card: UNO?", self.name(holder)),
        });
        let turn = self.asked().map(|kind| match kind {
            DecisionKind::Drawn => "ENTER plays the drawn card".to_owned(),
            DecisionKind::NameColor => "Press ENTER to choose the color".into(),
            _ => "Your turn: ENTER plays, DRAW draws".into(),
        });
        let parts: Vec<String> = message.or(turn).into_iter().chain(races).collect();
        match self.turn() {
            Some((seat, _)) if parts.is_empty() => format!("{} is thinking", self.name(seat)),
            _ => parts.join(" "),
        }
    }
}
