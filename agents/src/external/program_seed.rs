//! The seed that a program is told: what it may draw its random numbers from.
//!
//! It must not lead to the deal. Whatever is derived from the master seed and the number of the set does: seeds are small
//! numbers, so all of them can be tried, however the derivation hashes. So the seed is derived from nothing but what the
//! program is told at its first decision anyway. It knows nothing new by it, and a repetition tells it the same.

use sha2::{Digest, Sha256};

use super::message::View;
use super::program::KnownRules;

/// The seed for a game by these rules in which the seat sees this at its first decision.
pub(super) fn program_seed(rules: &KnownRules, first: &View<'_>) -> u32 {
    let view = serde_json::to_vec(first).expect("plain data can be written");
    let digest = Sha256::new().chain_update(&rules.line).chain_update([0]).chain_update(view).finalize();
    let [a, b, c, d, ..]: [u8; 32] = digest.into();
    u32::from_le_bytes([a, b, c, d])
}
