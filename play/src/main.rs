//! `unolab-play`: people against the agents of unolab.

use std::process::ExitCode;

fn main() -> ExitCode {
    unolab_play::run(unolab::agents::registry::Registry::default())
}
