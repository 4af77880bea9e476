//! Any long work: what it is, how it is driven, how far it has come, its shards, other machines that play for it, its folder, and what a finished one leaves.

pub mod checkpoint;
pub mod checksum;
pub mod compare;
pub mod digest;
pub mod driver;
pub mod error;
pub mod experiment;
pub mod folder;
pub mod manifest;
pub mod merge;
pub mod programs;
pub mod remote;
pub mod shard;
pub mod stored;
