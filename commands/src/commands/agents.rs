//! `unolab agents`: lists the agents, and checks the text of an agent.

use anyhow::Context as _;
use clap::{Args, Subcommand};
use serde_json::{Value, json};
use unolab_agents::printable::printable;
use unolab_agents::registry::{AgentRegistration, Registry};

use super::driver::json::{JsonObject, one_table, print_json};
use super::driver::request;
use crate::args::{AgentList, parse_agents};
use crate::exit::Exit;
use crate::output::{line_width, print, warn, wrapped};

/// What to do with agents.
#[derive(Debug, Args)]
pub(crate) struct AgentsArgs {
    /// The action; by default, list.
    #[command(subcommand)]
    pub(crate) action: Option<AgentsAction>,
    /// Show only this agent, with its options
    #[arg(value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// Print the result as one JSON object
    #[arg(long, global = true)]
    pub(crate) json: bool,
}

/// The actions for agents.
#[derive(Debug, Subcommand)]
pub(crate) enum AgentsAction {
    /// List the agents and their options
    List,
    /// Check agents as written after --agents
    Check {
        /// Agents with their options, separated by commas
        #[arg(required = true, value_name = "LIST", value_parser = parse_agents)]
        agents: Vec<AgentList>,
    },
}

pub(crate) fn run(args: AgentsArgs, registry: &Registry) -> anyhow::Result<Exit> {
    match (args.action.unwrap_or(AgentsAction::List), args.name) {
        (AgentsAction::Check { agents }, _) => check(registry, &agents, args.json),
        (AgentsAction::List, None) => list(registry.entries(), args.json),
        (AgentsAction::List, Some(name)) => {
            let entry = registry.entry(&name).with_context(|| registry.unknown_agent_message(&name, &name))?;
            list([entry], args.json)
        }
    }
}

fn list<'a>(entries: impl IntoIterator<Item = &'a AgentRegistration>, as_json: bool) -> anyhow::Result<Exit> {
    let (mut text, mut rows) = (String::new(), Vec::new());
    for entry in entries {
        text += &wrapped(&format!("{:<14}", entry.name), entry.summary, line_width());
        for (option, meaning) in entry.options {
            text += &wrapped(&format!("{:<14}  {option}=  ", ""), meaning, line_width());
        }
        let option = |(option, meaning): &(&str, &str)| json!({ "option": option, "meaning": meaning });
        let options: Vec<Value> = entry.options.iter().map(option).collect();
        rows.push(json!({ "name": entry.name, "summary": entry.summary, "options": options }));
    }
    if as_json {
        print_json("agents", JsonObject::new(), one_table("agents", rows))?;
    } else {
        print(&text)?;
    }
    Ok(Exit::Done)
}

fn check(registry: &Registry, lists: &[AgentList], as_json: bool) -> anyhow::Result<Exit> {
    let (mut exit, mut rows) = (Exit::Done, Vec::new());
    let agents = lists.iter().flat_map(|AgentList(agents)| agents);
    let configured: Vec<_> = agents.map(|agent| registry.configure(agent)).collect();
    if configured.iter().all(Result::is_ok) {
        // Valid agents may still have conflicting names.
        request::entrants(lists.iter().cloned())?;
    }
    for agent in configured {
        match agent {
            Ok(spec) if as_json => rows.push(json!({ "agent": spec.text() })),
            Ok(spec) => print(&format!("{}: good\n", printable(spec.text())))?,
            Err(error) => {
                warn(&format!("error: {error}"));
                exit = Exit::BadInput;
            }
        }
    }
    if as_json && exit == Exit::Done {
        print_json("agents", JsonObject::new(), one_table("agents", rows))?;
    }
    Ok(exit)
}
