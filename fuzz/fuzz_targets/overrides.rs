//! Overrides of a preset, one per line, and rounds with these rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unolab_fuzz::{MOST, text, user_bytes};

fuzz_target!(|bytes: &[u8]| {
    if let Some(text) = text(bytes) {
        user_bytes::overrides(text, MOST);
    }
});
