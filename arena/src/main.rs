//! `unolab`: seeded tournaments of UNO-like card games on the command line.

mod cli;
mod commands;
mod disk;
mod exit;
mod output;
mod progress;

use std::panic;
use std::process::ExitCode;

use clap::Parser;
use unolab_arena::play::guarded::is_guarding;

use crate::cli::{Cli, Command};

fn main() -> ExitCode {
    tell_no_panic_twice();
    // This process starts nobody else while programs play.
    #[cfg(unix)]
    unolab_agents::external::adopt_orphans();
    let Cli { command, tournament } = Cli::parse();
    exit::code_of(match command.unwrap_or(Command::Tournament(tournament)) {
        Command::Tournament(args) => commands::tournament::run(args),
        Command::Match(args) => commands::one_match::run(args),
        Command::Balance(args) => commands::balance::run(args),
        Command::Sprt(args) => commands::sprt::run(args),
        Command::Rate(args) => commands::rate::run(&args),
        Command::Scenario(args) => commands::scenario::run(&args),
        Command::Replay(args) => commands::replay::run(&args),
        Command::Analyze(args) => commands::analyze::run(&args),
        Command::Perft(args) => commands::perft::run(&args),
        Command::Variants(args) => commands::variants::run(args),
        Command::Agents(args) => commands::agents::run(args),
        Command::Check(args) => commands::check::run(&args),
        Command::Bench(args) => commands::bench::run(&args),
        Command::Merge(args) => commands::merge::run(&args),
        Command::Verify(args) => commands::verify::run(&args),
        Command::Report(args) => commands::report::run(&args),
    })
}

/// The panics of guarded agents are told in the tables.
fn tell_no_panic_twice() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !is_guarding() {
            tell(panic);
        }
    }));
}
