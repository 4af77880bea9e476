//! The batch, compiled for any processor: slower than one round after the other, but a test of what vectors do where there
//! are none.

#[allow(clippy::duplicate_mod, clippy::redundant_closure, reason = "the same batch, compiled for other instructions")]
#[cfg_attr(not(test), allow(dead_code, reason = "only its test shuffles with words"))]
#[path = "../batch/mod.rs"]
mod batch;
mod registers;

pub(super) use batch::Batch;

/// The promise that this processor has words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Instructions;

#[cfg(test)]
impl Instructions {
    const fn detect() -> Option<Self> {
        Some(Self)
    }
}

/// Compiles functions as they are.
macro_rules! for_instructions {
    ($($function:item)*) => {
        $(#[inline] $function)*
    };
}
use for_instructions;

/// Calls a function.
macro_rules! call_compiled {
    ($promise:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let Instructions = $promise;
        $function($($argument),*)
    }};
}
use call_compiled;
