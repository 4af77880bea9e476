//! Shows games: a record becomes a [`Game`], frame by frame, for a page or a terminal.
//!
//! The engine plays the record again to make all of it. The view of one seat comes from its
//! [`Observation`](unolab_engine::observation::Observation), so a page for a seat holds no card that this seat did not know,
//! not even in its source.

pub mod clauses;
mod game;
mod page;
mod scenario_head;
mod table;
#[cfg(test)]
mod tests;
mod text_transcript;
pub mod words;

pub use game::{Analysis, Choice, FaultSeen, Frame, Game, Move, RoundEnd, RoundStart, Valued, View, Watcher, game};
pub use page::{TABLE_SCRIPT, TABLE_STYLE, digest, escape, fill, page};
pub use scenario_head::ScenarioHead;
pub use table::{Hand, Perspective, Table};
pub use text_transcript::{ColorMode, TextTranscript, colored_card, written};
