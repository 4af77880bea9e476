//! The command line: all commands, and their help.

mod groups;

use std::ffi::OsString;

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use crate::args::examples;
use crate::commands::agents::AgentsArgs;
use crate::commands::analyze::AnalyzeArgs;
use crate::commands::balance::BalanceArgs;
use crate::commands::bench::BenchArgs;
use crate::commands::bot::BotArgs;
use crate::commands::check::CheckArgs;
use crate::commands::compare::CompareArgs;
use crate::commands::coverage::CoverageArgs;
use crate::commands::debug::DebugArgs;
use crate::commands::exploit::ExploitArgs;
use crate::commands::ladder::LadderArgs;
use crate::commands::r#match::MatchArgs;
use crate::commands::merge::MergeArgs;
use crate::commands::perft::PerftArgs;
use crate::commands::play::PlayArgs;
use crate::commands::rate::RateArgs;
use crate::commands::replay::{ReplayArgs, WatchArgs};
use crate::commands::report::ReportArgs;
use crate::commands::scenario::ScenarioArgs;
use crate::commands::shell::{CompletionsArgs, ManArgs};
use crate::commands::sprt::SprtArgs;
use crate::commands::spsa::SpsaArgs;
use crate::commands::status::StatusArgs;
use crate::commands::tournament::TournamentArgs;
use crate::commands::train::TrainArgs;
use crate::commands::tune::{TuneArgs, words_of_file};
use crate::commands::variants::VariantsArgs;
use crate::commands::verify::VerifyArgs;
use crate::commands::worker::WorkerArgs;

/// Play seeded tournaments of UNO-like card games, with confidence intervals.
///
/// Without a command, play a tournament with the options below. Exit status: 0 done, 1 a check failed, sprt accepted H0, or tune found a constraint that is not met, 2
/// invalid input, 3 sprt undecided, 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "unolab", version, args_conflicts_with_subcommands = true)]
pub(crate) struct Cli {
    /// The command.
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// A tournament, when no command is given.
    #[command(flatten)]
    pub(crate) tournament: TournamentArgs,
}

/// What `unolab` can do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play agents against each other, in every combination
    Tournament(TournamentArgs),
    /// Play one agent against copies of another, or one fixed table
    Match(MatchArgs),
    /// Measure a variant: fairness, length, skill, and card effects
    Balance(BalanceArgs),
    /// Find rules that meet your goals, such as a length in minutes
    Tune(TuneArgs),
    /// Test one agent against another until the result is significant
    Sprt(SprtArgs),
    /// Train weights for the agent net
    Train(TrainArgs),
    /// Show the progress of a run, and its tables so far
    Status(StatusArgs),
    /// Rate the entrants of finished runs
    Rate(RateArgs),
    /// Compare two finished runs on the deals that they share
    Compare(CompareArgs),
    /// Simulate runs and count how often intervals contain the truth
    Coverage(CoverageArgs),
    /// Compute the exact gain of the best response on a small deck
    Exploit(ExploitArgs),
    /// Check the rules against scenario files
    Scenario(ScenarioArgs),
    /// Replay game records and check every line
    Replay(ReplayArgs),
    /// Open game records as a page in the browser
    Watch(WatchArgs),
    /// Play against agents, in the browser or in the terminal
    #[command(disable_help_flag = true)]
    Play(PlayArgs),
    /// Evaluate the decisions of game records by rollouts or by a net
    Analyze(AnalyzeArgs),
    /// Count the legal action sequences from a seeded deal
    Perft(PerftArgs),
    /// List, show, or check variants
    Variants(VariantsArgs),
    /// List the agents and their options, or check some
    Agents(AgentsArgs),
    /// Check agents: legality, determinism, time, information leaks
    Check(CheckArgs),
    /// Write a starter bot, or print the protocol
    Bot(BotArgs),
    /// Ask a bot again for its decisions in a recorded game
    Debug(DebugArgs),
    /// Compare the versions of a bot, and store the results
    Ladder(LadderArgs),
    /// Tune numeric options of an agent
    Spsa(SpsaArgs),
    /// Measure how fast this machine plays
    Bench(BenchArgs),
    /// Merge the shards of a run into the tables of the whole run
    Merge(MergeArgs),
    /// Play batches for a run on another machine
    Worker(WorkerArgs),
    /// Rerun studies or finished runs and compare every table
    Verify(VerifyArgs),
    /// Write an HTML page that shows the tables of a run
    Report(ReportArgs),
    /// Print shell completions for commands and options
    Completions(CompletionsArgs),
    /// Write the manual pages
    Man(ManArgs),
}

/// The command line, with examples at the end of every help. An option's value may be a negative number.
pub(crate) fn command() -> clap::Command {
    let with_examples = |command: clap::Command, name: &str| match examples::end_of_help(name) {
        Some(text) => command.after_help(text),
        None => command,
    };
    let command = with_examples(taking_negative_numbers(Cli::command()), "");
    command.mut_subcommands(|subcommand| {
        let name = subcommand.get_name().to_owned();
        with_examples(taking_negative_numbers(subcommand), &name)
    })
}

/// Lets the error for `--sets -5` list the allowed values, instead of reporting an unknown option `-5`.
fn taking_negative_numbers(command: clap::Command) -> clap::Command {
    command.mut_args(|arg| {
        let is_option = arg.get_long().is_some() && arg.get_action().takes_values();
        if is_option { arg.allow_negative_numbers(true) } else { arg }
    })
}

/// The command in the arguments of a process.
///
/// # Errors
/// The arguments ask for help or the version, or cannot be read.
pub(crate) fn parse(arguments: &[OsString]) -> Result<Cli, clap::Error> {
    let cli = read(arguments)?;
    let Some(Command::Tune(TuneArgs { file: Some(path), .. })) = &cli.command else { return Ok(cli) };
    let wrong = |message: String| {
        let mut whole = command();
        whole.build();
        let tune = whole.find_subcommand_mut("tune").expect("the command that was read");
        tune.error(clap::error::ErrorKind::ValueValidation, message)
    };
    let of_file = words_of_file(path, arguments).map_err(wrong)?;
    // Its options come before the others, so that added values are in reading order.
    let (head, tail) = arguments.split_at(2.min(arguments.len()));
    read(head.iter().cloned().chain(of_file).chain(tail.iter().cloned()))
}

fn read(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone> + Clone) -> Result<Cli, clap::Error> {
    // Only help and errors need the groups, which take more time than all else here.
    if let Ok(matches) = command().try_get_matches_from(arguments.clone())
        && let Ok(cli) = Cli::from_arg_matches(&matches)
    {
        return Ok(cli);
    }
    let mut command = groups::grouped(command());
    let matches = command.try_get_matches_from_mut(arguments)?;
    Cli::from_arg_matches(&matches).map_err(|error| error.format(&mut command))
}

#[cfg(test)]
mod tests {
    use unolab_engine::rules::Override;

    use super::*;
    use crate::args::{AgentList, Seats};

    fn parse(arguments: &str) -> Result<Cli, clap::Error> {
        read(std::iter::once("unolab").chain(arguments.split_whitespace()))
    }

    #[test]
    fn clap_definition_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_valid_examples() {
        let mut command = command();
        command.build();
        let names =
            command.get_subcommands().map(clap::Command::get_name).filter(|name| !["help", "play"].contains(name));
        for name in names.chain([""]) {
            assert!(!examples::of(name).is_empty(), "{name} has no examples");
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
    fn human_readable_numbers_are_accepted() {
        let cli = parse("match --agents a,b --sets 1e4 --seats 2-4,6 --seed 1_000 --power 1%").unwrap();
        let Some(Command::Match(MatchArgs { run, .. })) = cli.command else { panic!("a match") };
        assert_eq!((run.sets, run.common.seed, run.power), (Some(10_000), Some(1_000), Some(0.01)));
        assert_eq!(Seats::all(&run.seats), [2, 3, 4, 6]);
    }

    #[test]
    fn missing_command_is_tournament_with_its_options() {
        let cli = parse("--threads 7 --seats 3,4 --games-csv=10 --set uno.penalty=4 --set deal.dealer=cut").unwrap();
        let TournamentArgs { agents, run, .. } = cli.tournament;
        assert!(cli.command.is_none());
        assert_eq!(agents[0].0, ["random", "greedy", "heuristic"]);
        assert_eq!((run.common.threads, run.games_csv, run.sets()), (Some(7), Some(10), 60_000));
        assert_eq!(Seats::all(&run.seats), [3, 4]);
        let set = run.rules.overrides.set;
        assert_eq!(set[0], Override { key: "uno.penalty".into(), value: 4.into() });
        assert_eq!(set[1], Override { key: "deal.dealer".into(), value: "cut".into() });
    }

    #[test]
    fn repeated_agents_option_is_accepted() {
        let cli = parse("match --agents a:x=1,y=2 --agents b --games-csv").unwrap();
        let Some(Command::Match(MatchArgs { agents, run })) = cli.command else { panic!("a match") };
        assert_eq!(agents, [AgentList(vec!["a:x=1,y=2".into()]), AgentList(vec!["b".into()])]);
        assert_eq!(run.games_csv, Some(1));
    }

    #[test]
    fn invalid_value_is_named_with_allowed_values() {
        for (arguments, part) in [
            ("tournament --seats 11", "11 is not allowed; allowed: 2 to 10"),
            ("tournament --sets 0", "0 is not allowed; allowed: 1 to 1000000000000"),
            ("tournament --sets -5", "-5 is not a whole number; allowed: whole numbers from 1 to 1000000000000"),
            ("tournament --seats two", "two is not a number of seats; allowed: 2 to 10, or a range such as 2-4"),
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
