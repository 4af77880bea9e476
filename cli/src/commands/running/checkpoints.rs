//! When checkpoints are saved, and the hook with which tests kill a run at one of them.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use unolab_arena::run::folder::RunFolder;

/// How much time there is between two checkpoints, at least: what is lost with a killed process.
const INTERVAL: Duration = Duration::from_millis(200);

/// A hook for tests: after so many checkpoints the process is aborted, as if it were killed at that moment. Whoever uses it
/// has a checkpoint whenever there is anything new to keep.
static STOP_AFTER_CHECKPOINTS: LazyLock<Option<u64>> =
    LazyLock::new(|| std::env::var("UNOLAB_STOP_AFTER_CHECKPOINTS").ok()?.parse().ok());

/// How many checkpoints there were.
static CHECKPOINTS: AtomicU64 = AtomicU64::new(0);

/// How much time there is between two checkpoints, at least.
pub(super) fn checkpoint_interval() -> Duration {
    if STOP_AFTER_CHECKPOINTS.is_some() { Duration::ZERO } else { INTERVAL }
}

/// Counts a checkpoint; the hook may end the process here.
pub(super) fn after_checkpoint(folder: &RunFolder) {
    let checkpoints = CHECKPOINTS.fetch_add(1, Ordering::Relaxed) + 1;
    if folder.is_growing() && *STOP_AFTER_CHECKPOINTS == Some(checkpoints) {
        std::process::abort();
    }
}
