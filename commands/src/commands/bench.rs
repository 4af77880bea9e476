//! `unolab bench`: measures the speed of this machine, through the arena's own loop.

mod rounds;

use std::time::Duration;

use anyhow::Context;
use comfy_table::{CellAlignment, Table, TableStyle};
use serde::Serialize;
use unolab_agents::registry::Registry;
use unolab_arena::rollouts;
use unolab_engine::rules::{Rules, TableSize, load, presets};

use super::driver::json::{JsonObject, one_table, print_json};
use crate::args::BenchArgs;
use crate::disk::Disk;
use crate::exit::Exit;
use crate::output::print;
use crate::progress::Bar;

/// Seats at which each variant that allows them is measured.
const SEATS: [usize; 3] = [2, 4, 10];

/// One measurement.
#[derive(Debug, Clone, Serialize)]
struct Row {
    variant: String,
    agent: &'static str,
    seats: usize,
    threads: usize,
    #[serde(flatten)]
    rate: Rate,
}

/// The measurement.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
enum Rate {
    /// Whole rounds.
    Rounds { rounds_per_s: f64, turns_per_s: f64, ns_per_turn: f64 },
    /// Rounds played on from a fixed set of positions, with the unseen cards dealt anew.
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
struct Effort {
    time: Duration,
    repeats: usize,
}

impl Effort {
    const FULL: Self = Self { time: Duration::from_millis(180), repeats: 3 };
    const QUICK: Self = Self { time: Duration::from_millis(50), repeats: 1 };

    fn median(self, measure: impl FnMut() -> anyhow::Result<Rate>) -> anyhow::Result<Rate> {
        let mut rates = std::iter::repeat_with(measure).take(self.repeats).collect::<anyhow::Result<Vec<Rate>>>()?;
        rates.sort_by(|a, b| a.per_second().total_cmp(&b.per_second()));
        Ok(rates[rates.len() / 2])
    }
}

/// Something to be measured.
struct Task<'a> {
    rules: &'a Rules,
    agent: &'static str,
    seats: usize,
    threads: usize,
    what: What,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum What {
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
    let effort = if args.quick { Effort::QUICK } else { Effort::FULL };
    let tasks: Vec<Task<'_>> = rules.iter().flat_map(tasks).collect();
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
fn tasks(rules: &Rules) -> Vec<Task<'_>> {
    let all_cores = std::thread::available_parallelism().map_or(1, usize::from);
    let mut threads = vec![1, all_cores];
    threads.dedup();
    let mut tasks = Vec::new();
    for seats in SEATS.into_iter().filter(|seats| rules.seats().contains(seats)) {
        for &threads in &threads {
            let agents =
                ["random", "greedy", "heuristic"].into_iter().filter(|&agent| agent != "heuristic" || seats == 4);
            tasks.extend(agents.map(|agent| Task { rules, agent, seats, threads, what: What::Rounds }));
            tasks.push(Task { rules, agent: "random", seats, threads, what: What::Rollouts });
        }
    }
    tasks
}

impl Task<'_> {
    fn measure(&self, effort: Effort, registry: &Registry) -> anyhow::Result<Row> {
        let &Self { rules, agent, seats, threads, what } = self;
        let rate = match what {
            What::Rounds => {
                let contest = rounds::contest(rules, agent, seats, registry)?;
                effort.median(|| rounds::rate(&contest, threads, effort.time))
            }
            What::Rollouts => {
                let positions = rollouts::positions(rules, seats);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
                effort.median(|| {
                    let rollouts_per_s = rollouts::rate(rules, &positions, &pool, effort.time);
                    Ok(Rate::Rollouts { rollouts_per_s })
                })
            }
        }?;
        Ok(Row { variant: rules.name().into(), agent, seats, threads, rate })
    }
}

fn table(results: &[Row]) -> String {
    let mut table = Table::new();
    table.load_style(TableStyle::new());
    table.set_header(["variant", "agent", "seats", "threads", "rounds/s", "turns/s", "ns/turn", "rollouts/s"]);
    let whole = |rate: f64| format!("{rate:.0}");
    for Row { variant, agent, seats, threads, rate } in results {
        let head = [variant.clone(), (*agent).to_owned(), seats.to_string(), threads.to_string()];
        let numbers = match *rate {
            Rate::Rounds { rounds_per_s, turns_per_s, ns_per_turn } => {
                [whole(rounds_per_s), whole(turns_per_s), format!("{ns_per_turn:.1}"), String::new()]
            }
            Rate::Rollouts { rollouts_per_s } => [String::new(), String::new(), String::new(), whole(rollouts_per_s)],
        };
        table.add_row(head.into_iter().chain(numbers));
    }
    for numbers in table.column_iter_mut().skip(2) {
        numbers.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt() + "\n"
}
