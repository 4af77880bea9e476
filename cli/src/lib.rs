//! All of unolab as one library, with its command line.
//!
//! The rules engine is re-exported at the root; [`agents`], [`arena`] and [`stats`] are modules. [`run`] is the command
//! `unolab` with your own agents, in a `main` of one line.

// The optimization level of a linked crate applies to everything that is linked with it. The commands, which should be small,
// are therefore in a separate crate.
#[doc(inline)]
pub use unolab_commands::*;
