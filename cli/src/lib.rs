//! All of unolab as one library, with its command line.
//!
//! The rules engine is re-exported at the root; [`agents`], [`arena`] and [`stats`] are modules. [`run`] is the command
//! `unolab` with your own agents, in a `main` of one line.

// A crate that is linked gives its level of optimization to all that it is linked with. The commands, which should be small,
// are therefore in a crate of their own.
#[doc(inline)]
pub use unolab_commands::*;
