//! A list of cards or an action, after a letter that selects the rules.

#![no_main]

use libfuzzer_sys::fuzz_target;
use unolab_fuzz::{text, user_bytes};

fuzz_target!(|bytes: &[u8]| {
    if let Some((&letter, bytes)) = bytes.split_first()
        && let Some(text) = text(bytes)
    {
        user_bytes::cards_and_actions(user_bytes::rules_of(letter), text);
    }
});
