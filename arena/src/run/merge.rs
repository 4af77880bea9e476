//! Checks that shards together are the whole of a run, and merges them.

use std::path::PathBuf;

use thiserror::Error;

use crate::run::checkpoint::{Checkpoint, Job, OutputOptions, RunSpec, Sharded};
use crate::run::programs::ChangedPrograms;
use crate::run::shard::{RunProgress, Shard};

/// The reason why parts are not a whole run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MergeError {
    /// A part that does not belong to the same run as the first.
    #[error("{}: is a shard {difference}; {} is not", path.display(), first.display())]
    Foreign {
        /// Its path.
        path: PathBuf,
        /// The difference.
        difference: String,
        /// The path of the first shard.
        first: PathBuf,
    },
    /// A part played by different programs than the first.
    #[error("{}: was played by different programs than {}: {changes}; accept it with --allow-changed-bots", path.display(), first.display())]
    ChangedPrograms {
        /// Its path.
        path: PathBuf,
        /// The path of the first shard.
        first: PathBuf,
        /// The programs, in words.
        changes: String,
    },
    /// A part with games still to be played.
    #[error("{}: is unfinished; finish it with --resume first", path.display())]
    Unfinished {
        /// Its path.
        path: PathBuf,
    },
    /// A part whose counts are not the counts of its shard.
    #[error("{}: its counts do not belong to its spec", path.display())]
    Broken {
        /// Its path.
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
    /// Sets that no shard has.
    #[error("{missing}")]
    Gap {
        /// The missing shards, in words; of shards that do not divide the run alike, the missing sets.
        missing: String,
    },
}

/// Parts that together are a whole run, in the order of their sets.
#[derive(Debug)]
pub struct MergedRun<S, C> {
    /// The run as a whole.
    pub whole: Checkpoint<S, C>,
    /// The parts in their order, each with its path.
    pub parts: Vec<(PathBuf, Checkpoint<S, C>)>,
}

impl<S: RunSpec, C: Sharded> MergedRun<S, C> {
    /// Merges parts of one run into `whole`, whose counts are still empty. `is_its` checks the counts of a part against its
    /// shard. Parts that different programs have played are rejected, unless they are accepted.
    ///
    /// # Errors
    /// If the parts do not have every set exactly once, or are not of the same run.
    ///
    /// # Panics
    /// If there is no part.
    pub fn of(
        mut parts: Vec<(PathBuf, Checkpoint<S, C>)>,
        mut whole: Checkpoint<S, C>,
        changed_programs: ChangedPrograms,
        is_its: impl Fn(&C, Shard) -> bool,
    ) -> Result<Self, MergeError> {
        let first = parts[0].0.clone();
        for (path, checkpoint) in &parts {
            let path = path.clone();
            // Each part has its own records.
            let OutputOptions { recorded, recorded_only, .. } = whole.job.outputs;
            let outputs = OutputOptions { recorded, recorded_only, ..checkpoint.job.outputs };
            let part = Job { shard: Shard::WHOLE, outputs, ..checkpoint.job.clone() };
            if let Some(difference) = whole.job.difference(&part) {
                return Err(MergeError::Foreign { path, difference, first });
            }
            let played_with = &mut whole.job.played_with;
            let changes = played_with.changes(&checkpoint.job.played_with);
            if !changes.is_empty() && changed_programs == ChangedPrograms::Refused {
                return Err(MergeError::ChangedPrograms { path, first, changes: changes.join(", ") });
            }
            let more = changes.iter().chain(&checkpoint.job.played_with.changed_programs);
            let new: Vec<String> =
                more.filter(|change| !played_with.changed_programs.contains(change)).cloned().collect();
            played_with.changed_programs.extend(new);
            if !is_its(&checkpoint.counts, checkpoint.job.shard) {
                return Err(MergeError::Broken { path });
            }
            let RunProgress { done, of } = checkpoint.counts.done();
            if done < of {
                return Err(MergeError::Unfinished { path });
            }
        }
        // An empty shard, if there are more shards than sets, does not conflict with other parts.
        let sets = |checkpoint: &Checkpoint<S, C>| checkpoint.counts.sets();
        parts.sort_by_key(|(_, checkpoint)| {
            sets(checkpoint).iter().map(|sets| (sets.start, sets.end)).collect::<Vec<_>>()
        });
        for (section, all) in whole.counts.sets().into_iter().enumerate() {
            let mut next = 0;
            let mut last: Option<&PathBuf> = None;
            for (path, checkpoint) in &parts {
                let here = sets(checkpoint)[section].clone();
                match last {
                    _ if here.is_empty() => continue,
                    _ if here.start > next => return Err(gap(&parts, next, here.start - 1)),
                    Some(last) if here.start < next => {
                        let (one, other) = (last.clone(), path.clone());
                        return Err(MergeError::Overlap { from: here.start, to: here.end.min(next) - 1, one, other });
                    }
                    _ => (next, last) = (here.end, Some(path)),
                }
            }
            if next < all.end {
                return Err(gap(&parts, next, all.end - 1));
            }
        }
        for (_, checkpoint) in &parts {
            whole.counts.join(&checkpoint.counts);
        }
        Ok(Self { whole, parts })
    }
}

/// The number of missing shards that are listed.
const MOST_LISTED: usize = 10;

/// The error for parts without the sets from `from` to `to`.
fn gap<S, C>(parts: &[(PathBuf, Checkpoint<S, C>)], from: u64, to: u64) -> MergeError {
    let shards: Vec<Shard> = parts.iter().map(|(_, checkpoint)| checkpoint.job.shard).collect();
    let missing = match Shard::missing_among(&shards).unwrap_or_default()[..] {
        [] => format!("sets {from} to {to} are missing: no shard has them"),
        [shard] => format!("shard {shard} is missing"),
        ref all => {
            let listed: Vec<String> = all.iter().take(MOST_LISTED).map(Shard::to_string).collect();
            let more = all.len().saturating_sub(MOST_LISTED);
            let more = if more == 0 { String::new() } else { format!(" and {more} more") };
            format!("shards {}{more} are missing", listed.join(", "))
        }
    };
    MergeError::Gap { missing }
}
