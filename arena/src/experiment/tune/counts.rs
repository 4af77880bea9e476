//! The counts of a tuning run: plain data that can be saved and resumed.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::quantity::TrialCounts;
use super::space::Point;
use crate::run::checkpoint::Counts;
use crate::run::shard::RunProgress;

/// The stages of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Each key is changed by itself, to find the keys that change nothing.
    Screen,
    /// Candidates are tried, step by step.
    Search {
        /// The number of the step, from 0.
        step: u32,
    },
    /// The finalists play against themselves with one change put back, to find the changes without an effect.
    Simplify,
    /// The finalists play fresh deals.
    Certificate,
    /// The recommended rule set plays against itself with one key put back.
    Contributions,
    /// Everything is played.
    Finished,
}

/// Sets to play for one candidate, or for a finalist and the same with each of its changes put back.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// What is played, as a number that has everything needed to play it.
    pub part: u64,
    /// The sets.
    pub sets: Range<u64>,
    /// The first of them that is not yet counted.
    pub next: u64,
    /// Where they are counted: the number of the candidate or finalist.
    pub target: usize,
    /// The number of the trial.
    pub trial: usize,
}

/// A candidate and its counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tried {
    /// The number of the value of each key.
    pub point: Point,
    /// By trial.
    pub trials: Vec<TrialCounts>,
}

/// The counts of a run so far.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TuneCounts {
    /// The rounds that may be played.
    pub budget: u64,
    /// The rounds that were played.
    pub rounds: u64,
    /// The stage.
    pub stage: Stage,
    /// The jobs of this step of the stage, in order.
    pub jobs: Vec<Job>,
    /// The candidates, in the order in which they were first tried, with their counts from the search.
    pub candidates: Vec<Tried>,
    /// The keys that change nothing, by their numbers; all candidates after the screen have one value of them.
    pub inert: Vec<usize>,
    /// The finalists on fresh deals.
    pub finalists: Vec<Tried>,
    /// The number of the recommended finalist, once it is known.
    pub recommended: Option<usize>,
    /// The counts of a rule set and the same with each changed key put back, by trial and arm: of every finalist before the
    /// certificate, and of the recommended one for its contributions.
    pub versions: Vec<Vec<Vec<TrialCounts>>>,
    /// What the search found out about the constraints, once it has ended.
    pub reach: Option<Reach>,
}

/// What the search found out about the constraints.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// By claim: the largest probability, in millionths, that a rule set of the space satisfies it.
    pub each: Vec<u32>,
    /// The same for all constraints together.
    pub together: u32,
}

impl TuneCounts {
    /// The first job that is not finished.
    #[must_use]
    pub fn current(&self) -> Option<usize> {
        self.jobs.iter().position(|job| job.next < job.sets.end)
    }
}

impl Counts for TuneCounts {
    fn done(&self) -> RunProgress {
        match self.stage {
            Stage::Finished => RunProgress { done: self.rounds, of: self.rounds },
            _ => RunProgress { done: self.rounds, of: self.budget.max(self.rounds) },
        }
    }
}
