//! Reads the finished run in a folder.

use std::fs;
use std::path::Path;

use serde::de::IgnoredAny;

use super::files::Manifest;
use crate::run::checkpoint::{Besides, Checkpoint, Job, SHARD_FILE};
use crate::run::manifest::{RUN_FILE, Run};
use crate::run::programs::PlayedWith;
use crate::run::shard::Shard;

/// A run or part of whatever kind.
pub(super) type Unknown = Checkpoint<IgnoredAny, IgnoredAny>;

/// A finished run or shard, as far as it says what it is.
#[derive(Debug)]
pub(super) struct FinishedRun {
    pub(super) spec_hash: String,
    pub(super) shard: Shard,
    pub(super) besides: Besides,
    /// With what it was played.
    pub(super) played_with: PlayedWith,
    /// Its files.
    pub(super) files: Manifest,
}

impl FinishedRun {
    pub(super) fn in_folder(path: &Path) -> Option<Self> {
        let read = |name| fs::read_to_string(path.join(name)).ok();
        if let Some(run) = read(RUN_FILE).and_then(|text| serde_json::from_str::<Run<IgnoredAny>>(&text).ok()) {
            let Run { spec_hash, besides, played_with, files, .. } = run;
            return Some(Self { spec_hash, shard: Shard::WHOLE, besides, played_with, files: Manifest::listed(files) });
        }
        let Job { spec_hash, shard, besides, played_with, .. } =
            serde_json::from_str::<Unknown>(&read(SHARD_FILE)?).ok()?.job;
        Some(Self { spec_hash, shard, besides, played_with, files: Manifest::of_part(besides.games_csv.is_some()) })
    }
}
