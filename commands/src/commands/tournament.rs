//! `unolab tournament` and `unolab match`: play agents against each other.

mod power;
mod records;
mod stream;

use std::path::Path;

use clap::Args;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::records::Records;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::spec::{Command, Format};

use super::driver::tournament::invocation;
use super::driver::{drive, request};
use super::league;
use crate::args::{AgentList, RunArgs, parse_agents, values};
use crate::exit::Exit;
use crate::output::warn;

/// Play agents against each other.
#[derive(Debug, Clone, Args)]
pub(crate) struct TournamentArgs {
    /// Agents (see `unolab agents`), separated by commas: name:option=value,option=value; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "random,greedy,heuristic", conflicts_with = "spec")]
    pub(crate) agents: Vec<AgentList>,
    /// The tables to play
    #[arg(long, value_parser = values::format(), default_value = "roundrobin", conflicts_with = "spec")]
    pub(crate) format: Format,
    /// The other options.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Plays the contest of the arguments, writes the tables into the run directory and prints them.
pub(crate) fn run(
    command: Command,
    agents: Vec<AgentList>,
    args: &RunArgs,
    registry: &Registry,
) -> anyhow::Result<Exit> {
    let command = match (command, &args.spec) {
        (Command::Tournament { .. }, Some(file)) => Command::Tournament { format: request::format_in_file(file)? },
        _ => command,
    };
    if command == (Command::Tournament { format: Format::League }) {
        return league::run(agents, args, registry);
    }
    let agents = request::agents(agents, args)?;
    let texts = agents.iter().flat_map(|AgentList(agents)| agents);
    let registry = &args.common.registry_for(registry, texts, args.record.clone(), args.intent())?;
    let contest = &request::contest(command, agents, args, registry)?;
    let common = &args.common;
    let threads = common.num_threads(contest.games_at_once());
    if let Some(edge) = args.power {
        return power::run(contest, edge, threads);
    }
    if common.out.as_deref() == Some(Path::new("-")) {
        return stream::run(contest, threads, args);
    }
    let records = if args.dry_run { None } else { records::requested(contest, args)? };
    let exit = drive(&Tournament { contest, records: records.as_ref() }, &invocation(args, registry)?)?;
    if let Some(Records { directory, .. }) = records.as_ref().filter(|records| records.is_empty())
        && exit == Exit::Done
        && !common.is_quiet()
    {
        warn(&format!("{}: no game was recorded: --record-only chose none", directory.display()));
    }
    Ok(exit)
}
