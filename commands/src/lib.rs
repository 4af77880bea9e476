//! The commands of unolab, and all its crates as one library, which the crate `unolab` re-exports.

pub mod disk;

pub mod process;

mod output;

mod exit;

mod interrupt;

pub mod progress;

mod args;

mod study;

mod deck;

mod balance_words;

mod tune_words;

pub mod terminal;

pub mod report;

pub mod watch;

mod commands;

mod command_line;

use std::ffi::OsString;
use std::panic;
use std::process::ExitCode;

use unolab_agents::registry::Registry;
use unolab_agents::stop::SystemFailure;
use unolab_arena::play::guarded::is_guarding;

pub use unolab_agents as agents;
pub use unolab_arena as arena;
pub use unolab_engine::*;
pub use unolab_stats as stats;

use unolab_arena::spec::Command as Contest;

use crate::command_line::{Cli, Command};
use crate::commands::r#match::MatchArgs;
use crate::commands::tournament::TournamentArgs;

/// Runs the command `unolab` with the arguments of this process and the agents of this registry.
#[must_use]
pub fn run(registry: Registry) -> ExitCode {
    #[cfg(unix)]
    unolab_agents::external::serve_as_launcher();
    ExitCode::from(run_with(std::env::args_os(), registry))
}

/// Runs the command with these arguments, the first of which is the program's name. Returns the exit status.
#[must_use]
pub fn run_with(arguments: impl IntoIterator<Item = OsString>, registry: Registry) -> u8 {
    let (arguments, registry): (Vec<OsString>, _) = (arguments.into_iter().collect(), &registry);
    let run = || {
        install_panic_hook();
        // This process starts no other processes while programs play.
        #[cfg(unix)]
        {
            unolab_agents::external::adopt_orphans();
            unolab_agents::external::deny_memory_access();
            unolab_agents::external::descriptors::raise_limit();
        }
        if let Err(error) = interrupt::report_file_size_limit().and_then(|()| progress::check_interval()) {
            return exit::code_of(Err(error));
        }
        let Cli { command, tournament } = match command_line::parse(&arguments) {
            Ok(cli) => cli,
            // Help and version go to standard output, which can be full.
            Err(told) => return exit::exit_code_of_parse_error(&told),
        };
        let command = command.unwrap_or(Command::Tournament(tournament));
        if takes_long(&command)
            && let Err(error) = interrupt::handle_ctrl_c()
        {
            return exit::code_of(Err(error));
        }
        let is_bare = arguments.len() <= 1;
        exit::code_of(match command {
            Command::Tournament(args) if is_bare => commands::default_command::run(args, registry),
            Command::Tournament(TournamentArgs { agents, format, run }) => {
                commands::tournament::run(Contest::Tournament { format }, agents, &run, registry)
            }
            Command::Match(MatchArgs { agents, run }) => {
                commands::tournament::run(Contest::Match, agents, &run, registry)
            }
            Command::Balance(args) => commands::balance::run(args, registry),
            Command::Tune(args) => commands::tune::run(args, registry),
            Command::Sprt(args) => commands::sprt::run(args, registry),
            Command::Train(args) => commands::train::run(args, registry),
            Command::Status(args) => commands::status::run(&args),
            Command::Rate(args) => commands::rate::run(&args, registry),
            Command::Compare(args) => commands::compare::run(&args, registry),
            Command::Coverage(args) => commands::coverage::run(&args, registry),
            Command::Exploit(args) => commands::exploit::run(&args, registry),
            Command::Scenario(args) => commands::scenario::run(&args),
            Command::Replay(args) => commands::replay::run(&args),
            Command::Watch(args) => commands::replay::watch(&args),
            Command::Play(args) => commands::play::run(&args.arguments),
            Command::Analyze(args) => commands::analyze::run(&args),
            Command::Perft(args) => commands::perft::run(&args),
            Command::Variants(args) => commands::variants::run(args),
            Command::Agents(args) => commands::agents::run(args, registry),
            Command::Check(args) => commands::check::run(&args, registry),
            Command::Bot(args) => commands::bot::run(args),
            Command::Debug(args) => commands::debug::run(&args, registry),
            Command::Ladder(args) => commands::ladder::run(&args, registry),
            Command::Spsa(args) => commands::spsa::run(&args, registry),
            Command::Bench(args) => commands::bench::run(&args, registry),
            Command::Merge(args) => commands::merge::run(&args, registry),
            Command::Worker(args) => commands::worker::run(&args, registry),
            Command::Verify(args) => commands::verify::run(&args, registry),
            Command::Report(args) => commands::report::run(&args),
            Command::Completions(args) => commands::shell::complete(&args, command_line::command(), registry),
            Command::Man(args) => commands::shell::man(&args, command_line::command()),
        })
    };
    let done = process::run_on_large_stack(run);
    done.unwrap_or_else(|SystemFailure(reason)| exit::code_of(Err(anyhow::Error::msg(reason))))
}

/// Whether a command may run for a long time, without reading its input.
const fn takes_long(command: &Command) -> bool {
    matches!(
        command,
        Command::Tournament(_)
            | Command::Match(_)
            | Command::Balance(_)
            | Command::Tune(_)
            | Command::Sprt(_)
            | Command::Train(_)
            | Command::Compare(_)
            | Command::Coverage(_)
            | Command::Exploit(_)
            | Command::Analyze(_)
            | Command::Check(_)
            | Command::Ladder(_)
            | Command::Spsa(_)
            | Command::Merge(_)
            | Command::Verify(_)
    )
}

/// Prints no message for panics of guarded agents, because the tables list them.
fn install_panic_hook() {
    let tell = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if !is_guarding() {
            tell(panic);
        }
    }));
}
