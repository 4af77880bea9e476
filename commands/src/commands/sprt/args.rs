//! The options of `unolab sprt`.

use clap::Args;
use unolab_arena::spec::Unit;

use crate::args::{
    AgentList, CommonRunArgs, EachArgs, MOST_SETS, OddsArgs, RulesArgs, number, parse_agents, share, values,
};

/// The limit with luck adjustment, whose sums are larger.
const MOST_SETS_WITH_LUCK: u64 = 49_000_000;

impl SprtArgs {
    /// The maximum number of sets of the test.
    pub(crate) fn most_sets(&self) -> u64 {
        self.max_sets.unwrap_or(if self.luck { MOST_SETS_WITH_LUCK } else { MOST_SETS })
    }
}

/// Test one agent against another until the result is significant.
///
/// Exit status: 0 A is better than --nelo0 (H1), 1 A is not as good as --nelo1 (H0), 3 undecided after --max-sets, 2 invalid
/// input, 130 stopped by Ctrl-C.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("shard", |shard| shard.hide(true)))]
pub(crate) struct SprtArgs {
    /// Two agents, A,B: A is tested, B sits in all other seats
    #[arg(long, value_name = "A,B", value_parser = parse_agents, required_unless_present = "simulate")]
    pub(crate) agents: Vec<AgentList>,
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// The number of seats
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(2..=10))]
    pub(crate) seats: u8,
    /// The effect under the null hypothesis H0, in normalized Elo of A
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub(crate) nelo0: f64,
    /// The effect under the alternative H1, in normalized Elo of A; with two seats, 7 are about one percentage point of wins
    #[arg(long, value_name = "X", default_value_t = 5.0)]
    pub(crate) nelo1: f64,
    /// The allowed probability of wrongly accepting the alternative
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = share)]
    pub(crate) alpha: f64,
    /// The allowed probability of wrongly accepting the null hypothesis
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = share)]
    pub(crate) beta: f64,
    /// Stop undecided after this number of deals (exit status 3) [default: play until the test is decided; with --luck 49
    /// million]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=MOST_SETS))]
    pub(crate) max_sets: Option<u64>,
    /// Simulate this number of tests at each of several true effects, and count their decisions; with --agents, draw the sets
    /// from games of these agents
    #[arg(long, value_name = "TESTS", conflicts_with_all = ["unit", "resume", "remote", "shard", "luck", "games_csv", "dry_run", "json"], value_parser = number::<u32>(1..=10_000_000))]
    pub(crate) simulate: Option<u32>,
    /// Also write luck.csv, with luck-adjusted win shares next to the raw ones. The test decides by the raw shares. The
    /// adjusted estimate is more precise, and its interval is valid although the stopping time depends on the results
    #[arg(long)]
    pub(crate) luck: bool,
    /// Also write games.csv, with all games, or with the games of every k-th set
    #[arg(long, value_name = "k", require_equals = true, num_args = 0..=1, default_missing_value = "1", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) games_csv: Option<u64>,
    /// Print the expected and the largest number of games, the estimated time, and the run directory; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The unit of a game
    #[arg(long, value_parser = values::unit(), default_value = "round")]
    pub(crate) unit: Unit,
    /// Extra cards for entrants.
    #[command(flatten)]
    pub(crate) odds: OddsArgs,
    /// The options of all runs.
    #[command(flatten)]
    pub(crate) common: CommonRunArgs,
    /// Options for all programs.
    #[command(flatten)]
    pub(crate) each: EachArgs,
}
