//! Reads the tables of a run for a report.
//!
//! It needs only a few columns of each table, so that tables of earlier and later versions work.

use csv::StringRecord;
use serde::de::DeserializeOwned;
use serde_json::Value;
use thiserror::Error;
use unolab_agents::printable::printable;
use unolab_arena::tables::Row;
use unolab_arena::tables::distributions::DistributionsRow;
use unolab_arena::tables::pairs::PairsRow;
use unolab_arena::tables::ratings::RatingsRow;
use unolab_arena::tables::read::{ReadError, row_of};
use unolab_arena::tables::row::Cells;
use unolab_arena::tables::seats::SeatsRow;
use unolab_arena::tables::summary::SummaryRow;

use crate::balance_words::GoodAndWeak;

/// The files that a report can show, by their names in the run directory.
pub const FILES: [&str; 16] = [
    "run.json",
    "summary.csv",
    "seats.csv",
    "pairs.csv",
    "distributions.csv",
    "ratings.csv",
    "luck.csv",
    "league.csv",
    "sprt.csv",
    "metrics.csv",
    "sweep.csv",
    "points.csv",
    "goals.csv",
    "contributions.csv",
    "front.csv",
    "candidates.csv",
];

/// Why a report cannot be made.
#[derive(Debug, Error)]
pub enum ReportError {
    /// An invalid table.
    #[error("{file}: {reason}")]
    Table {
        /// Its name.
        file: String,
        /// The error.
        reason: ReadError,
    },
    /// An invalid `run.json`.
    #[error("run.json: {0}")]
    Run(serde_json::Error),
    /// A `run.json` that is not from a run.
    #[error("run.json: has no spec, so it is not the run.json of a run")]
    NoSpec,
    /// The directory has no tables.
    #[error("holds none of the tables of a run ({})", FILES[1..].join(", "))]
    NoTables,
}

/// All tables that were found.
#[derive(Debug, Default)]
pub(super) struct Input {
    pub(super) run: Option<Value>,
    pub(super) summary: Vec<SummaryRow>,
    pub(super) seats: Vec<SeatsRow>,
    pub(super) pairs: Vec<PairsRow>,
    pub(super) distributions: Vec<DistributionsRow>,
    pub(super) ratings: Vec<RatingsRow>,
    /// Tables that are shown unchanged.
    pub(super) others: Vec<OtherTable>,
}

/// A table that is shown column by column.
#[derive(Debug)]
pub(super) struct OtherTable {
    /// The name of its file.
    pub(super) file: &'static str,
    pub(super) columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Input {
    /// The players that measure skill in a balance run.
    pub(super) fn good_and_weak(&self) -> GoodAndWeak {
        let named = |key: &str| self.run.as_ref().and_then(|run| run["spec"][key].as_str()).map(printable);
        GoodAndWeak {
            good: named("good").unwrap_or_else(|| "strong agent".into()),
            weak: named("weak").unwrap_or_else(|| "weak".into()),
        }
    }

    pub(super) fn read(files: &[(&str, &[u8])]) -> Result<Self, ReportError> {
        let mut input = Self::default();
        let mut tables = 0;
        for &(file, bytes) in files {
            tables += usize::from(file != "run.json" && FILES.contains(&file));
            match file {
                "run.json" => {
                    let run: Value = serde_json::from_slice(bytes).map_err(ReportError::Run)?;
                    if !run["spec"].is_object() {
                        return Err(ReportError::NoSpec);
                    }
                    input.run = Some(run);
                }
                SummaryRow::FILE => {
                    input.summary = rows(bytes, &["variant", "seats", "entrant", "sets", "games", "wins"])?;
                }
                SeatsRow::FILE => {
                    input.seats = rows(bytes, &["variant", "seats", "entrant", "seat", "games", "wins"])?;
                }
                PairsRow::FILE => input.pairs = rows(bytes, &["variant", "seats", "a", "b", "games"])?,
                DistributionsRow::FILE => {
                    input.distributions = rows(bytes, &["variant", "seats", "what", "bin_low", "bin_high", "count"])?;
                }
                RatingsRow::FILE => input.ratings = rows(bytes, &["variant", "seats", "entrant", "method"])?,
                _ => {
                    if let Some(file) = FILES.into_iter().find(|&known| known == file) {
                        input.others.push(OtherTable::read(file, bytes)?);
                    }
                }
            }
        }
        if tables == 0 { Err(ReportError::NoTables) } else { Ok(input) }
    }
}

impl OtherTable {
    fn read(file: &'static str, bytes: &[u8]) -> Result<Self, ReportError> {
        let mut reader = csv::Reader::from_reader(bytes);
        let cells = |record: &csv::StringRecord| record.iter().map(printable).collect::<Vec<_>>();
        let columns = cells(reader.headers().map_err(in_file(file))?);
        let rows = reader.records().map(|record| record.map(|record| cells(&record)));
        Ok(Self { file, columns, rows: rows.collect::<Result<_, _>>().map_err(in_file(file))? })
    }

    /// The index of a column.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

/// The rows of a table that has these columns.
fn rows<R: Row + DeserializeOwned>(bytes: &[u8], needed: &[&str]) -> Result<Vec<R>, ReportError> {
    let OtherTable { columns, rows, .. } = OtherTable::read(R::FILE, bytes)?;
    if let Some(missing) = needed.iter().find(|needed| columns.iter().all(|column| column != **needed)) {
        return Err(in_file(R::FILE)(ReadError::MissingColumn((*missing).into())));
    }
    // Only a real number can be infinite or undefined, which a report does not show.
    let is_real = |name: &str| R::COLUMNS.iter().any(|column| column.name == name && column.cells == Cells::Real);
    let is_shown = |name: &str, cell: &str| !is_real(name) || cell.parse::<f64>().is_ok_and(f64::is_finite);
    let shown = |cells: Vec<String>| -> StringRecord {
        cells.iter().zip(&columns).map(|(cell, name)| if is_shown(name, cell) { &**cell } else { "" }).collect()
    };
    let names = StringRecord::from(columns.clone());
    let row = |(number, cells)| row_of(&names, &shown(cells), number + 1);
    rows.into_iter().enumerate().map(row).collect::<Result<_, _>>().map_err(in_file(R::FILE))
}

fn in_file<E: Into<ReadError>>(file: &str) -> impl FnOnce(E) -> ReportError {
    move |reason| ReportError::Table { file: file.into(), reason: reason.into() }
}
