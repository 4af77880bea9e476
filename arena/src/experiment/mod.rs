//! Each kind of long work: tournaments and matches, sequential tests, leagues, the balance of a variant, and trainings.

pub mod allocation;
pub mod balance;
pub mod counts;
pub mod league;
pub mod luck_pilot;
pub mod recording;
pub mod sprt;
pub mod tournament;
pub mod train;
