//! Splits the lists of agents after `--agents`.
//!
//! `name:option=value,option=value`: a comma before `key=` continues the agent, any other comma begins the next one; commas in
//! parentheses or quotes do not split. The agents' registry knows the meaning of names and options.
//!
//! An entrant may have its own name, `mine=cmd:"python3 bot.py"`. After another agent this looks like an option of that agent.
//! It is a name if an agent follows it and the agent before has no such option.

use std::sync::LazyLock;

use thiserror::Error;
use unolab_agents::options::split_name;
use unolab_agents::registry::Registry;
use unolab_engine::spelling::nearest;

/// Why a list of agents cannot be split.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AgentListError {
    /// Two commas in a row, or one at an end.
    #[error("an agent is missing before or after a comma")]
    MissingAgent,
    /// `(` without `)`.
    #[error("an opening parenthesis is not closed")]
    OpenParenthesis,
    /// `)` without `(`.
    #[error("a closing parenthesis closes nothing")]
    StrayParenthesis,
    /// A quote without its other half.
    #[error("a quote is not closed")]
    OpenQuote,
    /// The list is empty.
    #[error("the list is empty; `unolab agents` lists the agents")]
    Empty,
}

/// The agents of a list, in order.
///
/// # Errors
/// If parentheses or quotes do not close, or there is nothing between two commas.
pub fn split_agents(list: &str) -> Result<Vec<String>, AgentListError> {
    if list.trim().is_empty() {
        return Err(AgentListError::Empty);
    }
    let mut agents: Vec<String> = Vec::new();
    for part in cut_at_commas(list)?.into_iter().map(str::trim) {
        match agents.last_mut() {
            _ if part.is_empty() => return Err(AgentListError::MissingAgent),
            Some(agent) if continues(agent, part) => {
                let has_options = split_name(agent).1.contains(':');
                agent.push(if has_options { ',' } else { ':' });
                agent.push_str(part);
            }
            _ => agents.push(part.to_owned()),
        }
    }
    Ok(agents)
}

fn cut_at_commas(list: &str) -> Result<Vec<&str>, AgentListError> {
    let (mut parts, mut begin, mut depth, mut quoted) = (Vec::new(), 0, 0_usize, false);
    for (at, character) in list.char_indices() {
        match character {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or(AgentListError::StrayParenthesis)?,
            ',' if depth == 0 => {
                parts.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    match (quoted, depth) {
        (true, _) => Err(AgentListError::OpenQuote),
        (false, 1..) => Err(AgentListError::OpenParenthesis),
        (false, 0) => {
            parts.push(&list[begin..]);
            Ok(parts)
        }
    }
}

/// The built-in agents, whose options are known.
static KNOWN: LazyLock<Registry> = LazyLock::new(Registry::default);

/// Whether this `key=...` is an option of the agent before it; otherwise it names the next agent.
fn continues(before: &str, part: &str) -> bool {
    let (Some(key), value) = split_name(part) else { return false };
    let (_, before) = split_name(before);
    let options_of = |name: &str| KNOWN.entry(name.trim()).map(|entry| entry.options.iter().map(|(option, _)| *option));
    let Some((name, _)) = before.split_once(':') else {
        return options_of(before).is_some_and(|mut options| options.any(|option| option == key));
    };
    let is_option = options_of(name).is_some_and(|options| nearest(key, options).is_some());
    let is_agent = KNOWN.entry(value.split(':').next().unwrap_or(value).trim()).is_some();
    is_option || !is_agent
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_is_split_only_between_agents() {
        for (list, agents) in [
            ("random", &["random"][..]),
            ("random,greedy, heuristic", &["random", "greedy", "heuristic"]),
            ("random:copies=true,greedy", &["random:copies=true", "greedy"]),
            ("monte-carlo:rollouts=10,policy=greedy,random", &["monte-carlo:rollouts=10,policy=greedy", "random"]),
            ("a:x=1,b:y=2,z=3", &["a:x=1", "b:y=2,z=3"]),
            (
                "forgetful:p=0.1,agent=(mixbot:counting=false,x=(a,b)),greedy",
                &["forgetful:p=0.1,agent=(mixbot:counting=false,x=(a,b))", "greedy"],
            ),
            ("cmd:\"python3 bot.py --a=1,2 (\",random", &["cmd:\"python3 bot.py --a=1,2 (\"", "random"]),
            ("forgetful:greedy,random", &["forgetful:greedy", "random"]),
            ("mine=cmd:\"a b\",greedy", &["mine=cmd:\"a b\"", "greedy"]),
            ("greedy,mine=random", &["greedy", "mine=random"]),
            ("heuristic,goal=points,random", &["heuristic:goal=points", "random"]),
            ("x=random,copies=true", &["x=random:copies=true"]),
            (
                "old=cmd:\"a\",decision_ms=5,new=cmd:\"b\",ref=heuristic",
                &["old=cmd:\"a\",decision_ms=5", "new=cmd:\"b\"", "ref=heuristic"],
            ),
            ("monte-carlo:rollouts=10,polcy=greedy", &["monte-carlo:rollouts=10,polcy=greedy"]),
            ("forgetful:p=0.1,agent=mixbot:counting=false", &["forgetful:p=0.1,agent=mixbot:counting=false"]),
            ("a:x=1,b=2,c=cmd:\"d\"", &["a:x=1,b=2", "c=cmd:\"d\""]),
        ] {
            assert_eq!(
                split_agents(list).as_deref(),
                Ok(agents.iter().map(|&agent| agent.into()).collect::<Vec<String>>().as_slice())
            );
        }
    }

    #[test]
    fn unsplittable_list_is_rejected() {
        for (list, error) in [
            ("", AgentListError::Empty),
            ("random,,greedy", AgentListError::MissingAgent),
            ("random,", AgentListError::MissingAgent),
            ("forgetful:agent=(greedy,random", AgentListError::OpenParenthesis),
            ("forgetful:greedy),random", AgentListError::StrayParenthesis),
            ("cmd:\"python3,random", AgentListError::OpenQuote),
        ] {
            assert_eq!(split_agents(list), Err(error), "{list}");
        }
    }
}
