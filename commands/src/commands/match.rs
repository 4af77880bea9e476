//! `unolab match`: plays one agent against copies of another, or exactly the named agents.

use clap::Args;
use unolab_agents::registry::Registry;
use unolab_arena::spec::Command;

use super::driver;
use crate::args::{AgentList, RunArgs, parse_agents};
use crate::exit::Exit;

/// Play one agent against copies of another, or exactly the named agents.
#[derive(Debug, Clone, Args)]
pub(crate) struct MatchArgs {
    /// Two agents, A,B: one A plays against copies of B. More agents: exactly this table. May be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required_unless_present = "spec", conflicts_with = "spec")]
    pub(crate) agents: Vec<AgentList>,
    /// The other options.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

pub(crate) fn run(MatchArgs { agents, run }: MatchArgs, registry: &Registry) -> anyhow::Result<Exit> {
    driver::tournament::run(Command::Match, agents, &run, registry)
}
