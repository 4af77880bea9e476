//! Ctrl-C: a flag for work that looks at it, and an end for work that does not yet.

use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;

use crate::output::complain;

/// Set by Ctrl-C, and by whatever else asks a process to end.
pub(crate) static STOP: AtomicBool = AtomicBool::new(false);

/// Whether the work looks at [`STOP`] from time to time.
static LOOKS_AT_STOP: AtomicBool = AtomicBool::new(false);

/// From now on Ctrl-C sets [`STOP`].
pub(crate) fn listen_for_ctrl_c() -> anyhow::Result<()> {
    LOOKS_AT_STOP.store(true, Ordering::Relaxed);
    hear_ctrl_c()
}

/// From now on Ctrl-C ends the process with a word, and with the exit status for it: there is nothing yet that could be kept.
pub(crate) fn hear_ctrl_c() -> anyhow::Result<()> {
    let listening = ctrlc::set_handler(|| {
        if !LOOKS_AT_STOP.load(Ordering::Relaxed) {
            complain("stopped before there was any result");
            std::process::exit(130);
        }
        // The second time there is no waiting for the batches in hand.
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    match listening {
        Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        listening => listening.context("cannot listen for Ctrl-C"),
    }
}
