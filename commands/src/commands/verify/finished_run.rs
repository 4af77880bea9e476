//! Runs a finished run again from the spec in its `run.json`.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use tempfile::TempDir;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::any_spec::{AnySpec, Replayed};
use unolab_arena::run::checkpoint::RunSpec as _;
use unolab_arena::run::directory::{Outputs, WEIGHTS_FILE};
use unolab_arena::run::execution::Execution;
use unolab_arena::run::integrity::check_manifest;
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::run::programs::{ChangedPrograms, ProgramVersions};

use super::args::VerifyArgs;
use super::compare::{Comparison, Verdict};
use crate::args::registry_for_replay;
use crate::commands::driver::{STOP, stop_on_ctrl_c};
use crate::disk::read_text;
use crate::output::warn;

/// Runs it again with all cores and compares its tables.
pub(super) fn check(directory: &Path, args: &VerifyArgs, registry: &Registry) -> anyhow::Result<Comparison> {
    let path = directory.join(RUN_FILE);
    let text = read_text(&path).map_err(anyhow::Error::msg)?;
    let run: Run<AnySpec> =
        serde_json::from_str(&text).with_context(|| format!("{}: is not the run.json of a run", path.display()))?;
    check_before_replay(&run, &path, args)?;
    check_manifest(&text).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
    let kept = run.clone();
    let workshop = TempDir::new().context("a directory to run in")?;
    let made = workshop.path().join("made");
    if run_again(run, &made, registry).with_context(|| path.display().to_string())? == Replayed::Stopped {
        bail!("{}: did not finish", directory.display());
    }
    let mut comparison = Comparison::default();
    comparison.add(directory, &made, &[])?;
    comparison.add_file(directory, &made, Path::new(WEIGHTS_FILE))?;
    if comparison.verdict() == Verdict::Same {
        kept.check_after_replay(&result_hash(&made)?).with_context(|| path.display().to_string())?;
    }
    Ok(comparison)
}

/// The hash of a run's tables, as its run.json records it.
fn result_hash(directory: &Path) -> anyhow::Result<String> {
    let path = directory.join(RUN_FILE);
    let text = read_text(&path).map_err(anyhow::Error::msg)?;
    let run: Run<AnySpec> = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    Ok(run.result_hash)
}

/// Checks that the run may be replayed, and reports accepted changes of its programs.
fn check_before_replay(run: &Run<AnySpec>, path: &Path, args: &VerifyArgs) -> anyhow::Result<()> {
    let named = || path.display().to_string();
    run.check_spec().map_err(anyhow::Error::msg).with_context(named)?;
    args.trust.check(path, run.spec.agents())?;
    let changed_programs = ChangedPrograms::accepted_if(args.allow_changed_bots);
    let changes =
        run.check_before_replay(&ProgramVersions::now(run.spec.agents()), changed_programs).with_context(named)?;
    for change in changes {
        warn(&format!("warning: {}: changed since the run: {change}", path.display()));
    }
    Ok(())
}

/// Runs a run again, into this directory.
fn run_again(run: Run<AnySpec>, directory: &Path, registry: &Registry) -> anyhow::Result<Replayed> {
    let spec = run.spec.opened_by(run.seal_key.as_deref())?;
    let registry = registry_for_replay(registry, spec.seal(), directory)?;
    let (outputs, execution) = (
        Outputs::tables_only(run.outputs),
        Execution { directory: Some(directory.to_owned()), ..Execution::default() },
    );
    stop_on_ctrl_c()?;
    Ok(spec.replay(&outputs, &execution, &registry, &STOP)?)
}
