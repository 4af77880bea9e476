//! The command line: what can be asked for, and nothing of how it is done.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum, value_parser};
use unolab_agents::goal::Goal;
use unolab_agents::search::policy::Policy;
use unolab_arena::agent_list::{AgentListError, split_agents};
use unolab_arena::balance::spec::Sweep;
use unolab_arena::part::Shard;
use unolab_arena::spec::{Format, SeatingPlan, Unit};
use unolab_engine::rules::Override;

/// Seeded tournaments of UNO-like card games, with errors one can trust.
///
/// Without a command it plays a small tournament. Exit status: 0 done, 1 a check failed, 2 bad input, 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "unolab", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// A tournament, when no command is given.
    #[command(flatten)]
    pub(crate) tournament: TournamentArgs,
}

/// What `unolab` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Agents against each other at all tables of a size
    Tournament(TournamentArgs),
    /// One agent against copies of another, or exactly the agents named
    Match(MatchArgs),
    /// A variant measured: fairness, length, drama, skill, and what its cards and rules are worth
    Balance(BalanceArgs),
    /// Test one agent against another until the answer is clear
    Sprt(SprtArgs),
    /// Rate the entrants of finished runs
    Rate(RateArgs),
    /// Check the rules against scenario files
    Scenario(ScenarioArgs),
    /// Play game records again and check that they fit
    Replay(ReplayArgs),
    /// Value the decisions of game records by search
    Analyze(AnalyzeArgs),
    /// Count the legal ways on from a seeded deal
    Perft(PerftArgs),
    /// List, show or check variants
    Variants(VariantsArgs),
    /// List the agents and their options, or check some
    Agents(AgentsArgs),
    /// Try agents: legality, repetition, time, hidden information
    Check(CheckArgs),
    /// Measure how fast this machine plays
    Bench(BenchArgs),
    /// Join the parts of a sharded run
    Merge(MergeArgs),
    /// Run studies or finished runs again and compare every table
    Verify(VerifyArgs),
    /// Show the tables of a run on a page of their own
    Report(ReportArgs),
}

/// The rules to play by.
#[derive(Debug, Clone, Args)]
pub(crate) struct RulesArgs {
    /// Preset names or paths of variant files, separated by commas
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',', default_value = "classic")]
    pub(crate) variant: Vec<String>,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
}

/// Changes to the rules.
#[derive(Debug, Clone, Args)]
pub(crate) struct OverrideArgs {
    /// A rule value that overrides the variant's: TOML, or a bare word; may be repeated
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_override)]
    pub(crate) set: Vec<Override>,
}

/// How a tournament or match is played and kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, separated by commas [default: 2,4, or what the agents of a match need]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = value_parser!(u8).range(2..=10))]
    pub(crate) seats: Vec<u8>,
    /// Deals: every table plays every deal at all its seatings
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SETS, value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(crate) sets: u64,
    /// At least so many games in all, rounded up to whole sets
    #[arg(long, value_name = "N", conflicts_with = "sets", value_parser = value_parser!(u64).range(1..=1_000_000_000_000))]
    pub(crate) games: Option<u64>,
    /// What one game is
    #[arg(long, value_enum, default_value_t = Unit::Round)]
    pub(crate) unit: Unit,
    /// Who sits where when a deal is played again
    #[arg(long, value_enum, default_value_t = SeatingPlan::Rotate)]
    pub(crate) seating: SeatingPlan,
    /// What all random numbers derive from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads that play; no result depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The folder of the run [default: runs/COMMAND-HASH, by the hash of the spec]; - prints summary.csv, or games.csv
    /// with --games-csv, and writes nothing
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with an unfinished run; begin one if there is none, do nothing if it is finished
    #[arg(long)]
    pub(crate) resume: bool,
    /// Play part i of n only: `unolab merge` joins the parts
    #[arg(long, value_name = "i/n")]
    pub(crate) shard: Option<Shard>,
    /// Say what would be run, how long it would take and where it would go; run and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// No table and no progress, only files and errors
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Run only a few pilot sets, and say how many sets would show an edge of this win share, such as 0.01
    #[arg(long, value_name = "EDGE")]
    pub(crate) power: Option<f64>,
    /// Write games.csv too: all games, or those of every k-th set
    #[arg(long, value_name = "k", require_equals = true, num_args = 0..=1, default_missing_value = "1", value_parser = value_parser!(u64).range(1..))]
    pub(crate) games_csv: Option<u64>,
    /// Write luck.csv too: win shares with the luck of deal and draw taken off, beside them as they are
    #[arg(long)]
    pub(crate) luck: bool,
    /// Write report.html too, a page that shows the tables, and its plots as SVG files
    #[arg(long)]
    pub(crate) report: bool,
    /// How tables are written: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv)]
    pub(crate) tables: TableFormat,
    /// Write games down, a file each, into this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) record: Option<PathBuf>,
    /// How many deals are written down, with the first hundred games of each
    #[arg(long, value_name = "N", default_value_t = 1, requires = "record", value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub(crate) record_sets: u64,
}

/// Enough for the three default agents to play a million rounds.
pub(crate) const DEFAULT_SETS: u64 = 60_000;

/// Agents against each other.
#[derive(Debug, Clone, Args)]
pub(crate) struct TournamentArgs {
    /// Agents, separated by commas: name:option=value,option=value; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "random,greedy,heuristic")]
    pub(crate) agents: Vec<AgentList>,
    /// Which tables are played
    #[arg(long, value_enum, default_value_t = Format::RoundRobin)]
    pub(crate) format: Format,
    /// The rest.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// One agent against copies of another, or one table.
#[derive(Debug, Clone, Args)]
pub(crate) struct MatchArgs {
    /// Two agents, A,B: one A against copies of B; more: exactly that table; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required = true)]
    pub(crate) agents: Vec<AgentList>,
    /// The rest.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// A sequential test of one agent against another.
#[derive(Debug, Clone, Args)]
pub(crate) struct SprtArgs {
    /// Two agents, A,B: A is tested, B sits in all other seats
    #[arg(long, value_name = "A,B", value_parser = parse_agents, required_unless_present = "simulate")]
    pub(crate) agents: Vec<AgentList>,
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// The number of seats
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u8).range(2..=10))]
    pub(crate) seats: u8,
    /// Normalised Elo of A under the null hypothesis
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_negative_numbers = true)]
    pub(crate) nelo0: f64,
    /// Normalised Elo of A under the alternative
    #[arg(long, value_name = "X", default_value_t = 5.0, allow_negative_numbers = true)]
    pub(crate) nelo1: f64,
    /// How often the alternative may be accepted wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) alpha: f64,
    /// How often the null hypothesis may be accepted wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05)]
    pub(crate) beta: f64,
    /// Give up after so many deals, undecided (exit status 1)
    #[arg(long, value_name = "N", default_value_t = 1_000_000, value_parser = value_parser!(u64).range(100..=1_000_000_000_000))]
    pub(crate) max_sets: u64,
    /// Play no cards: simulate so many tests at each of several true effects, and count the decisions
    #[arg(long, value_name = "TESTS", conflicts_with_all = ["agents", "variant", "unit"], value_parser = value_parser!(u32).range(1..=10_000_000))]
    pub(crate) simulate: Option<u32>,
    /// What one game is
    #[arg(long, value_enum, default_value_t = Unit::Round)]
    pub(crate) unit: Unit,
    /// What all random numbers derive from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Threads that play; no result depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The folder of the run [default: runs/sprt-HASH, by the hash of the spec]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// No verdict and no progress, only files and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// What to measure of which variants.
#[derive(Debug, Clone, Args)]
pub(crate) struct BalanceArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, separated by commas
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2,4", value_parser = value_parser!(u8).range(2..=10))]
    pub(crate) seats: Vec<u8>,
    /// The agents at the tables, in turn until the seats are full; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "heuristic")]
    pub(crate) agents: Vec<AgentList>,
    /// Deals of single rounds, each played at all its seatings
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = value_parser!(u64).range(1..=1_000_000_000))]
    pub(crate) sets: u64,
    /// Deals of whole matches [default: a twentieth of --sets; 0 for none]
    #[arg(long, value_name = "N", value_parser = value_parser!(u64).range(0..=1_000_000_000))]
    pub(crate) matches: Option<u64>,
    /// A rule key and the values to try, all combinations if repeated, on the same deals as the variant as it stands
    #[arg(long, value_name = "KEY=V1,V2", value_parser = parse_sweep)]
    pub(crate) sweep: Vec<Sweep>,
    /// Rule changes that are made together, separated by semicolons: compared like a value of a sweep; may be repeated
    #[arg(long, value_name = "KEY=V;KEY=V")]
    pub(crate) arm: Vec<String>,
    /// Cards whose worth is asked for: without points, without effect, and dealt into a hand
    #[arg(long, value_name = "CARD,...", value_delimiter = ',')]
    pub(crate) worth: Vec<String>,
    /// A good player, for the part of skill
    #[arg(long, value_name = "AGENT", default_value = "heuristic")]
    pub(crate) good: String,
    /// A weak player, whom the good one meets
    #[arg(long, value_name = "AGENT", default_value = "random")]
    pub(crate) weak: String,
    /// An agent whose last option is a budget, such as ismcts:iterations=16: it is doubled, each against the one before
    #[arg(long, value_name = "AGENT")]
    pub(crate) ladder: Option<String>,
    /// How often the budget of the ladder is doubled
    #[arg(long, value_name = "N", default_value_t = 4, requires = "ladder", value_parser = value_parser!(u8).range(1..=20))]
    pub(crate) rungs: u8,
    /// How far from fair a seat may be in a game called balanced, in thousandths of a win
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = value_parser!(u32).range(1..=500))]
    pub(crate) margin: u32,
    /// Who sits where when a deal is played again
    #[arg(long, value_enum, default_value_t = SeatingPlan::Rotate)]
    pub(crate) seating: SeatingPlan,
    /// What all random numbers derive from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// A metric to be drawn by the number of seats, as METRIC.svg in the folder of the run; may be repeated
    #[arg(long, value_name = "METRIC")]
    pub(crate) plot: Vec<String>,
    /// Threads that play; no result depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The folder of the run [default: runs/balance-HASH, by the hash of the spec]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// No page and no progress, only files and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Finished runs whose entrants are rated.
#[derive(Debug, Args)]
pub(crate) struct RateArgs {
    /// Folders of runs; those of the same variant and number of seats are rated together
    #[arg(required = true, value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
    /// Call two entrants level if their share is surely within so much of one half
    #[arg(long, value_name = "SHARE", default_value_t = 0.01)]
    pub(crate) margin: f64,
    /// Print ratings.csv instead of tables
    #[arg(long)]
    pub(crate) csv: bool,
    /// Write ratings.csv into this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Scenario files to run.
#[derive(Debug, Args)]
pub(crate) struct ScenarioArgs {
    /// Scenario files
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
}

/// Game records to play again.
#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// Game records (JSON Lines)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the game for people
    #[arg(long)]
    pub(crate) show: bool,
}

/// Game records, and how their decisions are valued.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// Game records (JSON Lines), as --record writes them
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Deals of the unseen cards in which every legal action is played out
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = value_parser!(u32).range(2..=1_000_000))]
    pub(crate) worlds: u32,
    /// Who plays the rounds out: random, greedy, card-ranking, mixbot or heuristic
    #[arg(long, value_name = "NAME", default_value = "mixbot", value_parser = parse_policy)]
    pub(crate) policy: Policy,
    /// What a finished round is worth: win, points or match
    #[arg(long, value_name = "NAME", default_value = "win", value_parser = parse_goal)]
    pub(crate) goal: Goal,
    /// What the random numbers of the search derive from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Print every decision, which is done for a single record anyway
    #[arg(long)]
    pub(crate) show: bool,
    /// A folder for decisions.csv and quality.csv, new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// A position and how far to count.
#[derive(Debug, Args)]
pub(crate) struct PerftArgs {
    /// Preset name or path of a variant file
    #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
    pub(crate) variant: String,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    /// Number of seats
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u8).range(2..=10))]
    pub(crate) seats: u8,
    /// Actions to look ahead
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = value_parser!(u32).range(0..=30))]
    pub(crate) depth: u32,
    /// The deal
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Where the first scenario of this file begins, instead of a deal
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "set", "seats", "seed"])]
    pub(crate) position: Option<PathBuf>,
    /// Print the count behind each first action
    #[arg(long)]
    pub(crate) divide: bool,
}

/// What to do with variants.
#[derive(Debug, Args)]
pub(crate) struct VariantsArgs {
    /// List, if nothing else is asked for.
    #[command(subcommand)]
    pub(crate) action: Option<VariantsAction>,
}

/// What can be done with variants.
#[derive(Debug, Subcommand)]
pub(crate) enum VariantsAction {
    /// List the presets
    List,
    /// Print the resolved rules of a variant
    Show {
        /// Preset name or path of a variant file
        #[arg(value_name = "NAME|FILE")]
        variant: String,
        /// Rule values that override the variant's.
        #[command(flatten)]
        overrides: OverrideArgs,
    },
    /// Check variant files, with every reason at once
    Check {
        /// Variant files
        #[arg(required = true, value_name = "FILE")]
        files: Vec<PathBuf>,
    },
}

/// What to do with agents.
#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// List, if nothing else is asked for.
    #[command(subcommand)]
    pub(crate) action: Option<AgentsAction>,
}

/// What can be done with agents.
#[derive(Debug, Subcommand)]
pub(crate) enum AgentsAction {
    /// List the agents and their options
    List,
    /// Check agents as they are written after --agents
    Check {
        /// Lists of agents
        #[arg(required = true, value_name = "LIST", value_parser = parse_agents)]
        agents: Vec<AgentList>,
    },
}

/// Which agents to try, and where.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Agents, separated by commas: name:option=value,option=value; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required = true)]
    pub(crate) agents: Vec<AgentList>,
    /// Preset names or paths of variant files, separated by commas [default: every preset]
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    /// Numbers of seats, separated by commas [default: all that a variant allows]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = value_parser!(u8).range(2..=10))]
    pub(crate) seats: Vec<u8>,
    /// Rounds at each table, each played twice
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = value_parser!(u64).range(1..=1_000_000))]
    pub(crate) rounds: u64,
    /// What all random numbers derive from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// What to measure, and how to print it.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Print JSON for machines
    #[arg(long)]
    pub(crate) json: bool,
    /// A tenth of the time, for a first look
    #[arg(long)]
    pub(crate) quick: bool,
    /// Preset names or paths of variant files, separated by commas [default: every preset]
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
}

/// What to join.
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// The folders of all parts, in any order
    #[arg(required = true, value_name = "DIR")]
    pub(crate) parts: Vec<PathBuf>,
    /// The folder of the whole run [default: runs/COMMAND-HASH, by the hash of the spec]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How tables are written: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv)]
    pub(crate) tables: TableFormat,
    /// No output, only files and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// In which forms tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// As CSV.
    Csv,
    /// As CSV, and as Parquet too.
    Parquet,
}

/// What to run again.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Folders of studies or finished runs, or folders that hold studies
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// Their reduced form: fewer sets
    #[arg(long)]
    pub(crate) reduced: bool,
    /// Keep what is made now instead of comparing it
    #[arg(long)]
    pub(crate) renew: bool,
}

/// A run to show.
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// The folder of a run
    #[arg(value_name = "FOLDER")]
    pub(crate) folder: PathBuf,
    /// The page, or - for standard output [default: report.html in the folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write the plots too, as SVG files in a folder "plots" beside the page
    #[arg(long)]
    pub(crate) plots: bool,
}

/// The agents of one `--agents`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentList(pub(crate) Vec<String>);

fn parse_agents(list: &str) -> Result<AgentList, AgentListError> {
    split_agents(list).map(AgentList)
}

fn parse_sweep(text: &str) -> Result<Sweep, String> {
    text.parse()
}

fn parse_policy(text: &str) -> Result<Policy, String> {
    text.parse().map_err(|()| format!("allowed: {}", Policy::NAMES))
}

fn parse_goal(text: &str) -> Result<Goal, String> {
    text.parse().map_err(|()| format!("allowed: {}", Goal::NAMES))
}

fn parse_override(text: &str) -> Result<Override, String> {
    match text.parse::<Override>() {
        Ok(parsed) if !parsed.key.is_empty() => Ok(parsed),
        _ => Err("expected key=value, such as uno.penalty=4".into()),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    fn parse(arguments: &str) -> Result<Cli, clap::Error> {
        Cli::try_parse_from(std::iter::once("unolab").chain(arguments.split_whitespace()))
    }

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn no_command_is_a_tournament_and_takes_its_flags() {
        let cli = parse("--threads 7 --seats 3,4 --games-csv=10 --set uno.penalty=4 --set deal.dealer=cut").unwrap();
        let TournamentArgs { agents, run, .. } = cli.tournament;
        assert!(cli.command.is_none());
        assert_eq!(agents[0].0, ["random", "greedy", "heuristic"]);
        assert_eq!((run.threads, run.seats, run.games_csv, run.sets), (Some(7), vec![3, 4], Some(10), DEFAULT_SETS));
        let set = run.rules.overrides.set;
        assert_eq!(set[0], Override { key: "uno.penalty".into(), value: 4.into() });
        assert_eq!(set[1], Override { key: "deal.dealer".into(), value: "cut".into() });
    }

    #[test]
    fn agents_may_be_repeated() {
        let cli = parse("match --agents a:x=1,y=2 --agents b --games-csv").unwrap();
        let Some(Command::Match(MatchArgs { agents, run })) = cli.command else { panic!("a match") };
        assert_eq!(agents, [AgentList(vec!["a:x=1,y=2".into()]), AgentList(vec!["b".into()])]);
        assert_eq!(run.games_csv, Some(1));
    }

    #[test]
    fn what_is_wrong_is_named_with_what_is_allowed() {
        for (arguments, part) in [
            ("tournament --seats 11", "11 is not in 2..=10"),
            ("tournament --sets 0", "0 is not in 1.."),
            ("tournament --seating circle", "rotate, all, neighbor"),
            ("tournament --sets 3 --games 4", "cannot be used with"),
            ("tournament --set penalty", "expected key=value"),
            ("match", "--agents <LIST>"),
            ("match --agents a,,b", "missing before or after a comma"),
        ] {
            let message = parse(arguments).unwrap_err().to_string();
            assert!(message.contains(part), "{arguments}: {message}");
        }
    }
}
