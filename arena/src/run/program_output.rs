//! The standard error of programs, stored in the run directory: `bots/NAME.stderr`.

use unolab_agents::registry::Registry;

use super::directory::RunDirectory;
use super::error::RunError;

/// Stores the output, after earlier output of an interrupted run. Returns warnings about missing output.
#[cfg(unix)]
pub(super) fn store(directory: &RunDirectory, registry: &Registry) -> Result<Vec<String>, RunError> {
    use std::io::Read as _;

    use super::error::at_file;

    let Some(run_log) = &registry.policy().run_log else { return Ok(Vec::new()) };
    for (name, output) in run_log.errors().map_err(at_file("standard error of the programs"))? {
        let file = format!("bots/{name}.stderr");
        let mut whole = Vec::new();
        if directory.path().join(&file).exists() && directory.is_growing() {
            directory.read(&file)?.read_to_end(&mut whole).map_err(at_file(&file))?;
        }
        whole.extend(output);
        directory.write(&file, whole)?;
    }
    Ok(run_log.gaps().collect())
}

/// There are no programs.
#[cfg(not(unix))]
pub(super) const fn store(_: &RunDirectory, _: &Registry) -> Result<Vec<String>, RunError> {
    Ok(Vec::new())
}
