//! The frames of a [`Game`](super::Game) as plain data: the table after each move, and the move.

use serde::Serialize;

use super::table::Table;

/// The table after a move, or after a deal, and the events before it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Frame {
    /// The line of the record; the lines that this point of view does not notice are not counted.
    pub line: usize,
    /// A round begins here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deal: Option<RoundStart>,
    /// The action.
    #[serde(rename = "move", skip_serializing_if = "Option::is_none")]
    pub by: Option<Move>,
    /// The consequences, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
    /// Cards put on the discard pile, in order; at a deal, the cards that were turned up, of which the last one stays.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub put: String,
    /// Cards drawn, in order, each with its seat; without a code if it was not seen.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub got: Vec<(usize, Option<String>)>,
    /// Outcomes of chance, as a scenario scripts them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub chance: Vec<String>,
    /// Clauses of RULES.md that applied.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub clauses: Vec<&'static str>,
    /// Marks for finding it: `reshuffle`, `uno`, `challenge`, `swap`, `fault`, `out`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<&'static str>,
    /// The table.
    pub table: Table,
    /// The probability of each seat to win the round from here, in thousandths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub odds: Option<Vec<u16>>,
    /// At a deal of a match: the probability of each seat to win the match, in thousandths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_odds: Option<Vec<u16>>,
    /// The fault of an agent here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<ShownFault>,
    /// The round ends here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<RoundEnd>,
}

/// An agent that crashed, exceeded its time, or answered illegally.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ShownFault {
    /// Its seat.
    pub seat: usize,
    /// The description.
    pub what: String,
    /// The agent that plays in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
}

/// A round that begins.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundStart {
    /// Its number, from 1.
    pub round: u32,
    /// The seat that deals.
    pub dealer: usize,
    /// The player in each seat.
    pub players: Vec<usize>,
    /// Match scores by player.
    pub scores: Vec<u32>,
}

/// A move.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Move {
    /// The seat.
    pub seat: usize,
    /// The action in the notation.
    pub text: String,
    /// The action in words.
    pub words: String,
    /// The alternatives, if they may be seen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub choice: Option<Choice>,
    /// The bot's note.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// A decision.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Choice {
    /// The hand before the decision.
    pub hand: String,
    /// Every legal action in the notation, in the order of the engine.
    pub legal: Vec<String>,
    /// The names of the options `choose 0`, `choose 1`, ... of a custom card; empty at all other decisions.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<String>,
    /// The chosen action, by its number among them.
    pub chosen: usize,
    /// The value of each action; the best has rank 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<Vec<ShownValue>>,
    /// The unbiased regret of the chosen action with its standard error. Use only sums: a single value can be below 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fair_regret: Option<(f64, f64)>,
}

/// The value of an action, its regret (0 for the best action), and the standard error of the regret.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ShownValue(pub f64, pub f64, pub f64);

/// A round that ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RoundEnd {
    /// The end of the round, in words.
    pub words: String,
    /// Points by seat.
    pub points: Vec<u32>,
    /// Match scores by player, including this round.
    pub scores: Vec<u32>,
}
