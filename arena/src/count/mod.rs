//! Counts records in integers, set by set.

pub mod counter;
pub mod evidence;
pub mod faults;
pub mod luck;
pub(crate) mod possible;
pub mod tally;
