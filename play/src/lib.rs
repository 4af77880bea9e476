//! People against agents: on a page that this machine serves, or line by line in a terminal.
//!
//! [`run`] is the command `unolab-play` with agents of one's own: a `main` of a line. Inside, a [`session::Session`] is the
//! game; [`text`] and [`server`] put it before people; [`handheld`] is the machine of the handheld edition's sheet, with
//! its levels, its clock and its hi-score.

pub mod args;
pub mod handheld;
mod page;
pub mod server;
pub mod session;
pub mod table;
pub mod text;
mod variant;

use std::process::ExitCode;

use clap::Parser;
use unolab::agents::registry::Registry;

use crate::args::Args;

/// The command `unolab-play`, as its arguments say, with the agents of this registry. Exit status: 0 done, 2 bad input.
#[must_use]
pub fn run(registry: Registry) -> ExitCode {
    let args = Args::parse();
    let done = match (args.text, args.handheld) {
        (true, false) => text::run(&args, &registry),
        (false, _) => server::run(args, registry),
        (true, true) => Err(anyhow::anyhow!("--handheld has a page of its own and cannot be played with --text")),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::from(2)
        }
    }
}
