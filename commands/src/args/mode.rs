//! [`PlayMode`]: whether a command plays, or prints its plan.

/// Whether a command plays, or only prints its plan and writes nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PlayMode {
    Play,
    DryRun,
}

impl PlayMode {
    /// With `--dry-run`, or without.
    pub(crate) const fn of(dry_run: bool) -> Self {
        if dry_run { Self::DryRun } else { Self::Play }
    }
}
