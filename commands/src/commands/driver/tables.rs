//! The tables of a command as files: CSV, and Parquet on request.

use std::borrow::Cow;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Serialize;
use unolab_arena::run::directory::RunDirectory;
use unolab_arena::tables::distributions::{self, DistributionsRow};
use unolab_arena::tables::faults::{self, FaultRow};
use unolab_arena::tables::luck::{self, LuckRow};
use unolab_arena::tables::ratings::RatingsRow;
use unolab_arena::tables::sprt::SprtRow;
use unolab_arena::tables::table::Table;
use unolab_arena::tables::{PlayedSection, Row, pairs, seats, summary};

use crate::args::{ExportArgs, TableFormat};
use crate::disk::write_whole;

/// Tables to be written into a directory.
pub(in crate::commands) struct Tables(Vec<Table>);

impl Tables {
    /// No tables yet.
    pub(in crate::commands) const fn none() -> Self {
        Self(Vec::new())
    }

    /// The tables from the counts of a run, and its ratings.
    pub(in crate::commands) fn of<'a>(
        sections: impl Iterator<Item = PlayedSection<'a>> + Clone,
        ratings: Vec<RatingsRow>,
    ) -> Self {
        let sections = || sections.clone();
        Self::none()
            .with(sections().flat_map(summary::rows).collect())
            .with(sections().flat_map(seats::rows).collect())
            .with(sections().flat_map(pairs::rows).collect())
            .with(ratings)
            .with::<DistributionsRow>(sections().flat_map(distributions::rows).collect())
            .with_any::<LuckRow>(sections().flat_map(luck::rows).collect())
    }

    /// The tables of a sequential test.
    pub(in crate::commands) fn of_test(looks: Vec<SprtRow>, played: PlayedSection<'_>) -> Self {
        Self::none().with(looks).with_any::<LuckRow>(luck::rows(played))
    }

    /// The faults of a run, if any. They may depend on the time that programs take, so they are not part of the result.
    pub(in crate::commands) fn of_faults<'a>(sections: impl Iterator<Item = PlayedSection<'a>>) -> Self {
        Self::none().with_any::<FaultRow>(sections.flat_map(faults::rows).collect())
    }

    /// Adds this table.
    pub(in crate::commands) fn with<R: Row + Serialize + Default>(mut self, rows: Vec<R>) -> Self {
        self.0.push(Table::of(&rows));
        self
    }

    /// Adds this table, if it has any rows.
    pub(in crate::commands) fn with_any<R: Row + Serialize + Default>(self, rows: Vec<R>) -> Self {
        if rows.is_empty() { self } else { self.with(rows) }
    }

    /// Their names and bytes, as CSV.
    pub(in crate::commands) fn named(&self) -> Vec<(&str, &[u8])> {
        self.0.iter().map(|table| (table.file(), table.csv())).collect()
    }

    /// Writes them into a run directory.
    pub(in crate::commands) fn write(&self, directory: &RunDirectory, format: TableFormat) -> anyhow::Result<()> {
        self.files(format)?.into_iter().try_for_each(|(name, bytes)| Ok(directory.write(&name, bytes)?))
    }

    /// Writes them if requested.
    pub(in crate::commands) fn export(&self, asked: &ExportArgs) -> anyhow::Result<()> {
        asked.out.as_deref().map_or(Ok(()), |directory| self.write_to(directory, asked.tables))
    }

    /// Writes them into any other directory.
    pub(in crate::commands) fn write_to(&self, directory: &Path, format: TableFormat) -> anyhow::Result<()> {
        self.files(format)?.into_iter().try_for_each(|(name, bytes)| write_whole(&directory.join(name), &bytes))
    }

    /// Their files, each with its name.
    fn files(&self, format: TableFormat) -> anyhow::Result<Vec<(String, Cow<'_, [u8]>)>> {
        let mut files = Vec::new();
        for table in &self.0 {
            files.push((table.file().to_owned(), table.csv().into()));
            if format == TableFormat::Parquet {
                let parquet = table.to_parquet().with_context(|| table.file())?;
                files.push((parquet_name(table.file()), parquet.into()));
            }
        }
        Ok(files)
    }
}

/// `summary.parquet` for `summary.csv`.
pub(super) fn parquet_name(csv: &str) -> String {
    csv.replace(".csv", ".parquet")
}

/// Whether every table of a directory is there as Parquet, too.
pub(super) fn are_all_parquet(directory: &Path) -> anyhow::Result<bool> {
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let csv = entry.with_context(|| directory.display().to_string())?.path();
        if csv.extension().is_some_and(|extension| extension == "csv") && !csv.with_extension("parquet").exists() {
            return Ok(false);
        }
    }
    Ok(true)
}
