//! The results of an experiment: everything that a finished run publishes, except `run.json`.

use super::error::RunError;
use super::experiment::Experiment;
use crate::tables::table::Tables;

/// The results of an experiment, from its counts.
#[derive(Debug, Clone)]
pub struct Results {
    /// The tables whose hash is the hash of the result.
    pub tables: Tables,
    /// The faults. They may depend on the time that programs take, so they are not part of the result.
    pub faults: Tables,
    /// Files other than tables, such as the weights of a net and figures, each with its name.
    pub files: Vec<(String, Vec<u8>)>,
    /// The README of the run directory.
    pub readme: String,
}

/// An experiment whose counts become tables.
pub trait Tabulate: Experiment {
    /// The name of its directory in `runs`, before the hash.
    fn name(&self) -> &'static str;

    /// The results so far.
    ///
    /// # Errors
    /// If the counts do not belong to the experiment.
    fn results(&self, counts: &Self::Counts) -> Result<Results, RunError>;
}
