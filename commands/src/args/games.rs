//! The commands for recorded games and for play: replay, watch, analyze, play.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use unolab_agents::goal::Goal;
use unolab_agents::search::policy::Policy;

use super::numbers::{any_number, number};
use super::parse::{EvaluatorArg, parse_evaluator, parse_goal, parse_policy};
use super::runs::ExportArgs;

/// Game records to play again.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Game records (JSON Lines), as --record writes them, or directories that contain records
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the game in readable form
    #[arg(long)]
    pub(crate) show: bool,
    /// Print the game move by move, and wait for Enter after each move
    #[arg(long)]
    pub(crate) step: bool,
    /// Write an HTML page that shows all records
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// The point of view, and how to evaluate the decisions.
    #[command(flatten)]
    pub(crate) seen: ViewArgs,
    /// Print the result as one JSON object
    #[arg(long, conflicts_with_all = ["show", "step"])]
    pub(crate) json: bool,
}

/// Game records to look at.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Game records (JSON Lines), as --record writes them, or directories that contain records
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Open the page for this player: its mistakes, its curve, and its decisions
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// Open the page at this move of a single record
    #[arg(long = "move", value_name = "N", value_parser = any_number)]
    pub(crate) number: Option<u64>,
    /// The point of view, and how to evaluate the decisions.
    #[command(flatten)]
    pub(crate) seen: ViewArgs,
}

/// The options of the program `unolab-play`, which has its own help.
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Its options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    pub(crate) arguments: Vec<OsString>,
}

/// The point of view, and how to evaluate the decisions.
#[derive(Debug, Args)]
pub(crate) struct ViewArgs {
    /// Show only the information of the player who began in this seat
    #[arg(long, value_name = "K", value_parser = number::<u8>(0..=9))]
    pub(crate) seat: Option<u8>,
    /// Evaluate every decision: play out every legal action in this number of sampled deals of the unseen cards
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=1_000_000))]
    pub(crate) worlds: Option<u32>,
    /// The agent that plays the rollouts: random, greedy, card-ranking, mixbot, heuristic, or net
    #[arg(long, value_name = "NAME", default_value = "mixbot", value_parser = parse_policy, requires = "worlds")]
    pub(crate) policy: Policy,
    /// The seed of the rollouts
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number, requires = "worlds")]
    pub(crate) seed: u64,
}

/// Game records, and how to evaluate their decisions.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// Game records (JSON Lines), as --record writes them, or directories that contain records
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Evaluate the actions by the trained net (net: takes a second, but no interval reflects its errors), by rollouts, or by
    /// the net in a file written by unolab train [default: net, or rollouts if one of their options is given]
    #[arg(long, alias = "judge", value_name = "NAME|FILE", value_parser = parse_evaluator)]
    pub(crate) evaluator: Option<EvaluatorArg>,
    /// Evaluate only the decisions of this player, by its name in the records
    #[arg(long, value_name = "NAME")]
    pub(crate) player: Option<String>,
    /// With rollouts: the number of sampled deals of the unseen cards in which every legal action is played out [default:
    /// 400]
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=1_000_000))]
    pub(crate) worlds: Option<u32>,
    /// The agent that plays the rollouts: random, greedy, card-ranking, mixbot, heuristic, or net [default: mixbot]
    #[arg(long, value_name = "NAME", value_parser = parse_policy)]
    pub(crate) policy: Option<Policy>,
    /// The value of a finished round: win, points, or match
    #[arg(long, value_name = "NAME", default_value = "win", value_parser = parse_goal)]
    pub(crate) goal: Goal,
    /// The seed of the rollouts [default: 1]
    #[arg(long, value_name = "N", value_parser = any_number)]
    pub(crate) seed: Option<u64>,
    /// Print every decision; the default for a single record
    #[arg(long)]
    pub(crate) show: bool,
    /// The destination of the tables.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
    /// Print the result as one JSON object
    #[arg(long, conflicts_with_all = ["show"])]
    pub(crate) json: bool,
}
