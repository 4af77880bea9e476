//! `unolab-play`: people against agents, with the agents that come with unolab.

use std::process::ExitCode;

fn main() -> ExitCode {
    unolab_play::run(unolab::agents::registry::Registry::default())
}
