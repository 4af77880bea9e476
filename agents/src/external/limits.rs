//! The limits of a program.

/// The longest line that a program may write.
pub const MAX_LINE_BYTES: usize = 65_536;

/// More lines than this in answer to one question are a flood.
pub const MAX_UNASKED_LINES: usize = 16;

/// After so many games in a row lost by taking too long, in one variant at one number of seats, a program is not asked
/// any more there: a tournament with a program that hangs must end.
pub const MAX_SLOW_GAMES: u32 = 10;
