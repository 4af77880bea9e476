//! Stops agents that are deciding when the run stops.
//!
//! A caller that plays games passes a flag with [`unless_stopped`]. The flag is read before each single answer of an agent
//! and before each trial of a search. Once it is set, the current game is left by unwinding and is not counted. Without a
//! flag, games never stop.
//!
//! Work that the system cannot support, because it has no more processes or files, is left in the same way with [`fail`].

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};

scoped_tls::scoped_thread_local!(static FLAG: AtomicBool);

/// The work stopped because its flag was set. This value is also the payload of the unwinding, which code that catches
/// panics must pass on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped;

/// The work was left because the system could not support it; contains the reason. This value is also the payload of the
/// unwinding, which code that catches panics must pass on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemFailure(pub String);

/// Does the work on this thread, unless the flag is set before its end.
///
/// # Errors
/// If the flag was set and the work was left.
pub fn unless_stopped<R>(flag: &AtomicBool, work: impl FnOnce() -> R) -> Result<R, Stopped> {
    match catch_unwind(AssertUnwindSafe(|| FLAG.set(flag, work))) {
        Ok(done) => Ok(done),
        Err(payload) if payload.is::<Stopped>() => Err(Stopped),
        Err(panic) => resume_unwind(panic),
    }
}

/// Does the work on this thread, unless the system fails.
///
/// # Errors
/// If the work was left with [`fail`].
pub fn unless_system_fails<R>(work: impl FnOnce() -> R) -> Result<R, SystemFailure> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| match payload.downcast() {
        Ok(failure) => *failure,
        Err(panic) => resume_unwind(panic),
    })
}

/// Leaves the work, because the system cannot support it: no agent is at fault.
#[cold]
pub fn fail(reason: String) -> ! {
    resume_unwind(Box::new(SystemFailure(reason)))
}

/// Leaves the work if its flag is set.
#[inline]
pub fn check() {
    if FLAG.is_set() && FLAG.with(|flag| flag.load(Ordering::Relaxed)) {
        leave();
    }
}

#[cold]
fn leave() -> ! {
    resume_unwind(Box::new(Stopped)) // not a panic, so the panic hook is not called
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_stops_only_after_its_flag_is_set() {
        let flag = AtomicBool::new(false);
        check(); // no flag
        assert_eq!(unless_stopped(&flag, check), Ok(()));
        let mut checks = 0;
        let endless = || loop {
            check();
            checks += 1;
            flag.store(checks == 5, Ordering::Relaxed);
        };
        assert_eq!(unless_stopped::<()>(&flag, endless), Err(Stopped));
        assert_eq!(checks, 5);
        assert!(catch_unwind(|| unless_stopped(&AtomicBool::new(false), || panic!("a panic is one"))).is_err());
    }

    #[test]
    fn unless_system_fails_catches_only_system_failures() {
        let flag = AtomicBool::new(true);
        assert_eq!(unless_system_fails(|| 1), Ok(1));
        assert_eq!(unless_system_fails(|| fail("no memory".into())), Err::<(), _>(SystemFailure("no memory".into())));
        assert_eq!(unless_stopped(&flag, || unless_system_fails(check)), Err(Stopped));
        assert!(catch_unwind(|| unless_stopped(&flag, || fail("no memory".into()))).is_err());
    }
}
