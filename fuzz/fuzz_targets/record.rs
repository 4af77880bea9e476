//! A record of a game.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unolab_fuzz::{text, user_bytes};

fuzz_target!(|bytes: &[u8]| {
    if let Some(text) = text(bytes) {
        user_bytes::record(text);
    }
});
