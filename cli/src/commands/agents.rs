//! `unolab agents`: the agents there are, and whether a text names one.

use unolab_agents::registry::Registry;

use crate::args::{AgentList, AgentsAction, AgentsArgs};
use crate::exit::Exit;
use crate::output::{complain, line_width, print, wrapped};

pub(crate) fn run(args: AgentsArgs, registry: &Registry) -> anyhow::Result<Exit> {
    match args.action.unwrap_or(AgentsAction::List) {
        AgentsAction::List => list(registry),
        AgentsAction::Check { agents } => check(registry, &agents),
    }
}

fn list(registry: &Registry) -> anyhow::Result<Exit> {
    let mut text = String::new();
    for entry in registry.entries() {
        text += &wrapped(&format!("{:<14}", entry.name), entry.summary, line_width());
        for (option, meaning) in entry.options {
            text += &wrapped(&format!("{:<14}  {option}=  ", ""), meaning, line_width());
        }
    }
    print(&text)?;
    Ok(Exit::Done)
}

fn check(registry: &Registry, lists: &[AgentList]) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    for agent in lists.iter().flat_map(|AgentList(agents)| agents) {
        match registry.configure(agent) {
            Ok(spec) => print(&format!("{}: good\n", spec.text()))?,
            Err(error) => {
                complain(&format!("error: {error}"));
                exit = Exit::BadInput;
            }
        }
    }
    Ok(exit)
}
