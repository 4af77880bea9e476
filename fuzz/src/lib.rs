//! Shared code of the fuzz targets: functions that the engine's tests also call, and rules to parse with.

#[path = "../../engine/tests/user_bytes/mod.rs"]
pub mod user_bytes;

/// The number of decisions to play from an accepted input.
pub const MOST: usize = 60;

/// These bytes as text, if they are valid UTF-8.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
