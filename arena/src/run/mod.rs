//! Runs: experiments, their driver, checkpoints, shards, other machines that play for a run, directories, and finished runs.

pub mod checkpoint;
pub mod checksum;
pub mod compare;
pub mod digest;
pub mod directory;
pub mod driver;
pub mod error;
pub mod experiment;
pub mod integrity;
pub mod manifest;
pub mod merge;
pub mod programs;
pub mod remote;
pub mod replay;
pub mod shard;
mod spec_difference;
pub mod stored;
