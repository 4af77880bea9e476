//! The processes of a program: their start, their pipes, their clock, their turns, and their end.

mod guard;
mod process_tree;

mod clock;
mod ledger;
mod turn;
mod usage;

mod child;
mod pipes;

mod bot;
mod program;
mod shared;

pub(super) use bot::Bot;
pub use guard::deny_memory_access;
pub use process_tree::adopt_orphans;
pub(super) use program::{Games, Program};
pub(super) use shared::SharedGame;
