//! The batch, compiled for AVX-512.

#[allow(clippy::duplicate_mod, reason = "the same batch, compiled for other instructions")]
#[path = "batch/mod.rs"]
mod batch;

use crate::cpu::simd::avx512::{Instructions, call_compiled, for_instructions, vector};
pub(super) use batch::Batch;
