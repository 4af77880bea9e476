//! The batch, compiled for AVX-512.

#[allow(clippy::duplicate_mod, reason = "the same batch, compiled for other instructions")]
#[path = "../batch/mod.rs"]
pub(super) mod batch;
mod registers;

use crate::fast::isa::{Avx512 as Instructions, call_avx512 as call_compiled, for_avx512 as for_instructions};
pub(super) use batch::Batch;
