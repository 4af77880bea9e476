//! Commands on run directories: rate, compare, merge, verify, report.

use std::path::PathBuf;

use clap::Args;
use unolab_arena::run::programs::ChangedPrograms;
use unolab_arena::tables::table::TableFormat;

use super::numbers::share;
use super::programs::TrustArgs;
use super::runs::ExportArgs;
use super::values::table_format;

/// The default distance from one half within which two entrants are equally strong.
pub(crate) const EQUIVALENCE_MARGIN: f64 = 0.01;

/// Finished runs whose entrants are rated.
#[derive(Debug, Args)]
pub(crate) struct RateArgs {
    /// Run directories; runs of the same variant and number of seats are rated together
    #[arg(required = true, value_name = "DIR")]
    pub(crate) directories: Vec<PathBuf>,
    /// Report two entrants as equivalent if their share is significantly within this distance of one half
    #[arg(long, value_name = "SHARE", default_value_t = EQUIVALENCE_MARGIN, value_parser = share)]
    pub(crate) margin: f64,
    /// Fix the Elo rating of this entrant, at 0 unless another value is given; the intervals of the others are relative to it
    #[arg(long, value_name = "NAME[=ELO]")]
    pub(crate) anchor: Option<String>,
    /// Print ratings.csv instead of tables
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print the result as one JSON object instead of tables
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// The destination of the tables.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
}

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

/// The run whose progress is shown.
///
/// The command only reads files, so it does not affect the run. Exit status: 0, also if the run was interrupted; 2 if DIR is
/// not the directory of a run.
#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// The directory of a run or a shard
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to join.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The directories of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    pub(crate) shards: Vec<PathBuf>,
    /// The directory of the whole run [default: runs/COMMAND-HASH, with the hash of the spec]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The format of the tables: with parquet, also write Parquet
    #[arg(long, default_value = "csv", value_parser = table_format())]
    pub(crate) tables: TableFormat,
    /// The file with the key of a sealed run, which is then written into its run.json
    #[arg(long, alias = "seal-file", value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// Merge shards even if they were played with different versions of unolab or of a bot; run.json records it
    #[arg(long, alias = "changed-programs")]
    pub(crate) allow_changed_bots: bool,
    /// Print only errors
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

impl MergeArgs {
    /// How to handle shards played by different programs.
    pub(crate) const fn changed_programs(&self) -> ChangedPrograms {
        ChangedPrograms::accepted_if(self.allow_changed_bots)
    }
}

/// The runs to repeat.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Directories of studies or finished runs, or directories that contain studies
    #[arg(required = true, value_name = "DIR")]
    pub(crate) directories: Vec<PathBuf>,
    /// Run the quick version of studies, with fewer sets
    #[arg(long, alias = "reduced")]
    pub(crate) quick: bool,
    /// Replace the stored tables of studies, instead of comparing
    #[arg(long, alias = "renew")]
    pub(crate) update: bool,
    /// Programs that the runs and studies name.
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
    /// Replay a run even if its bots have changed
    #[arg(long, alias = "changed-programs")]
    pub(crate) allow_changed_bots: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// A run to show.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The directory of a run
    #[arg(value_name = "DIR")]
    pub(crate) directory: PathBuf,
    /// The page to write, or - for standard output [default: report.html in the run directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Also write the plots as SVG files, in a directory "plots" next to the page
    #[arg(long)]
    pub(crate) plots: bool,
}
