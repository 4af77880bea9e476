//! The options of `unolab verify`.

use std::path::PathBuf;

use clap::Args;

use crate::args::TrustArgs;

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
