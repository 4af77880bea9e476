//! Runs a finished run again from the spec in its `run.json`.

use std::path::Path;

use anyhow::{Context, bail};
use tempfile::TempDir;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::spec::BalanceSpec;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::run::checkpoint::RunSpec as _;
use unolab_arena::run::folder::WEIGHTS_FILE;
use unolab_arena::run::manifest::{RUN_FILE, Run};
use unolab_arena::run::programs::PlayedWith;
use unolab_arena::spec::seal::Seal;
use unolab_arena::spec::{Command, Format, Spec};
use unolab_engine::rng;

use super::compare::{Comparison, Verdict};
use crate::args::{Intent, KeptArgs};
use crate::commands::driver::{AnySpec, Invocation, drive, request};
use crate::commands::{balance, league, sprt, train};
use crate::disk::read_text;
use crate::exit::Exit;
use crate::output::complain;

/// Runs it again with all cores and compares its tables.
pub(super) fn check(folder: &Path, registry: &Registry) -> anyhow::Result<Comparison> {
    let path = folder.join(RUN_FILE);
    let text = read_text(&path).map_err(anyhow::Error::msg)?;
    let run: Run<AnySpec> =
        serde_json::from_str(&text).with_context(|| format!("{}: is not that of a run", path.display()))?;
    make_sure_it_is_ours(&run, &path)?;
    let kept = run.result_hash.clone();
    let workshop = TempDir::new().context("a folder to run in")?;
    let made = workshop.path().join("made");
    // A sequential test is played to its end whatever it decides.
    let is_played = |exit| matches!(exit, Exit::Done | Exit::CheckFailed | Exit::Undecided);
    if !is_played(run_again(run, &made, registry).with_context(|| path.display().to_string())?) {
        bail!("{}: was not run to its end", folder.display());
    }
    let mut comparison = Comparison::default();
    comparison.add(folder, &made, &[])?;
    comparison.add_file(folder, &made, Path::new(WEIGHTS_FILE))?;
    let again = result_hash(&made)?;
    if comparison.verdict() == Verdict::Same && kept != again {
        bail!("{}: its result_hash is {kept}, but its tables have the hash {again}", path.display());
    }
    Ok(comparison)
}

/// The hash of the tables that a run tells of itself.
fn result_hash(folder: &Path) -> anyhow::Result<String> {
    let path = folder.join(RUN_FILE);
    let text = read_text(&path).map_err(anyhow::Error::msg)?;
    let run: Run<AnySpec> = serde_json::from_str(&text).with_context(|| path.display().to_string())?;
    Ok(run.result_hash)
}

/// Checks that the manifest is consistent and of this version, and reports changed programs.
fn make_sure_it_is_ours(run: &Run<AnySpec>, path: &Path) -> anyhow::Result<()> {
    let (spec_hash, now) = match &run.spec {
        AnySpec::Contest(spec) => (spec.hash(), PlayedWith::now(spec.agents())),
        AnySpec::Balance(spec) => (spec.hash(), PlayedWith::now(spec.agents())),
        AnySpec::Train(spec) => (spec.hash(), PlayedWith::now(spec.agents())),
    };
    if run.spec_hash != spec_hash.to_string() {
        bail!("{}: its spec_hash is {}, but its spec has the hash {spec_hash}", path.display(), run.spec_hash);
    }
    let (version, generator) = (env!("CARGO_PKG_VERSION"), rng::GENERATOR_ID);
    if (&*run.unolab, &*run.generator) != (version, generator) {
        let (path, other, its) = (path.display(), &run.unolab, &run.generator);
        bail!("{path}: was run by unolab {other} with {its}; this is unolab {version} with {generator}");
    }
    for change in run.played_with.changed_programs(&now) {
        complain(&format!("warning: {}: changed since: {change}", path.display()));
    }
    Ok(())
}

/// Runs a run again, into this folder.
fn run_again(run: Run<AnySpec>, made: &Path, registry: &Registry) -> anyhow::Result<Exit> {
    let opened = |seal: Option<Seal>| match (seal, &run.seal_key) {
        (None, _) => Ok(None),
        (Some(_), None) => bail!("the run is sealed, and its key is missing"),
        (Some(seal), Some(key)) => Ok(Some(seal.opened_by(key.parse()?)?)),
    };
    let again = |seed, seal: Option<&Seal>| {
        let kept = KeptArgs::again(seed, seal, made.into());
        kept.registry_for(registry, [], None, Intent::Play).map(|registry| (kept, registry))
    };
    let spec = match run.spec {
        AnySpec::Contest(spec) => Spec { seal: opened(spec.seal)?, ..spec },
        AnySpec::Balance(spec) => {
            let spec = BalanceSpec { seal: opened(spec.seal)?, ..spec };
            let (kept, registry) = &again(spec.seed, spec.seal.as_ref())?;
            return balance::run_spec(&spec, &Invocation::plain(kept, run.besides), registry);
        }
        AnySpec::Train(spec) => {
            let (kept, registry) = &again(spec.plan.seed, None)?;
            return train::run_again(&spec, &Invocation::plain(kept, run.besides), registry);
        }
    };
    let (kept, registry) = &again(spec.seed, spec.seal.as_ref())?;
    let invocation = Invocation::plain(kept, run.besides);
    if spec.command == (Command::Tournament { format: Format::League }) {
        return league::run_spec(&spec, &invocation, registry);
    }
    let contest = request::contest_of(spec, run.besides, registry, kept.num_threads())?;
    match contest.spec().command {
        Command::Sprt(hypotheses) => sprt::run_contest(&contest, hypotheses, &invocation),
        Command::Match | Command::Tournament { .. } => drive(&Tournament::of(&contest), &invocation, |_| Ok(())),
    }
}
