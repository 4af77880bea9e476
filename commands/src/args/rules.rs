//! The commands for rules and agents: scenarios, positions, variants, agents.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::numbers::{any_number, number};
use super::parse::{AgentList, parse_agents};
use super::runs::OverrideArgs;

/// Scenario files to run.
#[derive(Debug, Args)]
pub(crate) struct ScenarioArgs {
    /// Scenario files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// A position, and the depth of the count.
#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// Edition, or path of a variant file
    #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
    pub(crate) variant: String,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    /// Number of seats
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(2..=10))]
    pub(crate) seats: u8,
    /// The number of actions to look ahead
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u32>(0..=30))]
    pub(crate) depth: u32,
    /// Reject a count that would visit more positions than this
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = any_number)]
    pub(crate) limit: u64,
    /// The seed of the deal
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Count from the first position of the first scenario in this file, instead of a deal
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "set", "seats", "seed"])]
    pub(crate) position: Option<PathBuf>,
    /// Print the count for each first action
    #[arg(long)]
    pub(crate) divide: bool,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What to do with variants.
#[derive(Debug, Args)]
pub(crate) struct VariantsArgs {
    /// The action; by default, list.
    #[command(subcommand)]
    pub(crate) action: Option<VariantsAction>,
    /// Print the result as one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// The actions for variants.
#[derive(Debug, Subcommand)]
pub(crate) enum VariantsAction {
    /// List the editions
    List,
    /// Print the resolved rules of a variant
    Show {
        /// Edition, or path of a variant file
        #[arg(value_name = "NAME|FILE")]
        variant: String,
        /// Rule values that override the variant's.
        #[command(flatten)]
        overrides: OverrideArgs,
    },
    /// List every rule key with its meaning, its allowed values, and its value in a variant
    Keys {
        /// Show only keys that begin with this, such as `uno` or `match.scoring`
        #[arg(value_name = "PREFIX")]
        prefix: Option<String>,
        /// Edition, or path of the variant file, whose values are shown
        #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
        variant: String,
    },
    /// Check variant files and list all errors
    Check {
        /// Variant files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// What to do with agents.
#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// The action; by default, list.
    #[command(subcommand)]
    pub(crate) action: Option<AgentsAction>,
    /// Show only this agent, with its options
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print the result as one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// The actions for agents.
#[derive(Debug, Subcommand)]
pub(crate) enum AgentsAction {
    /// List the agents and their options
    List,
    /// Check agents as written after --agents
    Check {
        /// Agents with their options, separated by commas
        #[arg(required = true, value_name = "LIST", value_parser = parse_agents)]
        agents: Vec<AgentList>,
    },
}
