//! The options of `unolab ladder`.

use std::path::PathBuf;

use clap::Args;

use crate::args::{AgentList, EachArgs, any_number, number, parse_agents};

/// Versions of programs, and the directory of their results.
#[derive(Debug, Args)]
pub(crate) struct LadderArgs {
    /// The entrants; new and changed bots play against all others, and no pair plays twice; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents)]
    pub(crate) agents: Vec<AgentList>,
    /// The directory of results
    #[arg(long, value_name = "DIR", default_value = "ladder")]
    pub(crate) directory: PathBuf,
    /// Edition, or path of a variant file
    #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
    pub(crate) variant: String,
    /// The number of seats; one agent plays against copies of the other
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(2..=10))]
    pub(crate) seats: u8,
    /// Deals for each pair; pairs that have already played keep their number
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = number::<u64>(1..=1_000_000_000))]
    pub(crate) sets: u64,
    /// The master seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Fix the Elo rating of this entrant, at 0 unless another value is given; the intervals of the others are relative to it
    #[arg(long, value_name = "NAME[=ELO]")]
    pub(crate) anchor: Option<String>,
    /// The number of threads; no result depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Options for all programs.
    #[command(flatten)]
    pub(crate) each: EachArgs,
}
