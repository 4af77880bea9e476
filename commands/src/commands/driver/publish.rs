//! Fills a run directory: tables, figures, the report, and last `run.json`.

use std::{env, io};

use anyhow::Context;
use serde::Serialize;
use serde_json::Value;
use unolab_arena::run::checkpoint::{Checkpoint, RunSpec};
use unolab_arena::run::directory::RunDirectory;
use unolab_arena::run::integrity::open;
use unolab_arena::run::manifest::{Machine, RUN_FILE, Run, result_hash};
use unolab_arena::tables::Row;
use unolab_arena::tables::games::GameRow;
use unolab_arena::tables::parquet::games_to_parquet;
use unolab_arena::tables::table::{TableFormat, Tables, parquet_name};

use super::json::{JsonObject, tables_of};
use super::tables::write;
use crate::output::warn;
use crate::report::{PAGE_FILE, PLOTS_DIR, Report};

/// The result of an experiment.
pub(in crate::commands) struct ExperimentOutput {
    /// Its tables: the result.
    pub(in crate::commands) tables: Tables,
    /// The faults. They may depend on the time that programs take, so they are not part of the result.
    pub(in crate::commands) faults: Tables,
    /// Tables that have no file, for `--json`.
    pub(in crate::commands) without_file: JsonObject,
    /// Figures and all other outputs that are not tables, by the names of their files.
    pub(in crate::commands) figures: Vec<(String, Vec<u8>)>,
    /// The README of its directory.
    pub(in crate::commands) readme: String,
    /// The printed text.
    pub(in crate::commands) text: String,
}

impl ExperimentOutput {
    /// Its tables, and what went wrong.
    pub(in crate::commands) fn in_json(&self) -> JsonObject {
        let tables = tables_of(&self.tables).into_iter().chain(tables_of(&self.faults));
        tables.chain(self.without_file.clone()).collect()
    }
}

/// The files of a run other than its tables as CSV.
#[derive(Debug, Clone, Copy)]
pub(in crate::commands) struct Extras {
    /// The additional format of the tables.
    pub(in crate::commands) tables: TableFormat,
    /// Whether there is a page.
    pub(in crate::commands) page: Page,
}

impl Extras {
    /// These tables and nothing else.
    pub(super) const fn only(tables: TableFormat) -> Self {
        Self { tables, page: Page::NotAskedFor }
    }
}

/// Whether a run gets a page for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::commands) enum Page {
    /// `report.html` and its plots.
    Wanted,
    /// Only the tables.
    NotAskedFor,
}

/// This machine, and the command line.
fn this_machine(threads: usize) -> Machine {
    Machine::this(threads).asked_by(env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()))
}

/// Writes the results of a whole run of a spec into its directory, and publishes it.
pub(in crate::commands) fn publish<S: RunSpec, C>(
    spec: &S,
    ExperimentOutput { tables, faults, figures, readme, .. }: &ExperimentOutput,
    directory: RunDirectory,
    Checkpoint { job, seconds, .. }: &Checkpoint<S, C>,
    threads: usize,
    extras: Extras,
) -> anyhow::Result<()> {
    write(tables, &directory, extras.tables)?;
    write(faults, &directory, extras.tables)?;
    if extras.tables == TableFormat::Parquet && job.outputs.games_csv.is_some() {
        let (mut csv, mut parquet) = (directory.read(GameRow::FILE)?, directory.create(&parquet_name(GameRow::FILE))?);
        games_to_parquet(&mut csv, &mut parquet).context(GameRow::FILE)?;
    }
    figures.iter().try_for_each(|(name, figure)| directory.write(name, figure))?;
    directory.write("README.md", readme)?;
    let tables = tables.named();
    let run = Run::of(spec.clone(), &tables, this_machine(threads), *seconds).of_job(job);
    report_other_result(&directory, &tables, &run);
    if extras.page == Page::Wanted {
        write_report(&directory, &tables, &run)?;
    }
    let digests = directory.digests()?;
    directory.write(RUN_FILE, Run { files: Some(directory.files()), digests, ..run }.to_json())?;
    Ok(directory.publish()?)
}

/// Reports that the new run replaces a different result of the same programs.
fn report_other_result<S>(directory: &RunDirectory, tables: &[(&str, Vec<u8>)], run: &Run<S>) {
    let path = directory.path().join(RUN_FILE);
    let text = open(&path).and_then(io::read_to_string).ok();
    let Some(replaced) = text.and_then(|text| serde_json::from_str::<Run<Value>>(&text).ok()) else { return };
    let Some(files) = &replaced.files else { return };
    if !replaced.is_of_this_version() || replaced.played_with != run.played_with {
        return;
    }
    // A table that only the new run has is not a different result.
    let both: Vec<_> = tables.iter().filter(|(name, _)| files.iter().any(|file| file == name)).cloned().collect();
    if let Err(error) = replaced.check_after_replay(&result_hash(&both)) {
        warn(&format!("warning: {}: the run there is replaced, but {error}", path.display()));
    }
}

/// The page of a run with these tables, and its plots.
fn write_report(directory: &RunDirectory, tables: &[(&str, Vec<u8>)], run: &Run<impl Serialize>) -> anyhow::Result<()> {
    let run = run.to_json();
    let mut files: Vec<(&str, &[u8])> = tables.iter().map(|(name, bytes)| (*name, &**bytes)).collect();
    files.push((RUN_FILE, run.as_bytes()));
    let Report { html, plots } = Report::of(&files)?;
    directory.write(PAGE_FILE, html)?;
    plots.iter().try_for_each(|plot| Ok(directory.write(&format!("{PLOTS_DIR}/{}", plot.name), &plot.svg)?))
}
