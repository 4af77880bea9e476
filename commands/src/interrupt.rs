//! Signals: they set a flag for work that polls it, and end the process otherwise.
//!
//! A signal that was ignored when this process started, as `nohup` does with SIGHUP, stays ignored.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, anyhow};

use crate::output::warn;

/// Set by Ctrl-C, and by other requests to end.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the work polls [`STOP`].
static LOOKS_AT_STOP: AtomicBool = AtomicBool::new(false);

/// The error if signals cannot be handled, after the first attempt.
static HANDLED: OnceLock<Result<(), String>> = OnceLock::new();

/// Makes Ctrl-C set [`STOP`].
pub(crate) fn stop_on_ctrl_c() -> anyhow::Result<()> {
    LOOKS_AT_STOP.store(true, Ordering::Relaxed);
    handle_ctrl_c()
}

/// Makes Ctrl-C end the process with a message and an exit status, because there is no result to save yet.
pub(crate) fn handle_ctrl_c() -> anyhow::Result<()> {
    HANDLED
        .get_or_init(|| system::handle_requests_to_end(stop).map_err(|error| error.to_string()))
        .clone()
        .map_err(|reason| anyhow!(reason))
        .context("cannot listen for Ctrl-C")
}

fn stop() {
    if !LOOKS_AT_STOP.load(Ordering::Relaxed) {
        warn("stopped before there was any result");
        std::process::exit(130);
    }
    // The second signal does not wait for batches in progress.
    if STOP.swap(true, Ordering::Relaxed) {
        std::process::exit(130);
    }
}

/// Turns the limit on file sizes (`ulimit -f`) into an error of the write that exceeds it, like a full disk. Without this the
/// system kills the process.
pub(crate) fn report_file_size_limit() -> anyhow::Result<()> {
    system::handle_file_size_limit().context("cannot handle SIGXFSZ")
}

#[cfg(unix)]
mod system {
    use std::fs;
    use std::io;
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use std::thread;

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;

    pub(super) fn handle_requests_to_end(handle: fn()) -> io::Result<()> {
        let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP].into_iter().filter(|&signal| !is_ignored(signal)))?;
        thread::Builder::new().name("signals".into()).spawn(move || signals.forever().for_each(|_| handle()))?;
        Ok(())
    }

    /// Uses a handler instead of [`SIG_IGN`](https://man7.org/linux/man-pages/man7/signal.7.html), so that programs that this
    /// process starts get the default.
    pub(super) fn handle_file_size_limit() -> io::Result<()> {
        if !is_ignored(SIGXFSZ) {
            flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        }
        Ok(())
    }

    /// Whether this process ignores a signal, as inherited from its caller. Only Linux reports it.
    fn is_ignored(signal: i32) -> bool {
        fs::read_to_string("/proc/self/status").is_ok_and(|status| ignores(&status, signal))
    }

    fn ignores(status: &str, signal: i32) -> bool {
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        mask.is_some_and(|mask| mask >> (signal - 1) & 1 == 1)
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn ignored_signals_are_read_from_mask() {
            let status =
                "Name:\tunolab\nSigBlk:\t0000000000000006\nSigIgn:\t0000000001001001\nSigCgt:\t0000000000004002\n";
            let ignored: Vec<i32> = (1..=64).filter(|&signal| ignores(status, signal)).collect();
            assert_eq!(ignored, [1, 13, 25]);
            assert!(!ignores("", SIGHUP) && !ignores("SigIgn:\tnothing\n", SIGHUP));
        }
    }
}

#[cfg(not(unix))]
mod system {
    pub(super) fn handle_requests_to_end(handle: fn()) -> Result<(), ctrlc::Error> {
        ctrlc::set_handler(handle)
    }

    pub(super) const fn handle_file_size_limit() -> std::io::Result<()> {
        Ok(())
    }
}
