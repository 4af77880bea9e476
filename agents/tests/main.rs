//! All integration tests of the agents in one binary, because linking each file separately takes longer than running most of
//! them. `cargo test -p unolab-agents --test all search::` runs the tests of one file.
#![allow(missing_docs)]

mod any_variant;
#[path = "../../engine/tests/blank/mod.rs"]
mod blank;
mod common;
mod conformance;
mod endgame;
mod exact;
#[path = "../../engine/tests/golden/mod.rs"]
mod golden;
mod heuristic;
mod known_answers;
mod mixbot;
mod moves;
mod net;
mod perfect_information;
mod possible;
mod published;
mod round;
mod same_rounds;
mod search;
#[path = "../../engine/tests/common/mod.rs"]
mod sheets;
