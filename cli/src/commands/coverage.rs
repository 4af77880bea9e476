//! `unolab coverage`: how often the intervals of many runs, which differ in their seeds, hold the truth.

use std::collections::BTreeMap;

use anyhow::{Context, bail};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use unolab_agents::registry::Registry;
use unolab_arena::count::tally::Tally;
use unolab_arena::experiment::luck_pilot::with_luck_taken_off;
use unolab_arena::experiment::tournament::tally_sets;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::luck::LuckIs;
use unolab_arena::spec::{Command, Entrant, SeatingPlan, Spec, Unit};
use unolab_arena::tables::{PlayedSection, Row as _, luck, pairs, ratings, summary, to_csv};
use unolab_engine::rng::mix;
use unolab_stats::interval::Interval;

use super::running::json::{JsonObject, print_json, tables_of};
use super::running::request;
use super::running::tables::Tables;
use crate::args::{CoverageArgs, Seats};
use crate::disk::new_folder;
use crate::exit::Exit;
use crate::output::{print, width};
use crate::terminal::coverage::{CoverageRow, coverage_table};

/// Simulates the runs of one match at each number of seats.
pub(crate) fn run(args: &CoverageArgs, registry: &Registry) -> anyhow::Result<Exit> {
    if let Some(folder) = &args.out {
        new_folder("--out", folder)?;
    }
    let entrants = request::entrants(args.agents.iter().cloned())?;
    if entrants.len() < 2 {
        bail!("--agents: two or more are needed, A,B; for runs without a difference A,A");
    }
    let same = entrants.iter().all(|entrant| entrant.agent == entrants[0].agent);
    let entrants = if same { Entrant::apart(entrants) } else { entrants };
    let luck = if args.luck { LuckIs::TakenOff } else { LuckIs::LeftIn };
    let threads = args.threads.map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("--threads")?;
    let seats = Seats::all(&args.seats);
    let mut rows = Vec::new();
    for &seats in &seats {
        let spec = Spec {
            command: Command::Match,
            entrants: entrants.clone(),
            variants: request::variants(&args.rules, &[seats])?,
            seats: vec![seats],
            sets: args.sets,
            seed: args.seed,
            seating: SeatingPlan::Rotate,
            unit: Unit::Round,
            seal: None,
        };
        rows.extend(pool.install(|| coverage(&spec, args.runs, luck, registry))?);
    }
    let (text, csv) = (coverage_table(&rows, width()), to_csv(&rows));
    if let Some(folder) = &args.out {
        Tables::none().with(rows).write_to(folder, args.tables)?;
    }
    if args.json {
        print_json("coverage", JsonObject::new(), tables_of([(CoverageRow::FILE, &*csv)])?)?;
    } else if !args.quiet {
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// A run is looked at so often, for intervals that hold at every look.
const LOOKS: u64 = 10;

/// What is estimated, and of whom.
type Quantity = (String, String);

/// An estimate of a run with its intervals, by kind.
#[derive(Debug, Clone, Default)]
struct Estimate {
    value: Option<f64>,
    intervals: Vec<(&'static str, Option<f64>, Option<f64>)>,
}

/// Everything in the tables of a section that has an interval; ratings take long.
fn estimates(played: PlayedSection<'_>, with_ratings: bool) -> BTreeMap<Quantity, Estimate> {
    let mut all = BTreeMap::new();
    let mut put = |quantity: &str, of: String, value, intervals| {
        all.insert((quantity.to_owned(), of), Estimate { value, intervals });
    };
    for row in summary::rows(played) {
        let intervals = vec![
            ("ci", row.ci_low, row.ci_high),
            ("simultaneous", row.simultaneous_low, row.simultaneous_high),
            ("anytime", row.anytime_low, row.anytime_high),
        ];
        put("win_share", row.entrant.clone(), row.win_share, intervals);
        let points = row.points_mean.zip(row.points_se);
        let points = points.and_then(|(mean, error)| Interval::student(mean, error, row.sets));
        let intervals = vec![("ci", points.map(|points| points.low), points.map(|points| points.high))];
        put("points_mean", row.entrant, row.points_mean, intervals);
    }
    for row in pairs::rows(played) {
        let intervals = vec![
            ("ci", row.ci_low, row.ci_high),
            ("simultaneous", row.simultaneous_low, row.simultaneous_high),
            ("anytime", row.anytime_low, row.anytime_high),
        ];
        put("share", format!("{} {}", row.a, row.b), row.share, intervals);
    }
    for row in if with_ratings { ratings::rows(played) } else { Vec::new() } {
        put(&row.method, row.entrant, Some(row.rating), vec![("ci", row.low, row.high)]);
    }
    for row in luck::rows(played) {
        let intervals = vec![
            ("ci", row.ci_low_adjusted, row.ci_high_adjusted),
            ("anytime", row.anytime_low_adjusted, row.anytime_high_adjusted),
        ];
        put("win_share_adjusted", row.entrant, row.win_share_adjusted, intervals);
    }
    all
}

/// A run: its counts, and what is estimated at each look; at the last one the sets are used up.
struct PlayedRun {
    tally: Tally,
    looks: Vec<BTreeMap<Quantity, Estimate>>,
}

/// Plays so many runs of a spec of one section on the threads of the pool at hand, and holds the intervals of their tables against all
/// of them together, whose own error is smaller by the root of the number of runs.
fn coverage(spec: &Spec, runs: u64, luck: LuckIs, registry: &Registry) -> anyhow::Result<Vec<CoverageRow>> {
    let contest_of = |run: u64| Contest::of(Spec { seed: mix(mix(spec.seed) ^ run), ..spec.clone() }, registry);
    // What luck is worth is fitted once: a worth that came with other seeds leaves no bias.
    let worth = match luck {
        LuckIs::LeftIn => None,
        LuckIs::TakenOff => with_luck_taken_off(Contest::of(spec.clone(), registry)?)?.worth_of_luck(0).cloned(),
    };
    let play = |run: u64| -> anyhow::Result<PlayedRun> {
        let contest = contest_of(run)?;
        let contest = match &worth {
            Some(worth) => contest.with_luck_worth(vec![worth.clone()])?,
            None => contest,
        };
        let section = &contest.schedule().sections[0];
        let mut tally = Tally::new(spec.entrants.len(), section.seats);
        let mut looks = Vec::new();
        for look in 0..LOOKS {
            let sets = look * spec.sets / LOOKS..(look + 1) * spec.sets / LOOKS;
            tally.merge(&tally_sets(&contest, 0, sets)?);
            let played = PlayedSection { spec: contest.spec(), section, tally: &tally };
            looks.push(estimates(played, look + 1 == LOOKS));
        }
        Ok(PlayedRun { tally, looks })
    };
    let played: Vec<PlayedRun> = (0..runs).into_par_iter().map(play).collect::<anyhow::Result<_>>()?;
    let contest = contest_of(0)?;
    let section = &contest.schedule().sections[0];
    let mut together = Tally::new(spec.entrants.len(), section.seats);
    played.iter().for_each(|run| together.merge(&run.tally));
    let truths = estimates(PlayedSection { spec, section, tally: &together }, true);
    let names: Vec<&str> = spec.entrants.iter().map(|entrant| &*entrant.name).collect();
    let mut rows = Vec::new();
    for ((quantity, of), truth) in &truths {
        let Some(value) = truth.value else { continue };
        for &(kind, ..) in &truth.intervals {
            rows.push(CoverageRow {
                variant: spec.variants[section.variant].name.clone(),
                seats: section.seats,
                agents: names.join(" "),
                sets: spec.sets,
                quantity: quantity.clone(),
                of: of.clone(),
                interval: kind.into(),
                ..row(&played, &(quantity.clone(), of.clone()), kind, value)
            });
        }
    }
    Ok(rows)
}

/// How the intervals of this kind did.
fn row(played: &[PlayedRun], quantity: &Quantity, kind: &str, truth: f64) -> CoverageRow {
    let (mut runs, mut covered, mut sum, mut width) = (0, 0, 0.0, 0.0);
    for run in played {
        // Only an interval for any time must hold at every look.
        let looks =
            if kind == "anytime" { &run.looks[..] } else { run.looks.last().map_or(&[][..], std::slice::from_ref) };
        let bounds = looks.iter().filter_map(|look| {
            let estimate = look.get(quantity)?;
            let &(_, low, high) = estimate.intervals.iter().find(|(of_kind, ..)| *of_kind == kind)?;
            Some((estimate.value?, low?, high?))
        });
        let bounds: Vec<(f64, f64, f64)> = bounds.collect();
        let Some(&(value, low, high)) = bounds.last() else { continue };
        runs += 1;
        // What was counted in whole numbers comes out the same to the last digits but one.
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
