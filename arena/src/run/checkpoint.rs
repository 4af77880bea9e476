//! `checkpoint.json` and `shard.json`: the progress of a run, with everything needed to resume or merge it.

use std::ops::Range;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use unolab_engine::rng;

use crate::run::digest::with_digest;
use crate::run::programs::ProgramVersions;
use crate::run::shard::{RunProgress, Shard};
use crate::run::spec_difference::WrittenSpec;
use crate::spec::luck::LuckAdjustment;
use crate::spec::seal::Seal;
use crate::spec::{Spec, SpecHash};

/// The name of the file while games are still to be played.
pub const CHECKPOINT_FILE: &str = "checkpoint.json";

/// The name of the file of a finished shard.
pub const SHARD_FILE: &str = "shard.json";

/// Everything that determines the tables of a run.
pub trait RunSpec: Clone + PartialEq + Serialize + DeserializeOwned {
    /// The hash that identifies it.
    fn hash(&self) -> SpecHash;

    /// The specs of the agents that play.
    fn agents(&self) -> Vec<&str>;

    /// The seal of a sealed run.
    fn seal(&self) -> Option<&Seal>;
}

impl RunSpec for Spec {
    fn hash(&self) -> SpecHash {
        self.hash()
    }

    fn agents(&self) -> Vec<&str> {
        self.entrants.iter().map(|entrant| &*entrant.agent).collect()
    }

    fn seal(&self) -> Option<&Seal> {
        self.seal.as_ref()
    }
}

/// The counts of a run or a shard.
pub trait Counts: Clone + Serialize + DeserializeOwned {
    /// The number of counted sets.
    fn done(&self) -> RunProgress;
}

/// Counts that can be divided into shards.
pub trait Sharded: Counts {
    /// The sets of each section, or of each other part of the run.
    fn sets(&self) -> Vec<Range<u64>>;

    /// Adds the counts of other sets.
    fn join(&mut self, other: &Self);
}

/// The progress of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Checkpoint<S, C> {
    /// The job.
    pub job: Job<S>,
    /// The time so far; zero, and left out, in a finished shard.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub seconds: f64,
    /// The counts.
    pub counts: C,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn is_zero(seconds: &f64) -> bool {
    *seconds == 0.0
}

/// The time that a finished shard took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct ShardTime {
    /// In seconds.
    pub seconds: f64,
}

/// A run or a shard of it, without its progress. A run can only be resumed as the same job.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Job<S> {
    /// The version of this program.
    pub unolab: String,
    /// The generator of random numbers.
    pub generator: String,
    /// The hash of the spec.
    pub spec_hash: String,
    /// The spec.
    pub spec: S,
    /// The shard of the spec.
    pub shard: Shard,
    /// Its optional outputs.
    #[serde(flatten)]
    pub outputs: OutputOptions,
    /// The programs that play.
    #[serde(flatten)]
    pub played_with: ProgramVersions,
}

/// The optional outputs of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct OutputOptions {
    /// The games of every k-th set are written to games.csv.
    #[serde(default)]
    pub games_csv: Option<u64>,
    /// Whether luck.csv is written.
    #[serde(default)]
    pub luck: LuckAdjustment,
    /// The confinement of programs, if a sandbox was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<ConfinementLevel>,
    /// With `--record`: the number of sets, counted from the first, whose games may be recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded: Option<u64>,
    /// With `--record-only`: a hash of its text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recorded_only: Option<u64>,
}

/// The confinement of programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConfinementLevel {
    /// Restricted from other files, from processes, and from the network.
    Full,
    /// With only some of these restrictions.
    Partial,
    /// Without restrictions: the system does not support them.
    None,
}

impl ConfinementLevel {
    /// Its name in `run.json`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial => "partial",
            Self::None => "none",
        }
    }
}

impl OutputOptions {
    /// The difference from another run.
    fn difference(self, other: Self) -> Option<String> {
        if self.games_csv != other.games_csv {
            return Some(match other.games_csv {
                None => "without --games-csv".to_owned(),
                Some(1) => "with --games-csv".to_owned(),
                Some(every) => format!("with --games-csv={every}"),
            });
        }
        if self.sandbox != other.sandbox {
            return Some(match other.sandbox {
                None => "without --sandbox".to_owned(),
                Some(confined) => format!("with a sandbox that was {}", confined.name()),
            });
        }
        if self.recorded != other.recorded {
            return Some(match other.recorded {
                None => "without --record".to_owned(),
                Some(u64::MAX) => "with --record of all its sets".to_owned(),
                Some(sets) => format!("with --record --record-sets {sets}"),
            });
        }
        if self.recorded_only != other.recorded_only {
            return Some(match other.recorded_only {
                None => "without --record-only".to_owned(),
                Some(_) if self.recorded_only.is_none() => "with --record-only".to_owned(),
                Some(_) => "with another --record-only".to_owned(),
            });
        }
        (self.luck != other.luck).then(|| match other.luck {
            LuckAdjustment::Off => "without --luck".to_owned(),
            LuckAdjustment::On => "with --luck".to_owned(),
        })
    }

    /// Whether a file is requested here that the other run has not written.
    #[must_use]
    pub fn is_missing_in(self, other: Self) -> bool {
        let games = self.games_csv.is_some() && self.games_csv != other.games_csv;
        let records =
            self.recorded.is_some() && (self.recorded, self.recorded_only) != (other.recorded, other.recorded_only);
        games || records || (self.luck, other.luck) == (LuckAdjustment::On, LuckAdjustment::Off)
    }
}

impl<S: Serialize> Job<S> {
    /// The spec as text.
    pub(super) fn written_spec(&self) -> WrittenSpec {
        WrittenSpec::new(self.spec_hash.clone(), &self.spec)
    }
}

impl<S: RunSpec> Job<S> {
    /// This program's job of a spec.
    #[must_use]
    pub fn new(spec: &S, shard: Shard, outputs: OutputOptions) -> Self {
        Self {
            unolab: env!("CARGO_PKG_VERSION").into(),
            generator: rng::GENERATOR_ID.into(),
            spec_hash: spec.hash().to_string(),
            spec: spec.clone(),
            shard,
            outputs,
            played_with: ProgramVersions::now(spec.agents()),
        }
    }

    /// The difference from another job, in words: `of another spec (seed 7, not 1)`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        if self.spec_hash != other.spec_hash || self.spec != other.spec {
            Some(other.written_spec().difference_from(&self.written_spec()))
        } else if (&self.unolab, &self.generator) != (&other.unolab, &other.generator) {
            Some(format!("of another version (unolab {}, {})", other.unolab, other.generator))
        } else if self.shard != other.shard {
            Some(format!("of --shard {}, not {}", other.shard, self.shard))
        } else {
            self.outputs.difference(other.outputs)
        }
    }
}

impl<S: RunSpec, C: Counts> Checkpoint<S, C> {
    /// The content of the file, which ends with a digest of itself.
    ///
    /// # Panics
    /// Never: the data is plain.
    #[must_use]
    pub fn to_json(&self) -> String {
        with_digest(&serde_json::to_string(self).expect("plain data can be written")) + "\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn missing_metrics_are_named_with_their_run() {
        let nothing = OutputOptions::default();
        let all = OutputOptions {
            games_csv: Some(1),
            recorded: Some(5),
            luck: LuckAdjustment::On,
            ..OutputOptions::default()
        };
        let parts = [
            OutputOptions { games_csv: Some(1), ..nothing },
            OutputOptions { recorded: Some(5), ..nothing },
            OutputOptions { luck: LuckAdjustment::On, ..nothing },
        ];
        for part in parts {
            assert!(
                part.is_missing_in(nothing) && !part.is_missing_in(all) && !nothing.is_missing_in(part),
                "{part:?}"
            );
        }
        assert!(OutputOptions { games_csv: Some(2), ..nothing }.is_missing_in(parts[0]));
        assert!(OutputOptions { recorded: Some(6), ..nothing }.is_missing_in(parts[1]));
    }
}
