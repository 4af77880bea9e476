//! The experiments: tournaments and matches, sequential tests, leagues, balance runs, tuning runs, and training runs.

pub mod allocation;
pub mod any_spec;
pub mod balance;
pub mod counts;
pub mod league;
pub mod luck_pilot;
pub mod pilot;
pub mod records;
pub mod sprt;
pub mod tournament;
pub mod train;
pub mod tune;
