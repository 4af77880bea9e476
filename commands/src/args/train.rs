//! The options of a training run.

use std::path::PathBuf;

use clap::Args;

use super::numbers::{Seats, fraction, number, seats};
use super::parse::{AgentList, parse_agents};
use super::runs::{RulesArgs, RunOutputArgs};

/// Train weights for the agent net.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("shard", |shard| shard.hide(true)))]
#[command(mut_arg("sealed", |sealed| sealed.hide(true)))]
#[command(mut_arg("key_file", |key_file| key_file.hide(true)))]
pub(crate) struct TrainArgs {
    /// The rules: a net can be trained for several variants at once.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, separated by commas: 2,4 or 2-4. Each variant is played at the numbers that it allows
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2", value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// The opponents of the net, in addition to its last champion; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "heuristic,mixbot")]
    pub(crate) field: Vec<AgentList>,
    /// Train an exploiter of these agents: it plays only against them, and each champion wins no less against them than the last
    #[arg(long, value_name = "LIST", value_parser = parse_agents, conflicts_with = "field")]
    pub(crate) exploit: Option<AgentList>,
    /// Start from the weights in this file, or net for the weights of the agent net, instead of random ones
    #[arg(long, value_name = "FILE|net")]
    pub(crate) from: Option<PathBuf>,
    /// The number of choices of heuristic to imitate first, in thousands; may be 0 with --from
    #[arg(long, value_name = "N", default_value_t = 5_000, value_parser = number::<u64>(0..=1_000_000_000))]
    pub(crate) imitate: u64,
    /// The number of learning rounds of self-play after that, each with a test at its end
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::<u64>(0..=1_000))]
    pub(crate) rounds: u64,
    /// The number of the net's own choices to learn from in each learning round, in thousands
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = number::<u64>(1..=1_000_000_000))]
    pub(crate) choices: u64,
    /// λ of TD(λ), from 0 to 1: the weight of the outcome of the round in the target of a choice; the rest is the net's
    /// own estimate of the next choice. 1 learns only from outcomes
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = fraction)]
    pub(crate) td_lambda: f64,
    /// The discount, from 0 to 1, of a win for each choice until it: below 1, the net prefers the shorter of
    /// two equally likely ways to win
    #[arg(long, value_name = "X", default_value_t = 0.995, value_parser = fraction)]
    pub(crate) discount: f64,
    /// The number of random choices per thousand while the net imitates heuristic
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>(0..=1_000))]
    pub(crate) explore: u64,
    /// The number of random choices per thousand during self-play
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = number::<u64>(0..=1_000))]
    pub(crate) explore_own: u64,
    /// Play an action other than heuristic's only if its log-odds are higher by this many hundredths
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) caution: u8,
    /// The number of rounds (deals of cards) in a test
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = number::<u64>(1..=100_000_000))]
    pub(crate) test_games: u64,
    /// Print the size of the training run and its directory; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The seed, the threads and the output.
    #[command(flatten)]
    pub(crate) kept: RunOutputArgs,
}
