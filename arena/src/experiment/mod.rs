//! Each kind of long work: tournaments and matches, sequential tests, leagues, and the balance of a variant.

pub mod balance;
pub mod counts;
pub mod league;
pub mod luck_pilot;
pub mod recording;
pub mod sprt;
pub mod tournament;
