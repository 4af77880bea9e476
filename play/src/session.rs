//! One game of people against agents: [`Session`], the [`Judgment`] of its decisions, and its record.

mod game;
mod judgment;
mod mark;
mod record;

pub use game::{Participant, Refusal, Session, Setup};
pub use judgment::Judgment;
pub use mark::Mark;
