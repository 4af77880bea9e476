//! Players for the unolab engine, from random to search.
//!
//! [`Agent`] is the trait, [`AgentSpec`] an agent with its options, and [`table`] plays a round or a match with agents. This
//! crate does not contain tournaments.

pub mod decision_times;
pub mod fault;
pub mod goal;
pub mod named_file;
pub mod options;
pub mod printable;
pub mod stop;

pub mod agent;

pub mod first_legal;
pub mod random;

mod choices;
mod in_turn;
mod next_to_act;
pub mod possible;

pub mod heuristic;

pub mod card_ranking;
pub mod diversity;
pub mod greedy;
pub mod mixbot;
pub mod turn_player;

pub mod belief;

pub mod net;

mod table_sink;

pub mod player;

pub mod forgetful;

pub mod table;

pub mod simd_batch;

pub mod search;

#[cfg(unix)]
pub mod external;
pub mod protocol;

pub mod registry;

pub mod exact;

pub use agent::{Agent, EventSubscription};
pub use player::{Player, TablePlayer};
pub use registry::{AgentSpec, SpecError};
