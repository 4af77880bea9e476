//! The command line: what can be asked for, and nothing of how it is done.

mod bots;
mod contest;
mod examples;
mod numbers;
mod parse;
mod runs;
mod train;
mod values;

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use clap_complete::Shell;
use unolab_agents::goal::Goal;
use unolab_agents::search::policy::Policy;
use unolab_arena::run::folder::Asked;
use unolab_arena::run::merge::ChangedPrograms;

pub(crate) use bots::{BotAction, BotArgs, DebugArgs, LadderArgs, Language};
#[cfg(unix)]
pub(crate) use contest::diary;
pub(crate) use contest::opened;
pub(crate) use numbers::Seats;
use numbers::{any_number, number, seats, share};
pub(crate) use parse::AgentList;
use parse::{parse_agents, parse_goal, parse_policy};
pub(crate) use runs::{
    BalanceArgs, KeptArgs, MOST_SETS, MatchArgs, OverrideArgs, RecordOnly, RulesArgs, RunArgs, SprtArgs, TableFormat,
    TournamentArgs,
};
pub(crate) use train::TrainArgs;

/// Seeded tournaments of UNO-like card games, with errors one can trust.
///
/// Without a command it plays a tournament, by the options below. Exit status: 0 done, 1 a check failed, 2 bad input, 130 stopped by Ctrl-C.
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
    /// A variant measured: fairness, length, excitement, skill, and what its cards and rules are worth
    Balance(BalanceArgs),
    /// Test one agent against another until the answer is clear
    Sprt(SprtArgs),
    /// Train weights for the player net
    Train(TrainArgs),
    /// Rate the entrants of finished runs
    Rate(RateArgs),
    /// Compare two finished runs over the deals that both have played
    Compare(CompareArgs),
    /// Simulate many runs, and count how often their intervals hold the truth
    Coverage(CoverageArgs),
    /// Check the rules against scenario files
    Scenario(ScenarioArgs),
    /// Play game records again and check that they fit
    Replay(ReplayArgs),
    /// Open game records as a page in the browser
    Watch(WatchArgs),
    /// Play against agents, on a page in the browser or in the terminal
    #[command(disable_help_flag = true)]
    Play(PlayArgs),
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
    /// Write a program of your own that plays, to begin with
    Bot(BotArgs),
    /// Put the decisions of a recorded game to a program again
    Debug(DebugArgs),
    /// Keep a folder of results by version of a program: who beats whom
    Ladder(LadderArgs),
    /// Measure how fast this machine plays
    Bench(BenchArgs),
    /// Join the shards of a run to the bytes of the whole
    Merge(MergeArgs),
    /// Play batches for a run on another machine, from standard input to standard output
    Worker(WorkerArgs),
    /// Run studies or finished runs again and compare every table
    Verify(VerifyArgs),
    /// Write a page, in HTML, that shows the tables of a run
    Report(ReportArgs),
    /// Print what a shell needs to complete commands and options
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

/// The match of these words.
pub(crate) fn match_of(words: &[String]) -> anyhow::Result<MatchArgs> {
    match read(words)?.command {
        Some(Command::Match(args)) => Ok(args),
        _ => anyhow::bail!("{} is no match", words.join(" ")),
    }
}

/// What rates the runs in these folders.
pub(crate) fn rate_of(folders: Vec<PathBuf>) -> anyhow::Result<RateArgs> {
    let words = ["unolab", "rate", "--"].map(OsString::from).into_iter();
    match read(words.chain(folders.into_iter().map(PathBuf::into_os_string)))?.command {
        Some(Command::Rate(args)) => Ok(args),
        _ => anyhow::bail!("these folders cannot be rated"),
    }
}

/// For whom commands are completed.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// Where manual pages go.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The folder for a page of each command; without it the page of unolab is printed
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}

/// The command line, with examples at the end of every help; what follows an option is its value, a negative number too.
pub(crate) fn command() -> clap::Command {
    let with_examples = |command: clap::Command, name: &str| match examples::of(name) {
        Some(text) => command.after_help(text),
        None => command,
    };
    let command = with_examples(taking_negative_numbers(Cli::command()), "");
    command.mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        with_examples(taking_negative_numbers(subcommand), &name)
    })
}

/// So that `--sets -5` is told what is allowed, and not that there is no option `-5`.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| {
        let is_option = arg.get_long().is_some() && arg.get_action().takes_values();
        if is_option { arg.allow_negative_numbers(true) } else { arg }
    })
}

/// What the arguments of a process ask for.
///
/// # Errors
/// They ask for words alone, or cannot be read.
pub(crate) fn parse(arguments: Vec<OsString>) -> Result<Cli, clap::Error> {
    read(arguments)
}

fn read(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> Result<Cli, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

/// How a worker plays.
///
/// Reads what a command with --remote writes, and writes what that reads: `docs/many-machines.md` has the lines. One batch is
/// played at a time; it ends when its input does.
#[derive(Debug, Args)]
pub(crate) struct WorkerArgs {
    /// Threads that fit what has to be fitted before the first batch; batches are played on one [default: 1]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
}

/// Finished runs whose entrants are rated.
#[derive(Debug, Args)]
pub(crate) struct RateArgs {
    /// Folders of runs; those of the same variant and number of seats are rated together
    #[arg(required = true, value_name = "FOLDER")]
    pub(crate) folders: Vec<PathBuf>,
    /// Call two entrants level if their share is surely within so much of one half
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    pub(crate) margin: f64,
    /// Print ratings.csv instead of tables
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print what was found as one JSON object instead of tables
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Write ratings.csv into this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How it is written there: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv, requires = "out")]
    pub(crate) tables: TableFormat,
}

/// Two runs to compare.
///
/// Both must have the same --seed, so that they share deals: then each deal is compared with itself, and a difference shows in far
/// fewer games. A run without games.csv is played again from its run.json.
#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    /// The folders of two finished tournaments or matches
    #[arg(required = true, num_args = 2, value_name = "RUN")]
    pub(crate) folders: Vec<PathBuf>,
    /// Print compare.csv instead of tables
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print what was found as one JSON object instead of tables; progress goes to standard error
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Write compare.csv into this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How it is written there: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv, requires = "out")]
    pub(crate) tables: TableFormat,
    /// Print nothing
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Runs to simulate: matches that differ in their seeds.
///
/// The truth is the same number made of all runs together.
#[derive(Debug, Args)]
pub(crate) struct CoverageArgs {
    /// Two agents, A,B: one A against copies of B. With A,A each has random numbers of its own, and neither is better
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required = true)]
    pub(crate) agents: Vec<AgentList>,
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, separated by commas: 2,4 or 2-4
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2,4", value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Runs at each number of seats
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number::<u64>(2..=1_000_000))]
    pub(crate) runs: u64,
    /// Deals of a run
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = number::<u64>(10..=1_000_000))]
    pub(crate) sets: u64,
    /// Take the luck of the cards off too, as match --luck does
    #[arg(long)]
    pub(crate) luck: bool,
    /// What all random numbers derive from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Threads that play; no result depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Write coverage.csv into this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How it is written there: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv, requires = "out")]
    pub(crate) tables: TableFormat,
    /// Print nothing
    #[arg(long)]
    pub(crate) quiet: bool,
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
    /// Game records (JSON Lines), as --record writes them, or folders of them
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Print the game for people
    #[arg(long)]
    pub(crate) show: bool,
    /// Print the game move by move, each after Enter is pressed
    #[arg(long)]
    pub(crate) step: bool,
    /// Write a page that shows all the records
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,
    /// Whose eyes see it, and how far its decisions are judged.
    #[command(flatten)]
    pub(crate) seen: SeenArgs,
}

/// Game records to look at.
#[derive(Debug, Args)]
pub(crate) struct WatchArgs {
    /// Game records (JSON Lines), as --record writes them, or folders of them
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Whose eyes see it, and how far its decisions are judged.
    #[command(flatten)]
    pub(crate) seen: SeenArgs,
}

/// What the program for playing is asked for; `unolab play --help` is its own help.
#[derive(Debug, Args)]
pub(crate) struct PlayArgs {
    /// Its options
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTION")]
    pub(crate) arguments: Vec<OsString>,
}

/// How a game is looked at.
#[derive(Debug, Args)]
pub(crate) struct SeenArgs {
    /// Show only what the player who began in this seat knew
    #[arg(long, value_name = "K", value_parser = number::<u8>(0..=9))]
    pub(crate) seat: Option<u8>,
    /// Judge every decision: deals of the unseen cards in which every legal action is played out
    #[arg(long, value_name = "N", value_parser = number::<u32>(2..=1_000_000))]
    pub(crate) worlds: Option<u32>,
    /// Who plays the rounds out: random, greedy, card-ranking, mixbot or heuristic
    #[arg(long, value_name = "NAME", default_value = "mixbot", value_parser = parse_policy, requires = "worlds")]
    pub(crate) policy: Policy,
    /// What the random numbers of the search derive from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number, requires = "worlds")]
    pub(crate) seed: u64,
}

/// Game records, and how their decisions are valued.
#[derive(Debug, Args)]
pub(crate) struct AnalyzeArgs {
    /// Game records (JSON Lines), as --record writes them, or folders of them
    #[arg(required = true, value_name = "RECORD")]
    pub(crate) files: Vec<PathBuf>,
    /// Deals of the unseen cards in which every legal action is played out
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = number::<u32>(2..=1_000_000))]
    pub(crate) worlds: u32,
    /// Who plays the rounds out: random, greedy, card-ranking, mixbot or heuristic
    #[arg(long, value_name = "NAME", default_value = "mixbot", value_parser = parse_policy)]
    pub(crate) policy: Policy,
    /// What a finished round is worth: win, points or match
    #[arg(long, value_name = "NAME", default_value = "win", value_parser = parse_goal)]
    pub(crate) goal: Goal,
    /// What the random numbers of the search derive from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Print every decision, which is done for a single record anyway
    #[arg(long)]
    pub(crate) show: bool,
    /// A folder for decisions.csv and quality.csv, new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How they are written there: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv, requires = "out")]
    pub(crate) tables: TableFormat,
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
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(2..=10))]
    pub(crate) seats: u8,
    /// Actions to look ahead
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u32>(0..=30))]
    pub(crate) depth: u32,
    /// Visit at most this many positions; beyond them the count is refused
    #[arg(long, value_name = "N", default_value_t = 20_000_000, value_parser = any_number)]
    pub(crate) limit: u64,
    /// Which deal
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
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
    /// List every rule key: what it means, what it allows, its value in an edition
    Keys {
        /// Only keys that begin with this, such as `uno` or `match.scoring`
        #[arg(value_name = "PREFIX")]
        prefix: Option<String>,
        /// Preset name or path of a variant file whose values are shown
        #[arg(long, value_name = "NAME|FILE", default_value = "classic")]
        variant: String,
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
    /// Agents (see `unolab agents`), separated by commas: name:option=value,option=value; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required = true)]
    pub(crate) agents: Vec<AgentList>,
    /// Preset names or paths of variant files, separated by commas [default: every preset]
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    /// Numbers of seats, separated by commas: 2,4 or 2-4 [default: all that a variant allows]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Rounds at each table, each played twice
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u64>(1..=1_000_000))]
    pub(crate) rounds: u64,
    /// What all random numbers derive from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Print what was found as one JSON object instead of tables; progress goes to standard error
    #[arg(long)]
    pub(crate) json: bool,
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
    /// The folders of all shards, in any order
    #[arg(required = true, value_name = "DIR")]
    pub(crate) shards: Vec<PathBuf>,
    /// The folder of the whole run [default: runs/COMMAND-HASH, by the hash of the spec]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How tables are written: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv)]
    pub(crate) tables: TableFormat,
    /// The file with the key of a sealed run, which is then written into its run.json
    #[arg(long, value_name = "FILE")]
    pub(crate) seal_file: Option<PathBuf>,
    /// Join shards also if their programs, or unolab itself, were changed between them: run.json then says so
    #[arg(long)]
    pub(crate) changed_programs: bool,
    /// No output, only files and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl MergeArgs {
    /// The files that are written if they are asked for.
    pub(crate) fn asked(&self) -> Asked {
        Asked::nothing().with("--tables parquet", self.tables == TableFormat::Parquet)
    }

    /// What becomes of shards that other programs have played.
    pub(crate) const fn changed_programs(&self) -> ChangedPrograms {
        if self.changed_programs { ChangedPrograms::Accepted } else { ChangedPrograms::Refused }
    }
}

/// What to run again.
#[derive(Debug, Args)]
pub(crate) struct VerifyArgs {
    /// Folders of studies or finished runs, or folders that hold studies
    #[arg(required = true, value_name = "DIR")]
    pub(crate) folders: Vec<PathBuf>,
    /// Run studies in their reduced form: fewer sets
    #[arg(long)]
    pub(crate) reduced: bool,
    /// Put what is made now in the place of the tables that studies keep, instead of comparing
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

#[cfg(test)]
mod tests {
    use unolab_engine::rules::Override;

    use super::*;

    fn parse(arguments: &str) -> Result<Cli, clap::Error> {
        read(std::iter::once("unolab").chain(arguments.split_whitespace()))
    }

    #[test]
    fn the_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_that_can_be_typed() {
        let mut command = command();
        command.build();
        let names =
            command.get_subcommands().map(clap::Command::get_name).filter(|name| !["help", "play"].contains(name));
        for name in names.chain([""]) {
            assert!(examples::of(name).is_some(), "{name} has no examples");
        }
        for (name, lines) in examples::EXAMPLES {
            for (line, _) in *lines {
                let words = shlex::split(line).expect(line);
                assert!(words.get(1).is_none_or(|word| word == name || name.is_empty()), "{name}: {line}");
                if let Err(error) = read(words) {
                    panic!("{line}: {error}");
                }
            }
        }
    }

    #[test]
    fn numbers_may_be_written_as_people_write_them() {
        let cli = parse("match --agents a,b --sets 1e4 --seats 2-4,6 --seed 1_000 --power 1%").unwrap();
        let Some(Command::Match(MatchArgs { run, .. })) = cli.command else { panic!("a match") };
        assert_eq!((run.sets, run.kept.seed, run.power), (10_000, 1_000, Some(0.01)));
        assert_eq!(Seats::all(&run.seats), [2, 3, 4, 6]);
    }

    #[test]
    fn no_command_is_a_tournament_and_takes_its_flags() {
        let cli = parse("--threads 7 --seats 3,4 --games-csv=10 --set uno.penalty=4 --set deal.dealer=cut").unwrap();
        let TournamentArgs { agents, run, .. } = cli.tournament;
        assert!(cli.command.is_none());
        assert_eq!(agents[0].0, ["random", "greedy", "heuristic"]);
        assert_eq!((run.kept.threads, run.games_csv, run.sets), (Some(7), Some(10), 60_000));
        assert_eq!(Seats::all(&run.seats), [3, 4]);
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
            ("tournament --seats 11", "11 is not allowed; allowed: 2 to 10"),
            ("tournament --sets 0", "0 is not allowed; allowed: 1 to 1000000000000"),
            ("tournament --sets -5", "-5 is no number; allowed: whole numbers from 0"),
            ("tournament --seats two", "two is no number of seats; allowed: 2 to 10, or a range such as 2-4"),
            ("tournament --agent greedy", "'--agents'"),
            ("turnament", "'tournament'"),
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
