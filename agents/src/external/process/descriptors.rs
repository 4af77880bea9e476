//! The limit of open files, of which every program takes some: its pipes, and its log.

use std::sync::OnceLock;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, setrlimit};

/// The most that a process of a program takes at a time: three pipes, its log, and the far end of a pipe while it starts.
pub const PER_PROCESS: u64 = 5;

/// The number that this process takes for itself: its standard streams, its tables, the guard of its programs.
pub const OWN: u64 = 10;

/// The limit before it was raised.
static BEFORE: OnceLock<Rlimit> = OnceLock::new();

/// Raises the limit of this process to the highest that the system allows it (Linux only). Programs that it starts later keep
/// the limit of before. A library does not do it unasked.
pub fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    if cfg!(target_os = "linux") && setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).is_ok() {
        let _ = BEFORE.set(limit); // the first is the limit of before
    }
}

/// The number of files that this process may have open; `None` if that is not limited.
#[must_use]
pub fn limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Gives a program that was just started the limit of before.
#[cfg(target_os = "linux")]
pub(super) fn lower_for(program: Pid) {
    if let Some(limit) = BEFORE.get() {
        // It has ended already, or it runs as another user.
        let _ = rustix::process::prlimit(Some(program), Resource::Nofile, *limit);
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) const fn lower_for(_: Pid) {}
