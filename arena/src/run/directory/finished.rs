//! Reads the finished run in a directory.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::Path;

use serde::de::IgnoredAny;
use serde_json::Value;

use super::files::{Manifest, files_in, is_needed};
use crate::run::checkpoint::{Checkpoint, Job, OutputOptions, SHARD_FILE};
use crate::run::integrity::{check_integrity, open};
use crate::run::manifest::{RUN_FILE, Run};
use crate::run::programs::ProgramVersions;
use crate::run::shard::Shard;
use crate::run::spec_difference::WrittenSpec;

/// A run or shard of any command.
pub(super) type AnyCheckpoint = Checkpoint<Value, IgnoredAny>;

/// The identifying fields of a finished run or shard.
#[derive(Debug)]
pub(super) struct FinishedRun {
    pub(super) spec: WrittenSpec,
    pub(super) shard: Shard,
    pub(super) outputs: OutputOptions,
    /// The programs that played it.
    pub(super) played_with: ProgramVersions,
    /// Its files.
    pub(super) files: Manifest,
}

/// The manifest of a directory, if it exists but is invalid, and the error.
pub(super) fn unreadable(path: &Path) -> Option<(&'static str, String)> {
    let wrong = |name: &'static str, parse: fn(&str) -> Option<String>| {
        let text = open(&path.join(name)).and_then(io::read_to_string);
        match text {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => Some((name, error.to_string())),
            Ok(text) => parse(&text).map(|reason| (name, reason)),
        }
    };
    wrong(RUN_FILE, |text| serde_json::from_str::<Run<Value>>(text).err().map(|error| error.to_string())).or_else(
        || wrong(SHARD_FILE, |text| serde_json::from_str::<AnyCheckpoint>(text).err().map(|error| error.to_string())),
    )
}

impl FinishedRun {
    /// A missing file, or a table without a header.
    pub(super) fn damage(&self, path: &Path) -> Option<String> {
        let Manifest::Listed(names) = &self.files else { return None };
        let missing =
            names.iter().filter(|name| is_needed(name)).find_map(|name| match fs::metadata(path.join(name)) {
                Err(error) => Some(format!("its file {name} is gone ({error})")),
                Ok(file) if file.len() == 0 && name.ends_with(".csv") => Some(format!("its file {name} is empty")),
                Ok(_) => None,
            });
        missing.or_else(|| {
            let changed = check_integrity(path).err()?;
            let name = changed.path.strip_prefix(path).unwrap_or(&changed.path).display().to_string();
            Some(format!("its file {name} {}", changed.reason))
        })
    }

    pub(super) fn in_dir(path: &Path) -> Option<Self> {
        let read = |name| open(&path.join(name)).and_then(io::read_to_string).ok();
        if let Some(run) = read(RUN_FILE).and_then(|text| serde_json::from_str::<Run<Value>>(&text).ok()) {
            let spec = WrittenSpec::new(run.spec_hash, &run.spec);
            let Run { outputs, played_with, files, .. } = run;
            return Some(Self { spec, shard: Shard::WHOLE, outputs, played_with, files: Manifest::listed(files) });
        }
        let job = serde_json::from_str::<AnyCheckpoint>(&read(SHARD_FILE)?).ok()?.job;
        let spec = job.written_spec();
        let Job { shard, outputs, played_with, .. } = job;
        let files = Manifest::of_part(outputs.games_csv.is_some(), files_in(path).unwrap_or_default());
        Some(Self { spec, shard, outputs, played_with, files })
    }
}
