//! `unolab bot`: writes a first bot, prints the protocol.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, Subcommand, ValueEnum};

use unolab_agents::protocol::PROTOCOL;

use crate::disk::new_dir;
use crate::exit::Exit;
use crate::output::print;

/// The action for your own bot.
#[derive(Debug, Args)]
pub(crate) struct BotArgs {
    /// The action.
    #[command(subcommand)]
    pub(crate) action: BotAction,
}

/// The actions for your own bot.
#[derive(Debug, Subcommand)]
pub(crate) enum BotAction {
    /// Write a starter bot
    New {
        /// The language
        #[arg(value_enum)]
        language: Language,
        /// The directory, new or empty
        #[arg(value_name = "DIR")]
        directory: PathBuf,
        /// The path of the crate unolab, for a bot in Rust [default: where this command was built]
        #[arg(long, value_name = "DIR")]
        source: Option<PathBuf>,
    },
    /// Print the protocol, with every message and field
    Protocol,
}

/// The languages of a first bot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Language {
    /// A script over the line protocol
    Python,
    /// A script for Node.js over the line protocol
    Javascript,
    /// A crate with its own agent and every command of unolab
    Rust,
}

pub(crate) fn run(args: BotArgs) -> anyhow::Result<Exit> {
    let BotAction::New { language, directory, source } = args.action else {
        print(PROTOCOL)?;
        return Ok(Exit::Done);
    };
    let files = match language {
        Language::Python => script("bot.py", include_str!("bot/start.py"), "python3"),
        Language::Javascript => script("bot.js", include_str!("bot/start.js"), "node"),
        Language::Rust => crate_of(&directory, &source_of_unolab(source)?)?,
    };
    let _dir = new_dir("DIR", &directory)?;
    write_all(&directory, &files).inspect_err(|_| remove_all(&directory, &files))?;
    let (first, _) = &files[0];
    print(&format!(
        "{} is a working bot; {} has the next steps\n",
        directory.join(first).display(),
        directory.join("README.md").display()
    ))?;
    Ok(Exit::Done)
}

/// The files of a new program, the one to edit first.
type Files = Vec<(&'static str, String)>;

fn write_all(directory: &Path, files: &Files) -> anyhow::Result<()> {
    for (name, text) in files {
        let path = directory.join(name);
        let made = path.parent().map_or(Ok(()), fs::create_dir_all);
        made.and_then(|()| fs::write(&path, text)).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// Removes the files that could be written before another could not.
fn remove_all(directory: &Path, files: &Files) {
    for path in files.iter().map(|(name, _)| directory.join(name)) {
        let _ = fs::remove_file(&path);
        let _ = path.parent().filter(|parent| *parent != directory).map(fs::remove_dir);
    }
}

fn script(name: &'static str, text: &str, interpreter: &str) -> Files {
    vec![
        (name, text.to_owned()),
        ("README.md", readme_of_script(name, interpreter)),
        ("PROTOCOL.md", PROTOCOL.to_owned()),
    ]
}

fn readme_of_script(name: &str, interpreter: &str) -> String {
    format!(
        "# A bot for unolab\n\n\
         `{name}` reads and writes lines of JSON on standard input and output. `PROTOCOL.md` describes every message and field. In this directory:\n\n\
         ```console\n\
         $ unolab check --agents 'mine=cmd:\"{interpreter} {name}\"'     # legality, determinism, time, information leaks\n\
         $ unolab match --agents 'mine=cmd:\"{interpreter} {name}\",greedy' --seats 2 --sets 100 --record games --record-only lost:mine\n\
         $ ls games                                                  # the games that it lost, such as game-1.jsonl\n\
         $ unolab replay --show games/game-1.jsonl                   # move by move\n\
         $ unolab debug games/game-1.jsonl --seat mine -- {interpreter} {name}   # ask the bot for its decisions again\n\
         $ unolab ladder --agents 'mine=cmd:\"{interpreter} {name}\",greedy,heuristic'   # after each change: results by version\n\
         ```\n\n\
         The standard error of the bot is saved in the run directory as `bots/mine.stderr`. `--bot-log DIR` logs every protocol message.\n"
    )
}

/// The directory of the crate unolab.
fn source_of_unolab(given: Option<PathBuf>) -> anyhow::Result<PathBuf> {
    let built = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../cli"));
    let source = given.unwrap_or_else(|| built.to_owned());
    if !source.join("Cargo.toml").is_file() {
        bail!(
            "--source {}: holds no Cargo.toml; allowed: the directory `cli` of the source of unolab",
            source.display()
        );
    }
    fs::canonicalize(&source).with_context(|| format!("--source {}", source.display()))
}

fn crate_of(directory: &Path, source: &Path) -> anyhow::Result<Files> {
    let name = directory.file_name().and_then(|name| name.to_str()).unwrap_or("mybot");
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if !is_name {
        bail!("{name}: cannot be the name of a crate; allowed: letters, digits, - and _, a letter first");
    }
    let source = source.to_str().with_context(|| format!("{}: is not a text in UTF-8", source.display()))?;
    let source = source.replace('\\', "\\\\").replace('"', "\\\"");
    let manifest = include_str!("bot/start.toml").replace("NAME", name).replace("SOURCE", &source);
    let main = include_str!("bot/start.rs").replace("cargo run --release -p own-bot", "cargo run --release");
    let readme = "# An agent for unolab in Rust\n\n\
         `src/main.rs` contains two agents: `thrifty`, with an option and a memory, and `highest`, a policy for whole turns, which\n\
         plays more games per second. The program has every command of unolab. In this directory:\n\n\
         ```console\n\
         $ cargo run --release -- check --agents thrifty\n\
         $ cargo run --release -- match --agents thrifty:bonus=30,greedy --sets 1e4\n\
         $ cargo run --release -- sprt --agents new=thrifty:bonus=30,old=thrifty --nelo1 20\n\
         $ cargo run --profile tournament -- match --agents thrifty,greedy --sets 1e6    # for long runs\n\
         $ cargo doc --open                                                              # all methods\n\
         ```\n\n\
         The first build compiles all of unolab, which takes some minutes. After an edit of `src/main.rs`, a build with `--release` takes\n\
         seconds. With `--profile tournament` it takes minutes, and games run about a third faster.\n";
    Ok(vec![("src/main.rs", main), ("Cargo.toml", manifest), ("README.md", readme.to_owned())])
}
