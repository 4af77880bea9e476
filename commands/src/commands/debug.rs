//! `unolab debug`: requests the decisions of a recorded game from a program again.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use serde_json::{Value, json};
use unolab_agents::options::command_lines;
use unolab_agents::registry::{AgentSpec, Registry};
use unolab_arena::debug::{AnswerAuthor, ReplayedDecision, TimedActivity, debug};
use unolab_arena::spec::Entrant;
use unolab_arena::words::counted;
use unolab_engine::record::{Fault, Header, ReplayEvent, replay};
use unolab_engine::rng::{Purpose, Rng};
use unolab_engine::seat::Seat;

use super::driver::json::{one_table, print_json};
use crate::args::{any_number, number};
use crate::disk::record_text;
use crate::exit::Exit;
use crate::output::{print, warn};

/// A record, and the program that receives its decisions.
#[derive(Debug, Args)]
pub(crate) struct DebugArgs {
    /// A game record (JSON Lines), as --record writes them
    #[arg(value_name = "RECORD")]
    pub(crate) record: PathBuf,
    /// The player whose decisions to request again: the seat in which the player began, or the player's name [default: the
    /// player that lost by a fault]
    #[arg(long, value_name = "K|NAME")]
    pub(crate) seat: Option<String>,
    /// Print every decision, not only decisions with a different answer, a fault, or a slow answer
    #[arg(long)]
    pub(crate) all: bool,
    /// Report a decision as slow if it takes longer than this
    #[arg(long, value_name = "MS", default_value_t = 200, value_parser = any_number)]
    pub(crate) slow: u64,
    /// The time limit of a decision
    #[arg(long, value_name = "MS", default_value_t = 10_000, value_parser = number::<u64>(1..=86_400_000))]
    pub(crate) decision_ms: u64,
    /// Log every protocol message to this directory: to the bot (<-), from the bot (->), and its standard error (!!)
    #[arg(long, value_name = "DIR")]
    pub(crate) bot_log: Option<PathBuf>,
    /// Print every decision as one JSON object
    #[arg(long, conflicts_with = "all")]
    pub(crate) json: bool,
    /// The command of the bot with its arguments, after --; or the name of an agent
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) program: Vec<OsString>,
}

/// The name of the program here.
const NAME: &str = "debugged";

pub(crate) fn run(args: &DebugArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let text = record_text(&args.record).map_err(|reason| anyhow!(reason))?;
    let file = args.record.display().to_string();
    let (header, faulty) = header_of(&text).with_context(|| file.clone())?;
    let seat = seat(args.seat.as_deref(), &header, faulty.as_ref().map(|(player, _)| *player))
        .with_context(|| file.clone())?;
    let recorded_fault = faulty.filter(|(player, _)| *player == seat).map(|(_, fault)| fault);
    let (agent, registry) = agent(args, registry)?;
    let (seed, set) = (header.seed, header.set);
    let make = |rules: &_, seat: Seat| agent.make(rules, seat, Rng::keyed(seed, set, Purpose::Agent(seat)));
    let mut all = Vec::new();
    debug(&text, seat, make, |asked: &ReplayedDecision| all.push(asked.clone())).with_context(|| file.clone())?;
    let of_player = || all.iter().filter(|asked| asked.recorded_of == AnswerAuthor::Player);
    let same = of_player().filter(|asked| asked.is_same()).count();
    let otherwise = of_player().filter(|asked| !asked.is_same() && asked.answer.is_ok()).count();
    let faults = all.iter().filter(|asked| asked.answer.is_err()).count();
    let exit = if otherwise + faults == 0 { Exit::Done } else { Exit::CheckFailed };
    let decisions = all.iter().filter(|asked| asked.time_of == TimedActivity::Decision);
    let slowest = decisions.map(|asked| asked.time).max().unwrap_or_default();
    let who = name_of(&header, seat);
    if args.json {
        let game = [
            ("record", json!(file)),
            ("seat", json!(seat.index())),
            ("name", json!(who)),
            ("passed", json!(exit == Exit::Done)),
        ];
        let game = game.into_iter().map(|(key, value)| (key.to_owned(), value)).collect();
        print_json("debug", game, one_table("decisions", all.iter().map(in_json).collect()))?;
        report_errors(&registry)?;
        return Ok(exit);
    }
    let slow = Duration::from_millis(args.slow);
    // The record has no answer to compare with here.
    let after = match all.len() - same - otherwise - faults {
        0 => String::new(),
        stood_in => format!(", {stood_in} after it had lost the game"),
    };
    let changed = files_changed_since(&args.record, agent.text());
    let gone = match recorded_fault {
        Some(fault) if faults == 0 => format!(
            "recorded: {} in decision {}; the bot answers now{}",
            fault.kind.name(),
            fault.decision,
            match changed.is_empty() {
                true =>
                    ". If it has not changed since, the fault depends on the games that it played before, or on how busy the machine was\n",
                false => "\n",
            }
        ),
        _ => String::new(),
    };
    let changed = match changed.is_empty() {
        true => String::new(),
        false => format!("the bot has changed since this game: {} was modified later\n", changed.join(", ")),
    };
    let shown = all.iter().filter(|asked| args.all || !asked.is_same() || asked.is_slower_than(slow));
    let out: String = shown.map(|asked| describe_decision(asked, slow)).collect();
    print(&format!(
        "{file}: {} of seat {seat}, played by {who}\n{out}{gone}{changed}{same} answered as recorded, {otherwise} otherwise, {}{after}; slowest {:.1} ms\n",
        counted(all.len() as u64, "decision"),
        counted(faults as u64, "fault"),
        1e3 * slowest.as_secs_f64()
    ))?;
    report_errors(&registry)?;
    Ok(exit)
}

/// The files in the command of this agent that were modified after the record was written.
fn files_changed_since(record: &Path, agent: &str) -> Vec<String> {
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let Some(recorded) = modified(record) else { return Vec::new() };
    let mut files = command_lines(agent).concat();
    files.retain(|file| modified(Path::new(file)).is_some_and(|time| time > recorded));
    files
}

fn describe_decision(asked: &ReplayedDecision, slow: Duration) -> String {
    let ReplayedDecision { line, round, decision, kind, position, actions, recorded, time, .. } = asked;
    let recorded = match asked.recorded_of {
        AnswerAuthor::Player => format!("recorded `{recorded}`"),
        AnswerAuthor::StandIn => format!("its stand-in played `{recorded}`"),
    };
    let now = match &asked.answer {
        Ok(answer) if *answer == asked.recorded => format!("`{answer}` as recorded"),
        Ok(answer) => format!("`{answer}`, {recorded}"),
        Err(fault) => format!("{fault}; {recorded}"),
    };
    let slow = match asked.time_of {
        TimedActivity::StartAndDecision => " with its start",
        TimedActivity::Decision if *time > slow => ", slow",
        TimedActivity::Decision => "",
    };
    format!(
        "decision {decision} ({kind}, round {round}, line {line}): {now} ({:.1} ms{slow})\n    {position}; may: {}\n",
        1e3 * time.as_secs_f64(),
        actions.join(", ")
    )
}

/// A decision with its answer, or its fault.
fn in_json(asked: &ReplayedDecision) -> Value {
    json!({
        "line": asked.line, "round": asked.round, "decision": asked.decision, "kind": asked.kind,
        "position": asked.position, "actions": asked.actions, "recorded": asked.recorded,
        "by_stand_in": asked.recorded_of == AnswerAuthor::StandIn, "answer": asked.answer.as_ref().ok(),
        "fault": asked.answer.as_ref().err(), "same": asked.is_same(), "ms": 1e3 * asked.time.as_secs_f64(),
        "ms_with_start": asked.time_of == TimedActivity::StartAndDecision,
    })
}

/// The players, and the first player who lost by a fault.
fn header_of(text: &str) -> anyhow::Result<(Header, Option<(Seat, Fault)>)> {
    let mut faulty = None;
    let replayed = replay(text, &mut |step| {
        if let ReplayEvent::Fault { fault, player } = step.what {
            faulty.get_or_insert_with(|| (player, fault.clone()));
        }
    })?;
    Ok((replayed.header, faulty))
}

fn name_of(header: &Header, seat: Seat) -> &str {
    let name = header.names.get(seat.index()).or_else(|| header.agents.get(seat.index()));
    name.map_or("an unknown player", String::as_str)
}

/// The seat of this number, or of the first player of this name.
fn seat(asked: Option<&str>, header: &Header, faulty: Option<Seat>) -> anyhow::Result<Seat> {
    let seats = || Seat::first(header.agents.len());
    let all =
        || seats().map(|seat| format!("--seat {seat} is {}", name_of(header, seat))).collect::<Vec<_>>().join(", ");
    match (asked, faulty) {
        (Some(asked), _) => seats()
            .find(|&seat| asked.parse() == Ok(seat.index()))
            .or_else(|| seats().find(|&seat| name_of(header, seat) == asked))
            .with_context(|| format!("--seat {asked}: unknown player; {}", all())),
        (None, Some(faulty)) => Ok(faulty),
        (None, None) => bail!("no player lost by a fault: choose a player with --seat; {}", all()),
    }
}

/// The agent, and a registry that collects its standard error.
fn agent(args: &DebugArgs, registry: &Registry) -> anyhow::Result<(AgentSpec, Registry)> {
    let text = agent_text(&args.program, args.decision_ms, registry)?;
    let registry = with_diary(&text, args, registry)?;
    let agent = registry.configure(&text)?;
    Ok((agent, registry))
}

#[cfg(unix)]
fn with_diary(text: &str, args: &DebugArgs, registry: &Registry) -> anyhow::Result<Registry> {
    let entrants = Entrant::name_all([format!("{NAME}={text}")]);
    let run_log = crate::args::run_log(&entrants, args.bot_log.as_deref(), crate::args::LogDirectory::New)?;
    Ok(registry.clone().with_policy(unolab_agents::external::Policy { run_log, ..registry.policy().clone() }))
}

#[cfg(not(unix))]
fn with_diary(_: &str, _: &DebugArgs, registry: &Registry) -> anyhow::Result<Registry> {
    Ok(registry.clone())
}

/// A single word that names an agent means this agent; otherwise the words are a command line.
fn agent_text(program: &[OsString], decision_ms: u64, registry: &Registry) -> anyhow::Result<String> {
    let words = program.iter().map(|word| word.to_str().context("PROGRAM: is not a text in UTF-8"));
    let words = words.collect::<anyhow::Result<Vec<&str>>>()?;
    if let [only] = words[..]
        && registry.entry(only.split(':').next().unwrap_or(only)).is_some()
    {
        return Ok(only.to_owned());
    }
    if let Some(word) = words.iter().find(|word| word.contains('"')) {
        bail!(
            "PROGRAM: {word} has a double quote, which is not allowed in an agent's command; put the command into a script"
        );
    }
    let line = shlex::try_join(words).context("PROGRAM")?;
    // Only each decision has a limit here, not the game.
    Ok(format!("cmd:\"{line}\",decision_ms={decision_ms},game_ms=86400000"))
}

/// The standard error of the program.
#[cfg(unix)]
fn report_errors(registry: &Registry) -> anyhow::Result<()> {
    let Some(run_log) = &registry.policy().run_log else { return Ok(()) };
    for output in run_log.errors().context("standard error of the program")?.values() {
        warn(&format!("standard error of the program:\n{}", String::from_utf8_lossy(output).trim_end()));
    }
    run_log.gaps().for_each(|gap| warn(&format!("warning: {gap}")));
    Ok(())
}

#[cfg(not(unix))]
fn report_errors(_: &Registry) -> anyhow::Result<()> {
    Ok(())
}
