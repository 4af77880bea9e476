//! A study: commands of `unolab` with their output directories, listed in a `study.toml`.

use std::path::{Component, Path};

use serde::Deserialize;
use thiserror::Error;
use unolab_engine::rules::syntax_error;

/// The name of the file.
pub(crate) const STUDY_FILE: &str = "study.toml";

/// The directory of the tables of the quick version, within the study.
pub(crate) const QUICK_DIR: &str = "quick";

/// The commands that a step may run: they write tables.
const COMMANDS: [&str; 12] = [
    "tournament",
    "match",
    "balance",
    "tune",
    "sprt",
    "train",
    "rate",
    "compare",
    "coverage",
    "exploit",
    "analyze",
    "merge",
];

/// The steps of a study.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Study {
    /// Its steps, in the order in which they are run.
    #[serde(rename = "step")]
    pub(crate) steps: Vec<Step>,
}

/// One command, and its output directory.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Step {
    /// The output directory, within the study's directory. `--out` is not part of the command.
    pub(crate) out: String,
    /// The command as it is written after `unolab`, split at white space. Its paths are relative to the study's directory.
    pub(crate) command: String,
    /// The flags of the quick version, which replace the command's flags of the same name.
    #[serde(default, alias = "reduced")]
    pub(crate) quick: String,
    /// Tables that the command writes but the study does not store, because they are too large.
    #[serde(default, alias = "leave_out")]
    pub(crate) exclude: Vec<String>,
}

/// The form of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The full form, as published.
    Full,
    /// A form that is small enough for a check.
    Quick,
}

/// Why a `study.toml` is invalid.
#[derive(Debug, Error)]
pub(crate) enum StudyError {
    /// The file has an invalid structure.
    #[error("line {0}")]
    Toml(String),
    /// The file has no steps.
    #[error("has no [[step]]")]
    NoSteps,
    /// A directory that is not within the study's directory, or that another step also writes.
    #[error(
        "out = \"{out}\": must be a separate directory within the study, such as \"rounds\", and not \"{QUICK_DIR}\""
    )]
    Out {
        /// The directory.
        out: String,
    },
    /// A command that writes no tables.
    #[error("step `{out}`: its command must begin with one of {}", COMMANDS.join(", "))]
    Command {
        /// The output of the step.
        out: String,
    },
    /// A path that leads out of the study.
    #[error("step `{out}`: {word} leads out of the study; allowed: relative paths without ..")]
    Path {
        /// The output of the step.
        out: String,
        /// The word with the path.
        word: String,
    },
    /// `--out` is given by the step.
    #[error("step `{out}`: its command must not name --out, the step does")]
    OutInCommand {
        /// The directory of the step.
        out: String,
    },
}

impl Study {
    /// Reads the text of a `study.toml`.
    ///
    /// # Errors
    /// If it is invalid.
    pub(crate) fn read(text: &str) -> Result<Self, StudyError> {
        let study: Self = toml::from_str(text).map_err(|error| StudyError::Toml(syntax_error(text, &error)))?;
        if study.steps.is_empty() {
            return Err(StudyError::NoSteps);
        }
        for (place, Step { out, command, quick, .. }) in study.steps.iter().enumerate() {
            let top = study.steps[..place].iter().map(|earlier| top_dir(&earlier.out));
            let is_own = is_within(out) && top_dir(out) != QUICK_DIR;
            if !is_own || top.into_iter().any(|earlier| earlier == top_dir(out)) {
                return Err(StudyError::Out { out: out.clone() });
            }
            let words = || command.split_whitespace().chain(quick.split_whitespace());
            if words().any(|word| flag_name(word) == Some("out")) {
                return Err(StudyError::OutInCommand { out: out.clone() });
            }
            if !command.split_whitespace().next().is_some_and(|command| COMMANDS.contains(&command)) {
                return Err(StudyError::Command { out: out.clone() });
            }
            if let Some(word) = words().find(|word| leaves_directory(word)) {
                return Err(StudyError::Path { out: out.clone(), word: word.into() });
            }
        }
        Ok(study)
    }
}

impl Step {
    /// The words after `unolab`, without `--out`.
    #[must_use]
    pub(crate) fn arguments(&self, form: Form) -> Vec<String> {
        let words = self.command.split_whitespace().map(str::to_owned);
        match form {
            Form::Full => words.collect(),
            Form::Quick => replace_flags(words, self.quick.split_whitespace().map(str::to_owned).collect()),
        }
    }
}

/// The words of a command, without the flags that others replace, followed by the replacements.
fn replace_flags(words: impl Iterator<Item = String>, others: Vec<String>) -> Vec<String> {
    let is_replaced = |name: &str| others.iter().any(|other| flag_name(other) == Some(name));
    let mut drop_values = false;
    let mut kept: Vec<String> = words
        .filter(|word| {
            if let Some(name) = flag_name(word) {
                drop_values = is_replaced(name);
            }
            !drop_values
        })
        .collect();
    kept.extend(others);
    kept
}

/// Whether a word contains a path out of the directory in which its command runs.
fn leaves_directory(word: &str) -> bool {
    let mut components = word.split(['=', ',', ':', '"']).flat_map(|part| Path::new(part).components());
    components.any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
}

/// `sets` of `--sets` and of `--sets=3`.
fn flag_name(word: &str) -> Option<&str> {
    word.strip_prefix("--").map(|name| name.split('=').next().unwrap_or(name))
}

fn is_within(out: &str) -> bool {
    let mut components = Path::new(out).components().peekable();
    components.peek().is_some() && components.all(|component| matches!(component, Component::Normal(_)))
}

/// The first directory of a path.
fn top_dir(out: &str) -> &str {
    out.split('/').next().unwrap_or(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quick_version_overrides_values() {
        let study = Study::read(
            r#"
            [[step]]
            out = "rounds"
            command = "tournament --agents a,b --sets 5000 --set x=1 --set y=2 --seats=2,4 --quiet"
            quick = "--sets 10 --seats 2"
            exclude = ["games.csv"]

            [[step]]
            out = "ratings"
            command = "rate rounds"
            "#,
        )
        .unwrap();
        let [rounds, ratings] = &study.steps[..] else { panic!("two steps") };
        let text = |step: &Step, form| step.arguments(form).join(" ");
        assert_eq!(text(rounds, Form::Full), rounds.command);
        let quick = "tournament --agents a,b --set x=1 --set y=2 --quiet --sets 10 --seats 2";
        assert_eq!(text(rounds, Form::Quick), quick);
        assert_eq!(text(ratings, Form::Quick), "rate rounds");
    }

    #[test]
    fn study_error_is_named() {
        let with_outs = |outs: &[&str]| {
            let steps = outs.iter().map(|out| format!("[[step]]\nout = \"{out}\"\ncommand = \"tournament\"\n"));
            steps.collect::<String>()
        };
        for (text, part) in [
            ("step = []".to_owned(), "no [[step]]"),
            ("[[step]]\nout = \"a\"\n".to_owned(), "command"),
            ("[[step]]\nout = \"a\"\ncommand = \"tournament --out=b\"".to_owned(), "--out"),
            ("[[step]]\nout = \"a\"\ncommand = \"match\"\nsets = 3".to_owned(), "line 4: unknown field `sets`"),
            (with_outs(&["../elsewhere"]), "\"../elsewhere\""),
            (with_outs(&["/tmp/a"]), "\"/tmp/a\""),
            (with_outs(&[""]), "\"\""),
            (with_outs(&["quick"]), "\"quick\""),
            (with_outs(&["a/x", "b", "a/y"]), "\"a/y\""),
            ("[[step]]\nout = \"a\"\ncommand = \"debug x.jsonl -- sh\"".to_owned(), "must begin with one of"),
            ("[[step]]\nout = \"a\"\ncommand = \"match --record /tmp/x\"".to_owned(), "/tmp/x leads out"),
            ("[[step]]\nout = \"a\"\ncommand = \"match --record=../x\"".to_owned(), "../x leads out"),
        ] {
            let message = Study::read(&text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }
}
