//! The outcome of a scenario: a verdict, or the reason why it cannot be played.

use std::fmt;

/// A file that is not a scenario file, or a position that cannot be.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScenarioError {
    /// The file.
    pub file: String,
    /// The scenario, if it is about one.
    pub scenario: Option<String>,
    /// The key and what is wrong with it.
    pub reason: String,
}

impl fmt::Display for ScenarioError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.scenario {
            Some(scenario) => write!(f, "{}: scenario \"{scenario}\": {}", self.file, self.reason),
            None => write!(f, "{}: {}", self.file, self.reason),
        }
    }
}

impl std::error::Error for ScenarioError {}

/// How a scenario came out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Everything held.
    Passed,
    /// Something did not hold.
    Failed {
        /// The step, counted from 1.
        step: usize,
        /// The expectation, in the words of the file.
        expected: String,
        /// The finding.
        found: String,
    },
}
