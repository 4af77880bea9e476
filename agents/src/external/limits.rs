//! The limits of a program.

/// The longest line that a program may write, in bytes for each question.
pub const MAX_LINE_BYTES: usize = 65_536;

/// More lines than this in answer to one question are a flood.
pub const MAX_UNASKED_LINES: usize = 16;

/// The most games that a process may play at once.
pub const MAX_GAMES_AT_ONCE: usize = 1_024;

/// The number of games lost by a timeout in a row, in one variant at one number of seats, after which a program is not
/// asked again there, so that a tournament with a hanging program ends.
pub const MAX_SLOW_GAMES: usize = 10;
