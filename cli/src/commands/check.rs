//! `unolab check`: tries agents in every variant at every number of seats.

use anyhow::{Context, bail};
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_arena::check::{FindingKind, Findings, Trial, examine};
use unolab_arena::spec::Entrant;
use unolab_arena::spec::variant::load_for_seats;
use unolab_arena::words::counted;
use unolab_engine::rules::{Rules, Teams, presets};

use super::running::request;
use crate::args::{CheckArgs, Seats};
use crate::disk::Disk;
use crate::exit::Exit;
use crate::output::{complain, print};
use crate::progress::Bar;

/// So many faults of a kind are told in words.
const MOST_TOLD: usize = 3;

pub(crate) fn run(args: &CheckArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let entrants = request::entrants(args.agents.iter().cloned())?;
    let configured = |entrant: &Entrant| registry.configure(&entrant.agent);
    let agents = entrants.iter().map(configured).collect::<Result<Vec<_>, _>>().context("--agents")?;
    let tables = tables(args)?;
    let mut exit = Exit::Done;
    for (entrant, agent) in entrants.iter().zip(&agents) {
        if !check(&entrant.name, agent, &tables, args)? {
            exit = Exit::CheckFailed;
        }
    }
    Ok(exit)
}

/// The tables of a variant: its rules by number of seats.
type Tables = Vec<(String, Vec<(usize, Rules)>)>;

/// Every variant asked for, at every number of seats asked for that it allows.
fn tables(args: &CheckArgs) -> anyhow::Result<Tables> {
    let presets = presets::NAMES.map(str::to_owned);
    let variants: &[String] = if args.variant.is_empty() { &presets } else { &args.variant };
    let mut tables = Tables::new();
    for variant in variants {
        let of_seats = |seats: usize| load_for_seats(variant, &args.overrides.set, &[seats], &Disk);
        let seats = if args.seats.is_empty() { (2..=10).collect() } else { Seats::all(&args.seats) };
        let mut fitting = Vec::new();
        for &seats in &seats {
            match of_seats(seats) {
                Ok(loaded) if loaded.rules.parameters().teams == Teams::RotatingTables => {
                    bail!("{variant}: match.teams = \"rotating_tables\" is a form of whole matches; check plays rounds")
                }
                Ok(loaded) => fitting.push((seats, loaded.rules)),
                Err(_) => {}
            }
        }
        if fitting.is_empty() {
            // At no number of seats: the first says why.
            of_seats(seats[0])?;
        }
        tables.push((variant.clone(), fitting));
    }
    Ok(tables)
}

/// Tries one agent and reports; is everything as it should be?
fn check(name: &str, agent: &AgentSpec, tables: &Tables, args: &CheckArgs) -> anyhow::Result<bool> {
    let bar = Bar::of(tables.iter().map(|(_, of_variant)| of_variant.len() as u64).sum(), "table");
    let mut tried = 0;
    let mut all = Findings::default();
    let mut text = format!(
        "{name}\n{:<12}{:>7}{:>8}{:>11}{:>9}{:>10}{:>9}{:>8}{:>7}{:>11}{:>9}\n",
        "variant",
        "seats",
        "rounds",
        "decisions",
        "crashes",
        "timeouts",
        "illegal",
        "varies",
        "leaks",
        "mean ms",
        "max ms"
    );
    for (variant, of_variant) in tables {
        let mut findings = Findings::default();
        for (seats, rules) in of_variant {
            findings.add(examine(agent, &Trial { rules, seats: *seats, rounds: args.rounds, seed: args.seed }));
            tried += 1;
            bar.show(tried);
        }
        let seats: Vec<usize> = of_variant.iter().map(|(seats, _)| *seats).collect();
        text += &row(variant, &seats, &findings);
        all.add(findings);
    }
    bar.finish();
    for kind in FindingKind::ALL {
        let faults = all.faults.iter().filter(|fault| fault.kind == kind);
        faults.take(MOST_TOLD).for_each(|fault| text += &format!("  {}: {fault}\n", word_for(kind)));
    }
    if all.cut > 0 {
        text +=
            &format!("  cut, nobody having gone out within the limit of decisions: {}\n", counted(all.cut, "round"));
    }
    text += "  varies: other actions when the same round was played again; leaks: other actions where only hidden cards differ;\n  \
             max ms: the slowest decision by the clock on the wall, with waiting for a busy processor\n";
    let is_good = all.faults.is_empty();
    text += if is_good { "passed\n\n" } else { "failed\n\n" };
    print(&text)?;
    if !is_good {
        complain(&format!("{name}: {}", counted(all.faults.len() as u64, "fault")));
    }
    Ok(is_good)
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

fn row(variant: &str, seats: &[usize], findings: &Findings) -> String {
    let seats = match *seats {
        [only] => only.to_string(),
        [first, .., last] if last - first + 1 == seats.len() => format!("{first}-{last}"),
        _ => seats.iter().map(ToString::to_string).collect::<Vec<_>>().join(","),
    };
    let milliseconds = |seconds: f64| 1e3 * seconds;
    let mean = milliseconds(findings.time.as_secs_f64()) / (findings.decisions.max(1) as f64);
    let count = |kind| findings.count(kind);
    format!(
        "{variant:<12}{seats:>7}{:>8}{:>11}{:>9}{:>10}{:>9}{:>8}{:>7}{mean:>11.4}{:>9.2}\n",
        findings.rounds,
        findings.decisions,
        count(FindingKind::Crash),
        count(FindingKind::Timeout),
        count(FindingKind::Illegal),
        count(FindingKind::NotRepeated),
        count(FindingKind::Leak),
        milliseconds(findings.slowest.as_secs_f64()),
    )
}
