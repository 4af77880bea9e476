//! What a training may be asked for.

use std::path::PathBuf;

use clap::Args;

use super::numbers::{Seats, number, seats};
use super::parse::{AgentList, parse_agents};
use super::runs::{KeptArgs, RulesArgs};

/// What to learn, and from how much. It has no shards: `--shard` is refused with the reason.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("shard", |shard| shard.hide(true)))]
pub(crate) struct TrainArgs {
    /// The rules: a net can be trained for several variants at once.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, separated by commas: 2,4 or 2-4. Every variant is played at those that it allows
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2", value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Whom the net plays against, besides its last champion; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "heuristic,mixbot")]
    pub(crate) field: Vec<AgentList>,
    /// A file of weights to begin with, instead of random ones
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,
    /// Choices of heuristic that are learnt from first, in thousands; with --from it may be 0
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = number::<u64>(0..=1_000_000_000))]
    pub(crate) imitate: u64,
    /// Rounds of its own play after that, each with a test at its end
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::<u64>(0..=1_000))]
    pub(crate) rounds: u64,
    /// Choices of its own that are learnt from in each round, in thousands
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = number::<u64>(1..=1_000_000_000))]
    pub(crate) choices: u64,
    /// Random choices while heuristic teaches, of a thousand
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>(0..=1_000))]
    pub(crate) explore: u64,
    /// Random choices of the net while it learns, of a thousand
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number::<u64>(0..=1_000))]
    pub(crate) explore_own: u64,
    /// By how much the odds of an action must be better to be taken before that of heuristic: as a logarithm, in hundredths
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) caution: u8,
    /// Rounds of cards in a test
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = number::<u64>(1..=100_000_000))]
    pub(crate) test_games: u64,
    /// Say how much would be learnt, and where it would go; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How it is kept.
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}
