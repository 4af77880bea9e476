//! Checks before and after the replay of a finished run.
//!
//! A replay may replace the run only if the same programs play and the result is the same. The programs are checked before
//! it, the result after it, because a program can depend on files that its command does not name, or on chance.

use thiserror::Error;
use unolab_engine::rng;

use crate::run::manifest::{RUN_FILE, Run};
use crate::run::programs::{ChangedPrograms, ProgramVersions};

/// Why a replay cannot replace its run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// Another version has played it.
    #[error("was run by unolab {unolab} with {generator}; this is unolab {} with {}", env!("CARGO_PKG_VERSION"), rng::GENERATOR_ID)]
    OtherVersion {
        /// The other version.
        unolab: String,
        /// Its generator of random numbers.
        generator: String,
    },
    /// The programs have changed.
    #[error("changed since the run: {changes}; restore it, or accept the change with --allow-changed-bots")]
    ChangedPrograms {
        /// The programs, each with both digests, in words.
        changes: String,
    },
    /// The replay has another result.
    #[error(
        "the replay has the result hash {replayed}, not {recorded}: an agent does not repeat its choices, or {RUN_FILE} was changed"
    )]
    OtherResult {
        /// The hash of the result of the replay.
        replayed: String,
        /// The hash of the result of the run.
        recorded: String,
    },
}

impl<S> Run<S> {
    /// Checks before a replay that this version plays it with the programs of the run; `now` has the current programs.
    /// Returns the accepted changes, in words.
    ///
    /// # Errors
    /// If another version has played the run, or its programs have changed and that is not accepted.
    pub fn check_before_replay(
        &self,
        now: &ProgramVersions,
        changed_programs: ChangedPrograms,
    ) -> Result<Vec<String>, ReplayError> {
        if !self.is_of_this_version() {
            let (unolab, generator) = (self.unolab.clone(), self.generator.clone());
            return Err(ReplayError::OtherVersion { unolab, generator });
        }
        let changes = self.played_with.changed_programs(now);
        if !changes.is_empty() && changed_programs == ChangedPrograms::Refused {
            return Err(ReplayError::ChangedPrograms { changes: changes.join(", ") });
        }
        Ok(changes)
    }

    /// Checks that the tables of a replay have the hash of the run.
    ///
    /// # Errors
    /// If they have another hash.
    pub fn check_after_replay(&self, replayed: &str) -> Result<(), ReplayError> {
        if replayed == self.result_hash {
            return Ok(());
        }
        Err(ReplayError::OtherResult { replayed: replayed.into(), recorded: self.result_hash.clone() })
    }

    /// Whether this version, with this generator of random numbers, has played it.
    #[must_use]
    pub fn is_of_this_version(&self) -> bool {
        (&*self.unolab, &*self.generator) == (env!("CARGO_PKG_VERSION"), rng::GENERATOR_ID)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::manifest::{Machine, result_hash};
    use crate::run::programs::ProgramFile;
    use crate::spec::tests::round_robin;
    use crate::tables::table::Tables;

    #[test]
    fn replay_of_changed_program_is_rejected_unless_accepted() {
        let tables: [(&str, &[u8]); 1] = [("summary.csv", b"entrant\n")];
        let with = |sha256: &str| ProgramVersions {
            programs: vec![ProgramFile { file: "bot.py".into(), sha256: sha256.into() }],
            ..ProgramVersions::default()
        };
        let run = Run::of(round_robin(&["random"], &[2]), &tables, Machine::this(1), 1.0);
        let run = Run { played_with: with("0123"), ..run };
        let check =
            |sha256, changed| run.check_before_replay(&with(sha256), changed).map_err(|error| error.to_string());
        assert_eq!(check("0123", ChangedPrograms::Refused), Ok(Vec::new()));
        let refused = check("4567", ChangedPrograms::Refused).unwrap_err();
        assert!(refused.contains("bot.py (SHA-256 4567, was 0123)"), "{refused}");
        assert_eq!(check("4567", ChangedPrograms::Accepted).map(|changes| changes.len()), Ok(1));
        let other = Run { unolab: "9.9.9".into(), ..run.clone() };
        assert!(other.check_before_replay(&with("0123"), ChangedPrograms::Accepted).is_err());
        assert!(run.check_after_replay(&result_hash(&tables)).is_ok());
        assert!(run.check_after_replay(&result_hash(&Tables::none().named())).is_err());
    }
}
