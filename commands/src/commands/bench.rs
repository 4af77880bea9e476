//! `unolab bench`: measures the speed of this machine, through the arena's own loop.

mod rounds;

use std::time::Duration;

use anyhow::Context;
use clap::Args;
use comfy_table::{CellAlignment, Table, TableStyle};
use serde::Serialize;
use unolab_agents::registry::Registry;
use unolab_arena::rollouts;
use unolab_arena::run::driver;
use unolab_arena::run::execution::all_cores;
use unolab_engine::rules::{Rules, TableSize, load, presets};

use super::driver::json::{JsonObject, one_table, print_json};
use crate::args::{AgentList, parse_agents};
use crate::disk::Disk;
use crate::exit::Exit;
use crate::output::print;
use crate::progress::Bar;

/// What to measure, and how to print it.
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    /// Print the result as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Take a tenth of the time
    #[arg(long)]
    pub(crate) quick: bool,
    /// Editions, or paths of variant files, separated by commas [default: every edition]
    #[arg(long, value_name = "NAME|FILE", value_delimiter = ',')]
    pub(crate) variant: Vec<String>,
    /// Agents (see `unolab agents`), each measured in all seats, separated by commas: name:option=value,option=value; may be
    /// repeated [default: random, greedy, mixbot, and heuristic]
    #[arg(long, value_name = "LIST", value_parser = parse_agents)]
    pub(crate) agents: Vec<AgentList>,
}

/// Seats at which each variant that allows them is measured.
const SEATS: [usize; 3] = [2, 4, 10];

/// The default agents, fastest first.
const AGENTS: [&str; 4] = ["random", "greedy", "mixbot", "heuristic"];

/// One measurement.
#[derive(Debug, Clone, Serialize)]
struct Row {
    variant: String,
    agent: String,
    seats: usize,
    threads: usize,
    #[serde(flatten)]
    rate: Rate,
    /// The rates per second of the slowest and of the quickest window.
    low: f64,
    high: f64,
}

/// The measurement.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
enum Rate {
    /// Whole rounds.
    Rounds { rounds_per_s: f64, turns_per_s: f64, ns_per_turn: f64 },
    /// Rounds continued from a fixed set of positions, with the unseen cards dealt again.
    Rollouts { rollouts_per_s: f64 },
}

impl Rate {
    const fn per_second(self) -> f64 {
        match self {
            Self::Rounds { rounds_per_s: rate, .. } | Self::Rollouts { rollouts_per_s: rate } => rate,
        }
    }
}

/// The time and the number of measurements; the median counts.
#[derive(Debug, Clone, Copy)]
struct BenchSettings {
    time: Duration,
    repeats: usize,
}

impl BenchSettings {
    const FULL: Self = Self { time: Duration::from_millis(120), repeats: 5 };
    const QUICK: Self = Self { time: Duration::from_millis(50), repeats: 1 };

    /// The rates of all windows, from the lowest to the highest.
    fn rates(self, measure: impl FnMut() -> anyhow::Result<Rate>) -> anyhow::Result<Vec<Rate>> {
        let mut rates = std::iter::repeat_with(measure).take(self.repeats).collect::<anyhow::Result<Vec<Rate>>>()?;
        rates.sort_by(|a, b| a.per_second().total_cmp(&b.per_second()));
        Ok(rates)
    }
}

/// One item to measure.
struct Task<'a> {
    rules: &'a Rules,
    agent: &'a str,
    seats: usize,
    threads: usize,
    what: Workload,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Workload {
    Rounds,
    Rollouts,
}

pub(crate) fn run(args: &BenchArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let names: Vec<&str> = match &args.variant[..] {
        [] => presets::NAMES.to_vec(),
        named => named.iter().map(String::as_str).collect(),
    };
    let rules = names
        .into_iter()
        .map(|name| Ok(load(name, &[], TableSize::Any, &Disk)?.rules))
        .collect::<anyhow::Result<Vec<Rules>>>()?;
    let effort = if args.quick { BenchSettings::QUICK } else { BenchSettings::FULL };
    let named: Vec<&str> = args.agents.iter().flat_map(|AgentList(agents)| agents).map(String::as_str).collect();
    let agents = if named.is_empty() { &AGENTS[..] } else { &named };
    let tasks: Vec<Task<'_>> = rules.iter().flat_map(|rules| tasks(rules, agents)).collect();
    let bar = Bar::of(tasks.len() as u64, "measurement");
    let mut results = Vec::new();
    for task in &tasks {
        results.push(task.measure(effort, registry)?);
        bar.show(results.len() as u64);
    }
    bar.finish();
    if args.json {
        let rows = results.iter().map(serde_json::to_value).collect::<Result<_, _>>().context("writing JSON")?;
        print_json("bench", JsonObject::new(), one_table("bench", rows))?;
    } else {
        print(&table(&results))?;
    }
    Ok(Exit::Done)
}

/// The measurements of a variant.
fn tasks<'a>(rules: &'a Rules, agents: &[&'a str]) -> Vec<Task<'a>> {
    let mut threads = vec![1, all_cores()];
    threads.dedup();
    let mut tasks = Vec::new();
    for seats in SEATS.into_iter().filter(|seats| rules.seats().contains(seats)) {
        for &threads in &threads {
            tasks.extend(agents.iter().map(|&agent| Task { rules, agent, seats, threads, what: Workload::Rounds }));
            if agents.contains(&"random") {
                tasks.push(Task { rules, agent: "random", seats, threads, what: Workload::Rollouts });
            }
        }
    }
    tasks
}

impl Task<'_> {
    fn measure(&self, effort: BenchSettings, registry: &Registry) -> anyhow::Result<Row> {
        let &Self { rules, agent, seats, threads, what } = self;
        let rates = match what {
            Workload::Rounds => {
                let contest = rounds::contest(rules, agent, seats, registry)?;
                effort.rates(|| rounds::rate(&contest, threads, effort.time))
            }
            Workload::Rollouts => {
                let positions = rollouts::positions(rules, seats);
                let pool = driver::pool(threads)?;
                effort.rates(|| {
                    let rollouts_per_s = rollouts::rate(rules, &positions, &pool, effort.time);
                    Ok(Rate::Rollouts { rollouts_per_s })
                })
            }
        }?;
        let (rate, low, high) = (rates[rates.len() / 2], rates[0].per_second(), rates[rates.len() - 1].per_second());
        Ok(Row { variant: rules.name().into(), agent: agent.into(), seats, threads, rate, low, high })
    }
}

fn table(results: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_header(["variant", "agent", "seats", "threads", "rounds/s", "turns/s", "ns/turn", "rollouts/s", "±"]);
    let whole = |rate: f64| format!("{rate:.0}");
    for Row { variant, agent, seats, threads, rate, low, high } in results {
        let head = [variant.clone(), agent.clone(), seats.to_string(), threads.to_string()];
        let numbers = match *rate {
            Rate::Rounds { rounds_per_s, turns_per_s, ns_per_turn } => {
                [whole(rounds_per_s), whole(turns_per_s), format!("{ns_per_turn:.1}"), String::new()]
            }
            Rate::Rollouts { rollouts_per_s } => [String::new(), String::new(), String::new(), whole(rollouts_per_s)],
        };
        let spread = format!("{:.0}%", 50.0 * (high - low) / rate.per_second());
        table.add_row(head.into_iter().chain(numbers).chain([spread]));
    }
    for numbers in table.column_iter_mut().skip(2) {
        numbers.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt() + "\n"
}
