//! [`Experiment`]: a spec, additive counts, and the sets that may be played now.

use std::ops::Range;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::checkpoint::{Counts, RunSpec};
use super::checksum::WrittenRows;
use super::error::RunError;
use super::shard::Shard;
use crate::schedule::patience::{Patience, TimeoutStreak};

/// Sets of one part of a run: of a section, of the season of a tier, of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The part, by its number in the run.
    pub part: usize,
    /// Its sets.
    pub sets: Range<u64>,
}

/// The options for playing a batch.
#[derive(Debug, Clone, Copy)]
pub struct Play<'a> {
    /// The games of every k-th set become rows of `games.csv`.
    pub games_every: Option<u64>,
    /// Whether agents of this run have panicked and are therefore guarded.
    pub have_panicked: &'a AtomicBool,
    /// The patience with the entrants before the first game.
    pub patience: &'a Patience,
}

/// A long computation, such as a tournament, a sequential test, a league, or a balance run.
///
/// Counts are additive integers, and batches are added in the order of their sets. So the result does not depend on the
/// number of threads, on the division into batches, or on how often the run was resumed.
pub trait Experiment: Sync {
    /// Everything that determines the tables.
    type Spec: RunSpec + Sync;
    /// The counts.
    type Counts: Counts + Send + Sync;
    /// The result of a batch, from a thread of this or another machine.
    type Played: Send + Serialize + DeserializeOwned;

    /// The maximum number of sets in a batch.
    const MOST_SETS: u64 = u64::MAX;

    /// The approximate time of a batch.
    const BATCH_TIME: Duration = Duration::from_millis(100);

    /// The spec.
    fn spec(&self) -> &Self::Spec;

    /// The number of games that its agents play at once, from 1. With fewer threads, a program that answers in batches
    /// gets smaller batches.
    fn games_at_once(&self) -> usize;

    /// Zero counts of a shard.
    fn empty(&self, shard: Shard) -> Self::Counts;

    /// Whether these are possible counts of that shard. Counts from other programs are invalid.
    fn accepts(&self, counts: &Self::Counts, shard: Shard) -> bool;

    /// The horizon: the sets that may be played now, independent of missing results; empty once the run is finished. Other
    /// threads and machines receive only sets of the horizon.
    ///
    /// # Errors
    /// If the next games cannot be played.
    fn horizon(&self, counts: &Self::Counts) -> Result<Vec<Batch>, RunError>;

    /// The patience with the entrants before a batch, according to these counts. The batch begins where they end, or later.
    fn patience(&self, _counts: &Self::Counts, _batch: &Batch) -> Patience {
        Patience::default()
    }

    /// The streaks of timeouts of the entrants in a batch, in the order of its patience.
    fn streaks(_played: &Self::Played) -> Vec<TimeoutStreak> {
        Vec::new()
    }

    /// Plays a batch on this thread.
    ///
    /// # Errors
    /// If a game panics outside an agent, or the system fails.
    fn play(&self, batch: &Batch, how: Play<'_>) -> Result<Self::Played, RunError>;

    /// The rows of `games.csv` of a batch.
    fn rows(_played: &Self::Played) -> &[u8] {
        &[]
    }

    /// The rows of the counted games, section by section, in the order of `games.csv`.
    fn written(&self, _counts: &Self::Counts) -> Vec<WrittenRows> {
        Vec::new()
    }

    /// Prepares the outputs of single games, before the sets after these counts are played.
    ///
    /// # Errors
    /// If they cannot be written.
    fn begin(&self, _counts: &Self::Counts) -> Result<(), RunError> {
        Ok(())
    }

    /// Writes the outputs of single games, before they are counted.
    ///
    /// # Errors
    /// If they cannot be written.
    fn write(&self, _played: &Self::Played) -> Result<(), RunError> {
        Ok(())
    }

    /// Whether this is a possible result of a batch, with these options. A result from another machine may be invalid.
    fn can_be_of(&self, batch: &Batch, how: Play<'_>, played: &Self::Played) -> bool;

    /// Adds the result of the next batch in order.
    fn merge(&self, counts: &mut Self::Counts, batch: &Batch, played: Self::Played);

    /// The number of counted games.
    fn games(&self, counts: &Self::Counts) -> u64;
}
