//! `unolab tournament`: plays agents against each other, in every combination.

use clap::Args;
use unolab_agents::registry::Registry;
use unolab_arena::spec::{Command, Format};

use super::{driver, league};
use crate::args::{AgentList, RunArgs, parse_agents, values};
use crate::exit::Exit;

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

pub(crate) fn run(TournamentArgs { agents, format, run }: TournamentArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let format = run.spec.as_deref().map_or(Ok(format), driver::request::format_in_file)?;
    match format {
        Format::League => league::run(agents, &run, registry),
        Format::RoundRobin | Format::Gauntlet => {
            driver::tournament::run(Command::Tournament { format }, agents, &run, registry)
        }
    }
}
