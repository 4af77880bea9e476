//! People against agents: on a page from a local server, or line by line in a terminal.
//!
//! [`run`] is the command `unolab-play` with your agents, in a `main` of one line. A [`session::Session`] is the game;
//! [`text`] and [`server`] show it to people; [`handheld`] is the electronic game of the handheld edition.

pub mod args;
mod page;
pub mod session;
mod variant;

pub mod table;

pub mod handheld;
pub mod server;
pub mod text;

use std::io::{Write, stderr};
use std::process::ExitCode;

use clap::Parser;
use unolab::agents::registry::Registry;
use unolab::agents::stop::SystemFailure;
use unolab::process::{is_closed_pipe, run_on_large_stack};

use crate::args::Args;

/// Runs the command `unolab-play` with its command-line arguments and the agents of this registry. Exit status: 0 done, 2 bad
/// input.
#[must_use]
pub fn run(registry: Registry) -> ExitCode {
    let done = run_on_large_stack(|| execute(&registry));
    match done.unwrap_or_else(|SystemFailure(reason)| Err(anyhow::Error::msg(reason))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(stderr(), "error: {error:#}");
            ExitCode::from(2)
        }
    }
}

fn execute(registry: &Registry) -> anyhow::Result<()> {
    let args = Args::parse();
    match (args.text, args.handheld) {
        (true, false) => text::run(&args, registry),
        (false, _) => server::run(args, registry),
        (true, true) => Err(anyhow::anyhow!("--handheld has its own page and cannot be played with --text")),
    }
}
