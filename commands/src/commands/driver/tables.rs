//! Writes tables as files into any directory: CSV, and Parquet on request.

use std::fs;
use std::path::Path;

use anyhow::Context;
use unolab_arena::tables::table::{TableFormat, Tables};

use crate::args::ExportArgs;
use crate::disk::write_whole;

/// Writes these tables if requested.
pub(in crate::commands) fn export(tables: &Tables, asked: &ExportArgs) -> anyhow::Result<()> {
    asked.out.as_deref().map_or(Ok(()), |directory| write_to(tables, directory, asked.tables))
}

/// Writes these tables into any other directory.
pub(in crate::commands) fn write_to(tables: &Tables, directory: &Path, format: TableFormat) -> anyhow::Result<()> {
    files(tables, format)?.into_iter().try_for_each(|(name, bytes)| write_whole(&directory.join(name), &bytes))
}

fn files(tables: &Tables, format: TableFormat) -> anyhow::Result<Vec<(String, Vec<u8>)>> {
    tables.files(format).map_err(|(file, error)| anyhow::Error::from(error).context(file))
}

/// Whether every table of a directory also exists as Parquet.
pub(super) fn are_all_parquet(directory: &Path) -> anyhow::Result<bool> {
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let csv = entry.with_context(|| directory.display().to_string())?.path();
        if csv.extension().is_some_and(|extension| extension == "csv") && !csv.with_extension("parquet").exists() {
            return Ok(false);
        }
    }
    Ok(true)
}
