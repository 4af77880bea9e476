//! [`Clock`]: the time for the handheld.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::args::ClockKind;

/// A clock in milliseconds.
#[derive(Debug)]
pub(super) enum Clock {
    Real(Instant),
    Script(AtomicU64),
}

impl Clock {
    pub(super) fn new(kind: ClockKind) -> Self {
        match kind {
            ClockKind::Real => Self::Real(Instant::now()),
            ClockKind::Script => Self::Script(AtomicU64::new(0)),
        }
    }

    /// Milliseconds since its creation.
    pub(super) fn now(&self) -> u64 {
        match self {
            Self::Real(begin) => u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX),
            Self::Script(now) => now.load(Ordering::SeqCst),
        }
    }

    /// Advances a scripted clock by this much; false if the clock runs by itself.
    pub(super) fn turn(&self, milliseconds: u32) -> bool {
        match self {
            Self::Real(_) => false,
            Self::Script(now) => {
                now.fetch_add(milliseconds.into(), Ordering::SeqCst);
                true
            }
        }
    }
}
