//! The seed that a program gets for its random numbers.
//!
//! The seed must not reveal the deal. A seed derived from the master seed and the number of the set would: both are small
//! numbers, so all can be tried with any hash function. So the seed is derived only from the program's first decision. It gives
//! the program no new information, and is the same in a repetition.

use sha2::{Digest, Sha256};

use super::known_rules::KnownRules;
use super::question::View;

/// The seed for a game by these rules in which the seat sees this at its first decision.
pub(crate) fn program_seed(rules: &KnownRules, first: View<'_>) -> u32 {
    let mut view = String::new();
    first.write(&mut view);
    let digest = Sha256::new().chain_update(&rules.line_for_seeds).chain_update([0]).chain_update(view).finalize();
    let [a, b, c, d, ..]: [u8; 32] = digest.into();
    u32::from_le_bytes([a, b, c, d])
}
