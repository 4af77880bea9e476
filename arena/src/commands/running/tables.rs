//! The tables of a run as files: CSV, and Parquet if it is asked for.

use anyhow::Context;
use serde::Serialize;
use unolab_arena::folder::RunFolder;
use unolab_arena::tables::distributions::{self, DistributionsRow};
use unolab_arena::tables::luck::{self, LuckRow};
use unolab_arena::tables::offences::{self, OffenceRow};
use unolab_arena::tables::parquet::to_parquet;
use unolab_arena::tables::ratings::RatingsRow;
use unolab_arena::tables::sprt::SprtRow;
use unolab_arena::tables::{PlayedSection, Row, pairs, seats, summary, to_csv};

use crate::cli::TableFormat;

/// Tables with the names of their files.
pub(in crate::commands) struct Tables(Vec<(&'static str, Vec<u8>)>);

impl Tables {
    /// The tables that are made of the counts of a run, and its ratings.
    pub(in crate::commands) fn of<'a>(
        sections: impl Iterator<Item = PlayedSection<'a>> + Clone,
        ratings: Vec<RatingsRow>,
    ) -> Self {
        let sections = || sections.clone();
        Self(Vec::new())
            .with(sections().flat_map(summary::rows).collect())
            .with(sections().flat_map(seats::rows).collect())
            .with(sections().flat_map(pairs::rows).collect())
            .with(ratings)
            .with::<DistributionsRow>(sections().flat_map(distributions::rows).collect())
            .with_any::<LuckRow>(sections().flat_map(luck::rows).collect())
    }

    /// The tables of a sequential test.
    pub(in crate::commands) fn of_test(looks: Vec<SprtRow>, played: PlayedSection<'_>) -> Self {
        Self(Vec::new()).with(looks).with_any::<LuckRow>(luck::rows(played))
    }

    /// What went wrong in a run, if anything did. It may depend on the time that programs take: it is no result.
    pub(in crate::commands) fn of_offences<'a>(sections: impl Iterator<Item = PlayedSection<'a>>) -> Self {
        Self(Vec::new()).with_any::<OffenceRow>(sections.flat_map(offences::rows).collect())
    }

    /// And this table.
    pub(in crate::commands) fn with<R: Row + Serialize>(mut self, rows: Vec<R>) -> Self {
        self.0.push((R::FILE, to_csv(&rows)));
        self
    }

    /// And this table, if it has any rows.
    fn with_any<R: Row + Serialize>(self, rows: Vec<R>) -> Self {
        if rows.is_empty() { self } else { self.with(rows) }
    }

    /// Their names and bytes, as CSV.
    pub(in crate::commands) fn named(&self) -> Vec<(&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (*name, &**bytes)).collect()
    }

    /// Writes them into the folder of a run.
    pub(in crate::commands) fn write(&self, folder: &RunFolder, format: TableFormat) -> anyhow::Result<()> {
        for (name, csv) in &self.0 {
            folder.write(name, csv)?;
            if format == TableFormat::Parquet {
                folder.write(&parquet_name(name), to_parquet(csv).with_context(|| (*name).to_owned())?)?;
            }
        }
        Ok(())
    }
}

/// `summary.parquet` for `summary.csv`.
pub(super) fn parquet_name(csv: &str) -> String {
    csv.replace(".csv", ".parquet")
}
