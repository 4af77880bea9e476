//! `unolab coverage`: how often the intervals of many runs with different seeds contain the true value.

mod args;
mod metrics;
mod regret;
mod results;

use std::collections::BTreeMap;

use anyhow::bail;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use unolab_agents::registry::Registry;
use unolab_arena::spec::{AgentSeed, Entrant, Spec};
use unolab_arena::tables::table::Tables;
use unolab_engine::rng::mix;
use unolab_stats::interval::Interval;

use super::driver::json::{JsonObject, print_json, tables_of};
use super::driver::request;
use super::driver::tables::export;
use crate::args::Seats;
use crate::exit::Exit;
use crate::output::{print, width};
use crate::terminal::coverage::{CoverageRow, coverage_table};
pub(crate) use args::CoverageArgs;
use args::CoverageOf;

/// The default number of deals of the unseen cards from which the regret of a choice is estimated.
const WORLDS: u32 = 16;

/// Simulates the runs at each number of seats.
pub(crate) fn run(args: &CoverageArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let _dir = args.computing.export.make_dir()?;
    let entrants = request::entrants(args.agents.iter().cloned())?;
    if entrants.len() < 2 {
        bail!("--agents: two or more are needed, A,B; for runs without a difference A,A");
    }
    if args.luck && args.of != CoverageOf::Results {
        bail!("--luck: luck adjustment applies to results, not to --of {}", args.of.name());
    }
    if args.worlds.is_some() && args.of != CoverageOf::Regret {
        bail!("--worlds: --of {} uses no rollouts; use it with --of regret", args.of.name());
    }
    let same = entrants.iter().all(|entrant| entrant.agent == entrants[0].agent);
    let entrants = if same { with_separate_random_numbers(entrants) } else { entrants };
    let pool = args.computing.pool()?;
    let mut rows = Vec::new();
    for seats in Seats::all(&args.seats) {
        let variants = request::variants(&args.rules, &[seats])?;
        let spec = Spec::even_match(entrants.clone(), variants, seats, args.sets, args.seed);
        let simulated = pool.install(|| match args.of {
            CoverageOf::Results => results::simulated(&spec, args.runs, args.luck, registry),
            CoverageOf::Metrics => metrics::simulated(&spec, args.runs, registry),
            CoverageOf::Regret => regret::simulated(&spec, args.runs, args.worlds.unwrap_or(WORLDS), registry),
        })?;
        rows.extend(simulated.rows(&spec));
    }
    let text = coverage_table(&rows, width());
    let tables = Tables::none().with(rows);
    export(&tables, &args.computing.export)?;
    if args.computing.json {
        print_json("coverage", JsonObject::new(), tables_of(&tables))?;
    } else if !args.computing.quiet {
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// Equal agents with equal random numbers would tie in every set.
fn with_separate_random_numbers(entrants: Vec<Entrant>) -> Vec<Entrant> {
    let apart = |(copy, entrant)| Entrant { stream: AgentSeed::Independent(copy), ..entrant };
    (0..).zip(entrants).map(apart).collect()
}

/// An estimated quantity, and its entrant.
type Quantity = (String, String);

/// An estimate of a run with its intervals, by kind.
#[derive(Debug, Clone, Default)]
struct Estimate {
    value: Option<f64>,
    intervals: Vec<(&'static str, Option<f64>, Option<f64>)>,
}

impl Estimate {
    /// With one interval, pointwise.
    fn pointwise(value: Option<f64>, low: Option<f64>, high: Option<f64>) -> Self {
        Self { value, intervals: vec![("ci", low, high)] }
    }
}

/// All estimates of a run at one time.
type Estimates = BTreeMap<Quantity, Estimate>;

/// Many runs.
struct SimulatedRuns {
    /// The estimates of each run, at each look.
    runs: Vec<Vec<Estimates>>,
    /// The estimates from all runs together; their standard error is smaller by the square root of the number of runs.
    truths: Estimates,
}

/// The spec of one of many runs.
fn spec_of(spec: &Spec, run: u64) -> Spec {
    Spec { seed: mix(mix(spec.seed) ^ run), ..spec.clone() }
}

/// Simulates this number of runs, each by its number, on the current thread pool.
fn each_run<R: Send>(runs: u64, play: impl Fn(u64) -> anyhow::Result<R> + Send + Sync) -> anyhow::Result<Vec<R>> {
    (0..runs).into_par_iter().map(play).collect()
}

impl SimulatedRuns {
    /// The coverage of every kind of interval of every quantity.
    fn rows(&self, spec: &Spec) -> Vec<CoverageRow> {
        let names: Vec<&str> = spec.entrants.iter().map(|entrant| &*entrant.name).collect();
        let mut rows = Vec::new();
        for (quantity, truth) in &self.truths {
            let Some(value) = truth.value else { continue };
            for &(kind, ..) in &truth.intervals {
                rows.push(CoverageRow {
                    variant: spec.variants[0].name.clone(),
                    seats: spec.seats[0],
                    agents: names.join(" "),
                    sets: spec.sets,
                    quantity: quantity.0.clone(),
                    of: quantity.1.clone(),
                    interval: kind.into(),
                    ..self.row(quantity, kind, value)
                });
            }
        }
        rows
    }

    /// The coverage of the intervals of this kind.
    fn row(&self, quantity: &Quantity, kind: &str, truth: f64) -> CoverageRow {
        let (mut runs, mut covered, mut sum, mut width) = (0, 0, 0.0, 0.0);
        for run in &self.runs {
            // Only an anytime interval must contain the true value at every look.
            let looks = if kind == "anytime" { &run[..] } else { run.last().map_or(&[][..], std::slice::from_ref) };
            let bounds = looks.iter().filter_map(|look| {
                let estimate = look.get(quantity)?;
                let &(_, low, high) = estimate.intervals.iter().find(|(of_kind, ..)| *of_kind == kind)?;
                Some((estimate.value?, low?, high?))
            });
            let bounds: Vec<(f64, f64, f64)> = bounds.collect();
            let Some(&(value, low, high)) = bounds.last() else { continue };
            runs += 1;
            // Values that are counted in integers agree to the second-to-last digit.
            let holds = |&(_, low, high): &(f64, f64, f64)| (low - 1e-9..=high + 1e-9).contains(&truth);
            covered += u64::from(bounds.iter().all(holds));
            sum += value;
            width += 0.5 * (high - low);
        }
        let share = covered as f64 / (runs as f64).max(1.0);
        let interval = Interval::wilson(share, runs as f64);
        CoverageRow {
            runs,
            covered,
            coverage: share,
            ci_low: interval.map(|interval| interval.low),
            ci_high: interval.map(|interval| interval.high),
            truth,
            mean: sum / (runs as f64).max(1.0),
            half_width: width / (runs as f64).max(1.0),
            ..CoverageRow::default()
        }
    }
}
