//! The options of a training run.

use std::path::PathBuf;

use clap::Args;
use unolab_agents::net::hidden_layers::HiddenLayers;

use crate::args::{AgentList, CommonRunArgs, RulesArgs, Seats, fraction, number, parse_agents, seats, steps};

/// Train weights for the agent net.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("shard", |shard| shard.hide(true)))]
#[command(mut_arg("sealed", |sealed| sealed.hide(true)))]
#[command(mut_arg("key_file", |key_file| key_file.hide(true)))]
pub(crate) struct TrainArgs {
    /// The rules: a net can be trained for several variants at once.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, such as 2,4 or 2-4. Each variant is played at the numbers that it allows
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2", value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// The opponents of the net, in addition to its last champion; may be repeated
    #[arg(long, alias = "field", value_name = "LIST", value_parser = parse_agents, default_value = "heuristic,mixbot")]
    pub(crate) opponents: Vec<AgentList>,
    /// Train an exploiter of these agents: it plays only against them, and each champion wins at least as often against them
    /// as the last one
    #[arg(long, value_name = "LIST", value_parser = parse_agents, conflicts_with = "opponents")]
    pub(crate) exploit: Option<AgentList>,
    /// Start from the weights in this file, or from the weights of the agent net (net), instead of random weights; may be
    /// repeated: several files give one net whose values are the means of theirs
    #[arg(long, value_name = "FILE|net")]
    pub(crate) from: Vec<PathBuf>,
    /// The widths of both hidden layers: 64,32, 128,32, 128,64, 256,32, 256,64, or 512,32; a wider net takes longer to train and to
    /// play
    #[arg(long, value_name = "N,N", default_value_t, conflicts_with = "from")]
    pub(crate) hidden: HiddenLayers,
    /// Decisions of heuristic to imitate first, in thousands; may be 0 with --from
    #[arg(long, alias = "imitate", value_name = "N", default_value_t = 5_000, value_parser = number::<u64>(0..=1_000_000_000))]
    pub(crate) pretrain: u64,
    /// Training iterations of self-play after that; each ends with a test
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = number::<u64>(0..=1_000))]
    pub(crate) rounds: u64,
    /// Decisions of the net in each training iteration, in thousands
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = number::<u64>(1..=1_000_000_000))]
    pub(crate) choices: u64,
    /// λ of TD(λ), from 0 to 1: the weight of the outcome of the round in a training target; the rest is the net's own
    /// estimate at its next decision. With 1, the net learns only from outcomes
    #[arg(long, value_name = "X", default_value_t = 0.8, value_parser = fraction)]
    pub(crate) td_lambda: f64,
    /// The factor, from 0 to 1, by which a win is discounted for each decision that it takes. Below 1, the net prefers the
    /// shorter of two equally likely ways to win
    #[arg(long, value_name = "X", default_value_t = 0.995, value_parser = fraction)]
    pub(crate) discount: f64,
    /// The share of random actions while the net imitates heuristic, from 0 to 1
    #[arg(long, alias = "explore", value_name = "X", default_value = "0.1", value_parser = steps::<u64>(1_000, 0..=1_000))]
    pub(crate) pretrain_epsilon: u64,
    /// The share of random actions during self-play, from 0 to 1
    #[arg(long, alias = "explore-own", value_name = "X", default_value = "0.05", value_parser = steps::<u64>(1_000, 0..=1_000))]
    pub(crate) selfplay_epsilon: u64,
    /// Play an action other than heuristic's only if its log-odds are higher by this much, such as 0.4
    #[arg(long, alias = "caution", value_name = "X", default_value = "0", value_parser = steps::<u8>(100, 0..=255))]
    pub(crate) override_margin: u8,
    /// The number of rounds in a test
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = number::<u64>(1..=100_000_000))]
    pub(crate) test_games: u64,
    /// Print the size of the training run and its directory; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The options of all runs.
    #[command(flatten)]
    pub(crate) common: CommonRunArgs,
}
