//! The line protocol, as text.

/// Every message to and from a program, and each of its fields, in Markdown.
pub const PROTOCOL: &str = include_str!("../PROTOCOL.md");
