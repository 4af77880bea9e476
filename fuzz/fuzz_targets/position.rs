//! A position as text, after a letter that selects the rules, and play from it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unolab_fuzz::{MOST, text, user_bytes};

fuzz_target!(|bytes: &[u8]| {
    if let Some((&letter, bytes)) = bytes.split_first()
        && let Some(text) = text(bytes)
    {
        user_bytes::position(user_bytes::rules_of(letter), text, MOST);
    }
});
