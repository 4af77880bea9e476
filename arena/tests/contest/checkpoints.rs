//! What is kept of a run while it is played.

use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use unolab_agents::registry::Registry;
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::tournament;
use unolab_arena::run::checkpoint::Counts as _;
use unolab_arena::run::driver::{Checkpoints, RunOptions};
use unolab_arena::schedule::contest::Contest;

use super::spec;

/// Batches end out of order: one that waits for an earlier one gives nothing to keep.
#[test]
fn every_checkpoint_has_more_than_the_one_before() {
    let contest = Contest::of(spec(&["random", "greedy"], &[2], 2000), &Registry::default()).expect("a good spec");
    let stop = AtomicBool::new(false);
    let kept = Mutex::new(vec![0]);
    let take = |counts: &TournamentCounts| {
        kept.lock().expect("nobody panics").push(counts.done().done);
        Ok(())
    };
    let checkpoints = Some(Checkpoints { interval: Duration::ZERO, take: &take });
    tournament::play(&contest, RunOptions { checkpoints, ..RunOptions::new(8, &stop) }).expect("it is played");
    let kept = kept.into_inner().expect("nobody panicked");
    assert!(kept.len() > 3 && kept.is_sorted_by(|earlier, later| earlier < later), "{kept:?}");
}
