//! The files of a program in the sandbox, by Landlock; also the signals to others, where the system supports it.

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, Ruleset, RulesetAttr, RulesetCreatedAttr,
    RulesetError, Scope, path_beneath_rules,
};

use super::super::level::Reach;
use super::super::sandbox_policy::{DEVICES, Network, SandboxPolicy};

/// Restricts the calling thread and its descendants to these files, and returns the processes that their signals reach.
///
/// # Errors
/// If the system has no Landlock.
pub(super) fn restrict(policy: &SandboxPolicy) -> Result<Reach, String> {
    let restricts_signals = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .scope(Scope::Signal)
        .and_then(Ruleset::create)
        .is_ok();
    ruleset(policy).map_err(|error| error.to_string())?;
    Ok(if restricts_signals { Reach::OwnProcesses } else { Reach::AllProcesses })
}

fn ruleset(policy: &SandboxPolicy) -> Result<(), RulesetError> {
    // The first version is required; restrictions of later versions are applied if the system supports them.
    const NEWEST: ABI = ABI::V7;
    let all: BitFlags<AccessFs> = AccessFs::from_all(NEWEST);
    let mut ruleset = Ruleset::default()
        .set_compatibility(CompatLevel::HardRequirement)
        .handle_access(AccessFs::from_all(ABI::V1))?
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(all)?
        .scope(Scope::from_all(NEWEST))?;
    if policy.network == Network::Denied {
        ruleset = ruleset.handle_access(AccessNet::from_all(NEWEST))?;
    }
    let devices = AccessFs::ReadFile | AccessFs::WriteFile;
    ruleset
        .create()?
        .add_rules(path_beneath_rules(&policy.readable, AccessFs::from_read(NEWEST)))?
        .add_rules(path_beneath_rules(&policy.listable, AccessFs::ReadDir))?
        .add_rules(path_beneath_rules(&policy.writable, all))?
        .add_rules(path_beneath_rules(DEVICES, devices))?
        .restrict_self()?;
    Ok(())
}
