//! The command that simulates many runs.

use clap::{Args, ValueEnum};

use crate::args::{AgentList, ComputingArgs, RulesArgs, Seats, any_number, number, parse_agents, seats};

/// The kind of intervals to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum CoverageOf {
    /// Win shares, points, pairs, and ratings of a match
    Results,
    /// Metrics of a balance run in which these agents play
    Metrics,
    /// The regret of choices, as `unolab analyze` measures it
    Regret,
}

impl CoverageOf {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Results => "results",
            Self::Metrics => "metrics",
            Self::Regret => "regret",
        }
    }
}

/// Simulate many runs and count how often their intervals contain the true value.
///
/// The runs differ in their seeds. The true value is estimated from all runs together.
#[derive(Debug, Args)]
pub(crate) struct CoverageArgs {
    /// Two agents, A,B: one A plays against copies of B. With A,A both have separate random numbers, and neither is better
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required = true)]
    pub(crate) agents: Vec<AgentList>,
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, such as 2,4 or 2-4
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2,4", value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Runs at each number of seats
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number::<u64>(2..=1_000_000))]
    pub(crate) runs: u64,
    /// Deals per run
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>(10..=1_000_000))]
    pub(crate) sets: u64,
    /// The kind of intervals to check
    #[arg(long, value_name = "WHAT", value_enum, default_value_t = CoverageOf::Results)]
    pub(crate) of: CoverageOf,
    /// Also check luck-adjusted win shares, as match --luck computes them
    #[arg(long)]
    pub(crate) luck: bool,
    /// With --of regret: the number of deals of the unseen cards in which greedy plays out every legal action [default: 16]
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=1_000_000))]
    pub(crate) worlds: Option<u32>,
    /// The master seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// The threads and the output.
    #[command(flatten)]
    pub(crate) computing: ComputingArgs,
}
