//! [`Confinement`]: the restrictions that a system supports; [`Reach`]: the processes that a program reaches.

use super::policy::Sandbox;

/// The restrictions that this system supports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Confinement {
    /// All restrictions: namespaces, Landlock and the filter of system calls.
    Full,
    /// A part of the restrictions; the text names the missing ones and the cause.
    Partial(String),
    /// No restrictions, with the reason.
    None(String),
}

impl Confinement {
    /// Whether this confinement suffices; otherwise the missing restrictions.
    pub(crate) fn suffices(&self, wanted: Sandbox) -> Result<(), &str> {
        match (wanted, self) {
            (Sandbox::Require, Self::Partial(reason) | Self::None(reason)) => Err(reason),
            _ => Ok(()),
        }
    }
}

/// The processes that a program reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// Itself and its descendants.
    OwnProcesses,
    /// All processes of the user.
    AllProcesses,
}
