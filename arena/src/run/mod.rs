//! Runs: experiments, their driver, checkpoints, shards, other machines that play for a run, directories, and finished runs.

pub mod active;
pub mod checkpoint;
pub mod checksum;
pub mod compare;
pub mod digest;
pub mod directory;
pub mod driver;
pub mod error;
pub mod execution;
pub mod experiment;
pub mod integrity;
mod limits;
pub mod manifest;
pub mod merge;
pub mod merge_shards;
mod program_output;
pub mod programs;
pub mod remote;
pub mod replay;
pub mod results;
mod rows_file;
pub mod shard;
mod spec_difference;
pub mod stored;
mod workers;
