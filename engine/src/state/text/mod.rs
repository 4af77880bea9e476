//! The text form of a round: short, human-readable TOML from which an equal state can be read.
//!
//! ```toml
//! hands.0 = "r5 g7 W4"
//! hands.1 = "b1 b2"
//! top = "r9"
//! color = "red"
//! under_top = ""
//! draw_pile = "r0 r1 ..."        # order is forgotten: the state has none
//! dealer = 0
//! direction = "left"
//! first_seat = 1
//! first_direction = "left"
//!
//! [decision]
//! waits_for = "turn"
//! seat = 1
//! ```
//!
//! The keys of `hands` are the seats that take part. Keys that are empty, 0, or false are omitted: `top_word_is_dead`,
//! `out_of_round` (cards of the deck that are not in the round), `reshuffles`, `passed`, `called`, `uncalled`,
//! `missed_turns.SEAT`, `out` (seats that are out by `house.hand_limit`), `jump_in_is_open`. The texts of equal states are equal,
//! byte for byte, and so are their checksums.

mod decision;
mod error;
mod read;
mod reader;
mod write;

pub use error::TextError;

use super::round_state::RoundState;
use crate::hash::digest;
use crate::rules::Rules;

impl RoundState {
    /// The state as TOML; see [`RoundState::from_text`].
    #[must_use]
    pub fn to_text(&self, rules: &Rules) -> String {
        write::text(self, rules)
    }

    /// The state of this text.
    ///
    /// # Errors
    /// The text is not TOML, a key is unknown, missing or has a value that is not allowed, or the state is impossible
    /// under these rules: cards are not conserved, a seat takes no part, a decision does not fit the top card.
    pub fn from_text(text: &str, rules: &Rules) -> Result<Self, TextError> {
        read::state(text, rules)
    }

    /// The digest of the text form: equal for equal states, and almost always different for different ones.
    #[must_use]
    pub fn checksum(&self, rules: &Rules) -> u64 {
        digest(&self.to_text(rules))
    }
}
