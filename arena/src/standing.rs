//! `unfinished.json` and `part.json`: how far a run has come, with all it takes to go on or to join it with others.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use thiserror::Error;
use unolab_engine::rng;

use crate::contest::Contest;
use crate::luck::tally::LuckIs;
use crate::part::{Part, SectionPart, Shard};
use crate::spec::Spec;

/// The name of the file while games are still to be played.
pub const UNFINISHED_FILE: &str = "unfinished.json";

/// The name of the file of a finished shard.
pub const PART_FILE: &str = "part.json";

/// How far a run has come.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// What is being run.
    pub job: Job,
    /// How long it took so far.
    pub seconds: f64,
    /// What has been counted.
    pub part: Part,
}

/// A run or a shard of it, apart from how far it has come. What was begun as one job can only be gone on with as the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job {
    /// The version of this program.
    pub unolab: String,
    /// The generator of random numbers.
    pub generator: String,
    /// The hash of the spec.
    pub spec_hash: String,
    /// The spec.
    pub spec: Spec,
    /// Which sets of it.
    pub shard: Shard,
    /// What it makes besides.
    #[serde(flatten)]
    pub besides: Besides,
}

/// What a run makes besides its usual tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Besides {
    /// The games of every so-many-th set are written to games.csv.
    #[serde(default)]
    pub games_csv: Option<u64>,
    /// With the luck taken off there is a luck.csv.
    #[serde(default)]
    pub luck: LuckIs,
}

impl Besides {
    /// In what another run is not the same.
    fn difference(self, other: Self) -> Option<String> {
        if self.games_csv != other.games_csv {
            return Some(match other.games_csv {
                None => "without --games-csv".to_owned(),
                Some(1) => "with --games-csv".to_owned(),
                Some(every) => format!("with --games-csv={every}"),
            });
        }
        (self.luck != other.luck).then(|| match other.luck {
            LuckIs::LeftIn => "without --luck".to_owned(),
            LuckIs::TakenOff => "with --luck".to_owned(),
        })
    }

    /// Whether there is anything here that another run has not made.
    #[must_use]
    pub fn is_missing_in(self, other: Self) -> bool {
        let games = self.games_csv.is_some() && self.games_csv != other.games_csv;
        games || (self.luck, other.luck) == (LuckIs::TakenOff, LuckIs::LeftIn)
    }
}

impl Job {
    /// This program's job of a spec.
    #[must_use]
    pub fn new(spec: &Spec, shard: Shard, besides: Besides) -> Self {
        Self {
            unolab: env!("CARGO_PKG_VERSION").into(),
            generator: rng::GENERATOR_ID.into(),
            spec_hash: spec.hash().to_string(),
            spec: spec.clone(),
            shard,
            besides,
        }
    }

    /// In what another job is not the same, in words: `another spec (0123456789abcdef)`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.spec_hash != other.spec_hash || self.spec != other.spec {
            Some(format!("of another spec ({}, this one is {})", other.spec_hash, self.spec_hash))
        } else if (&self.unolab, &self.generator) != (&other.unolab, &other.generator) {
            Some(format!("of another version (unolab {}, {})", other.unolab, other.generator))
        } else if self.shard != other.shard {
            Some(format!("of --shard {}, not {}", other.shard, self.shard))
        } else {
            self.besides.difference(other.besides)
        }
    }
}

impl Standing {
    /// The beginning of a job.
    #[must_use]
    pub fn begin(job: Job, contest: &Contest) -> Self {
        let part = Part::new(contest, job.shard);
        Self { job, seconds: 0.0, part }
    }

    /// The content of the file.
    ///
    /// # Panics
    /// Never: it is plain data.
    #[must_use]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("plain data can be written") + "\n"
    }

    /// Reads the content of the file.
    ///
    /// # Errors
    /// If it is not what this version writes.
    pub fn from_json(text: &str) -> serde_json::Result<Self> {
        serde_json::from_str(text)
    }
}

/// Why parts do not make up a whole.
#[derive(Debug, Error)]
pub enum JoinError {
    /// A part that does not belong to the first.
    #[error("{}: is a part {difference}; {} is not", path.display(), first.display())]
    Foreign {
        /// Where it is.
        path: PathBuf,
        /// In what it differs.
        difference: String,
        /// Where the first part is.
        first: PathBuf,
    },
    /// A part with games still to be played.
    #[error("{}: is unfinished; go on with --resume first", path.display())]
    Unfinished {
        /// Where it is.
        path: PathBuf,
    },
    /// A part that counts what its shard does not.
    #[error("{}: its counts do not belong to its spec", path.display())]
    Broken {
        /// Where it is.
        path: PathBuf,
    },
    /// Sets that are in two parts.
    #[error("sets {from} to {to} are in both {} and {}", one.display(), other.display())]
    Overlap {
        /// The first set that both have.
        from: u64,
        /// The last.
        to: u64,
        /// One of the parts.
        one: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// Sets that are in no part.
    #[error("sets {from} to {to} are in none of the parts")]
    Gap {
        /// The first set that is missing.
        from: u64,
        /// The last.
        to: u64,
    },
}

/// Parts of one run, in the order of their sets, found to be all of it.
#[derive(Debug)]
pub struct Joined {
    /// The run as a whole.
    pub whole: Standing,
    /// The parts in their order, each with where it is.
    pub parts: Vec<(PathBuf, Standing)>,
}

impl Joined {
    /// Joins parts of the contest of the first.
    ///
    /// # Errors
    /// If there is any set that they do not have exactly once, or they are not of the same run.
    ///
    /// # Panics
    /// If there is no part.
    pub fn of(mut parts: Vec<(PathBuf, Standing)>, contest: &Contest) -> Result<Self, JoinError> {
        let (first, job) = (parts[0].0.clone(), Job { shard: Shard::WHOLE, ..parts[0].1.job.clone() });
        for (path, standing) in &parts {
            let path = path.clone();
            if let Some(difference) = job.difference(&Job { shard: Shard::WHOLE, ..standing.job.clone() }) {
                return Err(JoinError::Foreign { path, difference, first });
            }
            if !standing.part.is_of(contest, standing.job.shard) {
                return Err(JoinError::Broken { path });
            }
            if !standing.part.is_finished() {
                return Err(JoinError::Unfinished { path });
            }
        }
        // A shard has the same sets in each section. An empty one, of more shards than sets, is in nobody's way.
        let sets = |standing: &Standing| standing.part.sections.first().map_or(0..0, |section| section.sets.clone());
        parts.sort_by_key(|(_, standing)| (sets(standing).start, sets(standing).end));
        let (mut next, mut last): (u64, Option<&PathBuf>) = (0, None);
        for (path, standing) in &parts {
            let here = sets(standing);
            match last {
                _ if here.is_empty() => continue,
                _ if here.start > next => return Err(JoinError::Gap { from: next, to: here.start - 1 }),
                Some(last) if here.start < next => {
                    let (one, other) = (last.clone(), path.clone());
                    return Err(JoinError::Overlap { from: here.start, to: here.end.min(next) - 1, one, other });
                }
                _ => (next, last) = (here.end, Some(path)),
            }
        }
        if next < contest.schedule().sets {
            return Err(JoinError::Gap { from: next, to: contest.schedule().sets - 1 });
        }
        let mut whole = Standing::begin(job, contest);
        for (_, standing) in &parts {
            whole.seconds += standing.seconds;
            whole.part.sections.iter_mut().zip(&standing.part.sections).for_each(|(all, part)| join(all, part));
        }
        Ok(Self { whole, parts })
    }
}

fn join(all: &mut SectionPart, part: &SectionPart) {
    all.tally.merge(&part.tally);
    all.rows += part.rows;
    all.next += part.sets.end - part.sets.start;
}
