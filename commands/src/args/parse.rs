//! Parsers for flag values with a special syntax.

use std::path::Path;

use unolab_agents::goal::Goal;
use unolab_agents::net::player::NetSettings;
use unolab_agents::search::policy::Policy;
use unolab_arena::experiment::balance::spec::Sweep;
use unolab_arena::spec::agent_list::{AgentListError, split_agents};
use unolab_engine::rules::Override;

/// The agents of one `--agents`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AgentList(pub(crate) Vec<String>);

pub(crate) fn parse_agents(list: &str) -> Result<AgentList, AgentListError> {
    split_agents(list).map(AgentList)
}

/// The default panel of weak agents: a random one, simple rules, and a published bot.
pub(crate) const PANEL: &str = "random,greedy,card-ranking,mixbot";

pub(crate) fn parse_panel(list: &str) -> Result<AgentList, String> {
    match list {
        "none" => Ok(AgentList(Vec::new())),
        _ => parse_agents(list).map_err(|error| error.to_string()),
    }
}

/// The duration of a turn, in milliseconds.
pub(crate) fn parse_turn_ms(text: &str) -> Result<u32, String> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.001..=3600.0).contains(seconds));
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is in range")]
    let milliseconds = seconds.map(|seconds| (1000.0 * seconds).round() as u32);
    milliseconds.ok_or_else(|| format!("{text} is not allowed; allowed: 0.001 to 3600 seconds, such as 5"))
}

pub(crate) fn parse_sweep(text: &str) -> Result<Sweep, String> {
    text.parse()
}

pub(crate) fn parse_policy(text: &str) -> Result<Policy, String> {
    text.parse().map_err(|()| format!("allowed: {}", Policy::NAMES))
}

pub(crate) fn parse_goal(text: &str) -> Result<Goal, String> {
    text.parse().map_err(|()| format!("allowed: {}", Goal::NAMES))
}

/// The method that evaluates the actions of recorded decisions.
#[derive(Debug, Clone)]
pub(crate) enum EvaluatorArg {
    Rollouts,
    Net(NetSettings),
}

pub(crate) fn parse_evaluator(text: &str) -> Result<EvaluatorArg, String> {
    match text {
        "rollouts" => Ok(EvaluatorArg::Rollouts),
        "net" => Ok(EvaluatorArg::Net(NetSettings::published())),
        file if Path::new(file).is_file() => {
            let net = NetSettings::from_file(file).map_err(|allowed| format!("allowed: {allowed}"))?;
            Ok(EvaluatorArg::Net(net))
        }
        _ => Err("allowed: rollouts, net, or a file of weights".into()),
    }
}

pub(crate) fn parse_override(text: &str) -> Result<Override, String> {
    match text.parse::<Override>() {
        Ok(parsed) if !parsed.key.is_empty() => Ok(parsed),
        _ => Err("expected key=value, such as uno.penalty=4".into()),
    }
}
