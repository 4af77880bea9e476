//! Games to look at: a record becomes a [`Game`], table by table, and a page or lines of a terminal show it.
//!
//! Everything is made by playing the record again through the engine. What one seat saw is made from its
//! [`Observation`](unolab_engine::observation::Observation), so a page for a seat holds no card that this seat did not
//! know, not even in its source.

pub mod clauses;
mod game;
mod page;
mod scenario_head;
mod story;
mod table;
#[cfg(test)]
mod tests;
pub mod words;

pub use game::{Analysis, Choice, FaultSeen, Frame, Game, Move, RoundEnd, RoundStart, Valued, View, Watcher, game};
pub use page::{TABLE_SCRIPT, TABLE_STYLE, digest, escape, fill, page};
pub use scenario_head::ScenarioHead;
pub use story::{Ink, Story, colored_card, written};
pub use table::{Eyes, Hand, Table};
