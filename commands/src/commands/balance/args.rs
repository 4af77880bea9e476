//! The options of `unolab balance`.

use clap::Args;
use unolab_arena::experiment::balance::spec::{MetricSet, Sweep};
use unolab_arena::spec::SeatingPlan;

use crate::args::{
    AgentList, CommonRunArgs, PANEL, RulesArgs, Seats, number, parse_agents, parse_panel, parse_sweep, parse_turn_ms,
    seats, steps, values,
};

/// Measure a variant: fairness, length, excitement, skill, and the effect of its cards and rules.
#[derive(Debug, Clone, Args)]
pub(crate) struct BalanceArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, such as 2,4 or 2-4 [default: 2,4, if the rules allow them]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Agents that fill the seats in order, repeated until the table is full; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "heuristic")]
    pub(crate) agents: Vec<AgentList>,
    /// Deals of single rounds; each is played at every seating
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number::<u64>(1..=1_000_000_000))]
    pub(crate) sets: u64,
    /// Deals of whole matches; 0 for none [default: a twentieth of --sets]
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=1_000_000_000))]
    pub(crate) matches: Option<u64>,
    /// Compare several values of a rule key with the unchanged variant, on the same deals. Repeat to compare all combinations
    #[arg(long, value_name = "KEY=V1,V2", value_parser = parse_sweep)]
    pub(crate) sweep: Vec<Sweep>,
    /// Compare several rule changes made together, or a whole variant file, with the unchanged variant; may be repeated
    #[arg(long, value_name = "KEY=V;KEY=V|FILE")]
    pub(crate) arm: Vec<String>,
    /// Measure cards: deal each to a player in place of an average card (in matches, in the first round). A special card,
    /// such as wild_draw_four, is also played without its points and without its effect; single cards (r7, W4) and custom
    /// cards are only dealt
    #[arg(long, alias = "worth", value_name = "CARD,...", value_delimiter = ',')]
    pub(crate) card_effect: Vec<String>,
    /// The strong agent; its win share among weak agents measures skill
    #[arg(long, alias = "good", value_name = "AGENT", default_value = "heuristic")]
    pub(crate) strong: String,
    /// The weak agent, whose copies fill the other seats
    #[arg(long, value_name = "AGENT", default_value = "random")]
    pub(crate) weak: String,
    /// Weak agents, separated by commas, against each of which skill is measured as well; none for no panel
    #[arg(long, value_name = "LIST|none", value_parser = parse_panel, default_value = PANEL)]
    pub(crate) panel: AgentList,
    /// Measure each variant separately instead of comparing the others with the first one
    #[arg(long)]
    pub(crate) separate: bool,
    /// The duration of a turn in seconds, to print lengths in minutes
    #[arg(long, value_name = "SECONDS", value_parser = parse_turn_ms)]
    pub(crate) seconds_per_turn: Option<u32>,
    /// Measure the share of rounds with more turns than this; separate several numbers by commas
    #[arg(long, value_name = "TURNS,...", value_delimiter = ',', value_parser = number::<u32>(1..=10_000))]
    pub(crate) longer_than: Vec<u32>,
    /// Measure the share of turns in which the choice of the card matters: with the best card, the published net estimates a
    /// chance to win the round that is higher by more than this than with the second-best card
    #[arg(long, value_name = "SHARE", value_parser = steps::<u32>(1_000, 1..=500))]
    pub(crate) decisive_choice: Option<u32>,
    /// The metrics to measure
    #[arg(long, value_parser = values::metrics(), default_value = "all")]
    pub(crate) metrics: MetricSet,
    /// Scale this search agent, such as ismcts:iterations=16: double its last option repeatedly and play each step against
    /// the previous one
    #[arg(long, alias = "ladder", value_name = "AGENT")]
    pub(crate) budget_scaling: Option<String>,
    /// The number of times to double the budget of --budget-scaling
    #[arg(long, alias = "rungs", value_name = "N", default_value_t = 4, requires = "budget_scaling", value_parser = number::<u8>(1..=20))]
    pub(crate) doublings: u8,
    /// The margin of the fairness test: in a fair game every seat is within this distance of its fair share
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = steps::<u32>(1_000, 1..=500))]
    pub(crate) margin: u32,
    /// The seatings to play for each deal
    #[arg(long, value_parser = values::seating(), default_value = "rotate")]
    pub(crate) seating: SeatingPlan,
    /// Also write METRIC.svg, a plot of this metric by the number of seats; may be repeated
    #[arg(long, value_name = "METRIC")]
    pub(crate) plot: Vec<String>,
    /// Also write report.html, with the findings and plots, and the plots as SVG files
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the number of games, the estimated time, and the run directory; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The options of all runs.
    #[command(flatten)]
    pub(crate) common: CommonRunArgs,
}
