//! The commands that play: their shared options and their own.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use unolab_agents::options::is_program;
use unolab_agents::registry::Registry;
use unolab_arena::run::checkpoint::ConfinementLevel;
use unolab_arena::run::directory::Start;
use unolab_arena::run::driver;
use unolab_arena::run::error::RunError;
use unolab_arena::run::execution::{Execution, all_cores};
use unolab_arena::run::programs::ChangedPrograms;
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::seal::Seal;
use unolab_arena::spec::{Entrant, SeatingPlan, Unit};
use unolab_arena::tables::table::TableFormat;
use unolab_engine::rules::Override;

use super::contest::ContestArgs;
use super::mode::PlayMode;
use super::numbers::{Seats, any_number, number, seats, share};
use super::odds::OddsArgs;
use super::parse::parse_override;
use super::programs::{EachArgs, LogDirectory, TrustArgs};
use super::values;
use crate::disk::{NewDirectory, is_inside, new_dir};

/// The help of `--out` for tournaments and matches, which may also print their tables.
const OUT_HELP: &str = "The run directory [default: runs/COMMAND-HASH, with the hash of the spec]; with -, write no files and print \
                        summary.csv, or games.csv with --games-csv";

/// The rules of the games.
#[derive(Debug, Clone, Args)]
pub(crate) struct RulesArgs {
    /// Editions (see `unolab variants`), or paths of variant files, separated by commas
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',', default_value = "classic")]
    pub(crate) variant: Vec<String>,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
}

/// Changes to the rules.
#[derive(Debug, Clone, Args)]
pub(crate) struct OverrideArgs {
    /// Override a rule value of the variant, with TOML or a bare word; may be repeated. `unolab variants keys` lists the keys
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_override)]
    pub(crate) set: Vec<Override>,
}

/// The options that all commands with runs have: the seed, the threads, and the output.
#[derive(Debug, Clone, Args)]
pub(crate) struct CommonRunArgs {
    /// The master seed of all random numbers [default: 1]
    #[arg(long, value_name = "N", value_parser = any_number)]
    pub(crate) seed: Option<u64>,
    /// The number of threads; results do not depend on it [default: all cores, or the number of games that a bot plays at
    /// once]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The run directory [default: runs/COMMAND-HASH, with the hash of the spec]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Resume an unfinished run, or start it if there is none. A finished run with all requested files is left unchanged
    #[arg(long)]
    pub(crate) resume: bool,
    /// Resume or replace a run even if unolab or a bot has changed since; run.json records it
    #[arg(long, alias = "changed-programs")]
    pub(crate) allow_changed_bots: bool,
    /// Let `unolab worker` processes play: write requests for batches to standard output, one JSON object per line, and read
    /// the results from standard input. --threads is the number of batches in progress at the same time. N is the minimum
    /// number of batches into which the sets of a stage are split
    #[arg(long, value_name = "N", require_equals = true, num_args = 0..=1, default_missing_value = "1", conflicts_with = "dry_run", value_parser = number::<u64>(1..=1_000_000))]
    pub(crate) remote: Option<u64>,
    /// Play only shard i of n; `unolab merge` merges the shards
    #[arg(long, value_name = "i/n")]
    pub(crate) shard: Option<Shard>,
    /// The format of the tables: with parquet, also write Parquet
    #[arg(long, default_value = "csv", value_parser = values::table_format())]
    pub(crate) tables: TableFormat,
    /// Print the result as one JSON object instead of tables; progress goes to standard error
    #[arg(long, conflicts_with = "remote")]
    pub(crate) json: bool,
    /// Print the tables so far on standard error every N seconds; 0: after each part of the games
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=1_000_000), conflicts_with = "quiet")]
    pub(crate) report_interval: Option<u64>,
    /// Print only errors
    #[arg(long)]
    pub(crate) quiet: bool,
    /// Contests of bots by other authors.
    #[command(flatten)]
    pub(crate) contest: ContestArgs,
}

impl CommonRunArgs {
    /// The master seed.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// The number of threads for agents that play this number of games at a time: each game waits on a separate thread.
    pub(crate) fn num_threads(&self, games_at_once: usize) -> usize {
        self.threads.map_or_else(|| all_cores().max(games_at_once), usize::from)
    }

    /// The execution of the run.
    ///
    /// # Errors
    /// If a shard is combined with Parquet tables.
    pub(crate) fn execution(&self) -> anyhow::Result<Execution> {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        if shard != Shard::WHOLE && self.tables == TableFormat::Parquet {
            bail!("--tables parquet: a shard has no tables yet; give it to unolab merge, not to --shard {shard}");
        }
        Ok(Execution {
            threads: self.threads.map(usize::from),
            directory: self.out.clone(),
            start: self.start(),
            changed_programs: ChangedPrograms::accepted_if(self.allow_changed_bots),
            shard,
            workers: self.remote,
            ..Execution::default()
        })
    }

    /// The seal of the run, if it is sealed.
    ///
    /// # Errors
    /// If the key is missing.
    pub(crate) fn seal(&self, intent: PlayMode) -> anyhow::Result<Option<Seal>> {
        if let Some((file, out)) = self.contest.key_file.as_ref().zip(self.out.as_ref())
            && is_inside(file, out)
        {
            bail!("--key-file {}: cannot be in the run directory, --out {}", file.display(), out.display());
        }
        self.contest.seal(self.start(), self.shard, intent)
    }

    /// The confinement of programs by this system, if they play in the sandbox.
    pub(crate) fn confined(&self) -> Option<ConfinementLevel> {
        self.contest.confined()
    }

    /// The registry for a run of these agents, which writes into its directory and its `records` elsewhere.
    ///
    /// # Errors
    /// If an option names an entrant that does not play, or `--remote` meets an option that it does not allow.
    pub(crate) fn registry_for<'a>(
        &self,
        registry: &Registry,
        agents: impl IntoIterator<Item = &'a String>,
        records: Option<PathBuf>,
        intent: PlayMode,
    ) -> anyhow::Result<Registry> {
        let agents: Vec<&String> = agents.into_iter().collect();
        if self.remote.is_some() {
            if self.out.as_deref() == Some(Path::new("-")) {
                bail!("--remote: standard output carries the requests for batches; --out needs a directory");
            }
            if let Some(program) = agents.iter().find(|agent| is_program(agent)) {
                bail!(
                    "--remote: {program}: programs are not sent to other machines; play without --remote, or use --shard"
                );
            }
            if self.contest.seal_flag().is_some() {
                bail!(
                    "--remote: the key of a sealed run does not leave this machine; play without --remote, or use --shard"
                );
            }
        }
        let directory = self.out.clone().unwrap_or_else(|| "runs".into());
        let log = match (intent, self.start()) {
            (PlayMode::DryRun, _) => LogDirectory::Unused,
            (PlayMode::Play, Start::Resume) => LogDirectory::Continued,
            (PlayMode::Play, Start::Anew) => LogDirectory::New,
        };
        let entrants = Entrant::name_all(agents.into_iter().cloned());
        let hidden = [directory].into_iter().chain(records).chain(self.contest.key_file.clone()).collect();
        self.contest.programs.registry_for(registry, &entrants, self.contest.seal_mode(), hidden, log)
    }

    /// Whether to print only errors: with `--remote`, standard output carries the requests.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.quiet || self.remote.is_some()
    }

    /// Whether the run starts from scratch or resumes.
    pub(crate) const fn start(&self) -> Start {
        if self.resume { Start::Resume } else { Start::Anew }
    }
}

/// The options of tournaments and matches.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("out", |out| out.help(OUT_HELP)))]
pub(crate) struct RunArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, such as 2,4 or 2-4 [default: 2,4, or the number of agents in a match of more than two]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// The number of deals; every table plays each deal at all its seatings [default: 60000]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=1_000_000_000_000))]
    pub(crate) sets: Option<u64>,
    /// Play each variant and number of seats only until every two entrants differ significantly, for at most --sets deals.
    /// The intervals of the tables are then anytime intervals
    #[arg(long, alias = "allocate", conflicts_with_all = ["shard", "control", "power"])]
    pub(crate) adaptive: bool,
    /// Play at least this number of games in all, rounded up to whole sets
    #[arg(long, value_name = "N", conflicts_with = "sets", value_parser = number::<u64>(1..=1_000_000_000_000))]
    pub(crate) games: Option<u64>,
    /// The unit of a game
    #[arg(long, value_parser = values::unit(), default_value = "round")]
    pub(crate) unit: Unit,
    /// The seatings to play for each deal
    #[arg(long, value_parser = values::seating(), default_value = "rotate")]
    pub(crate) seating: SeatingPlan,
    /// Extra cards for entrants.
    #[command(flatten)]
    pub(crate) odds: OddsArgs,
    /// The options of all runs.
    #[command(flatten)]
    pub(crate) common: CommonRunArgs,
    /// Options for all programs.
    #[command(flatten)]
    pub(crate) each: EachArgs,
    /// Play the spec in this file instead of the options for agents, rules, and deals: run.json of a tournament or match, or an
    /// edited copy. --sets or --games, and --seed, replace its values
    #[arg(long, value_name = "FILE", conflicts_with_all = ["variant", "set", "seats", "adaptive", "unit", "seating", "extra_cards", "control", "each"])]
    pub(crate) spec: Option<PathBuf>,
    /// Whether the programs of the spec are started.
    #[command(flatten)]
    pub(crate) trust: TrustArgs,
    /// Measure the noise: add a copy of the first agent, named control, that plays the same deals with different random
    /// numbers. In a match of A,B it is A's second opponent
    #[arg(long)]
    pub(crate) control: bool,
    /// Print the number of games, the estimated time, and the run directory; play only a short pilot and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Play only a few pilot sets, and print how many sets are needed to detect this difference of win shares, such as 0.01;
    /// with --luck, after luck adjustment
    #[arg(long, value_name = "EDGE", value_parser = share, conflicts_with_all = ["remote", "dry_run", "games_csv", "report", "tables", "record", "out", "resume", "shard", "json"])]
    pub(crate) power: Option<f64>,
    /// Also write games.csv, with all games, or with the games of every k-th set
    #[arg(long, value_name = "k", require_equals = true, num_args = 0..=1, default_missing_value = "1", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) games_csv: Option<u64>,
    /// Also write luck.csv, with luck-adjusted win shares next to the raw ones. This takes some milliseconds per round, which
    /// is worthwhile for slow agents
    #[arg(long)]
    pub(crate) luck: bool,
    /// Also write report.html, a page that shows the tables, and its plots as SVG files
    #[arg(long)]
    pub(crate) report: bool,
    /// Record games as they are played into this new or empty directory, each as game-INDEX.jsonl with its index in games.csv
    #[arg(long, value_name = "DIR", conflicts_with = "remote")]
    pub(crate) record: Option<PathBuf>,
    /// The number of deals to record [default: 1, with the first hundred games of each; all with --record-only]
    #[arg(long, value_name = "N", requires = "record", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) record_sets: Option<u64>,
    /// The games to record: games that an entrant lost, games with a fault, or every K-th game
    #[arg(long, value_name = "lost:NAME|fault|every:K", requires = "record", value_parser = parse_record_only)]
    pub(crate) record_only: Option<RecordOnly>,
}

impl RunArgs {
    /// The number of deals.
    pub(crate) fn sets(&self) -> u64 {
        self.sets.unwrap_or(DEFAULT_SETS)
    }

    /// `--power` does not write a run either.
    pub(crate) const fn intent(&self) -> PlayMode {
        PlayMode::of(self.dry_run || self.power.is_some())
    }

    /// The number of deals to record, if any are recorded.
    pub(crate) fn recorded_sets(&self) -> Option<u64> {
        let usual = if self.record_only.is_some() { u64::MAX } else { 1 };
        self.record.as_ref().map(|_| self.record_sets.unwrap_or(usual))
    }
}

/// With it, the three default agents play about a million rounds.
const DEFAULT_SETS: u64 = 60_000;

/// The maximum number of sets of a test whose games are counted exactly.
pub(crate) const MOST_SETS: u64 = 1_000_000_000_000;

/// The threads and the output of a computation without a run directory.
#[derive(Debug, Clone, Args)]
pub(crate) struct ComputingArgs {
    /// The number of threads; results do not depend on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Where to write the tables.
    #[command(flatten)]
    pub(crate) export: ExportArgs,
    /// Print the result as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Print nothing
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl ComputingArgs {
    /// The threads.
    ///
    /// # Errors
    /// If the system cannot create more threads.
    pub(crate) fn pool(&self) -> Result<rayon::ThreadPool, RunError> {
        driver::pool(self.threads.map_or_else(all_cores, usize::from))
    }
}

/// The destination of the printed tables.
#[derive(Debug, Clone, Args)]
pub(crate) struct ExportArgs {
    /// Write the tables as CSV into this new or empty directory
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// The format of the tables: with parquet, also write Parquet
    #[arg(long, default_value = "csv", value_parser = values::table_format(), requires = "out")]
    pub(crate) tables: TableFormat,
}

impl ExportArgs {
    /// Creates the directory before the work begins; it is removed if the work produces no output.
    ///
    /// # Errors
    /// If the directory is not empty.
    pub(crate) fn make_dir(&self) -> anyhow::Result<Option<NewDirectory>> {
        self.out.as_deref().map(|directory| new_dir("--out", directory)).transpose()
    }
}

/// The games to record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RecordOnly {
    /// Games that the entrant with this name lost.
    Lost(String),
    /// Games with a fault.
    Fault,
    /// Every k-th game.
    Every(u64),
}

impl fmt::Display for RecordOnly {
    /// The value as written on the command line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lost(name) => write!(f, "lost:{name}"),
            Self::Fault => f.write_str("fault"),
            Self::Every(games) => write!(f, "every:{games}"),
        }
    }
}

fn parse_record_only(text: &str) -> Result<RecordOnly, String> {
    match text.split_once(':') {
        Some(("lost", name)) if !name.is_empty() => Ok(RecordOnly::Lost(name.into())),
        Some(("every", games)) => match any_number(games) {
            Ok(games) if games > 0 => Ok(RecordOnly::Every(games)),
            _ => Err(format!("{games} is not a number of games; allowed: a whole number from 1")),
        },
        None if text == "fault" => Ok(RecordOnly::Fault),
        _ => Err("allowed: lost:NAME with the name of an entrant, fault, every:K".into()),
    }
}
