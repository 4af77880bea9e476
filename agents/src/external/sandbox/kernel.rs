//! The restrictions of Linux: Landlock for files, and a filter of system calls. The [`launcher`] adds namespaces.

mod file_rules;
pub(super) mod launcher;
mod new_root;
mod system_calls;

use self::system_calls::{CallRights, Locks};
use super::confinement::{Confinement, Reach};
use super::walls::SandboxPolicy;

/// Confines the calling thread and its descendants for good.
///
/// # Errors
/// What is not restricted then.
pub(super) fn confine(walls: &SandboxPolicy, processes: Reach) -> Result<(), Confinement> {
    let files = file_rules::restrict(walls);
    let signals = match (processes, &files) {
        (Reach::OwnFamily, _) => Reach::OwnFamily,
        (Reach::AllProcesses, Ok(reach)) => *reach,
        (Reach::AllProcesses, Err(_)) => Reach::AllProcesses,
    };
    let locks = if walls.writable.is_empty() { Locks::Refused } else { Locks::Allowed };
    let calls = system_calls::restrict(CallRights { network: walls.network, locks, signals, processes });
    match (files, calls) {
        (Ok(_), Ok(())) => Ok(()),
        (Ok(_), Err(reason)) => Err(Confinement::Partial(format!(
            "without seccomp ({reason}) a program can use the network and change what other programs use"
        ))),
        (Err(reason), Ok(())) => {
            Err(Confinement::Partial(format!("without Landlock ({reason}) a program can read files of others")))
        }
        (Err(reason), Err(_)) => Err(Confinement::None(format!("neither Landlock nor seccomp is available: {reason}"))),
    }
}
