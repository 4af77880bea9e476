//! Reads the tables of a run for a report.
//!
//! It reads only the columns that a report shows, so that tables of earlier and later versions work.

use serde::{Deserialize, Deserializer, de::DeserializeOwned};
use serde_json::Value;
use thiserror::Error;
use unolab_agents::printable::printable;

use crate::balance_words::GoodAndWeak;

/// The files that a report can show, by their names in the run directory.
pub const FILES: [&str; 12] = [
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
        reason: csv::Error,
    },
    /// An invalid `run.json`.
    #[error("run.json: {0}")]
    Run(serde_json::Error),
    /// A `run.json` that is not from a run.
    #[error("run.json: has no spec, so it is not the run.json of a run")]
    NoSpec,
    /// Nothing to show.
    #[error("holds none of the tables of a run ({})", FILES[1..].join(", "))]
    NoTables,
}

/// All tables that were found.
#[derive(Debug, Default)]
pub(super) struct Input {
    pub(super) run: Option<Value>,
    pub(super) summary: Vec<EntrantLine>,
    pub(super) seats: Vec<SeatLine>,
    pub(super) pairs: Vec<PairLine>,
    pub(super) distributions: Vec<BinLine>,
    pub(super) ratings: Vec<RatingLine>,
    /// Tables that are shown unchanged.
    pub(super) others: Vec<OtherTable>,
}

/// A line of `summary.csv`.
#[derive(Debug, Deserialize)]
pub(super) struct EntrantLine {
    #[serde(deserialize_with = "name")]
    pub(super) variant: String,
    pub(super) seats: usize,
    #[serde(deserialize_with = "name")]
    pub(super) entrant: String,
    #[serde(default)]
    pub(super) agent: String,
    pub(super) sets: u64,
    pub(super) games: u64,
    pub(super) wins: f64,
    #[serde(default, deserialize_with = "number")]
    pub(super) win_share: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) ci_low: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) ci_high: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) n_eff: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) points_mean: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) points_se: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) turns_mean: Option<f64>,
    #[serde(default)]
    pub(super) crashes: u64,
    #[serde(default)]
    pub(super) timeouts: u64,
    #[serde(default)]
    pub(super) illegal: u64,
}

/// A line of `seats.csv`.
#[derive(Debug, Deserialize)]
pub(super) struct SeatLine {
    #[serde(deserialize_with = "name")]
    pub(super) variant: String,
    pub(super) seats: usize,
    #[serde(deserialize_with = "name")]
    pub(super) entrant: String,
    pub(super) seat: u32,
    pub(super) games: u64,
    pub(super) wins: f64,
    #[serde(default, deserialize_with = "number")]
    pub(super) win_share: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) se: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) points_mean: Option<f64>,
}

/// A line of `pairs.csv`.
#[derive(Debug, Deserialize)]
pub(super) struct PairLine {
    #[serde(deserialize_with = "name")]
    pub(super) variant: String,
    pub(super) seats: usize,
    #[serde(deserialize_with = "name")]
    pub(super) a: String,
    #[serde(deserialize_with = "name")]
    pub(super) b: String,
    pub(super) games: u64,
    #[serde(default, deserialize_with = "number")]
    pub(super) share: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) ci_low: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) ci_high: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) los: Option<f64>,
}

/// A line of `distributions.csv`.
#[derive(Debug, Deserialize)]
pub(super) struct BinLine {
    #[serde(deserialize_with = "name")]
    pub(super) variant: String,
    pub(super) seats: usize,
    pub(super) what: String,
    pub(super) bin_low: u32,
    pub(super) bin_high: u32,
    pub(super) count: u64,
}

/// A line of `ratings.csv`.
#[derive(Debug, Deserialize)]
pub(super) struct RatingLine {
    #[serde(deserialize_with = "name")]
    pub(super) variant: String,
    pub(super) seats: usize,
    #[serde(deserialize_with = "name")]
    pub(super) entrant: String,
    #[serde(deserialize_with = "name")]
    pub(super) method: String,
    #[serde(default, deserialize_with = "number")]
    pub(super) rating: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) low: Option<f64>,
    #[serde(default, deserialize_with = "number")]
    pub(super) high: Option<f64>,
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
            good: named("good").unwrap_or_else(|| "good player".into()),
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
                "summary.csv" => input.summary = lines(file, bytes)?,
                "seats.csv" => input.seats = lines(file, bytes)?,
                "pairs.csv" => input.pairs = lines(file, bytes)?,
                "distributions.csv" => input.distributions = lines(file, bytes)?,
                "ratings.csv" => input.ratings = lines(file, bytes)?,
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

    /// The place of a column.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }
}

fn lines<L: DeserializeOwned>(file: &str, bytes: &[u8]) -> Result<Vec<L>, ReportError> {
    csv::Reader::from_reader(bytes).into_deserialize().collect::<Result<_, _>>().map_err(in_file(file))
}

fn in_file(file: &str) -> impl FnOnce(csv::Error) -> ReportError {
    move |reason| ReportError::Table { file: file.into(), reason }
}

/// A number; `None` for an empty cell or a value that is not finite.
fn number<'de, D: Deserializer<'de>>(cell: D) -> Result<Option<f64>, D::Error> {
    Ok(Option::<f64>::deserialize(cell)?.filter(|number| number.is_finite()))
}

fn name<'de, D: Deserializer<'de>>(cell: D) -> Result<String, D::Error> {
    Ok(printable(&String::deserialize(cell)?))
}
