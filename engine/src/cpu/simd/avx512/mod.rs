//! Vectors in the registers of AVX-512.

mod registers;
#[allow(clippy::duplicate_mod, reason = "the same code, compiled for other instructions")]
#[path = "../vector.rs"]
pub(crate) mod vector;

pub(crate) use crate::cpu::isa::{
    Avx512 as Instructions, call_avx512 as call_compiled, for_avx512 as for_instructions,
};
