//! Any long work: how far it has come, its shards, its folder, and what a finished one leaves.

pub mod checksum;
pub mod digest;
pub mod folder;
pub mod joined;
pub mod manifest;
pub mod programs;
pub mod shard;
pub mod standing;
pub mod stored;
pub mod stretches;
