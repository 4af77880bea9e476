//! Agents that are programs: their confinement, and their log.

use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::{fs, io};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use unolab_agents::options::{Options, is_program, split_name};
use unolab_agents::registry::Registry;
use unolab_arena::run::checkpoint::ConfinementLevel;
use unolab_arena::spec::Entrant;

use super::parse::AgentList;
use crate::disk::new_dir;
use crate::output::warn;

/// The sandbox of programs, and their log.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "External bots")]
pub(crate) struct ProgramArgs {
    /// Restrict each bot's access to files, processes, and the network [default: off]
    #[arg(long, value_enum)]
    pub(crate) sandbox: Option<SandboxLevel>,
    /// In the sandbox, let bots also read this file or directory; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// In the sandbox, let bots read and write this file or directory; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_write: Vec<PathBuf>,
    /// In the sandbox, let this entrant use the network; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_network: Vec<String>,
    /// Log every protocol message to this directory, one file per process: to the bot (<-), from the bot (->), and its
    /// standard error (!!), with the milliseconds since its start. The directory must be new or empty; with --resume it may
    /// contain logs
    #[arg(long, value_name = "DIR")]
    pub(crate) bot_log: Option<PathBuf>,
}

/// The options of programs that may be set for all of them.
const EACH: [&str; 4] = ["decision_ms", "game_ms", "start_ms", "fresh"];

/// Options for all entrants that are programs.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "External bots")]
pub(crate) struct EachArgs {
    /// Add an option to every program that does not set it, such as decision_ms=100; may be repeated
    #[arg(long, value_name = "OPTION=VALUE", value_delimiter = ',', value_parser = parse_each)]
    pub(crate) each: Vec<EachOption>,
}

/// An option of programs, and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EachOption {
    option: &'static str,
    value: String,
}

fn parse_each(text: &str) -> Result<EachOption, String> {
    let (name, value) = text.split_once('=').unwrap_or((text, ""));
    match EACH.into_iter().find(|option| *option == name.trim()) {
        Some(option) if !value.trim().is_empty() => Ok(EachOption { option, value: value.trim().into() }),
        Some(option) => Err(format!("{option} has no value; expected {option}=VALUE")),
        None => Err(format!("unknown option of programs; allowed: {}, each with =VALUE", EACH.join(", "))),
    }
}

impl EachArgs {
    /// The agents with these options.
    ///
    /// # Errors
    /// If no agent is a program.
    pub(crate) fn added_to(&self, agents: Vec<AgentList>) -> anyhow::Result<Vec<AgentList>> {
        let own_options = |agent: &str| {
            let options = split_name(agent).1.parse::<Options>().ok();
            options.filter(|options| options.name == "cmd")
        };
        if !self.each.is_empty()
            && !agents.iter().flat_map(|AgentList(list)| list).any(|agent| own_options(agent).is_some())
        {
            let each = self.each.iter().map(|EachOption { option, value }| format!("{option}={value}"));
            bail!("--each {}: no entrant is a program (cmd:)", each.collect::<Vec<_>>().join(","));
        }
        let with_options = |agent: String| {
            let Some(own) = own_options(&agent) else { return agent };
            let is_new = |each: &&EachOption| own.clone().take::<String>(each.option, "").is_ok_and(|it| it.is_none());
            let new = self.each.iter().filter(is_new);
            new.fold(agent, |agent, EachOption { option, value }| format!("{agent},{option}={value}"))
        };
        let lists = agents.into_iter().map(|AgentList(list)| AgentList(list.into_iter().map(with_options).collect()));
        Ok(lists.collect())
    }
}

/// Whether programs are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SandboxLevel {
    /// Apply every restriction; refuse to play if the system does not support all of them.
    Require,
    /// Apply every restriction that this system supports.
    Auto,
    /// Let bots do everything that the user can do.
    Off,
}

/// Programs that are named by files.
#[derive(Debug, Clone, Copy, Default, Args)]
pub(crate) struct TrustArgs {
    /// Start the bots that the runs and studies name; by default, only the command line can name a bot to start
    #[arg(long, alias = "trust-programs")]
    pub(crate) trust_bots: bool,
}

impl TrustArgs {
    /// Checks that a file does not name a program, unless its programs are trusted. Every command that would start them calls
    /// this.
    ///
    /// # Errors
    /// If one of these strings of the file names a program.
    pub(crate) fn check<'a>(self, file: &Path, texts: impl IntoIterator<Item = &'a str>) -> anyhow::Result<()> {
        match texts.into_iter().find(|text| is_program(text)) {
            Some(text) if !self.trust_bots => bail!(
                "{}: `{text}` names a program, which is not started because only this file names it; if you trust it, add \
                 --trust-bots",
                file.display()
            ),
            _ => Ok(()),
        }
    }
}

/// Whether the contest of programs is sealed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SealMode {
    /// The contest is not sealed.
    Open,
    /// A sealed contest: programs are confined unless the user forbids it, and their seeds do not reveal the cards.
    Sealed,
}

impl SealMode {
    pub(super) const fn of(is_sealed: bool) -> Self {
        if is_sealed { Self::Sealed } else { Self::Open }
    }
}

impl ProgramArgs {
    fn sandbox(&self, seal_mode: SealMode) -> SandboxLevel {
        self.sandbox.unwrap_or(match seal_mode {
            SealMode::Sealed => SandboxLevel::Auto,
            SealMode::Open => SandboxLevel::Off,
        })
    }

    /// The confinement of programs by this system, if they play in the sandbox.
    pub(crate) fn confined(&self, seal_mode: SealMode) -> Option<ConfinementLevel> {
        (self.sandbox(seal_mode) != SandboxLevel::Off).then(possible)
    }

    /// The registry for these entrants. Its programs are confined as the options require, and cannot read the hidden
    /// files.
    ///
    /// # Errors
    /// If an option names an entrant that does not play.
    pub(crate) fn registry_for(
        &self,
        registry: &Registry,
        entrants: &[Entrant],
        seal_mode: SealMode,
        hidden: Vec<PathBuf>,
        log: LogDirectory,
    ) -> anyhow::Result<Registry> {
        let allows = [&self.allow_read, &self.allow_write].into_iter().any(|paths| !paths.is_empty());
        if self.sandbox(seal_mode) == SandboxLevel::Off && (allows || !self.allow_network.is_empty()) {
            bail!(
                "--allow-read, --allow-write and --allow-network are for programs in a sandbox: add --sandbox auto or require"
            );
        }
        let mut network = Vec::new();
        for name in &self.allow_network {
            let Some(entrant) = entrants.iter().find(|entrant| entrant.name == *name) else {
                let names: Vec<&str> = entrants.iter().map(|entrant| &*entrant.name).collect();
                bail!("--allow-network {name}: unknown entrant; entrants: {}", names.join(", "));
            };
            network.push(entrant.agent.trim().to_owned());
        }
        self.warn_of_sandbox_gaps(seal_mode);
        let hidden = hidden.into_iter().chain(self.bot_log.clone()).collect();
        self.with_policy(registry, entrants, (seal_mode, log), network, hidden)
    }

    /// Warns the user of each restriction that this system does not support.
    #[cfg(unix)]
    fn warn_of_sandbox_gaps(&self, seal_mode: SealMode) {
        use unolab_agents::external::Confinement;
        if self.sandbox(seal_mode) == SandboxLevel::Auto
            && let Confinement::Partial(reason) | Confinement::None(reason) = Confinement::possible()
        {
            warn(&format!("warning: the sandbox is not full: {reason}"));
        }
    }

    #[cfg(not(unix))]
    fn warn_of_sandbox_gaps(&self, _: SealMode) {}

    #[cfg(unix)]
    fn with_policy(
        &self,
        registry: &Registry,
        entrants: &[Entrant],
        (seal_mode, log): (SealMode, LogDirectory),
        network: Vec<String>,
        hidden: Vec<PathBuf>,
    ) -> anyhow::Result<Registry> {
        use unolab_agents::external::{Policy, ProgramSeed, Sandbox};
        Ok(registry.clone().with_policy(Policy {
            start: registry.policy().start,
            run_log: run_log(entrants, self.bot_log.as_deref(), log)?,
            program_seed: match seal_mode {
                SealMode::Sealed => ProgramSeed::AgentSeed,
                SealMode::Open => ProgramSeed::FirstView,
            },
            sandbox: match self.sandbox(seal_mode) {
                SandboxLevel::Require => Sandbox::Require,
                SandboxLevel::Auto => Sandbox::Auto,
                SandboxLevel::Off => Sandbox::Off,
            },
            network: network.into_iter().collect(),
            readable: self.allow_read.clone(),
            writable: self.allow_write.clone(),
            hidden,
        }))
    }

    /// There are no programs to confine.
    #[cfg(not(unix))]
    fn with_policy(
        &self,
        registry: &Registry,
        _: &[Entrant],
        _: (SealMode, LogDirectory),
        _: Vec<String>,
        _: Vec<PathBuf>,
    ) -> anyhow::Result<Registry> {
        Ok(registry.clone())
    }
}

/// The state of the directory of `--bot-log`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LogDirectory {
    /// It must be new or empty.
    New,
    /// It may contain logs of the resumed run, which are kept.
    Continued,
    /// Nothing is written.
    Unused,
}

/// The log of the programs among these entrants, if there are any.
#[cfg(unix)]
pub(crate) fn run_log(
    entrants: &[Entrant],
    log: Option<&Path>,
    directory: LogDirectory,
) -> anyhow::Result<Option<std::sync::Arc<unolab_agents::external::RunLog>>> {
    let has_programs = entrants.iter().any(|entrant| is_program(&entrant.agent));
    match log {
        Some(path) if has_programs && directory == LogDirectory::New => new_dir("--bot-log", path)?.keep(),
        Some(path) if has_programs && directory == LogDirectory::Continued => check_only_logs(path)?,
        Some(_) if has_programs => {}
        Some(_) => bail!("--bot-log: no entrant is a program (cmd:\"...\"), so there is nothing to log"),
        None => {}
    }
    if !has_programs {
        return Ok(None);
    }
    let log = log.filter(|_| directory != LogDirectory::Unused);
    let named = entrants.iter().map(|entrant| (&*entrant.agent, &*entrant.name));
    let place =
        || log.map_or_else(|| "standard error".into(), |directory| format!("--bot-log {}", directory.display()));
    let run_log = unolab_agents::external::RunLog::new(named, log).with_context(place)?;
    Ok(Some(std::sync::Arc::new(run_log)))
}

#[cfg(unix)]
fn check_only_logs(directory: &Path) -> anyhow::Result<()> {
    let is_log = |name: &std::ffi::OsStr| Path::new(name).extension().is_some_and(|ending| ending == "log");
    let names = match fs::read_dir(directory) {
        Ok(entries) => entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    if !names.with_context(|| format!("--bot-log {}", directory.display()))?.iter().all(|name| is_log(name)) {
        bail!("--bot-log {}: has other files than logs; choose another directory", directory.display());
    }
    Ok(())
}

#[cfg(unix)]
fn possible() -> ConfinementLevel {
    use unolab_agents::external::Confinement;
    match Confinement::possible() {
        Confinement::Full => ConfinementLevel::Full,
        Confinement::Partial(_) => ConfinementLevel::Partial,
        Confinement::None(_) => ConfinementLevel::None,
    }
}

#[cfg(not(unix))]
fn possible() -> ConfinementLevel {
    ConfinementLevel::None
}

#[cfg(test)]
mod each_tests {
    use super::*;

    #[test]
    fn options_are_added_to_programs_that_do_not_set_them() {
        let agents = || {
            let list = ["a=cmd:\"./bot --decision_ms=3\"", "greedy", "cmd:\"./bot\",decision_ms=50", "cmd:./bot"];
            vec![AgentList(list.map(str::to_owned).to_vec())]
        };
        let each =
            |options: &[&str]| EachArgs { each: options.iter().map(|option| parse_each(option).unwrap()).collect() };
        let added = each(&["decision_ms=100", "fresh=true"]).added_to(agents()).unwrap();
        let expected = [
            "a=cmd:\"./bot --decision_ms=3\",decision_ms=100,fresh=true",
            "greedy",
            "cmd:\"./bot\",decision_ms=50,fresh=true",
            "cmd:./bot,decision_ms=100,fresh=true",
        ];
        assert_eq!(added, [AgentList(expected.map(str::to_owned).to_vec())]);
        assert_eq!(each(&[]).added_to(agents()).unwrap(), agents());
        let none = each(&["fresh=true"]).added_to(vec![AgentList(vec!["greedy".into()])]).unwrap_err();
        assert_eq!(none.to_string(), "--each fresh=true: no entrant is a program (cmd:)");
    }

    #[test]
    fn unknown_option_for_each_program_is_refused() {
        let error = |text: &str| parse_each(text).unwrap_err();
        assert!(error("decision-ms=3").contains("unknown option of programs; allowed: decision_ms, "));
        assert_eq!(error("decision_ms"), "decision_ms has no value; expected decision_ms=VALUE");
    }
}
