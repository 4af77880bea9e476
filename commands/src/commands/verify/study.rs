//! Runs a study again in a new directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};
use tempfile::TempDir;
use unolab_arena::run::directory::is_name_of_a_run;

use super::compare::{Comparison, Verdict, tables_in};
use crate::args::TrustArgs;
use crate::disk::read_text;
use crate::study::{Form, QUICK_DIR, STUDY_FILE, Step, Study};

/// Runs a study and compares its tables with those it keeps.
pub(super) fn check(directory: &Path, form: Form, trust: TrustArgs) -> anyhow::Result<Comparison> {
    let study = read(directory, trust)?;
    let workshop = run_steps(directory, &study, form, trust)?;
    let mut comparison = Comparison::default();
    for step in &study.steps {
        let (kept, made) = (kept_dir(directory, step, form), workshop.path().join(&step.out));
        comparison.add(&kept, &made, &step.exclude)?;
    }
    Ok(comparison)
}

/// Runs a study and stores its output: whole directories, or only the tables of the quick version. Other files in the
/// directory of a step are kept. Returns the steps that had other tables before.
pub(super) fn update(directory: &Path, form: Form, trust: TrustArgs) -> anyhow::Result<Vec<String>> {
    let study = read(directory, trust)?;
    let workshop = run_steps(directory, &study, form, trust)?;
    let mut changed = Vec::new();
    for step in &study.steps {
        let (kept, made) = (kept_dir(directory, step, form), workshop.path().join(&step.out));
        if form == Form::Quick {
            let tables = tables_in(&made)?;
            remove_files(&made, &|path| !tables.contains(path))?;
        }
        remove_files(&made, &|path| step.exclude.iter().any(|name| path == Path::new(name)))?;
        if kept.exists() {
            let mut comparison = Comparison::default();
            comparison.add(&kept, &made, &step.exclude)?;
            changed.extend((comparison.verdict() == Verdict::Differs).then(|| step.out.clone()));
            remove_files(&kept, &|path| path.to_str().is_some_and(is_name_of_a_run))?;
        }
        copy_dir(&made, &kept)?;
    }
    Ok(changed)
}

fn read(directory: &Path, trust: TrustArgs) -> anyhow::Result<Study> {
    let path = directory.join(STUDY_FILE);
    let text = read_text(&path).map_err(anyhow::Error::msg)?;
    let study = Study::read(&text).with_context(|| path.display().to_string())?;
    let commands = study.steps.iter().flat_map(|Step { command, quick, .. }| [&**command, quick]);
    trust.check(&path, commands)?;
    Ok(study)
}

fn kept_dir(study: &Path, step: &Step, form: Form) -> PathBuf {
    match form {
        Form::Full => study.join(&step.out),
        Form::Quick => study.join(QUICK_DIR).join(&step.out),
    }
}

/// Runs every step, in a copy of the study's directory without the outputs of its steps. A step can therefore read a variant file
/// next to `study.toml`, or the output of an earlier step.
fn run_steps(directory: &Path, study: &Study, form: Form, trust: TrustArgs) -> anyhow::Result<TempDir> {
    let workshop = TempDir::new().context("a directory to run the study in")?;
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let entry = entry.with_context(|| directory.display().to_string())?;
        let name = entry.file_name();
        let is_made = study.steps.iter().any(|step| Path::new(&step.out).starts_with(&name));
        if !is_made && name != QUICK_DIR {
            copy(&entry.path(), &workshop.path().join(&name))?;
        }
    }
    for step in &study.steps {
        run_step(step, form, workshop.path(), trust)
            .with_context(|| format!("{}: step `{}`", directory.display(), step.out))?;
    }
    Ok(workshop)
}

fn run_step(step: &Step, form: Form, workshop: &Path, trust: TrustArgs) -> anyhow::Result<()> {
    let mut arguments = step.arguments(form);
    // No other step replays a run, which can name programs.
    if trust.trust_bots && arguments.first().is_some_and(|command| command == "compare") {
        arguments.push("--trust-bots".into());
    }
    let mut command = Command::new(std::env::current_exe().context("this program")?);
    command.current_dir(workshop).args(&arguments).args(["--out", &step.out]);
    let output = command.output().context("this program")?;
    // The exit status of a sequential test is its decision: 1 for the null hypothesis, 3 if undecided. A tuning run ends with 1
    // unless every constraint is met.
    let is_played = match (arguments.first().map(String::as_str), output.status.code()) {
        (Some("sprt"), Some(0 | 1 | 3)) | (Some("tune"), Some(0 | 1)) => true,
        _ => output.status.success(),
    };
    if !is_played {
        let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        bail!("unolab {} ended with {}: {reason}", arguments.join(" "), output.status);
    }
    if !workshop.join(&step.out).is_dir() {
        bail!("unolab {} wrote no directory", arguments.join(" "));
    }
    Ok(())
}

/// Removes the files of a directory that are chosen by relative path.
fn remove_files(directory: &Path, is_chosen: &dyn Fn(&Path) -> bool) -> anyhow::Result<()> {
    let mut left = vec![PathBuf::new()];
    while let Some(within) = left.pop() {
        for entry in fs::read_dir(directory.join(&within))? {
            let path = within.join(entry?.file_name());
            let file = directory.join(&path);
            if file.is_dir() {
                left.push(path);
            } else if is_chosen(&path) {
                fs::remove_file(&file).with_context(|| file.display().to_string())?;
            }
        }
    }
    Ok(())
}

fn copy(from: &Path, to: &Path) -> anyhow::Result<()> {
    if from.is_dir() {
        return copy_dir(from, to);
    }
    fs::copy(from, to).map(drop).with_context(|| from.display().to_string())
}

fn copy_dir(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to).with_context(|| to.display().to_string())?;
    for entry in fs::read_dir(from).with_context(|| from.display().to_string())? {
        let entry = entry.with_context(|| from.display().to_string())?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}
