//! All integration tests of the engine in one binary, because linking each file separately takes longer than running most of
//! them. `cargo test -p unolab-engine --test all properties::` runs the tests of one file.
#![allow(missing_docs)]

mod blank;
mod common;
mod docs_examples;
mod edge_cases;
mod encoding;
mod exchange;
mod fast_paths;
mod golden;
mod information;
mod loading;
mod lockstep;
mod perft;
mod plain_row;
mod playthroughs;
mod properties;
mod random_play;
mod reachable;
mod records;
mod reference;
mod reference_scenarios;
mod round;
mod rule_keys_page;
mod rules_page;
mod scenarios;
mod stability;
mod state_text;
mod user_bytes;
mod user_input;
