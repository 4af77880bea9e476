//! The batch, compiled for any processor: slower than one round after the other, but it tests the vector code without
//! AVX-512.

#[allow(clippy::duplicate_mod, clippy::redundant_closure, reason = "the same batch, compiled for other instructions")]
#[path = "batch/mod.rs"]
mod batch;

pub(super) use crate::cpu::simd::words::Instructions;
use crate::cpu::simd::words::{call_compiled, for_instructions, vector};
pub(super) use batch::Batch;
