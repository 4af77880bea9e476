//! Exact values on games small enough to go through every way they can go: what an agent is worth against itself, and
//! how much the best answer to it gains.
//!
//! [`Tree`] is a round of two seats with every deal and every draw, each with its probability. A [`Policy`] says with which
//! probability a seat answers what; [`AgentPolicy`] is that of an agent. [`self_play`] and [`best_response`] go through the
//! tree. Nothing is sampled.

pub mod information_set;
pub mod policy;
pub mod response;
pub mod tree;

pub use policy::{AgentPolicy, Policy, Randomness};
pub use response::{Choice, Values, best_response, self_play};
pub use tree::{Tree, TreeError};
