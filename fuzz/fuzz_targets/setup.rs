//! The parts of a position from arbitrary bytes, after a letter that selects the rules, and play from it.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unolab_fuzz::{MOST, user_bytes};

fuzz_target!(|bytes: &[u8]| {
    if let Some((&letter, bytes)) = bytes.split_first() {
        user_bytes::setup(user_bytes::rules_of(letter), bytes, MOST);
    }
});
