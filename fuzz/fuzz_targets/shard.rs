//! A shard or checkpoint of a run, after its digest was verified: its counts become tables, or it is rejected.

#![no_main]

use std::path::PathBuf;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::counts::TournamentCheckpoint;
use unolab_arena::experiment::tournament::Tournament;
use unolab_arena::run::checkpoint::{Checkpoint, Job};
use unolab_arena::run::experiment::Experiment;
use unolab_arena::run::merge::MergedRun;
use unolab_arena::run::programs::ChangedPrograms;
use unolab_arena::run::shard::Shard;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::tables::{PlayedSection, distributions, faults, luck, pairs, ratings, seats, summary, to_csv};

/// The second half of a run; every input is taken as the first half.
const OTHER: &str = include_str!("../seeds/shard/2-of-2.json");

static HALF: LazyLock<TournamentCheckpoint> = LazyLock::new(|| serde_json::from_str(OTHER).expect("a shard"));

static CONTEST: LazyLock<Contest> =
    LazyLock::new(|| Contest::of(HALF.job.spec.clone(), &Registry::default()).expect("a contest"));

fuzz_target!(|bytes: &[u8]| {
    let Ok(part) = serde_json::from_slice::<TournamentCheckpoint>(bytes) else { return };
    let experiment = Tournament::of(&CONTEST);
    let job = Job { shard: Shard::WHOLE, ..part.job.clone() };
    let whole = Checkpoint { job, seconds: 0.0, counts: experiment.empty(Shard::WHOLE) };
    let is_its = |counts: &_, shard| experiment.accepts(counts, shard);
    let parts = vec![(PathBuf::from("one"), part), (PathBuf::from("other"), HALF.clone())];
    let Ok(merged) = MergedRun::of(parts, whole, ChangedPrograms::Accepted, is_its) else { return };
    let tallies = merged.whole.counts.tallies();
    for played in PlayedSection::all(CONTEST.spec(), CONTEST.schedule(), &tallies) {
        drop(to_csv(&summary::rows(played)));
        drop(to_csv(&seats::rows(played)));
        drop(to_csv(&pairs::rows(played)));
        drop(to_csv(&ratings::rows(played)));
        drop(to_csv(&distributions::rows(played)));
        drop(to_csv(&faults::rows(played)));
        drop(to_csv(&luck::rows(played)));
    }
});
