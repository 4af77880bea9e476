//! The limits of this process and of the programs: open files, of which every program takes some, and in the sandbox the size of
//! files.

use std::sync::OnceLock;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, setrlimit};

/// The maximum for a process of a program: three pipes, its log, and the other end of a pipe during its start.
pub const PER_PROCESS: u64 = 5;

/// The number that this process uses itself: for its standard streams, its tables, and the guard of its programs.
pub const OWN: u64 = 10;

/// The limit before it was raised.
static BEFORE: OnceLock<Rlimit> = OnceLock::new();

/// Raises the limit of this process to the highest that the system allows (Linux only). Programs that it starts later keep
/// the previous limit. A library should not call it without a request by its user.
pub fn raise_limit() {
    let limit = getrlimit(Resource::Nofile);
    if cfg!(target_os = "linux") && setrlimit(Resource::Nofile, Rlimit { current: limit.maximum, ..limit }).is_ok() {
        let _ = BEFORE.set(limit); // the soft limit is the previous limit
    }
}

/// The number of files that this process may have open; `None` if that is not limited.
#[must_use]
pub fn limit() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// The number of files that a program may have open, unless it raises its limit; `None` if that is not limited.
pub(super) fn limit_of_programs() -> Option<u64> {
    BEFORE.get().map_or_else(limit, |before| before.current)
}

/// Gives a program that was just started the previous limit.
#[cfg(target_os = "linux")]
pub(super) fn lower_for(program: Pid) {
    if let Some(limit) = BEFORE.get() {
        // It has ended already, or it runs as another user.
        let _ = rustix::process::prlimit(Some(program), Resource::Nofile, *limit);
    }
}

#[cfg(not(target_os = "linux"))]
pub(super) const fn lower_for(_: Pid) {}

/// The largest file in the sandbox. Runtimes reserve up to 2 GiB for compiled code in a file of their memory.
const LARGEST_FILE: u64 = 4 << 30;

/// Gives a process in the sandbox, or this one, limits that it cannot raise: this number of open files, the size of a file, and no
/// core file.
///
/// # Errors
/// If the process has ended, or runs as another user.
#[cfg(target_os = "linux")]
pub(super) fn confine(process: Option<Pid>, open_files: Option<u64>) -> rustix::io::Result<()> {
    for (resource, most) in
        [(Resource::Nofile, open_files), (Resource::Fsize, Some(LARGEST_FILE)), (Resource::Core, Some(0))]
    {
        let hard = getrlimit(resource).maximum;
        let limit = most.map_or(hard, |most| Some(hard.map_or(most, |hard| hard.min(most))));
        rustix::process::prlimit(process, resource, Rlimit { current: limit, maximum: limit })?;
    }
    Ok(())
}

#[cfg(not(target_os = "linux"))]
#[expect(clippy::missing_const_for_fn, clippy::unnecessary_wraps, reason = "elsewhere it can fail")]
pub(super) fn confine(_: Option<Pid>, _: Option<u64>) -> rustix::io::Result<()> {
    Ok(())
}
