//! Contests of bots by other authors: the seal of a run, and the confinement of its programs.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::Args;
use unolab_agents::registry::Registry;
use unolab_arena::run::checkpoint::ConfinementLevel;
use unolab_arena::run::directory::Start;
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::seal::{Seal, SealFile, SealKey, key_of_file};

use super::mode::PlayMode;
use super::programs::{LogDirectory, ProgramArgs, SealMode};

/// Contests of programs.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Bot tournaments")]
pub(crate) struct ContestArgs {
    /// Seal the run: mix a random key into every random stream, so that no bot can derive hidden cards. Implies --sandbox
    /// auto. run.json contains the key when the run has ended
    #[arg(long)]
    pub(crate) sealed: bool,
    /// The file with the key of a sealed run, for --resume, --shard, and reruns; --sealed creates it if it does not exist
    #[arg(long, alias = "seal-file", value_name = "FILE")]
    pub(crate) key_file: Option<PathBuf>,
    /// How far programs are confined, and their log.
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

impl ContestArgs {
    /// The seal of a run, if it is sealed. Without a file the key is new each time.
    ///
    /// # Errors
    /// If the file has no valid key, or a resumed run or a shard has no file with its key.
    pub(crate) fn seal(&self, start: Start, shard: Option<Shard>, intent: PlayMode) -> anyhow::Result<Option<Seal>> {
        let key = match &self.key_file {
            // A dry run does not create a file.
            Some(path) if self.sealed && intent == PlayMode::DryRun && !path.exists() => random_key()?,
            Some(path) => {
                let file = if self.sealed { SealFile::MayBeMade } else { SealFile::MustExist };
                key_of_file(path, file).with_context(|| format!("--key-file {}", path.display()))?
            }
            None if !self.sealed => return Ok(None),
            None if start == Start::Resume => {
                bail!("--resume: a sealed run needs its own key: add --key-file FILE")
            }
            None if shard.is_some() => {
                bail!("--shard: all shards of a sealed run need one key: add --key-file FILE")
            }
            None => random_key()?,
        };
        Ok(Some(Seal::from(key)))
    }

    /// The option that seals the run, if there is one.
    pub(crate) const fn seal_flag(&self) -> Option<&'static str> {
        match (self.sealed, &self.key_file) {
            (true, _) => Some("--sealed"),
            (false, Some(_)) => Some("--key-file"),
            (false, None) => None,
        }
    }

    /// Whether the run is sealed.
    pub(super) const fn seal_mode(&self) -> SealMode {
        SealMode::of(self.seal_flag().is_some())
    }

    /// The confinement of programs by this system, if they play in the sandbox.
    pub(crate) fn confined(&self) -> Option<ConfinementLevel> {
        self.programs.confined(self.seal_mode())
    }
}

/// The registry for the replay of a finished run into this directory. Programs of a sealed run get other seeds than
/// programs of an open run.
pub(crate) fn registry_for_replay(
    registry: &Registry,
    seal: Option<&Seal>,
    directory: &Path,
) -> anyhow::Result<Registry> {
    let mode = SealMode::of(seal.is_some());
    ProgramArgs::default().registry_for(registry, &[], mode, vec![directory.to_owned()], LogDirectory::New)
}

fn random_key() -> anyhow::Result<SealKey> {
    SealKey::random().context("--sealed: the system has no random numbers")
}

/// The seal of the run whose shards are merged, with the key from this file.
///
/// # Errors
/// If the run is sealed, and the file is missing or has the key of another run.
pub(crate) fn opened(seal: Option<Seal>, file: Option<&Path>) -> anyhow::Result<Option<Seal>> {
    match (seal, file) {
        (None, None) => Ok(None),
        (None, Some(path)) => bail!("--key-file {}: the shards are of a run that is not sealed", path.display()),
        (Some(_), None) => bail!("the shards are of a sealed run: add --key-file FILE, with its key"),
        (Some(seal), Some(path)) => {
            let named = || format!("--key-file {}", path.display());
            let key = key_of_file(path, SealFile::MustExist).with_context(named)?;
            seal.opened_by(key).with_context(named).map(Some)
        }
    }
}
