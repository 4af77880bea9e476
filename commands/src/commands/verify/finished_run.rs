//! Runs a finished run again from the spec in its `run.json`.

use std::path::Path;

use anyhow::{Context, anyhow, bail};
use tempfile::TempDir;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::spec::BalanceSpec;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::experiment::tune::spec::TuneSpec;
use unolab_arena::run::checkpoint::RunSpec as _;
use unolab_arena::run::directory::WEIGHTS_FILE;
use unolab_arena::run::integrity::check_manifest;
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::run::programs::{ChangedPrograms, ProgramVersions};
use unolab_arena::spec::seal::Seal;
use unolab_arena::spec::{Command, Format, Spec};

use super::compare::{Comparison, Verdict};
use crate::args::{PlayMode, RunOutputArgs, VerifyArgs};
use crate::commands::driver::{AnySpec, Invocation, drive, request};
use crate::commands::{balance, league, sprt, train, tune};
use crate::disk::read_text;
use crate::exit::Exit;
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
    // A sequential test and a tuning run are played to their end, with any decision.
    let is_played = |exit| matches!(exit, Exit::Done | Exit::CheckFailed | Exit::Undecided);
    if !is_played(run_again(run, &made, registry).with_context(|| path.display().to_string())?) {
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
fn run_again(run: Run<AnySpec>, made: &Path, registry: &Registry) -> anyhow::Result<Exit> {
    let opened = |seal: Option<Seal>| match (seal, &run.seal_key) {
        (None, _) => Ok(None),
        (Some(_), None) => bail!("the run is sealed, and its key is missing"),
        (Some(seal), Some(key)) => Ok(Some(seal.opened_by(key.parse()?)?)),
    };
    let again = |seed, seal: Option<&Seal>| {
        let kept = RunOutputArgs::again(seed, seal, made.into());
        kept.registry_for(registry, [], None, PlayMode::Play).map(|registry| (kept, registry))
    };
    let spec = match run.spec {
        AnySpec::Contest(spec) => Spec { seal: opened(spec.seal)?, ..spec },
        AnySpec::Balance(spec) => {
            let spec = BalanceSpec { seal: opened(spec.seal)?, ..spec };
            let (kept, registry) = &again(spec.seed, spec.seal.as_ref())?;
            return balance::run_spec(&spec, &Invocation::plain(kept, run.outputs), registry);
        }
        AnySpec::Tune(spec) => {
            let spec = TuneSpec { seal: opened(spec.seal)?, ..spec };
            let (kept, registry) = &again(spec.seed, spec.seal.as_ref())?;
            return tune::run_spec(&spec, &Invocation::plain(kept, run.outputs), registry);
        }
        AnySpec::Train(spec) => {
            let (kept, registry) = &again(spec.plan.seed, None)?;
            return train::run_again(&spec, &Invocation::plain(kept, run.outputs), registry);
        }
    };
    let (kept, registry) = &again(spec.seed, spec.seal.as_ref())?;
    let invocation = Invocation::plain(kept, run.outputs);
    if spec.command == (Command::Tournament { format: Format::League }) {
        return league::run_spec(&spec, &invocation, registry);
    }
    let contest = request::contest_of(spec, run.outputs, registry, kept.num_threads())?;
    match contest.spec().command {
        Command::Sprt(hypotheses) => sprt::run_contest(&contest, hypotheses, &invocation),
        Command::Match | Command::Tournament { .. } => drive(&Tournament::of(&contest), &invocation, |_| Ok(())),
    }
}
