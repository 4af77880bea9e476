//! The commands for authors of bots.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use super::numbers::{Seats, any_number, number, seats};
use super::parse::{AgentList, parse_agents};
use super::programs::{EachArgs, ProgramArgs};
use super::runs::OverrideArgs;

/// /// What to do for your own bot.
#[derive(Debug, Args)]
pub(crate) struct BotArgs {
    /// The action.
    #[command(subcommand)]
    pub(crate) action: BotAction,
}

/// The actions for your own bot.
#[derive(Debug, Subcommand)]
pub(crate) enum BotAction {
    /// Write a starter bot
    New {
        /// The language
        #[arg(value_enum)]
        language: Language,
        /// The directory, new or empty
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The path of the crate unolab, for a bot in Rust [default: where this command was built]
        #[arg(long, value_name = "DIR")]
        source: Option<PathBuf>,
    },
    /// Print the protocol, with every message and field
    Protocol,
}

/// The languages of a first bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// A script over the line protocol
    Python,
    /// A script for Node.js over the line protocol
    Javascript,
    /// A crate with its own agent and every command of unolab
    Rust,
}

/// A record, and the program that receives its decisions.
#[derive(Debug, Args)]
pub(crate) struct DebugArgs {
    /// A game record (JSON Lines), as --record writes them
    #[arg(value_name = "RECORD")]
    pub(crate) record: PathBuf,
    /// The player whose decisions to request again: the seat in which the player began, or the player's name [default: the
    /// player that lost by a fault]
    #[arg(long, value_name = "K|NAME")]
    pub(crate) seat: Option<String>,
    /// Print every decision, not only decisions with a different answer, a fault, or a slow answer
    #[arg(long)]
    pub(crate) all: bool,
    /// Report a decision as slow if it takes longer than this
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = any_number)]
    pub(crate) slow: u64,
    /// The time limit of a decision
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = number::<u64>(1..=86_400_000))]
    pub(crate) decision_ms: u64,
    /// Log every protocol message to this directory: to the bot (<-), from the bot (->), and its standard error (!!)
    #[arg(long, value_name = "DIR")]
    pub(crate) bot_log: Option<PathBuf>,
    /// Print every decision as one JSON object
    #[arg(long, conflicts_with = "all")]
    pub(crate) json: bool,
    /// The command of the bot with its arguments, after --; or the name of an agent
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) program: Vec<OsString>,
}

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

/// The agents to check, and the tables.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Agents (see `unolab agents`), separated by commas: name:option=value,option=value; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required = true)]
    pub(crate) agents: Vec<AgentList>,
    /// Editions, or paths of variant files, separated by commas [default: every edition]
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    /// Numbers of seats, such as 2,4 or 2-4 [default: all that a variant allows]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Rounds at each table, each played twice
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u64>(1..=1_000_000))]
    pub(crate) rounds: u64,
    /// The master seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Print the result as one JSON object instead of tables; progress goes to standard error
    #[arg(long)]
    pub(crate) json: bool,
    /// How far programs are confined, and their log.
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    /// Options for all programs.
    #[command(flatten)]
    pub(crate) each: EachArgs,
}
