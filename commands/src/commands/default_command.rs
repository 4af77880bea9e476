//! `unolab` without a command: the default tournament, with an announcement before it and three suggestions after it.

use unolab_agents::registry::Registry;
use unolab_arena::run::execution::default_directory;
use unolab_arena::run::shard::Shard;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::{Command, Format};
use unolab_arena::words::counted;

use super::driver::request;
use super::tournament::TournamentArgs;
use super::{play, tournament};
use crate::exit::Exit;
use crate::output::print;

/// Three suggestions.
fn next() -> String {
    // It is a separate program, which may not be installed.
    let second = if play::is_installed() {
        "unolab play                                       play against heuristic in the browser"
    } else {
        "unolab balance --variant disney --sets 500        measure an edition: fairness, length, luck"
    };
    format!(
        "
Elo: the mean of the agents is 0. An agent that is 100 above another wins 64 of 100 games against it.
Three things to try next:
  unolab match --agents mixbot,heuristic --report   a match of two agents, with a page of results
  {second}
  unolab bot new python mybot                       write a starter bot
`unolab --help` lists all commands.
"
    )
}

pub(crate) fn run(args: TournamentArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let command = Command::Tournament { format: Format::RoundRobin };
    print(&before(&request::contest(command, args.agents.clone(), &args.run, registry)?))?;
    let exit = tournament::run(command, args.agents, &args.run, registry)?;
    if exit == Exit::Done {
        print(&next())?;
    }
    Ok(exit)
}

/// The announcement of the run and its directory.
fn before(contest: &Contest) -> String {
    let spec = contest.spec();
    let names: Vec<&str> = spec.entrants.iter().map(|entrant| &*entrant.name).collect();
    let seats: Vec<String> = spec.seats.iter().map(ToString::to_string).collect();
    let games = contest.schedule().sections.iter().map(|section| section.games_per_set() * spec.sets).sum();
    format!(
        "unolab plays the default tournament: {} against each other, {} at {} seats, {}, {}.\n\
         The tables go to {}. Ctrl-C stops it; `unolab --help` lists all commands.\n\n",
        names.join(", "),
        spec.variants[0].name,
        seats.join(" and "),
        counted(spec.sets, "deal"),
        counted(games, "round"),
        default_directory(spec.command.name(), spec.hash(), Shard::WHOLE).display()
    )
}
