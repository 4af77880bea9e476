//! Records become whole numbers, set by set.

pub mod counter;
pub mod evidence;
pub mod luck;
pub mod offences;
pub mod tally;
