//! The outcome of a scenario: a verdict, or the reason why it cannot be played.

use std::fmt;

/// A file that is not a scenario file, or an impossible position.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ScenarioError {
    /// The file.
    pub file: String,
    /// The scenario, if the error is in one.
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

/// The result of a scenario.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// Every expectation was met.
    Passed,
    /// An expectation was not met.
    Failed {
        /// The step, counted from 1.
        step: usize,
        /// The expectation, in the terms of the file.
        expected: String,
        /// The actual value.
        found: String,
    },
}
