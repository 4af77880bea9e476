//! Vectors in registers of plain words: slow, but they test the vector code on processors without AVX-512.

mod registers;
#[allow(clippy::duplicate_mod, clippy::redundant_closure, reason = "the same code, compiled for other instructions")]
#[path = "../vector.rs"]
pub(crate) mod vector;

/// The counterpart of the AVX-512 proof; every processor has words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instructions;

#[cfg(test)]
impl Instructions {
    const fn detect() -> Option<Self> {
        Some(Self)
    }
}

/// Compiles functions without additional instructions.
macro_rules! for_instructions {
    ($($function:item)*) => {
        $(#[inline] $function)*
    };
}
pub(crate) use for_instructions;

/// Calls a function.
macro_rules! call_compiled {
    ($promise:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let Instructions = $promise;
        $function($($argument),*)
    }};
}
pub(crate) use call_compiled;
