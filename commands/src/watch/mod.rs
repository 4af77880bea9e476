//! Shows games: a record becomes a [`Game`], frame by frame, for a page or a terminal.
//!
//! The engine replays the record to compute all frames. The view of one seat is computed from its
//! [`Observation`](unolab_engine::observation::Observation), so the source of a page for a seat does not contain cards
//! unknown to this seat.

pub mod clauses;
mod frame;
mod game;
mod page;
mod scenario_head;
mod step;
mod table;
#[cfg(test)]
mod tests;
mod text_transcript;
pub mod words;

pub use frame::{Choice, Frame, Move, RoundEnd, RoundStart, ShownFault, ShownValue};
pub use game::{Game, View, Watcher, game};
pub use page::{TABLE_SCRIPT, TABLE_STYLE, digest, escape, fill, page};
pub use scenario_head::ScenarioHead;
pub use step::Analysis;
pub use table::{Hand, Perspective, Table};
pub use text_transcript::{ColorMode, TextTranscript, colored_card, written};
