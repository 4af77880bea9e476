//! The text form of an agent with its options: `name:option=value,option=value`.
//!
//! Parentheses nest (`forgetful:p=0.1,agent=(mixbot:counting=false)`) and double quotes protect commas. A first part that is
//! quoted or has no `=` is the object of the agent, not an option: `cmd:"python3 bot.py",decision_ms=50`.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use unolab_engine::spelling::{nearest, whole_number};

/// The maximum nesting depth of agents.
const DEEPEST: usize = 8;

/// The maximum length of an agent spec, in bytes.
const LONGEST: usize = 1 << 14;

/// The maximum number of characters of a text in a message.
const MOST_SHOWN: usize = 300;

/// A name and its options, not yet checked against the agent's options.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The agent's name.
    pub name: String,
    text: String,
    object: Option<String>,
    pairs: Vec<(String, String)>,
}

/// The error in an agent spec.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum OptionError {
    /// There is no name before the colon.
    NoName,
    /// A part is not `option=value`.
    NotAPair(String),
    /// A value without its option.
    NoOption {
        /// The given value.
        text: String,
        /// The agent's first option, if it has any.
        meant: Option<&'static str>,
    },
    /// A parenthesis or quote is not closed, or closed without being open.
    Unbalanced,
    /// Agents are nested too deeply.
    TooDeep,
    /// The text is too long.
    TooLong {
        /// Its length in bytes.
        bytes: usize,
    },
    /// The option is given twice.
    Twice(String),
    /// The agent has no such option.
    Unknown {
        /// The option.
        option: String,
        /// The available options.
        allowed: Vec<&'static str>,
    },
    /// The object is missing or invalid.
    Object {
        /// The given value.
        object: String,
        /// The error, or the required object.
        reason: String,
    },
    /// The value is invalid.
    Value {
        /// The option.
        option: &'static str,
        /// The given value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoName => f.write_str("there is no name"),
            Self::NotAPair(text) => write!(f, "`{text}` is not of the form option=value"),
            Self::NoOption { text, meant: Some(meant) } => {
                let (open, close) = if text.contains([':', '=']) { ("(", ")") } else { ("", "") };
                write!(f, "`{text}` is not of the form option=value; did you mean `{meant}={open}{text}{close}`?")
            }
            Self::NoOption { text, meant: None } => {
                write!(f, "`{text}` is not of the form option=value; this agent has no options")
            }
            Self::Unbalanced => f.write_str("a parenthesis or quote is not closed"),
            Self::TooDeep => write!(f, "agents are nested too deeply; allowed: {DEEPEST} within each other"),
            Self::TooLong { bytes } => write!(f, "the text has {bytes} bytes; allowed: at most {LONGEST}"),
            Self::Twice(option) => write!(f, "option {option} is given twice"),
            Self::Unknown { option, allowed } if allowed.is_empty() => {
                write!(f, "unknown option `{option}`; this agent has none")
            }
            Self::Unknown { option, allowed } => {
                write!(f, "unknown option `{option}`; ")?;
                match nearest(option, allowed.iter().copied()) {
                    Some(meant) => write!(f, "did you mean `{meant}`? `unolab agents` lists all options"),
                    None => write!(f, "options: {}", allowed.join(", ")),
                }
            }
            Self::Object { object, reason } if object.is_empty() => f.write_str(reason),
            Self::Object { object, reason } => write!(f, "{object}: {reason}"),
            Self::Value { option, value, allowed } => {
                write!(f, "{option}={value} is not allowed; allowed: {allowed}")
            }
        }
    }
}

impl std::error::Error for OptionError {}

impl FromStr for Options {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        if text.len() > LONGEST {
            return Err(OptionError::TooLong { bytes: text.len() });
        }
        let options = Self::read(text)?;
        options.check_depth()?;
        Ok(options)
    }
}

impl Options {
    /// Reads one level; values that name agents stay strings.
    fn read(text: &str) -> Result<Self, OptionError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let name = name.trim();
        if name.is_empty() {
            return Err(OptionError::NoName);
        }
        let mut parts = split_at_commas(rest)?;
        let object =
            parts.first().map(|part| part.trim()).filter(|part| part.starts_with(['"', '(']) || !part.contains('='));
        let object = object.map(|part| unwrapped(part).to_owned());
        if object.is_some() {
            parts.remove(0);
        }
        let mut pairs: Vec<(String, String)> = Vec::new();
        for part in parts {
            let (option, value) = part.split_once('=').ok_or_else(|| OptionError::NotAPair(part.into()))?;
            let option = option.trim();
            if pairs.iter().any(|(other, _)| other == option) {
                return Err(OptionError::Twice(option.into()));
            }
            pairs.push((option.into(), unwrapped(value.trim()).into()));
        }
        Ok(Self { name: name.into(), text: text.trim().into(), object, pairs })
    }

    /// Checks how deeply agents are nested, because reading them is recursive.
    fn check_depth(&self) -> Result<(), OptionError> {
        let mut level = vec![self.clone()];
        for _ in 0..DEEPEST {
            let values = level.iter().flat_map(|options| &options.pairs).map(|(_, value)| value);
            level = values
                .filter(|value| value.contains(':'))
                .filter_map(|value| Self::read(split_name(value).1).ok())
                .collect();
            if level.is_empty() {
                return Ok(());
            }
        }
        Err(OptionError::TooDeep)
    }
}

/// Splits the name from an agent spec: `mine` from `mine=cmd:"python3 bot.py"`.
#[must_use]
pub fn split_name(text: &str) -> (Option<&str>, &str) {
    let text = text.trim();
    match text.split_once('=') {
        Some((name, agent)) if is_name(name) => (Some(name), agent.trim()),
        _ => (None, text),
    }
}

/// Whether this text is a valid name of an entrant: letters, digits, `-`, `_`, `.` and `@`.
#[must_use]
pub fn is_name(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|letter| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.' | '@'))
}

/// Whether an agent spec names a program, directly or nested. It searches only for the word, ignoring options and white
/// space: it finds every program, but may also match a spec without one.
#[must_use]
pub fn is_program(agent: &str) -> bool {
    let letters: String = agent.chars().filter(|letter| !letter.is_whitespace()).collect();
    letters.contains("cmd:")
}

/// The command lines of the programs that an agent spec names, including nested agents, each as its words. A text that does
/// not name an agent has no programs.
#[must_use]
pub fn command_lines(text: &str) -> Vec<Vec<String>> {
    let Ok(options) = split_name(text).1.parse::<Options>() else { return Vec::new() };
    let own = options.object.filter(|_| options.name == "cmd").and_then(|line| shlex::split(&line));
    let within = options.pairs.iter().flat_map(|(_, value)| command_lines(value));
    own.into_iter().chain(within).collect()
}

/// Every agent that a spec names: the playing agent and nested agents.
#[must_use]
pub fn agents_named(text: &str) -> Vec<Options> {
    let Ok(options) = text.parse::<Options>() else { return Vec::new() };
    let within: Vec<Options> = options.pairs.iter().flat_map(|(_, value)| agents_named(value)).collect();
    std::iter::once(options).chain(within).collect()
}

impl Options {
    /// Takes an option and parses it; `None` if it is not given. An integer may be written as `1e4`.
    ///
    /// # Errors
    /// The value cannot be parsed as a `T`; `allowed` lists the valid values.
    pub fn take<T: FromStr>(&mut self, option: &'static str, allowed: &str) -> Result<Option<T>, OptionError> {
        let Some(i) = self.pairs.iter().position(|(name, _)| name == option) else { return Ok(None) };
        let (_, value) = self.pairs.remove(i);
        let read = value.parse().ok().or_else(|| whole_number(&value)?.to_string().parse().ok());
        match read {
            Some(read) => Ok(Some(read)),
            None => Err(OptionError::Value { option, value, allowed: allowed.into() }),
        }
    }

    /// The whole text, as it was written.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes the object, if there is one.
    pub const fn take_object(&mut self) -> Option<String> {
        self.object.take()
    }

    /// Checks that all options have been taken.
    ///
    /// # Errors
    /// An option is left that the agent does not have; `allowed` lists its options. Or the agent does not take an object.
    pub fn finish(self, allowed: &[&'static str]) -> Result<(), OptionError> {
        if let Some(text) = self.object {
            if allowed.contains(&&*text) {
                return Err(OptionError::NotAPair(text));
            }
            return Err(OptionError::NoOption { text, meant: allowed.first().copied() });
        }
        match self.pairs.into_iter().next() {
            None => Ok(()),
            Some((option, _)) => Err(OptionError::Unknown { option, allowed: allowed.to_vec() }),
        }
    }
}

/// A text for a message; a long text is truncated.
pub(crate) fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(MOST_SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]).into(),
        None => text.into(),
    }
}

/// The parts between commas that are not inside parentheses or quotes.
fn split_at_commas(text: &str) -> Result<Vec<&str>, OptionError> {
    let (mut depth, mut quoted, mut start) = (0_usize, false, 0);
    let mut parts = Vec::new();
    for (i, letter) in text.char_indices() {
        match letter {
            '"' => quoted = !quoted,
            _ if quoted => {}
            '(' if depth == DEEPEST => return Err(OptionError::TooDeep),
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or(OptionError::Unbalanced)?,
            ',' if depth == 0 => {
                parts.push(&text[start..i]);
                start = i + 1;
            }
            _ => {}
        }
    }
    if depth > 0 || quoted {
        return Err(OptionError::Unbalanced);
    }
    if !text.trim().is_empty() {
        parts.push(&text[start..]);
    }
    Ok(parts)
}

/// A value without the parentheses or quotes around it.
fn unwrapped(value: &str) -> &str {
    [('(', ')'), ('"', '"')]
        .into_iter()
        .find_map(|(open, close)| value.strip_prefix(open)?.strip_suffix(close))
        .unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_recognized_in_any_notation() {
        for text in ["cmd:./bot", "mine=cmd:\"python3 bot.py\"", "cmd : ./bot", "forgetful:p=0.5,agent=(cmd:./bot)"] {
            assert!(is_program(text), "{text}");
        }
        assert!(!is_program("forgetful:p=0.5,agent=(mixbot:counting=false)"));
    }

    #[test]
    fn options_nest_and_quote() {
        let mut options: Options = "forgetful:p=0.1,agent=(mixbot:counting=false,x=\"a,b\")".parse().unwrap();
        assert_eq!(options.name, "forgetful");
        assert_eq!(options.take("p", ""), Ok(Some(0.1)));
        assert_eq!(options.take("agent", ""), Ok(Some("mixbot:counting=false,x=\"a,b\"".to_string())));
        assert_eq!(options.take::<u32>("q", ""), Ok(None));
        assert_eq!(options.finish(&["p", "agent"]), Ok(()));
    }

    #[test]
    fn object_precedes_options() {
        for (text, object) in [
            ("cmd:\"python3 bot.py --x=1,2\",ms=5", "python3 bot.py --x=1,2"),
            ("cmd:python3 bot.py,ms=5", "python3 bot.py"),
            ("cmd: ./bot , ms=5", "./bot"),
        ] {
            let mut options: Options = text.parse().unwrap();
            assert_eq!(options.take_object().as_deref(), Some(object));
            assert_eq!(options.take("ms", ""), Ok(Some(5)));
            assert_eq!(options.finish(&["ms"]), Ok(()));
        }
    }

    #[test]
    fn entrant_name_before_agent_is_accepted() {
        for (text, parts) in [
            ("mine=cmd:\"python3 bot.py --x=1\"", (Some("mine"), "cmd:\"python3 bot.py --x=1\"")),
            (" v1.2 ", (None, "v1.2")),
            ("v1.2=heuristic", (Some("v1.2"), "heuristic")),
            ("heuristic:goal=win", (None, "heuristic:goal=win")),
            ("a b=greedy", (None, "a b=greedy")),
            ("=greedy", (None, "=greedy")),
        ] {
            assert_eq!(split_name(text), parts);
        }
    }

    #[test]
    fn invalid_options_are_explained() {
        assert_eq!("".parse::<Options>(), Err(OptionError::NoName));
        assert_eq!(
            "a:b".parse::<Options>().unwrap().finish(&[]),
            Err(OptionError::NoOption { text: "b".into(), meant: None })
        );
        let budget = "ismcts:1000".parse::<Options>().unwrap().finish(&["iterations", "time"]);
        assert!(budget.unwrap_err().to_string().ends_with("did you mean `iterations=1000`?"));
        let bare: Options = "random:uniform".parse().unwrap();
        assert_eq!(bare.finish(&["copies", "uniform"]).unwrap_err(), OptionError::NotAPair("uniform".into()));
        let typo = "heuristic:gaol=win".parse::<Options>().unwrap().finish(&["goal", "draw"]);
        assert_eq!(
            typo.unwrap_err().to_string(),
            "unknown option `gaol`; did you mean `goal`? `unolab agents` lists all options"
        );
        assert_eq!("a:b=1,c".parse::<Options>(), Err(OptionError::NotAPair("c".into())));
        assert_eq!("a:b=(1".parse::<Options>(), Err(OptionError::Unbalanced));
        assert_eq!("a:b=1,b=2".parse::<Options>(), Err(OptionError::Twice("b".into())));
        let mut budget: Options = "ismcts:iterations=1e4,time=1_500".parse().unwrap();
        assert_eq!(
            (budget.take::<u32>("iterations", ""), budget.take("time", "")),
            (Ok(Some(10_000)), Ok(Some(1_500_u64)))
        );
        let nested = |levels| "forgetful:agent=".repeat(levels) + "greedy";
        assert!(nested(DEEPEST - 1).parse::<Options>().is_ok());
        assert_eq!(nested(DEEPEST + 1).parse::<Options>(), Err(OptionError::TooDeep));
        assert_eq!("a".repeat(100_000).parse::<Options>(), Err(OptionError::TooLong { bytes: 100_000 }));
        let mut options: Options = "random:copies=maybe".parse().unwrap();
        assert!(matches!(
            options.take::<bool>("copies", "true or false"),
            Err(OptionError::Value { option: "copies", .. })
        ));
    }
}
