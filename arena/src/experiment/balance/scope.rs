//! The part of a balance run that is played: all of it, or only the games that some metrics need.

use serde::{Deserialize, Serialize};

/// A group of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableGroup {
    /// The agents of the field.
    Field,
    /// The strong agent among weak ones.
    Weak,
    /// The strong agent among copies of each member of the panel.
    Panel,
}

/// The detail of the counts of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Detail {
    /// Its result and its length. Such games are several times as fast.
    Result,
    /// Every turn of it.
    Turns,
    /// Every turn, also with the models that a pilot fits.
    Models,
}

/// The games to play, and the detail of their counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scope {
    /// The tables; `None` for all.
    pub tables: Option<TableGroup>,
    /// The detail of the counts.
    pub detail: Detail,
}

impl Scope {
    /// A whole balance run.
    pub const ALL: Self = Self { tables: None, detail: Detail::Models };

    /// Whether these tables are played.
    pub(super) fn plays(self, group: TableGroup) -> bool {
        self.tables.is_none_or(|only| only == group)
    }
}
