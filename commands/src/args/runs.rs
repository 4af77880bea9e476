//! The commands that play: their shared options and their own.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::Args;
use unolab_agents::options::is_program;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::spec::{MetricSet, Sweep};
use unolab_arena::run::checkpoint::ConfinementLevel;
use unolab_arena::run::directory::Start;
use unolab_arena::run::driver;
use unolab_arena::run::error::RunError;
use unolab_arena::run::execution::Execution;
use unolab_arena::run::programs::ChangedPrograms;
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::seal::Seal;
use unolab_arena::spec::{Format, SeatingPlan, Unit};
use unolab_arena::tables::table::TableFormat;
use unolab_engine::rules::Override;

use super::contest::ContestArgs;
use super::mode::PlayMode;
use super::numbers::{Seats, any_number, number, seats, share, steps};
use super::odds::OddsArgs;
use super::parse::{AgentList, PANEL, parse_agents, parse_override, parse_panel, parse_sweep, parse_turn_ms};
use super::programs::{EachArgs, LogDirectory, TrustArgs};
use super::values;
use crate::disk::{NewDirectory, is_inside, new_dir};

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

/// The seed, the threads and the output of a run.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunOutputArgs {
    /// The master seed of all random numbers [default: 1]
    #[arg(long, value_name = "N", value_parser = any_number)]
    pub(crate) seed: Option<u64>,
    /// The number of threads; results do not depend on it [default: all cores, or the number of games that a bot plays at
    /// once]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The run directory [default: runs/COMMAND-HASH, with the hash of the spec]. With "-", tournaments and matches write no
    /// files and print summary.csv, or games.csv with --games-csv
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

impl RunOutputArgs {
    /// The master seed.
    pub(crate) fn seed(&self) -> u64 {
        self.seed.unwrap_or(1)
    }

    /// The number of threads.
    pub(crate) fn num_threads(&self) -> usize {
        all_cores_unless(self.threads)
    }

    /// The number of threads for agents that play this number of games at a time: each game waits on a separate thread.
    pub(crate) fn num_threads_for(&self, games_at_once: usize) -> usize {
        self.threads.map_or_else(|| all_cores_unless(None).max(games_at_once), usize::from)
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
            if self.contest.sealed || self.contest.key_file.is_some() {
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
        self.contest.registry_for(registry, agents, [directory].into_iter().chain(records), log)
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
    /// The seed, the threads and the output.
    #[command(flatten)]
    pub(crate) kept: RunOutputArgs,
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

/// Play agents against each other.
#[derive(Debug, Clone, Args)]
pub(crate) struct TournamentArgs {
    /// Agents (see `unolab agents`), separated by commas: name:option=value,option=value; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "random,greedy,heuristic", conflicts_with = "spec")]
    pub(crate) agents: Vec<AgentList>,
    /// The tables to play
    #[arg(long, value_parser = values::format(), default_value = "roundrobin", conflicts_with = "spec")]
    pub(crate) format: Format,
    /// The other options.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// Play one agent against copies of another, or exactly the named agents.
#[derive(Debug, Clone, Args)]
pub(crate) struct MatchArgs {
    /// Two agents, A,B: one A plays against copies of B. More agents: exactly this table. May be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required_unless_present = "spec", conflicts_with = "spec")]
    pub(crate) agents: Vec<AgentList>,
    /// The other options.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// The maximum number of sets of a test whose games are counted exactly.
pub(crate) const MOST_SETS: u64 = 1_000_000_000_000;
/// The limit with luck adjustment, whose sums are larger.
const MOST_SETS_WITH_LUCK: u64 = 49_000_000;

impl SprtArgs {
    /// The maximum number of sets of the test.
    pub(crate) fn most_sets(&self) -> u64 {
        self.max_sets.unwrap_or(if self.luck { MOST_SETS_WITH_LUCK } else { MOST_SETS })
    }
}

/// Test one agent against another until the result is significant.
///
/// Exit status: 0 A is better than --nelo0 (H1), 1 A is not as good as --nelo1 (H0), 3 undecided after --max-sets, 2 invalid
/// input, 130 stopped by Ctrl-C.
#[derive(Debug, Clone, Args)]
#[command(mut_arg("shard", |shard| shard.hide(true)))]
pub(crate) struct SprtArgs {
    /// Two agents, A,B: A is tested, B sits in all other seats
    #[arg(long, value_name = "A,B", value_parser = parse_agents, required_unless_present = "simulate")]
    pub(crate) agents: Vec<AgentList>,
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// The number of seats
    #[arg(long, value_name = "N", default_value_t = 2, value_parser = number::<u8>(2..=10))]
    pub(crate) seats: u8,
    /// The effect under the null hypothesis H0, in normalized Elo of A
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub(crate) nelo0: f64,
    /// The effect under the alternative H1, in normalized Elo of A; with two seats, 7 are about one percentage point of wins
    #[arg(long, value_name = "X", default_value_t = 5.0)]
    pub(crate) nelo1: f64,
    /// The allowed probability of wrongly accepting the alternative
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = share)]
    pub(crate) alpha: f64,
    /// The allowed probability of wrongly accepting the null hypothesis
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = share)]
    pub(crate) beta: f64,
    /// Stop undecided after this number of deals (exit status 3) [default: play until the test is decided; with --luck 49
    /// million]
    #[arg(long, value_name = "N", value_parser = number::<u64>(1..=MOST_SETS))]
    pub(crate) max_sets: Option<u64>,
    /// Simulate this number of tests at each of several true effects, and count their decisions; with --agents, draw the sets
    /// from games of these agents
    #[arg(long, value_name = "TESTS", conflicts_with_all = ["unit", "resume", "remote", "shard", "luck", "games_csv", "dry_run", "json"], value_parser = number::<u32>(1..=10_000_000))]
    pub(crate) simulate: Option<u32>,
    /// Also write luck.csv, with luck-adjusted win shares next to the raw ones. The test decides by the raw shares. The
    /// adjusted estimate is more precise, and its interval is valid although the stopping time depends on the results
    #[arg(long)]
    pub(crate) luck: bool,
    /// Also write games.csv, with all games, or with the games of every k-th set
    #[arg(long, value_name = "k", require_equals = true, num_args = 0..=1, default_missing_value = "1", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) games_csv: Option<u64>,
    /// Print the expected and the largest number of games, the estimated time, and the run directory; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The unit of a game
    #[arg(long, value_parser = values::unit(), default_value = "round")]
    pub(crate) unit: Unit,
    /// Extra cards for entrants.
    #[command(flatten)]
    pub(crate) odds: OddsArgs,
    /// The seed, the threads and the output.
    #[command(flatten)]
    pub(crate) kept: RunOutputArgs,
    /// Options for all programs.
    #[command(flatten)]
    pub(crate) each: EachArgs,
}

/// Measure a variant: fairness, length, excitement, skill, and the effect of its cards and rules.
#[derive(Debug, Clone, Args)]
pub(crate) struct BalanceArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, such as 2,4 or 2-4 [default: 2,4, if the rules allow them]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Agents that fill the seats in order, repeated until the table is full; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "heuristic")]
    pub(crate) agents: Vec<AgentList>,
    /// Deals of single rounds; each is played at every seating
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number::<u64>(1..=1_000_000_000))]
    pub(crate) sets: u64,
    /// Deals of whole matches; 0 for none [default: a twentieth of --sets]
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=1_000_000_000))]
    pub(crate) matches: Option<u64>,
    /// Compare several values of a rule key with the unchanged variant, on the same deals. Repeat to compare all combinations
    #[arg(long, value_name = "KEY=V1,V2", value_parser = parse_sweep)]
    pub(crate) sweep: Vec<Sweep>,
    /// Compare several rule changes made together, or a whole variant file, with the unchanged variant; may be repeated
    #[arg(long, value_name = "KEY=V;KEY=V|FILE")]
    pub(crate) arm: Vec<String>,
    /// Measure cards: deal each to a player in place of an average card (in matches, in the first round). A special card,
    /// such as wild_draw_four, is also played without its points and without its effect; single cards (r7, W4) and custom
    /// cards are only dealt
    #[arg(long, alias = "worth", value_name = "CARD,...", value_delimiter = ',')]
    pub(crate) card_effect: Vec<String>,
    /// The strong agent; its win share among weak agents measures skill
    #[arg(long, alias = "good", value_name = "AGENT", default_value = "heuristic")]
    pub(crate) strong: String,
    /// The weak agent, whose copies fill the other seats
    #[arg(long, value_name = "AGENT", default_value = "random")]
    pub(crate) weak: String,
    /// Weak agents, separated by commas, against each of which skill is measured as well; none for no panel
    #[arg(long, value_name = "LIST|none", value_parser = parse_panel, default_value = PANEL)]
    pub(crate) panel: AgentList,
    /// Measure each variant separately instead of comparing the others with the first one
    #[arg(long)]
    pub(crate) separate: bool,
    /// The duration of a turn in seconds, to print lengths in minutes
    #[arg(long, value_name = "SECONDS", value_parser = parse_turn_ms)]
    pub(crate) seconds_per_turn: Option<u32>,
    /// Measure the share of rounds with more turns than this; separate several numbers by commas
    #[arg(long, value_name = "TURNS,...", value_delimiter = ',', value_parser = number::<u32>(1..=10_000))]
    pub(crate) longer_than: Vec<u32>,
    /// Measure the share of turns in which the choice of the card matters: with the best card, the published net estimates a
    /// chance to win the round that is higher by more than this than with the second-best card
    #[arg(long, value_name = "SHARE", value_parser = steps::<u32>(1_000, 1..=500))]
    pub(crate) decisive_choice: Option<u32>,
    /// The metrics to measure
    #[arg(long, value_parser = values::metrics(), default_value = "all")]
    pub(crate) metrics: MetricSet,
    /// Scale this search agent, such as ismcts:iterations=16: double its last option repeatedly and play each step against
    /// the previous one
    #[arg(long, alias = "ladder", value_name = "AGENT")]
    pub(crate) budget_scaling: Option<String>,
    /// The number of times to double the budget of --budget-scaling
    #[arg(long, alias = "rungs", value_name = "N", default_value_t = 4, requires = "budget_scaling", value_parser = number::<u8>(1..=20))]
    pub(crate) doublings: u8,
    /// The margin of the fairness test: in a fair game every seat is within this distance of its fair share
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = steps::<u32>(1_000, 1..=500))]
    pub(crate) margin: u32,
    /// The seatings to play for each deal
    #[arg(long, value_parser = values::seating(), default_value = "rotate")]
    pub(crate) seating: SeatingPlan,
    /// Also write METRIC.svg, a plot of this metric by the number of seats; may be repeated
    #[arg(long, value_name = "METRIC")]
    pub(crate) plot: Vec<String>,
    /// Also write report.html, with the findings and plots, and the plots as SVG files
    #[arg(long)]
    pub(crate) report: bool,
    /// Print the number of games, the estimated time, and the run directory; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The seed, the threads and the output.
    #[command(flatten)]
    pub(crate) kept: RunOutputArgs,
}

/// This number of threads, or all cores.
pub(crate) fn all_cores_unless(threads: Option<u16>) -> usize {
    threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
}

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
        driver::pool(all_cores_unless(self.threads))
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
