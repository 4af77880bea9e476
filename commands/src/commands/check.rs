//! `unolab check`: checks agents in every variant at every number of seats.

use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::{Value, json};
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_arena::check::{CheckConfig, FindingKind, Findings, examine};
use unolab_arena::spec::Entrant;
use unolab_arena::spec::variant::load_for_seats;
use unolab_arena::words::counted;
use unolab_engine::rules::{Rules, Teams, presets};

use super::driver::json::print_json;
use super::driver::request;
use crate::args::{
    AgentList, EachArgs, LogDirectory, OverrideArgs, ProgramArgs, SealMode, Seats, any_number, number, parse_agents,
    seats,
};
use crate::disk::Disk;
use crate::exit::Exit;
use crate::output::{print, warn, width};
use crate::progress::Bar;

/// The agents to check, and the tables.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Agents (see `unolab agents`), separated by commas: name:option=value,option=value; may be repeated
    #[arg(long, value_name = "LIST", value_parser = parse_agents, required = true)]
    pub(crate) agents: Vec<AgentList>,
    /// Editions, or paths of variant files, separated by commas [default: every edition]
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// Rule values that override the variant's.
    #[command(flatten)]
    pub(crate) overrides: OverrideArgs,
    /// Numbers of seats, such as 2,4 or 2-4 [default: all that a variant allows]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = seats)]
    pub(crate) seats: Vec<Seats>,
    /// Rounds at each table, each played twice
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = number::<u64>(1..=1_000_000))]
    pub(crate) rounds: u64,
    /// The master seed of all random numbers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = any_number)]
    pub(crate) seed: u64,
    /// Print the result as one JSON object instead of tables; progress goes to standard error
    #[arg(long)]
    pub(crate) json: bool,
    /// How far programs are confined, and their log.
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
    /// Options for all programs.
    #[command(flatten)]
    pub(crate) each: EachArgs,
}

/// The number of faults of each kind that are described in words.
const MOST_TOLD: usize = 3;

pub(crate) fn run(args: &CheckArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let entrants = request::entrants(args.each.added_to(args.agents.clone())?)?;
    let registry = args.programs.registry_for(registry, &entrants, SealMode::Open, Vec::new(), LogDirectory::New)?;
    let configured = |entrant: &Entrant| entrant.configure(&registry);
    let agents = entrants.iter().map(configured).collect::<Result<Vec<_>, _>>().context("--agents")?;
    let tables = tables(args)?;
    let mut report = Report::default();
    let mut passed = true;
    for (entrant, agent) in entrants.iter().zip(&agents) {
        passed &= check(&entrant.name, agent, &tables, args, &mut report)?;
    }
    if args.json {
        let of_check = [("passed".to_owned(), passed.into())].into_iter().collect();
        let tables = [
            ("check".to_owned(), report.rows.into()),
            ("faults".to_owned(), report.faults.into()),
            ("times".to_owned(), report.times.into()),
        ];
        print_json("check", of_check, tables.into_iter().collect())?;
    }
    Ok(if passed { Exit::Done } else { Exit::CheckFailed })
}

/// The tables for `--json`.
#[derive(Default)]
struct Report {
    /// A row for each agent and variant.
    rows: Vec<Value>,
    /// Every fault.
    faults: Vec<Value>,
    /// A row for each agent and kind of decision.
    times: Vec<Value>,
}

/// The tables of a variant: its rules by number of seats.
type Tables = Vec<(String, Vec<(usize, Rules)>)>;

/// The requested variants, each at the requested numbers of seats that it allows.
fn tables(args: &CheckArgs) -> anyhow::Result<Tables> {
    let presets = presets::NAMES.map(str::to_owned);
    let variants: &[String] = if args.variant.is_empty() { &presets } else { &args.variant };
    let mut tables = Tables::new();
    request::check_variants_named_once(variants)?;
    for variant in variants {
        let of_seats = |seats: usize| load_for_seats(variant, &args.overrides.set, &[seats], &Disk);
        let seats = if args.seats.is_empty() { (2..=10).collect() } else { Seats::all(&args.seats) };
        let mut fitting = Vec::new();
        for &seats in &seats {
            match of_seats(seats) {
                Ok(loaded) if loaded.rules.parameters().teams == Teams::RotatingTables => {
                    bail!("{variant}: match.teams = \"rotating_tables\" needs whole matches, but check plays rounds")
                }
                Ok(loaded) => fitting.push((seats, loaded.rules)),
                Err(_) => {}
            }
        }
        if fitting.is_empty() {
            // If it is allowed at no number of seats, report the first reason.
            of_seats(seats[0])?;
        }
        tables.push((variant.clone(), fitting));
    }
    Ok(tables)
}

/// Checks one agent and prints a report; returns whether it passed.
fn check(
    name: &str,
    agent: &AgentSpec,
    tables: &Tables,
    args: &CheckArgs,
    report: &mut Report,
) -> anyhow::Result<bool> {
    let bar = Bar::of(tables.iter().map(|(_, of_variant)| of_variant.len() as u64).sum(), "table");
    let mut tried = 0;
    let mut all = Findings::default();
    let form = Form::fitting(width());
    let mut text = format!("{name}\n{}", form.head());
    let mut by_variant: Vec<(&str, Vec<usize>, Findings)> = Vec::new();
    for (variant, of_variant) in tables {
        let mut findings = Findings::default();
        for (seats, rules) in of_variant {
            findings.add(examine(agent, &CheckConfig { rules, seats: *seats, rounds: args.rounds, seed: args.seed }));
            tried += 1;
            bar.show(tried);
        }
        by_variant.push((variant, of_variant.iter().map(|(seats, _)| *seats).collect(), findings));
    }
    bar.finish();
    let does_repeat = by_variant.iter().all(|(_, _, findings)| findings.count(FindingKind::NotRepeated) == 0);
    let mut has_unjudged = false;
    for (variant, seats, mut findings) in by_variant {
        has_unjudged |= !does_repeat && findings.drop_unjudged_leaks();
        text += &form.row(variant, &seats, &findings);
        report.rows.push(in_json(name, variant, &seats, &findings));
        all.add(findings);
    }
    for kind in FindingKind::ALL {
        let faults = all.faults.iter().filter(|fault| fault.kind == kind);
        report.faults.extend(
            faults.clone().map(|fault| json!({"entrant": name, "kind": word_for(kind), "what": fault.to_string()})),
        );
        faults.take(MOST_TOLD).for_each(|fault| text += &format!("  {}: {fault}\n", word_for(kind)));
    }
    if !does_repeat {
        text += "  a bot repeats itself if it takes all random choices from the seed of the game and forgets earlier games\n";
    }
    if has_unjudged {
        text += "  whether it uses hidden cards cannot be judged, because it does not repeat itself\n";
    }
    if all.cut > 0 {
        text += &format!("  truncated at the limit of decisions: {}\n", counted(all.cut, "round"));
    }
    text += match form {
        Form::Wide => {
            "  nondet.: nondeterministic, other actions when the same round was played again;
  leaks: information leaks, other actions when only hidden cards differed;
"
        }
        Form::Narrow => "",
    };
    text += "  max ms: the slowest decision in real time, the wait for a busy\n  processor included\n";
    text += &times_by_kind(&all);
    report.times.extend(all.times.iter().map(|(kind, times)| {
        let [mean, high, slowest] = [times.mean(), times.quantile(0.99), times.slowest()].map(in_milliseconds);
        json!({
            "entrant": name, "kind": kind, "decisions": times.decisions(), "mean_ms": mean, "p99_ms": high, "max_ms": slowest,
        })
    }));
    let is_good = all.faults.is_empty();
    text += if is_good { "passed\n\n" } else { "failed\n\n" };
    if !args.json {
        print(&text)?;
    }
    if !is_good {
        warn(&format!("{name}: {}", counted(all.faults.len() as u64, "fault")));
    }
    Ok(is_good)
}

/// The times of each kind of decision.
fn times_by_kind(findings: &Findings) -> String {
    let mut text = format!("  {:<14}{:>11}{:>10}{:>10}{:>10}\n", "decision", "number", "mean ms", "99% ms", "max ms");
    for (kind, times) in &findings.times {
        let [mean, high, slowest] = [times.mean(), times.quantile(0.99), times.slowest()].map(in_milliseconds);
        text += &format!("  {kind:<14}{:>11}{mean:>10.4}{high:>10.4}{slowest:>10.2}\n", times.decisions());
    }
    text
}

fn in_milliseconds(time: Duration) -> f64 {
    1e3 * time.as_secs_f64()
}

const fn word_for(kind: FindingKind) -> &'static str {
    match kind {
        FindingKind::Crash => "crash",
        FindingKind::Timeout => "timeout",
        FindingKind::Illegal => "illegal",
        FindingKind::NotRepeated => "not repeated",
        FindingKind::Leak => "leak",
    }
}

/// The findings in a variant, as an object.
fn in_json(name: &str, variant: &str, seats: &[usize], findings: &Findings) -> Value {
    let (mean, slowest) = milliseconds(findings);
    let count = |kind| findings.count(kind);
    json!({
        "entrant": name, "variant": variant, "seats": seats, "rounds": findings.rounds, "decisions": findings.decisions,
        "crashes": count(FindingKind::Crash), "timeouts": count(FindingKind::Timeout), "illegal": count(FindingKind::Illegal),
        "nondeterministic": count(FindingKind::NotRepeated), "information_leaks": count(FindingKind::Leak),
        "cut": findings.cut,
        "mean_ms": mean, "max_ms": slowest,
    })
}

/// The mean and the slowest decision, in milliseconds.
fn milliseconds(findings: &Findings) -> (f64, f64) {
    let times = findings.all_times();
    (in_milliseconds(times.mean()), in_milliseconds(times.slowest()))
}

/// The form of the table that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    /// Every kind of fault has its column.
    Wide,
    /// The faults are counted together and listed below the table.
    Narrow,
}

impl Form {
    /// The width of the lines.
    const WIDE: u16 = 100;

    const fn fitting(width: u16) -> Self {
        if width >= Self::WIDE { Self::Wide } else { Self::Narrow }
    }

    fn head(self) -> String {
        match self {
            Self::Wide => format!(
                "{:<12}{:>7}{:>8}{:>11}{:>9}{:>10}{:>9}{:>8}{:>7}{:>10}{:>9}\n",
                "variant",
                "seats",
                "rounds",
                "decisions",
                "crashes",
                "timeouts",
                "illegal",
                "nondet.",
                "leaks",
                "mean ms",
                "max ms"
            ),
            Self::Narrow => format!(
                "{:<11}{:>6}{:>7}{:>10}{:>7}{:>9}{:>9}\n",
                "variant", "seats", "rounds", "decisions", "faults", "mean ms", "max ms"
            ),
        }
    }

    fn row(self, variant: &str, seats: &[usize], findings: &Findings) -> String {
        let seats = match *seats {
            [only] => only.to_string(),
            [first, .., last] if last - first + 1 == seats.len() => format!("{first}-{last}"),
            _ => seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
        };
        let (mean, slowest) = milliseconds(findings);
        let count = |kind| findings.count(kind);
        let (rounds, decisions) = (findings.rounds, findings.decisions);
        match self {
            Self::Wide => format!(
                "{variant:<12}{seats:>7}{rounds:>8}{decisions:>11}{:>9}{:>10}{:>9}{:>8}{:>7}{mean:>10.4}{slowest:>9.2}\n",
                count(FindingKind::Crash),
                count(FindingKind::Timeout),
                count(FindingKind::Illegal),
                count(FindingKind::NotRepeated),
                count(FindingKind::Leak),
            ),
            Self::Narrow => {
                let faults = findings.faults.len();
                format!("{variant:<11}{seats:>6}{rounds:>7}{decisions:>10}{faults:>7}{mean:>9.4}{slowest:>9.2}\n")
            }
        }
    }
}
