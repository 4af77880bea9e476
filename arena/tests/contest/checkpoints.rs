//! The checkpoints of a run in progress.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use unolab_arena::run::checkpoint::Counts;
use unolab_arena::run::driver::{self, Checkpoints, RunOptions};
use unolab_arena::run::error::RunError;
use unolab_arena::run::experiment::{Batch, Experiment, Play};
use unolab_arena::run::shard::{RunProgress, Shard};
use unolab_arena::spec::Spec;

use super::spec;

/// The number of sets of an experiment in which batches end out of order.
const SETS: u64 = 20;

/// Two threads: the first batch ends only when the third has begun, so the second waits to be counted.
struct OutOfOrder {
    spec: Spec,
    begun: AtomicU64,
    third_has_begun: Barrier,
}

#[derive(Clone, Serialize, Deserialize)]
struct Sets(u64);

impl Counts for Sets {
    fn done(&self) -> RunProgress {
        RunProgress { done: self.0, of: SETS }
    }
}

impl Experiment for OutOfOrder {
    type Spec = Spec;
    type Counts = Sets;
    type Played = u64;

    fn spec(&self) -> &Spec {
        &self.spec
    }

    fn games_at_once(&self) -> usize {
        1
    }

    fn empty(&self, _shard: Shard) -> Sets {
        Sets(0)
    }

    fn accepts(&self, _counts: &Sets, _shard: Shard) -> bool {
        true
    }

    fn horizon(&self, &Sets(counted): &Sets) -> Result<Vec<Batch>, RunError> {
        Ok((counted < SETS).then_some(Batch { part: 0, sets: counted..SETS }).into_iter().collect())
    }

    fn play(&self, batch: &Batch, _how: Play<'_>) -> Result<u64, RunError> {
        let is_third = self.begun.fetch_add(1, Ordering::Relaxed) == 2;
        if batch.sets.start == 0 || is_third {
            self.third_has_begun.wait();
        }
        Ok(batch.sets.end - batch.sets.start)
    }

    fn can_be_of(&self, batch: &Batch, _how: Play<'_>, &played: &u64) -> bool {
        played == batch.sets.end - batch.sets.start
    }

    fn merge(&self, counts: &mut Sets, _batch: &Batch, played: u64) {
        counts.0 += played;
    }

    fn games(&self, counts: &Sets) -> u64 {
        counts.0
    }
}

/// A batch that waits for an earlier one causes no checkpoint.
#[test]
fn checkpoints_grow() {
    let experiment = OutOfOrder {
        spec: spec(&["random", "greedy"], &[2], SETS),
        begun: AtomicU64::new(0),
        third_has_begun: Barrier::new(2),
    };
    let stop = AtomicBool::new(false);
    let kept = Mutex::new(vec![0]);
    let take = |&Sets(counted): &Sets| {
        kept.lock().expect("no thread panics").push(counted);
        Ok(())
    };
    let checkpoints = Some(Checkpoints { interval: Duration::ZERO, take: &take });
    let options = RunOptions { checkpoints, ..RunOptions::new(2, &stop) };
    let counted = driver::run(&experiment, Sets(0), options).expect("it is played");
    let kept = kept.into_inner().expect("no thread panicked");
    assert_eq!(counted.0, SETS);
    assert!(kept.len() > 1 && kept.is_sorted_by(|earlier, later| earlier < later), "{kept:?}");
}
