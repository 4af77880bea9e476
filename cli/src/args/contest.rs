//! Contests of strangers' programs: the seal of a run, and the sandbox.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Args, ValueEnum};
use unolab_agents::registry::Registry;
use unolab_arena::run::checkpoint::Confined;
use unolab_arena::run::folder::Start;
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::Entrant;
use unolab_arena::spec::seal::{Seal, SealFile, SealKey, key_of_file};

use crate::disk::new_folder;
use crate::output::complain;

/// Contests of programs.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Contests of programs")]
pub(crate) struct ContestArgs {
    /// Seal the run: put a random key into every random stream, so that no program can find the cards. When the run has ended,
    /// run.json has the key
    #[arg(long)]
    pub(crate) sealed: bool,
    /// The file with the key of a sealed run, for --resume, --shard and a repetition. --sealed creates the file if there is none
    #[arg(long, value_name = "FILE")]
    pub(crate) seal_file: Option<PathBuf>,
    /// Keep programs from files, processes and networks of others [default: off; auto in a sealed run]
    #[arg(long, value_enum)]
    pub(crate) sandbox: Option<SandboxLevel>,
    /// In the sandbox, let programs read this file or folder besides their own; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_read: Vec<PathBuf>,
    /// In the sandbox, let programs read and write this file or folder; may be repeated
    #[arg(long, value_name = "PATH")]
    pub(crate) allow_write: Vec<PathBuf>,
    /// In the sandbox, let this entrant use the network; may be repeated
    #[arg(long, value_name = "NAME")]
    pub(crate) allow_network: Vec<String>,
    /// Write every line of the protocol into this folder, one file for each process: to the program (<-), from it (->), on its
    /// standard error (!!), with the milliseconds since its start
    #[arg(long, value_name = "DIR")]
    pub(crate) bot_log: Option<PathBuf>,
}

/// Whether programs are confined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum SandboxLevel {
    /// Apply every restriction, or refuse to play.
    Require,
    /// Apply every restriction that this system supports.
    Auto,
    /// Let programs do everything that you can do.
    Off,
}

impl ContestArgs {
    /// The seal of a run, if it is sealed. Without a file the key is new each time.
    ///
    /// # Errors
    /// If the file gives no key, or a resumed run or a shard has no file with its key.
    pub(crate) fn seal(&self, start: Start, shard: Option<Shard>) -> anyhow::Result<Option<Seal>> {
        let key = match &self.seal_file {
            Some(path) => {
                let file = if self.sealed { SealFile::MayBeMade } else { SealFile::MustExist };
                key_of_file(path, file).with_context(|| format!("--seal-file {}", path.display()))?
            }
            None if !self.sealed => return Ok(None),
            None if start == Start::Resume => {
                bail!("--resume: a sealed run needs its own key: add --seal-file FILE")
            }
            None if shard.is_some() => {
                bail!("--shard: all shards of a sealed run need one key: add --seal-file FILE")
            }
            None => SealKey::random().context("--sealed: the system has no random numbers")?,
        };
        Ok(Some(Seal::from(key)))
    }

    const fn is_sealed(&self) -> bool {
        self.sealed || self.seal_file.is_some()
    }

    fn sandbox(&self) -> SandboxLevel {
        let usual = if self.is_sealed() { SandboxLevel::Auto } else { SandboxLevel::Off };
        self.sandbox.unwrap_or(usual)
    }

    /// How far this system confines programs, if they play in the sandbox.
    pub(crate) fn confined(&self) -> Option<Confined> {
        (self.sandbox() != SandboxLevel::Off).then(possible)
    }

    /// The registry for a run of these agents. Its programs are confined as the options say, and cannot read the files of the
    /// run.
    ///
    /// # Errors
    /// If an option names an entrant that does not play.
    pub(crate) fn registry_for<'a>(
        &self,
        registry: &Registry,
        agents: impl IntoIterator<Item = &'a String>,
        of_run: impl IntoIterator<Item = PathBuf>,
    ) -> anyhow::Result<Registry> {
        let allows = [&self.allow_read, &self.allow_write].into_iter().any(|paths| !paths.is_empty());
        if self.sandbox() == SandboxLevel::Off && (allows || !self.allow_network.is_empty()) {
            bail!(
                "--allow-read, --allow-write and --allow-network are for programs in a sandbox: add --sandbox auto or require"
            );
        }
        let entrants = Entrant::name_all(agents.into_iter().cloned());
        let mut network = Vec::new();
        for name in &self.allow_network {
            let Some(entrant) = entrants.iter().find(|entrant| entrant.name == *name) else {
                let names: Vec<&str> = entrants.iter().map(|entrant| &*entrant.name).collect();
                bail!("--allow-network {name}: nobody has this name; entrants: {}", names.join(", "));
            };
            network.push(entrant.agent.trim().to_owned());
        }
        self.tell_what_is_not_kept_from_programs();
        let hidden = of_run.into_iter().chain(self.seal_file.clone()).chain(self.bot_log.clone()).collect();
        self.with_policy(registry, network, hidden, &entrants)
    }

    /// A sandbox that is not whole is one to know of.
    #[cfg(unix)]
    fn tell_what_is_not_kept_from_programs(&self) {
        use unolab_agents::external::Confinement;
        if self.sandbox() == SandboxLevel::Auto
            && let Confinement::Partial(reason) | Confinement::None(reason) = Confinement::possible()
        {
            complain(&format!("warning: programs are not confined from everything: {reason}"));
        }
    }

    #[cfg(not(unix))]
    fn tell_what_is_not_kept_from_programs(&self) {}

    #[cfg(unix)]
    fn with_policy(
        &self,
        registry: &Registry,
        network: Vec<String>,
        hidden: Vec<PathBuf>,
        entrants: &[Entrant],
    ) -> anyhow::Result<Registry> {
        use unolab_agents::external::{Policy, ProgramSeed, Sandbox};
        Ok(registry.clone().with_policy(Policy {
            run_log: run_log(entrants, self.bot_log.as_deref())?,
            program_seed: if self.is_sealed() { ProgramSeed::OwnStream } else { ProgramSeed::FirstView },
            sandbox: match self.sandbox() {
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
        _: Vec<String>,
        _: Vec<PathBuf>,
        _: &[Entrant],
    ) -> anyhow::Result<Registry> {
        Ok(registry.clone())
    }
}

/// The log of the programs among these entrants, if there are any.
#[cfg(unix)]
pub(crate) fn run_log(
    entrants: &[Entrant],
    log: Option<&Path>,
) -> anyhow::Result<Option<std::sync::Arc<unolab_agents::external::RunLog>>> {
    let has_programs = entrants.iter().any(|entrant| entrant.agent.contains("cmd:"));
    match log {
        Some(folder) if has_programs => new_folder("--bot-log", folder)?,
        Some(_) => bail!("--bot-log: no entrant is a program (cmd:\"...\"), so there is nothing to log"),
        None => {}
    }
    if !has_programs {
        return Ok(None);
    }
    let named = entrants.iter().map(|entrant| (&*entrant.agent, &*entrant.name));
    let place = || log.map_or_else(|| "standard error".into(), |folder| format!("--bot-log {}", folder.display()));
    let run_log = unolab_agents::external::RunLog::new(named, log).with_context(place)?;
    Ok(Some(std::sync::Arc::new(run_log)))
}

/// The seal of the run whose shards are merged, with the key of this file.
///
/// # Errors
/// If the run is sealed and there is no file, or that of another run.
pub(crate) fn opened(seal: Option<Seal>, file: Option<&Path>) -> anyhow::Result<Option<Seal>> {
    match (seal, file) {
        (None, None) => Ok(None),
        (None, Some(path)) => bail!("--seal-file {}: the shards are of a run that is not sealed", path.display()),
        (Some(_), None) => bail!("the shards are of a sealed run: add --seal-file FILE, with its key"),
        (Some(seal), Some(path)) => {
            let named = || format!("--seal-file {}", path.display());
            let key = key_of_file(path, SealFile::MustExist).with_context(named)?;
            seal.opened_by(key).with_context(named).map(Some)
        }
    }
}

#[cfg(unix)]
fn possible() -> Confined {
    use unolab_agents::external::Confinement;
    match Confinement::possible() {
        Confinement::Full => Confined::Full,
        Confinement::Partial(_) => Confined::Partial,
        Confinement::None(_) => Confined::None,
    }
}

#[cfg(not(unix))]
fn possible() -> Confined {
    Confined::None
}
