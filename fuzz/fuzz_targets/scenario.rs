//! A scenario file, run, and then played on from its start.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unolab_fuzz::{MOST, text, user_bytes};

fuzz_target!(|bytes: &[u8]| {
    if let Some(text) = text(bytes) {
        user_bytes::scenario(text, MOST);
    }
});
