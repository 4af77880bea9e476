//! What the fuzz targets share: the functions that the tests of the engine call too, and rules to read by.

#[path = "../../engine/tests/user_bytes/mod.rs"]
pub mod user_bytes;

/// Decisions that are played of what has been accepted.
pub const MOST: usize = 60;

/// The text of these bytes, if they are one.
pub fn text(bytes: &[u8]) -> Option<&str> {
    std::str::from_utf8(bytes).ok()
}
