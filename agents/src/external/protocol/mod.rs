//! The lines of the protocol, which `PROTOCOL.md` describes: messages to a program, and its answers.

mod answer;
mod known_rules;
pub mod limits;
mod message;
mod program_seed;
mod question;

pub use answer::MAX_NOTE_CHARS;
#[cfg(feature = "fuzzing")]
pub use answer::read_line_of_program;
pub(super) use answer::{Answer, AnswerError, DecisionRequest, Greeting, NO_LINE_END};
pub(super) use known_rules::KnownRules;
pub(super) use message::{EventMessage, GameNumber, Message, VERSION, batch};
pub(super) use program_seed::program_seed;
pub(super) use question::{Question, View};
