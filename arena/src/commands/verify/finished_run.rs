//! The folder of a finished run, run again from the spec in its `run.json`.

use std::path::Path;

use anyhow::{Context, bail};
use tempfile::TempDir;
use unolab_arena::folder::RunFolder;
use unolab_arena::part::Shard;
use unolab_arena::run::{RUN_FILE, Run};
use unolab_arena::spec::{Command, Format};
use unolab_arena::standing::{Job, Standing};

use super::compare::{Comparison, Verdict};
use crate::commands::running::{self, Extras, request};
use crate::disk::read_text;
use crate::exit::Exit;

/// Runs it again with all cores and compares its tables.
pub(super) fn check(folder: &Path) -> anyhow::Result<Verdict> {
    let path = folder.join(RUN_FILE);
    let text = read_text(&path).map_err(anyhow::Error::msg)?;
    let run: Run = serde_json::from_str(&text)
        .with_context(|| format!("{}: is not that of a tournament or a match", path.display()))?;
    if !matches!(
        run.spec.command,
        Command::Match | Command::Tournament { format: Format::RoundRobin | Format::Gauntlet }
    ) {
        bail!(
            "{}: is not that of a tournament or a match without a league; a study can hold any command (study.toml)",
            path.display()
        );
    }
    let contest = request::contest_of(run.spec, run.besides).with_context(|| path.display().to_string())?;
    let workshop = TempDir::new().context("a folder to run in")?;
    let made = workshop.path().join("made");
    let again = RunFolder::claim(&made, contest.spec().hash())?;
    let anew = Standing::begin(Job::new(contest.spec(), Shard::WHOLE, run.besides), &contest);
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    if running::play_and_publish(&contest, threads, again, anew, Extras::NONE, true)? != Exit::Done {
        bail!("{}: was not run to its end", folder.display());
    }
    let mut comparison = Comparison::default();
    comparison.add(folder, &made, &[])?;
    comparison.conclude(folder)
}
