//! `run.json`: the spec, the build, the machine, and a hash of the result.
//!
//! Everything except `machine` and `seconds` is the same if the same build runs the same spec with the same programs.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use unolab_engine::rng;

use crate::run::checkpoint::{OutputOptions, RunSpec};
use crate::run::digest::with_digest_in_lines;
use crate::run::programs::ProgramVersions;
use crate::spec::Spec;
use crate::spec::seal::{Seal, SealKey};

/// The name of the file.
pub const RUN_FILE: &str = "run.json";

/// The tables that are the result of a run, each as `.csv` and, on request, as `.parquet`, in the order of the result hash.
pub const RESULT_TABLES: [&str; 17] = [
    "summary",
    "seats",
    "pairs",
    "ratings",
    "distributions",
    "sprt",
    "luck",
    "league",
    "metrics",
    "sweep",
    "points",
    "curve",
    "weights",
    "goals",
    "candidates",
    "contributions",
    "front",
];

/// A finished run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Run<S = Spec> {
    /// The version of this program.
    pub unolab: String,
    /// The generator of random numbers.
    pub generator: String,
    /// The hash of the spec.
    pub spec_hash: String,
    /// The spec, with the resolved rules: everything needed to run it again.
    pub spec: S,
    /// The hash of the tables.
    pub result_hash: String,
    /// Its optional outputs.
    #[serde(flatten)]
    pub outputs: OutputOptions,
    /// The key of a sealed run, which is needed to repeat it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seal_key: Option<String>,
    /// The programs that played.
    #[serde(flatten)]
    pub played_with: ProgramVersions,
    /// The written files, by name. Absent in runs of older versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<Vec<String>>,
    /// The SHA-256 of each of its tables as CSV, and of the weights of a training run. Absent in runs of older versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub digests: BTreeMap<String, String>,
    /// The machine.
    pub machine: Machine,
    /// The duration of the run.
    pub seconds: f64,
}

/// The properties of a machine that affect the speed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Operating system.
    pub os: String,
    /// Processor architecture.
    pub arch: String,
    /// The number of available processor cores.
    pub cores: usize,
    /// The number of threads that played.
    pub threads: usize,
    /// The command-line arguments after the name of the command. Empty in runs of older versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command_line: Vec<String>,
    /// The commit of this build: for release builds, or from `UNOLAB_COMMIT`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
}

impl Machine {
    /// This machine, with this number of threads.
    #[must_use]
    pub fn this(threads: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let (os, arch) = (std::env::consts::OS.into(), std::env::consts::ARCH.into());
        let commit = option_env!("UNOLAB_COMMIT").filter(|commit| !commit.is_empty()).map(str::to_owned);
        Self { os, arch, cores, threads, command_line: Vec::new(), commit }
    }
}

impl<S: RunSpec> Run<S> {
    /// The manifest of a run of this spec with these tables (name and bytes), without games.csv. It includes the key of
    /// the seal, which reveals all cards.
    #[must_use]
    pub fn of(spec: S, tables: &[(&str, impl AsRef<[u8]>)], machine: Machine, seconds: f64) -> Self {
        Self {
            unolab: env!("CARGO_PKG_VERSION").into(),
            generator: rng::GENERATOR_ID.into(),
            spec_hash: spec.hash().to_string(),
            result_hash: result_hash(tables),
            seal_key: spec.seal().and_then(Seal::key).map(SealKey::to_hex),
            spec,
            outputs: OutputOptions::default(),
            played_with: ProgramVersions::default(),
            files: None,
            digests: BTreeMap::new(),
            machine,
            seconds,
        }
    }

    /// Checks that its spec is the one that was played.
    ///
    /// # Errors
    /// In words, if it has another hash.
    pub fn check_spec(&self) -> Result<(), String> {
        let (told, found) = (&self.spec_hash, self.spec.hash().to_string());
        if *told == found {
            return Ok(());
        }
        Err(format!("its spec_hash is {told}, but its spec has the hash {found}"))
    }
}

impl Run {
    /// Reads the run of a command in which entrants play against each other.
    ///
    /// # Errors
    /// In words, if it is from another command, or invalid.
    pub fn of_entrants(text: &str) -> Result<Self, String> {
        serde_json::from_str(text).map_err(|error| match command_in(text) {
            Some(other) if !WITH_ENTRANTS.contains(&&*other) => Self::refusal_of(&other),
            _ => error.to_string(),
        })
    }

    /// The error that the run is neither a tournament nor a match, in words.
    #[must_use]
    pub fn refusal_of(command: &str) -> String {
        format!("is from `{command}`, not from a match between entrants; allowed: a run of tournament or match")
    }
}

/// The commands of a [`Spec`], by their names in it.
const WITH_ENTRANTS: [&str; 3] = ["tournament", "match", "sprt"];

/// The command of a run, for any spec.
fn command_in(text: &str) -> Option<String> {
    let run: Value = serde_json::from_str(text).ok()?;
    run.get("spec")?.get("command")?.as_str().map(str::to_owned)
}

impl<S: Serialize> Run<S> {
    /// The content of the file, which ends with a digest of itself.
    ///
    /// # Panics
    /// Never: the data is plain, and `seconds` is finite.
    #[must_use]
    pub fn to_json(&self) -> String {
        with_digest_in_lines(&serde_json::to_string_pretty(self).expect("plain data can be written")) + "\n"
    }
}

/// The columns that have been renamed: the table, the first name, and the name today.
const RENAMED_COLUMNS: [(&str, &str, &str); 4] = [
    ("pairs.csv", "superiority", "los"),
    ("luck.csv", "gain", "relative_efficiency"),
    ("luck.csv", "gain_low", "relative_efficiency_low"),
    ("luck.csv", "gain_high", "relative_efficiency_high"),
];

/// A table with the first names of its columns.
fn with_first_names(table: &str, text: &str) -> String {
    let (header, rows) = text.split_at(text.find('\n').unwrap_or(text.len()));
    let first_name = |column| {
        let renamed = RENAMED_COLUMNS.iter().find(|(of, _, name)| (*of, *name) == (table, column));
        renamed.map_or(column, |(_, first, _)| first)
    };
    header.split(',').map(first_name).collect::<Vec<_>>().join(",") + rows
}

/// The hash of a result: of its tables, each with its name, in their order. A renamed column does not change the hash.
#[must_use]
pub fn result_hash(tables: &[(&str, impl AsRef<[u8]>)]) -> String {
    let hashes = tables.iter().map(|(name, bytes)| {
        let table = with_first_names(name, &String::from_utf8_lossy(bytes.as_ref()));
        format!("{name} {:016x}\n", rng::digest(&table))
    });
    format!("{:016x}", rng::digest(&hashes.collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::tests::round_robin;

    #[test]
    fn run_manifest_round_trips_with_table_hash() {
        let run = |summary: &[u8], threads| {
            Run::of(round_robin(&["random"], &[2]), &[("summary.csv", summary)], Machine::this(threads), 1.5)
        };
        let one = run(b"entrant\n", 1);
        assert_eq!(serde_json::from_str::<Run>(&one.to_json()).unwrap(), one);
        assert_eq!(one.result_hash, run(b"entrant\n", 7).result_hash);
        assert_ne!(one.result_hash, run(b"entrants\n", 1).result_hash);
    }

    #[test]
    fn renamed_column_keeps_result_hash() {
        let hash = |table: &str, csv: &str| result_hash(&[(table, csv.as_bytes())]);
        assert_eq!(hash("pairs.csv", "a,los,b\n1,los,2\n"), hash("pairs.csv", "a,superiority,b\n1,los,2\n"));
        assert_eq!(hash("luck.csv", "se,relative_efficiency\n"), hash("luck.csv", "se,gain\n"));
        assert_ne!(hash("seats.csv", "a,los,b\n"), hash("seats.csv", "a,superiority,b\n"), "another table");
        assert_ne!(hash("pairs.csv", "a\nlos\n"), hash("pairs.csv", "a\nsuperiority\n"), "a value");
    }

    #[test]
    fn run_without_entrants_is_described_by_command() {
        let refused = |text: &str| Run::of_entrants(text).unwrap_err();
        for command in ["balance", "train"] {
            let told = refused(&format!(r#"{{"unolab":"","spec":{{"command":"{command}"}}}}"#));
            assert!(told.starts_with(&format!("is from `{command}`, not from a match")), "{told}");
        }
        assert!(refused(r#"{"spec":{"command":"match"}}"#).contains("missing field"));
        assert!(refused("{").contains("EOF"));
    }
}
