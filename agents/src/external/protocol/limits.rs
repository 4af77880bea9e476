//! The limits of a program.

/// The longest line that a program may write, in bytes for each question.
pub const MAX_LINE_BYTES: usize = 65_536;

/// More lines than this in answer to one question are a flood.
pub const MAX_UNASKED_LINES: usize = 16;

/// The most games that a process may play at once.
pub const MAX_GAMES_AT_ONCE: usize = 1_024;
