//! `unolab`: seeded tournaments of UNO-like card games on the command line.

use std::process::ExitCode;

use unolab::agents::registry::Registry;

fn main() -> ExitCode {
    unolab::run(Registry::default())
}
