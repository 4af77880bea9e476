//! The standard error of programs, stored in the run directory: `bots/NAME.stderr`.

use unolab_agents::registry::Registry;
use unolab_arena::run::directory::RunDirectory;

/// Stores it, after the output from before a run was stopped.
#[cfg(unix)]
pub(super) fn keep(directory: &RunDirectory, registry: &Registry) -> anyhow::Result<()> {
    use std::io::Read as _;

    use anyhow::Context;

    use crate::output::warn;

    let Some(run_log) = &registry.policy().run_log else { return Ok(()) };
    for (name, said) in run_log.errors().context("standard error of the programs")? {
        let file = format!("bots/{name}.stderr");
        let mut whole = Vec::new();
        if directory.path().join(&file).exists() && directory.is_growing() {
            directory.read(&file)?.read_to_end(&mut whole).with_context(|| file.clone())?;
        }
        whole.extend(said);
        directory.write(&file, whole)?;
    }
    run_log.gaps().for_each(|gap| warn(&format!("warning: {gap}")));
    Ok(())
}

/// There are no programs.
#[cfg(not(unix))]
pub(super) fn keep(_: &RunDirectory, _: &Registry) -> anyhow::Result<()> {
    Ok(())
}
