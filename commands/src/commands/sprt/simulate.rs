//! `unolab sprt --simulate`: measures how often the test is wrong.

use anyhow::bail;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::tournament;
use unolab_arena::random::Stream;
use unolab_arena::run::driver::{self, RunOptions};
use unolab_arena::tables::sprt_errors::SprtErrorsRow;
use unolab_arena::tables::table::{TableFormat, Tables};
use unolab_engine::rng::{Purpose, Rng};
use unolab_stats::set_totals::SetTotals;
use unolab_stats::sprt::Hypotheses;
use unolab_stats::sprt::simulation::{Sets, Simulation};

use super::super::driver::tables::write_to;
use super::super::driver::{STOP, stop_on_ctrl_c};
use super::args::SprtArgs;
use crate::args::{AgentList, CommonRunArgs, PlayMode};
use crate::disk::new_dir;
use crate::exit::Exit;
use crate::output::{print, warn, width};
use crate::terminal::power::sprt_errors_table;

/// The number of sets that real agents play for this number of tests: ten for each test, within bounds.
fn played_sets(tests: u32) -> u64 {
    (10 * u64::from(tests)).clamp(1_000, 20_000)
}

/// Simulates tests whose true effect is either hypothesis, between them and beyond them: with agents by moving the
/// hypotheses, otherwise by moving the effect.
pub(super) fn run(args: &SprtArgs, hypotheses: Hypotheses, tests: u32, registry: &Registry) -> anyhow::Result<Exit> {
    let CommonRunArgs { out, tables, .. } = &args.common;
    let _dir = match out {
        Some(directory) => Some(new_dir("--out", directory)?),
        None if *tables == TableFormat::Parquet => {
            bail!("--tables parquet: --simulate writes a table only with --out DIR")
        }
        None => None,
    };
    let threads = args.common.num_threads(1);
    let pool = driver::pool(threads)?;
    let played = if args.agents.is_empty() {
        None
    } else {
        let Some(totals) = totals_of_agents(args, hypotheses, tests, registry)? else { return Ok(Exit::Stopped) };
        Some(totals)
    };
    let stream_of = |test| Stream(Rng::keyed(args.common.seed(), u64::from(test), Purpose::Other(2)));
    let (seats, max_sets) = (args.seats.into(), args.most_sets());
    let of_part = |part: f64| {
        let width = hypotheses.nelo1 - hypotheses.nelo0;
        match &played {
            None => Simulation { hypotheses, seats, sets: Sets::OfEffect(hypotheses.nelo0 + part * width), max_sets },
            Some(totals) => {
                let sets = Sets::Played(totals.clone());
                let truth = Simulation { hypotheses, seats, sets: sets.clone(), max_sets }.truth();
                let nelo0 = truth - part * width;
                let hypotheses = Hypotheses { nelo0, nelo1: nelo0 + width, ..hypotheses };
                Simulation { hypotheses, seats, sets, max_sets }
            }
        }
    };
    let rows: Vec<SprtErrorsRow> = [-0.5, 0.0, 0.5, 1.0, 1.5]
        .map(|part| {
            let simulation = of_part(part);
            SprtErrorsRow::of(&simulation, &pool.install(|| simulation.run(tests, stream_of)))
        })
        .into();
    let text = sprt_errors_table(&rows, width());
    if let Some(directory) = out {
        write_to(&Tables::none().with(rows), directory, *tables)?;
    }
    if !args.common.quiet {
        print(&text)?;
    }
    Ok(Exit::Done)
}

/// The totals of sets that the agents play. `None` if it is stopped.
fn totals_of_agents(
    args: &SprtArgs,
    hypotheses: Hypotheses,
    tests: u32,
    registry: &Registry,
) -> anyhow::Result<Option<SetTotals>> {
    let agents = args.agents.iter().flat_map(|AgentList(agents)| agents);
    let registry = &args.common.registry_for(registry, agents, None, PlayMode::DryRun)?;
    let contest =
        super::contest(&SprtArgs { max_sets: Some(played_sets(tests)), ..args.clone() }, hypotheses, registry)?;
    stop_on_ctrl_c()?;
    let counts = tournament::play(&contest, RunOptions::new(args.common.num_threads(contest.games_at_once()), &STOP))?;
    if !counts.is_finished() {
        return Ok(None);
    }
    let totals = counts.tallies().swap_remove(0).set_totals().clone();
    if totals.iter().count() < 2 {
        warn("warning: every set had the same result, so the tests have no variance");
    }
    Ok(Some(totals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_sets_per_test_are_played_within_bounds() {
        assert_eq!([10, 150, 1_000_000].map(played_sets), [1_000, 1_500, 20_000]);
    }
}
