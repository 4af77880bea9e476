//! Commands that play: what they share, and what each may be asked for.

use std::path::{Path, PathBuf};

use anyhow::bail;
use clap::{Args, ValueEnum};
use unolab_agents::registry::Registry;
use unolab_arena::experiment::balance::spec::Sweep;
use unolab_arena::run::checkpoint::Confined;
use unolab_arena::run::folder::{Asked, Start};
use unolab_arena::run::shard::Shard;
use unolab_arena::spec::seal::Seal;
use unolab_arena::spec::{Format, SeatingPlan, Unit};
use unolab_engine::rules::Override;

use super::contest::ContestArgs;
use super::numbers::{Seats, any_number, number, seats, share};
use super::parse::{AgentList, parse_agents, parse_override, parse_sweep};
use super::values;
use crate::disk::new_folder;

/// The rules to play by.
#[derive(Debug, Clone, Args)]
pub(crate) struct RulesArgs {
    /// Preset names (see `unolab variants`) or paths of variant files, separated by commas
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',', default_value = "classic")]
    pub(crate) variant: Vec<String>,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
}

/// Changes to the rules.
#[derive(Debug, Clone, Args)]
pub(crate) struct OverrideArgs {
    /// A rule value that overrides the variant's: TOML, or a bare word; may be repeated. `unolab variants show` has the keys
    #[arg(long, value_name = "KEY=VALUE", value_parser = parse_override)]
    pub(crate) set: Vec<Override>,
}

/// How a run is seeded, played and kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct KeptArgs {
    /// What all random numbers derive from
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Threads that play; no result depends on it [default: all cores]
    #[arg(long, value_name = "N", value_parser = number::<u16>(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The folder of the run [default: runs/COMMAND-HASH, by the hash of the spec]. With "-" for a folder, tournaments and
    /// matches write nothing and print summary.csv, or games.csv with --games-csv
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Go on with an unfinished run; begin one if there is none, do nothing if it is finished and has all that is asked for
    #[arg(long)]
    pub(crate) resume: bool,
    /// Resume or replace a run also where its programs, or this one, have been changed since: run.json then says so
    #[arg(long)]
    pub(crate) changed_programs: bool,
    /// Play nothing here: ask for batches on standard output, a JSON object a line, and take what was played from standard input,
    /// as `unolab worker` answers; --threads says how many batches are out at once. With N, whatever may be played at a time is
    /// cut into at least N batches
    #[arg(long, value_name = "N", require_equals = true, num_args = 0..=1, default_missing_value = "1", conflicts_with = "dry_run", value_parser = number::<u64>(1..=1_000_000))]
    pub(crate) remote: Option<u64>,
    /// Play shard i of n only: `unolab merge` joins the shards
    #[arg(long, value_name = "i/n")]
    pub(crate) shard: Option<Shard>,
    /// How tables are written: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv)]
    pub(crate) tables: TableFormat,
    /// Print what was found as one JSON object instead of tables for people; progress goes to standard error
    #[arg(long, conflicts_with = "remote")]
    pub(crate) json: bool,
    /// No tables and no progress, only files and errors
    #[arg(long)]
    pub(crate) quiet: bool,
    /// How programs of strangers play.
    #[command(flatten)]
    pub(crate) contest: ContestArgs,
}

impl KeptArgs {
    /// For a run that is played again, in silence, into a folder that is free.
    pub(crate) fn again(seed: u64, seal: Option<&Seal>, out: PathBuf) -> Self {
        Self {
            seed,
            threads: None,
            out: Some(out),
            resume: false,
            changed_programs: false,
            remote: None,
            shard: None,
            tables: TableFormat::Csv,
            json: false,
            quiet: true,
            contest: ContestArgs { sealed: seal.is_some(), ..ContestArgs::default() },
        }
    }

    /// How many threads play.
    pub(crate) fn num_threads(&self) -> usize {
        self.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from)
    }

    /// Which part is played.
    ///
    /// # Errors
    /// If tables are asked for in a form that a part cannot have.
    pub(crate) fn shard(&self) -> anyhow::Result<Shard> {
        let shard = self.shard.unwrap_or(Shard::WHOLE);
        if shard != Shard::WHOLE && self.tables == TableFormat::Parquet {
            bail!("--tables parquet: a shard has no tables yet; give it to unolab merge, not to --shard {shard}");
        }
        Ok(shard)
    }

    /// The files that are written if they are asked for here.
    pub(crate) fn asked(&self) -> Asked {
        Asked::nothing()
            .with("--tables parquet", self.tables == TableFormat::Parquet)
            .with("--changed-programs", self.changed_programs)
    }

    /// The seal of the run, if it is to be sealed.
    ///
    /// # Errors
    /// If there is no key to be had.
    pub(crate) fn seal(&self) -> anyhow::Result<Option<Seal>> {
        self.contest.seal(self.start(), self.shard)
    }

    /// How far programs are confined, if they are to be.
    pub(crate) fn confined(&self) -> Option<Confined> {
        self.contest.confined()
    }

    /// The registry for a run of these agents, whose files are in its folder, and its `records` elsewhere.
    ///
    /// # Errors
    /// If somebody is allowed something who does not play.
    pub(crate) fn registry_for<'a>(
        &self,
        registry: &Registry,
        agents: impl IntoIterator<Item = &'a String>,
        records: Option<PathBuf>,
    ) -> anyhow::Result<Registry> {
        let agents: Vec<&String> = agents.into_iter().collect();
        if self.remote.is_some() {
            if self.out.as_deref() == Some(Path::new("-")) {
                bail!("--remote: standard output is where batches are asked for; --out needs a folder");
            }
            if let Some(program) = agents.iter().find(|agent| agent.contains("cmd:")) {
                bail!("--remote: {program}: programs are not sent to other machines; play here, or in shards");
            }
            if self.contest.sealed || self.contest.seal_file.is_some() {
                bail!("--remote: the key of a sealed run does not leave this machine; play it here, or in shards");
            }
        }
        let folder = self.out.clone().unwrap_or_else(|| "runs".into());
        self.contest.registry_for(registry, agents, [folder].into_iter().chain(records))
    }

    /// Whether nothing but files and errors is to be seen: where batches are asked for, standard output is taken.
    pub(crate) const fn is_quiet(&self) -> bool {
        self.quiet || self.remote.is_some()
    }

    /// Whether it begins anew.
    pub(crate) const fn start(&self) -> Start {
        if self.resume { Start::Resume } else { Start::Anew }
    }
}

/// How a tournament or match is played and kept.
#[derive(Debug, Clone, Args)]
pub(crate) struct RunArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, separated by commas: 2,4 or 2-4 [default: 2,4, or what the agents of a match need]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Deals: every table plays every deal at all its seatings
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SETS, value_parser = number::<u64>(1..=1_000_000_000_000))]
    pub(crate) sets: u64,
    /// Play each variant and number of seats only until it is clear who of every two entrants wins more often, with --sets as the
    /// most: so games go where the order is open. The intervals of the tables then hold at any time
    #[arg(long, conflicts_with_all = ["shard", "control", "power"])]
    pub(crate) allocate: bool,
    /// At least so many games in all, rounded up to whole sets
    #[arg(long, value_name = "N", conflicts_with = "sets", value_parser = number::<u64>(1..=1_000_000_000_000))]
    pub(crate) games: Option<u64>,
    /// What one game is
    #[arg(long, value_parser = values::unit(), default_value = "round")]
    pub(crate) unit: Unit,
    /// Who sits where when a deal is played again
    #[arg(long, value_parser = values::seating(), default_value = "rotate")]
    pub(crate) seating: SeatingPlan,
    /// How it is kept.
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
    /// Add the noise floor: a copy of the first agent, named control, with random numbers of its own on the same deals. In a match of
    /// A,B it is A's second opponent
    #[arg(long)]
    pub(crate) control: bool,
    /// Say what would be run, how long it would take and where it would go: only a short pilot is run, and nothing written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Run only a few pilot sets, and say how many sets would show an edge of this win share, such as 0.01; with --luck, once luck
    /// is taken off
    #[arg(long, value_name = "EDGE", value_parser = share, conflicts_with_all = ["remote", "dry_run", "games_csv", "report", "tables", "record", "out", "resume", "shard", "json"])]
    pub(crate) power: Option<f64>,
    /// Write games.csv too: all games, or those of every k-th set
    #[arg(long, value_name = "k", require_equals = true, num_args = 0..=1, default_missing_value = "1", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) games_csv: Option<u64>,
    /// Write luck.csv too: win shares with the luck of the cards taken off, beside them as they are. A round then takes some
    /// milliseconds more: worth it for agents that think longer than that
    #[arg(long)]
    pub(crate) luck: bool,
    /// Write report.html too, a page that shows the tables, and its plots as SVG files
    #[arg(long)]
    pub(crate) report: bool,
    /// Write games down as they are played, each as game-INDEX.jsonl with its index in games.csv, into this folder, which
    /// must be new or empty
    #[arg(long, value_name = "DIR", conflicts_with = "remote")]
    pub(crate) record: Option<PathBuf>,
    /// Of how many deals games are written down [default: 1, with the first hundred games of each; all with --record-only]
    #[arg(long, value_name = "N", requires = "record", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) record_sets: Option<u64>,
    /// Which games are written down: those that an entrant has lost, those with a fault, or every K-th
    #[arg(long, value_name = "lost:NAME|fault|every:K", requires = "record", value_parser = parse_record_only)]
    pub(crate) record_only: Option<RecordOnly>,
}

/// Enough for the three default agents to play a million rounds.
const DEFAULT_SETS: u64 = 60_000;

/// Agents against each other.
#[derive(Debug, Clone, Args)]
pub(crate) struct TournamentArgs {
    /// Agents (see `unolab agents`), separated by commas: name:option=value,option=value; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "random,greedy,heuristic")]
    pub(crate) agents: Vec<AgentList>,
    /// Which tables are played
    #[arg(long, value_parser = values::format(), default_value = "roundrobin")]
    pub(crate) format: Format,
    /// The rest.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// One agent against copies of another, or one table.
#[derive(Debug, Clone, Args)]
pub(crate) struct MatchArgs {
    /// Two agents, A,B: one A against copies of B; more: exactly that table; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required = true)]
    pub(crate) agents: Vec<AgentList>,
    /// The rest.
    #[command(flatten)]
    pub(crate) run: RunArgs,
}

/// No test may take more sets: games are still counted exactly.
pub(crate) const MOST_SETS: u64 = 1_000_000_000_000;
/// Nor more with luck taken off, whose sums are larger.
const MOST_SETS_WITH_LUCK: u64 = 49_000_000;

impl SprtArgs {
    /// The most sets that it may take.
    pub(crate) fn most_sets(&self) -> u64 {
        self.max_sets.unwrap_or(if self.luck { MOST_SETS_WITH_LUCK } else { MOST_SETS })
    }
}

/// A sequential test of one agent against another. It has no shards: `--shard` is refused with the reason.
///
/// Exit status: 0 A is better than --nelo0 (H1), 1 A is not as good as --nelo1 (H0), 3 undecided when --max-sets are used up, 2 bad
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
    /// Normalised Elo of A under the null hypothesis
    #[arg(long, value_name = "X", default_value_t = 0.0)]
    pub(crate) nelo0: f64,
    /// Normalised Elo of A under the alternative
    #[arg(long, value_name = "X", default_value_t = 5.0)]
    pub(crate) nelo1: f64,
    /// How often the alternative may be accepted wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = share)]
    pub(crate) alpha: f64,
    /// How often the null hypothesis may be accepted wrongly
    #[arg(long, value_name = "P", default_value_t = 0.05, value_parser = share)]
    pub(crate) beta: f64,
    /// Give up after so many deals, undecided (exit status 3) [default: play until it is decided; with --luck 49 million]
    #[arg(long, value_name = "N", value_parser = number::<u64>(100..=MOST_SETS))]
    pub(crate) max_sets: Option<u64>,
    /// Simulate so many tests at each of several true effects, and count how they end; with --agents, of the sets that these play
    #[arg(long, value_name = "TESTS", conflicts_with_all = ["unit", "resume", "remote", "shard", "luck", "games_csv", "dry_run", "json"], value_parser = number::<u32>(1..=10_000_000))]
    pub(crate) simulate: Option<u32>,
    /// Write luck.csv too: win shares with the luck of the cards taken off, beside them as they are. The test goes by those as they
    /// are; the estimate is sharper, and its interval holds although the test stops when it is sure
    #[arg(long)]
    pub(crate) luck: bool,
    /// Write games.csv too: all games, or those of every k-th set
    #[arg(long, value_name = "k", require_equals = true, num_args = 0..=1, default_missing_value = "1", value_parser = number::<u64>(1..=u64::MAX))]
    pub(crate) games_csv: Option<u64>,
    /// Say how many games are to be expected and how many it may be, how long they would take and where it would go; write
    /// nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// What one game is
    #[arg(long, value_parser = values::unit(), default_value = "round")]
    pub(crate) unit: Unit,
    /// How it is kept.
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

/// What to measure of which variants.
#[derive(Debug, Clone, Args)]
pub(crate) struct BalanceArgs {
    /// The rules.
    #[command(flatten)]
    pub(crate) rules: RulesArgs,
    /// Numbers of seats, separated by commas: 2,4 or 2-4
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "2,4", value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// The agents at the tables, in turn until the seats are full; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, default_value = "heuristic")]
    pub(crate) agents: Vec<AgentList>,
    /// Deals of single rounds, each played at all its seatings
    #[arg(long, value_name = "N", default_value_t = 2_000, value_parser = number::<u64>(1..=1_000_000_000))]
    pub(crate) sets: u64,
    /// Deals of whole matches [default: a twentieth of --sets; 0 for none]
    #[arg(long, value_name = "N", value_parser = number::<u64>(0..=1_000_000_000))]
    pub(crate) matches: Option<u64>,
    /// A rule key and the values to try, all combinations if repeated, on the same deals as the variant as it stands
    #[arg(long, value_name = "KEY=V1,V2", value_parser = parse_sweep)]
    pub(crate) sweep: Vec<Sweep>,
    /// Rule changes that are made together, separated by semicolons: compared like a value of a sweep; may be repeated
    #[arg(long, value_name = "KEY=V;KEY=V")]
    pub(crate) arm: Vec<String>,
    /// Cards whose worth is asked for, such as wild_draw_four or r7: without points, without effect, and dealt into a hand (of a
    /// match: in its first round)
    #[arg(long, value_name = "CARD,...", value_delimiter = ',')]
    pub(crate) worth: Vec<String>,
    /// A good player, to measure what skill is worth
    #[arg(long, value_name = "AGENT", default_value = "heuristic")]
    pub(crate) good: String,
    /// A weak player, whose copies the good one meets
    #[arg(long, value_name = "AGENT", default_value = "random")]
    pub(crate) weak: String,
    /// An agent whose last option is a budget, such as ismcts:iterations=16: it is doubled, each against the one before
    #[arg(long, value_name = "AGENT")]
    pub(crate) ladder: Option<String>,
    /// How often the budget of the ladder is doubled
    #[arg(long, value_name = "N", default_value_t = 4, requires = "ladder", value_parser = number::<u8>(1..=20))]
    pub(crate) rungs: u8,
    /// How far from fair a seat may be in a game called balanced, in thousandths of a win
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number::<u32>(1..=500))]
    pub(crate) margin: u32,
    /// Who sits where when a deal is played again
    #[arg(long, value_parser = values::seating(), default_value = "rotate")]
    pub(crate) seating: SeatingPlan,
    /// A metric to be drawn by the number of seats, as METRIC.svg in the folder of the run; may be repeated
    #[arg(long, value_name = "METRIC")]
    pub(crate) plot: Vec<String>,
    /// Write report.html too, a page that says what was found, and its plots as SVG files
    #[arg(long)]
    pub(crate) report: bool,
    /// Say what would be played, how long it would take and where it would go; write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// How it is kept.
    #[command(flatten)]
    pub(crate) kept: KeptArgs,
}

/// The tables that a command prints, kept in a folder.
#[derive(Debug, Clone, Args)]
pub(crate) struct ExportArgs {
    /// Write the tables as CSV into this folder, which must be new or empty
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// How they are written there: Parquet comes beside the CSV
    #[arg(long, value_enum, default_value_t = TableFormat::Csv, requires = "out")]
    pub(crate) tables: TableFormat,
}

impl ExportArgs {
    /// Makes the folder, before anything is done that takes long.
    ///
    /// # Errors
    /// If there is anything in it.
    pub(crate) fn make_folder(&self) -> anyhow::Result<()> {
        self.out.as_deref().map_or(Ok(()), |folder| new_folder("--out", folder))
    }
}

/// In which forms tables are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TableFormat {
    /// As CSV.
    Csv,
    /// As CSV, and as Parquet too.
    Parquet,
}

/// Which games are written down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RecordOnly {
    /// Those that the entrant of this name has lost.
    Lost(String),
    /// Those with a fault.
    Fault,
    /// Every so-many-th.
    Every(u64),
}

fn parse_record_only(text: &str) -> Result<RecordOnly, String> {
    match text.split_once(':') {
        Some(("lost", name)) if !name.is_empty() => Ok(RecordOnly::Lost(name.into())),
        Some(("every", games)) => match any_number(games) {
            Ok(games) if games > 0 => Ok(RecordOnly::Every(games)),
            _ => Err(format!("{games} is no number of games; allowed: a whole number from 1")),
        },
        None if text == "fault" => Ok(RecordOnly::Fault),
        _ => Err("allowed: lost:NAME with the name of an entrant, fault, every:K".into()),
    }
}
