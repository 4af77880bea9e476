//! Exact values on games small enough to enumerate: the value of an agent against itself, and the gain of the best
//! response to it.
//!
//! [`Tree`] is a round of two seats with every deal and every draw, each with its probability. A [`Policy`] gives the
//! probability of each answer of a seat; [`AgentPolicy`] is an agent's policy. [`self_play`] and [`best_response`] enumerate
//! the tree without sampling.

pub mod information_set;
pub mod policy;
pub mod response;
pub mod tree;

pub use policy::{AgentPolicy, Policy, Randomness};
pub use response::{Choice, Values, best_response, self_play};
pub use tree::{Tree, TreeError};
