//! The options of `unolab compare`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{ExportArgs, TrustArgs};

/// Two runs to compare.
///
/// Both runs must have the same --seed, so that they share deals. Then each deal is compared with itself, and far fewer games
/// suffice to detect a difference. A run whose games.csv does not contain all its games is replayed from its run.json, with
/// the same bots; the replay must give the same result.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The directories of two finished tournaments or matches, or of two balance runs, whose variants are compared on common deals
    #[arg(required = true, num_args = 2, value_name = "RUN")]
    pub(crate) directories: Vec<PathBuf>,
    /// Print the table as CSV
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print the result as one JSON object instead of tables; progress goes to standard error
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// The destination of the tables.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
    /// Programs that the runs name.
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
    /// Replay a run even if its bots have changed; the replay must still give the same result
    #[arg(long, alias = "changed-programs")]
    pub(crate) allow_changed_bots: bool,
    /// Print nothing
    #[arg(long)]
    pub(crate) quiet: bool,
}
