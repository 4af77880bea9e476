//! The options of a tuning run, and the file that may hold them.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;
use unolab_arena::experiment::balance::spec::Sweep;
use unolab_arena::spec::SeatingPlan;
use unolab_engine::spelling::{nearest, whole_number};

use crate::args::{
    AgentList, CommonRunArgs, PANEL, RulesArgs, Seats, parse_agents, parse_panel, parse_sweep, parse_turn_ms, seats,
    values,
};
use crate::disk::read_text;
use crate::output::plain;

/// Find rules that meet a designer's goals.
///
/// Search all combinations of the values of some rule keys, then play the best ones on fresh deals. Exit status: 0 every
/// constraint is met, 1 a constraint is not met or not shown, 2 bad input, 130 stopped by Ctrl-C.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("shard", |shard| shard.hide(true)))]
pub(crate) struct TuneArgs {
    /// A TOML file with any of the options below by their names: goal = ["minutes in 8..12"]. Options of the command line
    /// override the file's; --vary, --goal, and --set are added
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, separated by commas: 2,4 or 2-4 [default: 2,4, if the rules allow them]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// A rule key and its values: a list, a range such as 5..9, or a range with a step such as 20..80:10; may be repeated
    #[arg(long, value_name = "KEY=VALUES", value_parser = parse_sweep)]
    pub(crate) vary: Vec<Sweep>,
    /// METRIC in LOW..HIGH, METRIC < X, METRIC > X, abs(METRIC) < X, maximize METRIC, or minimize METRIC; METRIC@N for N seats only;
    /// may be repeated
    #[arg(long, value_name = "GOAL", allow_hyphen_values = true)]
    pub(crate) goal: Vec<String>,
    /// The rounds to play, over all rule sets, such as 5e6, or a time such as 10m
    #[arg(long, value_name = "ROUNDS|TIME", default_value = "2e6", value_parser = parse_budget)]
    pub(crate) budget: Budget,
    /// The duration of a turn in seconds, for goals in minutes
    #[arg(long, value_name = "SECONDS", value_parser = parse_turn_ms)]
    pub(crate) seconds_per_turn: Option<u32>,
    /// The agents at the tables, in turn until the seats are full; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "heuristic")]
    pub(crate) agents: Vec<AgentList>,
    /// The strong agent, to measure skill
    #[arg(long, alias = "good", value_name = "AGENT", default_value = "heuristic")]
    pub(crate) strong: String,
    /// The weak agent, for good_share; the strong agent meets copies of it
    #[arg(long, value_name = "AGENT", default_value = "random")]
    pub(crate) weak: String,
    /// Weak players, separated by commas, for skill: the lowest skill against any of them; none for no panel
    #[arg(long, value_name = "LIST|none", value_parser = parse_panel, default_value = PANEL)]
    pub(crate) panel: AgentList,
    /// The seatings at which each deal is played
    #[arg(long, value_parser = values::seating(), default_value = "rotate")]
    pub(crate) seating: SeatingPlan,
    /// Has no effect: report.html is always written
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the size of the space, the rounds, the time and the directory of the run; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The options of all runs.
    #[command(flatten)]
    pub(crate) common: CommonRunArgs,
}

/// The budget of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Budget {
    /// This number of rounds.
    Rounds(u64),
    /// The approximate number of rounds that this machine plays in this time.
    Time(Duration),
}

/// The maximum number of rounds of a run.
const MOST_ROUNDS: u64 = 1_000_000_000_000;

/// The longest time of a run, in seconds.
const LONGEST: f64 = 30.0 * 86_400.0;

/// `5e6`, `90s`, `10m`, `2h`.
fn parse_budget(text: &str) -> Result<Budget, String> {
    let allowed = "allowed: rounds from 1 to 1e12, such as 5e6, or a time such as 90s, 10m or 2h";
    let wrong = || format!("{text} is not a budget; {allowed}");
    // `2m` means two minutes here, not two million.
    for (unit, seconds) in [("min", 60.0), ("s", 1.0), ("m", 60.0), ("h", 3600.0)] {
        if let Some(number) = text.trim().strip_suffix(unit) {
            let number: f64 = number.trim().parse().map_err(|_| wrong())?;
            let seconds = number * seconds;
            if !(seconds > 0.0 && seconds <= LONGEST) {
                return Err(format!("{text} is not allowed; allowed: more than 0 seconds, and at most 30 days"));
            }
            return Ok(Budget::Time(Duration::from_secs_f64(seconds)));
        }
    }
    match whole_number(text) {
        Some(rounds) if (1..=MOST_ROUNDS).contains(&rounds) => Ok(Budget::Rounds(rounds)),
        Some(_) => Err(format!("{text} is not allowed; {allowed}")),
        None => Err(wrong()),
    }
}

/// The options that a file may hold.
const IN_FILE: [&str; 17] = [
    "variant",
    "set",
    "seats",
    "vary",
    "goal",
    "budget",
    "seconds-per-turn",
    "agents",
    "strong",
    "good",
    "weak",
    "panel",
    "seating",
    "seed",
    "threads",
    "out",
    "report",
];

/// The options of a file that are added on the command line.
const ADDED: [&str; 3] = ["set", "vary", "goal"];

/// The options in a file of goals as the words of a command line, without those that these words already have.
pub(crate) fn words_of_file(path: &Path, arguments: &[OsString]) -> Result<Vec<OsString>, String> {
    let named = |problem: String| format!("{}: {problem}", path.display());
    let text = read_text(path).map_err(|reason| plain(&reason))?;
    let table: toml::Table =
        text.parse().map_err(|error: toml::de::Error| named(error.to_string().trim_end().into()))?;
    let mut words = Vec::new();
    for (key, value) in &table {
        let option = key.replace('_', "-");
        // Both `goal` and `goals` are natural names of a list.
        let option = if option == "goals" { "goal".to_owned() } else { option };
        if !IN_FILE.contains(&&*option) {
            let meant = nearest(&option, IN_FILE).map_or_else(String::new, |meant| format!("did you mean `{meant}`? "));
            return Err(named(format!("unknown option `{key}`; {meant}allowed: {}", IN_FILE.join(", "))));
        }
        let flag = format!("--{option}");
        let is_given = |word: &OsString| {
            let word = word.to_string_lossy();
            word == *flag || word.strip_prefix(&flag).is_some_and(|rest| rest.starts_with('='))
        };
        let twin = match &*option {
            "good" => "--strong",
            "strong" => "--good",
            _ => &flag,
        };
        let has_twin = arguments.iter().any(|word| word.to_string_lossy().split('=').next() == Some(twin));
        if !ADDED.contains(&&*option) && (arguments.iter().any(is_given) || has_twin) {
            continue;
        }
        for value in values_of(&option, value).map_err(|problem| named(format!("{key}: {problem}")))? {
            match value {
                Some(value) => words.push(format!("{flag}={value}").into()),
                None => words.push(flag.clone().into()),
            }
        }
    }
    Ok(words)
}

/// The values of an option, each for one flag; `None` for a flag without a value.
fn values_of(option: &str, value: &toml::Value) -> Result<Vec<Option<String>>, String> {
    Ok(match value {
        // [vary] and [set] name keys.
        toml::Value::Table(table) if ["vary", "set"].contains(&option) => {
            let mut pairs = Vec::new();
            flatten("", table, &mut pairs);
            let line = |(key, value): (String, toml::Value)| match (&value, option) {
                (toml::Value::Array(values), "vary") => {
                    let values: Result<Vec<String>, String> = values.iter().map(word).collect();
                    Ok(Some(format!("{key}={}", values?.join(","))))
                }
                _ => Ok(Some(format!("{key}={}", word(&value)?))),
            };
            pairs.into_iter().map(line).collect::<Result<_, String>>()?
        }
        // A comma separates agents, and may be within the options of one.
        toml::Value::Array(values) if ["seats", "variant", "agents", "panel"].contains(&option) => {
            let values: Result<Vec<String>, String> = values.iter().map(word).collect();
            vec![Some(values?.join(","))]
        }
        toml::Value::Array(values) if ADDED.contains(&option) => {
            values.iter().map(|value| word(value).map(Some)).collect::<Result<_, String>>()?
        }
        toml::Value::Boolean(true) if option == "report" => vec![None],
        toml::Value::Boolean(false) if option == "report" => Vec::new(),
        other => vec![Some(word(other)?)],
    })
}

/// Dotted keys with their values.
fn flatten(prefix: &str, table: &toml::Table, pairs: &mut Vec<(String, toml::Value)>) {
    for (key, value) in table {
        let key = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, pairs),
            value => pairs.push((key, value.clone())),
        }
    }
}

/// A value as it is written on the command line.
fn word(value: &toml::Value) -> Result<String, String> {
    match value {
        toml::Value::String(text) => Ok(text.clone()),
        // `5e6` is a float in TOML.
        toml::Value::Float(number) if number.fract() == 0.0 && number.abs() < 1e15 => Ok(format!("{number:.0}")),
        toml::Value::Integer(_) | toml::Value::Float(_) | toml::Value::Boolean(_) | toml::Value::Array(_) => {
            Ok(value.to_string())
        }
        toml::Value::Table(_) | toml::Value::Datetime(_) => {
            Err(format!("{value} is not allowed; allowed: a text, a number, or a list of them"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_rounds_or_times() {
        assert_eq!(parse_budget("5e6"), Ok(Budget::Rounds(5_000_000)));
        assert_eq!(parse_budget("600_000"), Ok(Budget::Rounds(600_000)));
        for (text, seconds) in [("90s", 90), ("10m", 600), ("1.5h", 5400), ("10min", 600)] {
            assert_eq!(parse_budget(text), Ok(Budget::Time(Duration::from_secs(seconds))), "{text}");
        }
        for text in ["0", "0s", "-5m", "many", "1e13", "400000h", "m"] {
            assert!(parse_budget(text).unwrap_err().contains("allowed: "), "{text}");
        }
    }

    #[test]
    fn file_becomes_words_without_given_options() {
        let directory = tempfile::TempDir::new().unwrap();
        let path = directory.path().join("goals.toml");
        let text = "variant = \"classic\"\nseats = [2, 4]\nseconds_per_turn = 6\nbudget = 600000\ngoal = [\"turns in 40..50\", \
                    \"maximize skill\"]\n[vary]\n\"deal.hand_size\" = \"5..9\"\nhouse.stacking = [\"off\", \"any_draw\"]\n";
        std::fs::write(&path, text).unwrap();
        let words = |arguments: &[&str]| {
            let arguments: Vec<OsString> = arguments.iter().map(OsString::from).collect();
            let mut words: Vec<String> =
                words_of_file(&path, &arguments).unwrap().into_iter().map(|word| word.into_string().unwrap()).collect();
            words.sort();
            words
        };
        let all = [
            "--budget=600000",
            "--goal=maximize skill",
            "--goal=turns in 40..50",
            "--seats=2,4",
            "--seconds-per-turn=6",
            "--variant=classic",
            "--vary=deal.hand_size=5..9",
            "--vary=house.stacking=off,any_draw",
        ];
        assert_eq!(words(&[]), all);
        let fewer = words(&["--seats", "3", "--budget=1e5", "--goal", "turns < 4"]);
        assert_eq!(fewer.len(), all.len() - 2);
        std::fs::write(&path, "goals = \"turns < 5\"\nbugdet = 4\n").unwrap();
        let message = words_of_file(&path, &[]).unwrap_err();
        assert!(message.contains("goals.toml: unknown option `bugdet`; did you mean `budget`?"), "{message}");
    }
}
