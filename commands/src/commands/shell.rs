//! `unolab completions`, `unolab man`: shell completions and manual pages.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Args, Command};
use clap_complete::Shell;
use clap_mangen::Man;
use roff::{Roff, bold, roman};
use unolab_agents::registry::Registry;
use unolab_engine::rules::{Parameters, presets};

use crate::args::examples;
use crate::exit::Exit;
use crate::output::{print, print_bytes};

/// The shell to complete commands in.
#[derive(Debug, Args)]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// The directory of the manual pages.
#[derive(Debug, Args)]
pub(crate) struct ManArgs {
    /// The directory for one page per command; without it, print the page of unolab
    #[arg(value_name = "DIR")]
    pub(crate) directory: Option<PathBuf>,
}

/// Prints the completions of this command line.
pub(crate) fn complete(args: &CompletionsArgs, command: Command, registry: &Registry) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    let with_values = |command: Command| command.mut_args(|arg| with_values(arg, args.shell, registry));
    let mut command = with_values(command).mut_subcommands(with_values);
    clap_complete::generate(args.shell, &mut command, "unolab", &mut script);
    print_bytes(&script)?;
    Ok(Exit::Done)
}

/// An option with the values to complete: agents, rule keys, presets.
fn with_values(arg: Arg, shell: Shell, registry: &Registry) -> Arg {
    let proposed: Vec<String> = match (arg.get_long(), shell) {
        (Some("agents"), _) => registry.entries().map(|agent| agent.name.into()).collect(),
        (Some("set"), _) => Parameters::key_docs().iter().map(|doc| format!("{}=", doc.key)).collect(),
        // Bash falls back to files if no preset fits; in other shells presets would hide files.
        (Some("variant"), Shell::Bash) => presets::NAMES.map(str::to_owned).into(),
        _ => return arg,
    };
    arg.value_parser(PossibleValuesParser::new(proposed))
}

/// Writes the manual pages of this command line.
pub(crate) fn man(args: &ManArgs, command: Command) -> anyhow::Result<Exit> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let Some(directory) = &args.directory else {
        print_bytes(&page(&command, "").context("the page")?)?;
        return Ok(Exit::Done);
    };
    let written = fs::create_dir_all(directory).and_then(|()| write_pages(&command, "", directory));
    written.with_context(|| directory.display().to_string())?;
    print(&format!("manual pages in {}\n", directory.display()))?;
    Ok(Exit::Done)
}

/// The page of a command, which has this name in the list of examples, and the pages of its subcommands.
fn write_pages(command: &Command, name: &str, directory: &Path) -> io::Result<()> {
    for subcommand in command.get_subcommands().filter(|subcommand| !subcommand.is_hide_set()) {
        let of_examples = if name.is_empty() {
            subcommand.get_name().to_owned()
        } else {
            format!("{name} {}", subcommand.get_name())
        };
        write_pages(subcommand, &of_examples, directory)?;
    }
    fs::write(directory.join(Man::new(command.clone()).get_filename()), page(command, name)?)
}

/// A manual page: examples are a separate section, as usual, not the lines at the end of the help.
fn page(command: &Command, name: &str) -> io::Result<Vec<u8>> {
    let man = Man::new(command.clone());
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    man.render_options_section(&mut page)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut page)?;
    }
    let examples = examples::of(name);
    if !examples.is_empty() {
        let mut section = Roff::new();
        section.control("SH", ["EXAMPLES"]);
        for (line, meaning) in examples {
            section.control("TP", []).text([bold(*line)]).text([roman(*meaning)]);
        }
        section.to_writer(&mut page)?;
    }
    if command.get_version().or_else(|| command.get_long_version()).is_some() {
        man.render_version_section(&mut page)?;
    }
    Ok(page)
}
