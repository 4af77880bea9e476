//! [`PlayMode`]: whether a command plays, or tells what it would play.

/// Whether a command plays, or only says what it would play and writes nothing.
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
