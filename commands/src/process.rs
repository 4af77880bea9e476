//! The process of a command: its stack, and its pipes.

use std::io::{self, ErrorKind};
use std::panic;
use std::thread;

use unolab_agents::stop::{SystemFailure, unless_system_fails};

/// The usual size of the main thread's stack on Linux.
const STACK_BYTES: usize = 8 << 20;

/// Calls the function on a thread with a stack of 8 MiB, and returns its result: the main thread's limit (`ulimit -s`) may be
/// too small for a command. If the system refuses another thread, the function runs on this one.
///
/// # Errors
/// If the system fails.
///
/// # Panics
/// If the function does.
pub fn run_on_large_stack<T: Send>(function: impl Fn() -> T + Copy + Send) -> Result<T, SystemFailure> {
    unless_system_fails(|| {
        thread::scope(|scope| {
            let builder = thread::Builder::new().name("main".into()).stack_size(STACK_BYTES);
            match builder.spawn_scoped(scope, function) {
                Ok(running) => running.join().unwrap_or_else(|payload| panic::resume_unwind(payload)),
                Err(_) => function(),
            }
        })
    })
}

/// Whether the reader of an output has closed it, as `head` does. This is not an error: the reader has stopped reading.
#[must_use]
pub fn is_closed_pipe(error: &anyhow::Error) -> bool {
    error.chain().filter_map(|cause| cause.downcast_ref::<io::Error>()).any(|io| io.kind() == ErrorKind::BrokenPipe)
}
