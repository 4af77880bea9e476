//! The messages to a program, as `PROTOCOL.md` describes them, except its questions, which [`super::question`] writes.

use std::collections::BTreeMap;

use serde::Serialize;
use unolab_engine::chance::TaskResult;
use unolab_engine::color::Color;
use unolab_engine::event::{Event, VisibleEvent};
use unolab_engine::notation::ActionWithCall;
use unolab_engine::observation::Observation;
use unolab_engine::rules::{CardKind, CustomMatch, CustomStart, Effect, Rules};

/// The version of the protocol that is implemented here.
pub(crate) const VERSION: u64 = 1;

/// A message to a program.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum Message<'a> {
    /// The first line to a program.
    Hello { protocol: u64, unolab: &'a str, decision_ms: u64, game_ms: u64 },
    /// The rules of the games that follow.
    Rules { variant: &'a str, hash: String, cards: Vec<Kind<'a>>, keys: BTreeMap<&'static str, toml::Value> },
    NewGame {
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<GameNumber>,
        seat: usize,
        seats: usize,
        seed: u32,
    },
    GameOver {
        #[serde(skip_serializing_if = "Option::is_none")]
        game: Option<GameNumber>,
        #[serde(skip_serializing_if = "Option::is_none")]
        points: Option<&'a [u32]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        places: Option<&'a [u8]>,
        #[serde(skip_serializing_if = "Option::is_none")]
        win_share: Option<f64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        events: Option<&'a [EventMessage]>,
    },
}

/// The number of a game among those that a process plays at once.
pub(crate) type GameNumber = u64;

/// The line with these questions, each a message to a program.
pub(crate) fn batch<'a>(questions: impl Iterator<Item = &'a str>) -> String {
    let mut line = String::from(r#"{"type":"batch","questions":["#);
    for (number, question) in questions.enumerate() {
        line.push_str(if number == 0 { "" } else { "," });
        line.push_str(question);
    }
    line.push_str("]}");
    line
}

impl Message<'_> {
    /// The message that a game is over without a result.
    pub(crate) const fn game_over(game: Option<GameNumber>) -> Self {
        Self::GameOver { game, points: None, places: None, win_share: None, events: None }
    }

    pub(crate) fn line(&self) -> String {
        serde_json::to_string(self).expect("plain data can be written")
    }

    /// The rules with these keys as a line.
    pub(crate) fn rules(rules: &Rules, keys: Vec<(&'static str, toml::Value)>) -> String {
        let cards = rules
            .kinds()
            .iter()
            .map(|kind| Kind {
                code: &kind.code,
                color: kind.color.map(Color::name),
                copies: kind.copies,
                points: kind.points,
                own: match &kind.kind {
                    CardKind::Custom(card) => {
                        Some(OwnRules { matches: &card.matches, start: card.start, effects: &card.effects })
                    }
                    CardKind::Ordinary(..) | CardKind::Special(_) => None,
                },
            })
            .collect();
        Message::Rules { variant: rules.name(), hash: rules.hash(), cards, keys: keys.into_iter().collect() }.line()
    }
}

/// A kind of card.
#[derive(Serialize)]
pub(crate) struct Kind<'a> {
    code: &'a str,
    color: Option<&'static str>,
    copies: u32,
    points: u32,
    #[serde(flatten)]
    own: Option<OwnRules<'a>>,
}

/// The effects of a Blank, as in variant files.
#[derive(Serialize)]
struct OwnRules<'a> {
    #[serde(rename = "match")]
    matches: &'a CustomMatch,
    start: CustomStart,
    effects: &'a [Effect],
}

/// An event as a seat sees it, in the format of game records; `_` for a card that it does not see.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum EventMessage {
    Dealt { deal: usize, hand: Vec<String>, top: String, scores: Vec<u32> },
    Did { seat: usize, r#do: String },
    Drew { seat: usize, draws: String },
    Discarded { seat: usize, discards: String },
    TurnedUp { start: String },
    Button { tinker: char },
    Task { task: &'static str },
    Chosen { chosen: usize },
    Reshuffled { reshuffle: u32 },
    Showed { shows: usize, to: usize },
    Moved { moves: String, from: usize, to: usize },
    Swapped { swapped: [usize; 2] },
    Rotated { rotated: &'static str },
    Redealt { deals: String, to: usize },
}

impl EventMessage {
    /// A round begins.
    pub(crate) fn dealt(observation: &Observation<'_>) -> Self {
        let rules = observation.rules();
        let code = |card| rules.code(card).to_owned();
        let seats = observation.seats().iter().last().map_or(0, |seat| seat.index() + 1);
        Self::Dealt {
            deal: observation.dealer().index(),
            hand: observation.hand().iter().map(code).collect(),
            top: code(observation.top()),
            scores: observation.scores().first(seats).to_vec(),
        }
    }

    /// An event, with the state after it.
    pub(crate) fn of(seen: VisibleEvent, observation: &Observation<'_>) -> Self {
        let rules = observation.rules();
        let code = |card| rules.code(card).to_owned();
        match seen {
            VisibleEvent::HiddenDraw { seat } => Self::Drew { seat: seat.index(), draws: "_".into() },
            VisibleEvent::HiddenMove { from, to } => {
                Self::Moved { moves: "_".into(), from: from.index(), to: to.index() }
            }
            VisibleEvent::HiddenRedeal { seat } => Self::Redealt { deals: "_".into(), to: seat.index() },
            VisibleEvent::Open(event) => match event {
                Event::Acted { seat, action, call } => {
                    Self::Did { seat: seat.index(), r#do: rules.write_action(ActionWithCall { action, call }) }
                }
                Event::Drew { seat, card } => Self::Drew { seat: seat.index(), draws: code(card) },
                Event::Discarded { seat, card, .. } => Self::Discarded { seat: seat.index(), discards: code(card) },
                Event::TurnedUp(card) => Self::TurnedUp { start: code(card) },
                Event::Button(color) => Self::Button { tinker: color.letter() },
                Event::Task(TaskResult::Done) => Self::Task { task: "yes" },
                Event::Task(TaskResult::Failed) => Self::Task { task: "no" },
                Event::Chosen(seat) => Self::Chosen { chosen: seat.index() },
                Event::Reshuffled => Self::Reshuffled { reshuffle: observation.draw_pile_len() },
                Event::Showed { hand_of, to } => Self::Showed { shows: hand_of.index(), to: to.index() },
                Event::Moved { from, to, card } => {
                    Self::Moved { moves: code(card), from: from.index(), to: to.index() }
                }
                Event::Swapped(a, b) => Self::Swapped { swapped: [a.index(), b.index()] },
                Event::Rotated { direction, .. } => Self::Rotated { rotated: direction.name() },
                Event::Redealt { seat, card } => Self::Redealt { deals: code(card), to: seat.index() },
            },
        }
    }
}
