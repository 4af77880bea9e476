//! The restrictions of Linux: Landlock for files, and a filter of system calls. The [`launcher`] adds namespaces.

mod confine;
mod file_rules;
mod system_calls;

mod launcher;
mod new_root;

pub(super) use confine::confine;
pub use launcher::serve_as_launcher;
