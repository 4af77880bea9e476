//! `unolab match`: plays one agent against copies of another, or exactly the named agents.

use unolab_agents::registry::Registry;
use unolab_arena::spec::Command;

use super::driver;
use crate::args::MatchArgs;
use crate::exit::Exit;

pub(crate) fn run(MatchArgs { agents, run }: MatchArgs, registry: &Registry) -> anyhow::Result<Exit> {
    driver::tournament::run(Command::Match, agents, &run, registry)
}
