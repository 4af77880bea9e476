//! Any long work: what it is, how it is driven, how far it has come, its shards, its folder, and what a finished one leaves.

pub mod checksum;
pub mod digest;
pub mod driver;
pub mod error;
pub mod experiment;
pub mod folder;
pub mod joined;
pub mod manifest;
pub mod programs;
pub mod shard;
pub mod standing;
pub mod stored;
