//! The lines of a record; unknown keys are refused.

use serde::{Deserialize, Serialize};

use super::fault::FaultKind;
use super::header::{Status, Unit};
use crate::chance::TaskResult;
use crate::event::Event;
use crate::notation::ActionWithCall;
use crate::rules::Rules;
use crate::state::RoundState;

/// Defines the kinds of lines. Each has a key that the others do not have.
macro_rules! lines {
    ($($(#[$meta:meta])* $kind:ident by $key:literal { $($(#[$field_meta:meta])* $field:ident: $type:ty),+ $(,)? })+) => {
        $($(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub(super) struct $kind { $($(#[$field_meta])* pub(super) $field: $type),+ })+

        /// Any line of a record.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        #[serde(untagged)]
        pub(super) enum Line { $($kind($kind)),+ }

        impl Line {
            /// The keys that identify the kinds of lines.
            const KEYS: &[&str] = &[$($key),+];

            fn read(key: &str, text: &str) -> serde_json::Result<Option<Self>> {
                match key {
                    $($key => serde_json::from_str(text).map(|line| Some(Self::$kind(line))),)+
                    _ => Ok(None),
                }
            }
        }
    };
}

lines! {
    /// The first line.
    First by "record" {
        record: u32,
        unit: Unit,
        variant: String,
        rules_hash: String,
        seed: u64,
        set: u64,
        seats: usize,
        dealer: usize,
        agents: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        names: Vec<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        extra_cards: Vec<u8>,
        rules: String,
    }
    /// A round is dealt.
    Deal by "deal" { round: u32, dealer: usize, players: Vec<usize>, deal: Vec<String> }
    /// A card is turned up.
    TurnedUp by "start" { start: String }
    /// An action.
    Act by "do" {
        seat: usize,
        r#do: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
    /// An agent has lost the game.
    Fault by "fault" { seat: usize, fault: FaultKind, decision: u32, by: String }
    /// A card is drawn.
    Draw by "draws" { seat: usize, draws: String }
    /// The button.
    Button by "tinker" { tinker: char }
    /// A task.
    Task by "task" { task: String }
    /// A seat chosen at random.
    Chosen by "chosen" { chosen: usize }
    /// A card that chance moves from one hand to another.
    Move by "moves" { from: usize, to: usize, moves: String }
    /// A card that is dealt after all hands were shuffled together.
    Redeal by "deals" { to: usize, deals: String }
    /// The discard pile becomes the draw pile.
    Reshuffle by "reshuffle" { reshuffle: u32 }
    /// A round is over.
    RoundOver by "round_over" {
        round_over: Status,
        #[serde(skip_serializing_if = "Option::is_none")]
        went_out: Option<usize>,
        points: Vec<u32>,
        scores: Vec<u32>,
        checksum: String,
    }
    /// The last line.
    Last by "ended" {
        ended: Status,
        rounds: u32,
        points: Vec<u32>,
        places: Vec<u8>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counted_points: Option<Vec<u32>>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        counted_places: Option<Vec<u8>>,
        checksum: String,
        lines: String,
    }
}

/// A line of the text, or the reason why it is malformed.
pub(super) type ParsedLine = Result<Line, String>;

impl Line {
    /// The line of this text.
    pub(super) fn parse(text: &str) -> ParsedLine {
        // An error of serde_json names its own line number, which is always 1.
        let reason = |error: serde_json::Error| error.to_string().replace(" at line 1 column", " at column");
        if text.trim().is_empty() {
            return Err("an empty line; a record has none".into());
        }
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).map_err(reason)?;
        for key in Self::KEYS.iter().filter(|key| object.contains_key(**key)) {
            if let Some(line) = Self::read(key, text).map_err(reason)? {
                return Ok(line);
            }
        }
        Err(format!("not a line of a record; each has one of the keys {}", Self::KEYS.join(", ")))
    }

    /// The text of this line, without its end.
    pub(super) fn text(&self) -> String {
        serde_json::to_string(self).expect("plain data can be written")
    }

    /// The line of an event; `None` if the event follows from other lines.
    pub(super) fn of(event: Event, state: &RoundState, rules: &Rules) -> Option<Self> {
        Some(match event {
            Event::Acted { seat, action, call } => Self::Act(Act {
                seat: seat.index(),
                r#do: rules.write_action(ActionWithCall { action, call }),
                note: None,
            }),
            Event::Drew { seat, card } => Self::Draw(Draw { seat: seat.index(), draws: rules.code(card).into() }),
            Event::TurnedUp(card) => Self::TurnedUp(TurnedUp { start: rules.code(card).into() }),
            Event::Button(color) => Self::Button(Button { tinker: color.letter() }),
            Event::Task(TaskResult::Done) => Self::Task(Task { task: "yes".into() }),
            Event::Task(TaskResult::Failed) => Self::Task(Task { task: "no".into() }),
            Event::Chosen(seat) => Self::Chosen(Chosen { chosen: seat.index() }),
            Event::Moved { from, to, card } => {
                Self::Move(Move { from: from.index(), to: to.index(), moves: rules.code(card).into() })
            }
            Event::Redealt { seat, card } => Self::Redeal(Redeal { to: seat.index(), deals: rules.code(card).into() }),
            Event::Reshuffled => Self::Reshuffle(Reshuffle { reshuffle: state.draw_pile_len() }),
            Event::Discarded { .. } | Event::Showed { .. } | Event::Swapped(..) | Event::Rotated { .. } => return None,
        })
    }

    /// The same action, with the note of its agent.
    pub(super) fn with_note(mut self, note: Option<String>) -> Self {
        if let Self::Act(act) = &mut self {
            act.note = note;
        }
        self
    }

    /// The agent's note.
    pub(super) fn note(&self) -> Option<&str> {
        match self {
            Self::Act(act) => act.note.as_deref(),
            _ => None,
        }
    }

    /// The first key whose values differ in two lines of the same kind, with both values.
    pub(super) fn difference(&self, found: &Self) -> String {
        let [expected, found_values] =
            [self, found].map(|line| serde_json::to_value(line).expect("plain data can be written"));
        let keys = expected.as_object().into_iter().flatten();
        match keys
            .map(|(key, value)| (key, value, found_values.get(key)))
            .find(|(_, value, found)| Some(*value) != *found)
        {
            Some((key, value, Some(other))) if key == "lines" => format!(
                "lines: the checksum of the lines before is {value}, not {other}; a line was changed after the game"
            ),
            Some((key, value, Some(other))) => format!("{key}: the rules give {value}, not {other}"),
            _ => format!("the rules give {}, not {}", self.text(), found.text()),
        }
    }
}
