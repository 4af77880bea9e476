//! `unolab match`: plays one agent against copies of another, or exactly the named agents.

use clap::Args;

use crate::args::{AgentList, RunArgs, parse_agents};

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
