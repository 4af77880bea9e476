//! `unolab sprt --simulate`: how often the test is wrong.

use anyhow::{Context, bail};
use unolab_arena::random::Stream;
use unolab_arena::tables::sprt_errors::SprtErrorsRow;
use unolab_engine::rng::{Purpose, Rng};
use unolab_stats::sprt::Hypotheses;
use unolab_stats::sprt::simulation::Simulation;

use super::super::running::tables::Tables;
use crate::args::{KeptArgs, SprtArgs, TableFormat};
use crate::disk::new_folder;
use crate::exit::Exit;
use crate::output::{print, width};
use crate::terminal::sprt_errors_table;

/// Simulates tests whose true effect is either hypothesis, between them and beyond them.
pub(super) fn run(args: &SprtArgs, hypotheses: Hypotheses, tests: u32) -> anyhow::Result<Exit> {
    let KeptArgs { out, tables, .. } = &args.kept;
    match out {
        Some(folder) => new_folder("--out", folder)?,
        None if *tables == TableFormat::Parquet => {
            bail!("--tables parquet: --simulate writes a table only with --out DIR")
        }
        None => {}
    }
    let threads = args.kept.num_threads();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("--threads")?;
    let Hypotheses { nelo0, nelo1, .. } = hypotheses;
    let stream_of = |test| Stream(Rng::keyed(args.kept.seed, u64::from(test), Purpose::Other(2)));
    let rows: Vec<SprtErrorsRow> = [-0.5, 0.0, 0.5, 1.0, 1.5]
        .map(|part| {
            let truth = nelo0 + part * (nelo1 - nelo0);
            let seats = args.seats.into();
            let simulation = Simulation { hypotheses, seats, truth, max_sets: args.max_sets };
            SprtErrorsRow::of(&simulation, &pool.install(|| simulation.run(tests, stream_of)))
        })
        .into();
    let text = sprt_errors_table(&rows, width());
    if let Some(folder) = out {
        Tables::none().with(rows).write_to(folder, *tables)?;
    }
    if !args.kept.quiet {
        print(&text)?;
    }
    Ok(Exit::Done)
}
