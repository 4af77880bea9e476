//! When checkpoints are saved, and the hook that tests use to kill a run at one of them.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use unolab_arena::run::directory::RunDirectory;

/// The least time between two checkpoints, which is lost when a process is killed.
const INTERVAL: Duration = Duration::from_millis(200);

/// A hook for tests: after this number of checkpoints the process is aborted, as if it were killed at that moment. With
/// the hook, every new result causes a checkpoint.
static STOP_AFTER_CHECKPOINTS: LazyLock<Option<u64>> =
    LazyLock::new(|| std::env::var("UNOLAB_STOP_AFTER_CHECKPOINTS").ok()?.parse().ok());

/// The number of checkpoints.
static CHECKPOINTS: AtomicU64 = AtomicU64::new(0);

/// The least time between two checkpoints.
pub(super) fn checkpoint_interval() -> Duration {
    if STOP_AFTER_CHECKPOINTS.is_some() { Duration::ZERO } else { INTERVAL }
}

/// Counts a checkpoint; the hook may end the process here.
pub(super) fn after_checkpoint(directory: &RunDirectory) {
    let checkpoints = CHECKPOINTS.fetch_add(1, Ordering::Relaxed) + 1;
    if directory.is_growing() && *STOP_AFTER_CHECKPOINTS == Some(checkpoints) {
        std::process::abort();
    }
}
