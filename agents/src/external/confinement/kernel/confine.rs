//! All restrictions of a process without namespaces.

use super::super::level::{Confinement, Reach};
use super::super::sandbox_policy::SandboxPolicy;
use super::file_rules;
use super::system_calls::{self, CallRights, Locks};

/// Confines the calling thread and its descendants permanently.
///
/// # Errors
/// The missing restriction.
pub(crate) fn confine(policy: &SandboxPolicy, processes: Reach) -> Result<(), Confinement> {
    let files = file_rules::restrict(policy);
    let signals = match (processes, &files) {
        (Reach::OwnProcesses, _) => Reach::OwnProcesses,
        (Reach::AllProcesses, Ok(reach)) => *reach,
        (Reach::AllProcesses, Err(_)) => Reach::AllProcesses,
    };
    let locks = if policy.writable.is_empty() { Locks::Refused } else { Locks::Allowed };
    let calls = system_calls::restrict(CallRights { network: policy.network, locks, signals, processes });
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
