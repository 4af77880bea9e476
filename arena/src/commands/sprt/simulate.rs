//! `unolab sprt --simulate`: how often the test is wrong.

use std::fs;

use anyhow::Context;
use unolab_arena::sprt::Hypotheses;
use unolab_arena::sprt_simulation::Simulation;
use unolab_arena::tables::sprt_errors::SprtErrorsRow;
use unolab_arena::tables::{Row, to_csv};
use unolab_arena::terminal::sprt_errors_table;

use crate::cli::SprtArgs;
use crate::disk::new_folder;
use crate::exit::Exit;
use crate::output::{print, width};

/// Simulates tests whose true effect is either hypothesis, between them and beyond them.
pub(super) fn run(args: &SprtArgs, hypotheses: Hypotheses, tests: u32) -> anyhow::Result<Exit> {
    if let Some(folder) = &args.kept.out {
        new_folder("--out", folder)?;
    }
    let threads = args.kept.num_threads();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("--threads")?;
    let Hypotheses { nelo0, nelo1, .. } = hypotheses;
    let rows: Vec<SprtErrorsRow> = [-0.5, 0.0, 0.5, 1.0, 1.5]
        .map(|part| {
            let truth = nelo0 + part * (nelo1 - nelo0);
            let seats = args.seats.into();
            let simulation = Simulation { hypotheses, seats, truth, max_sets: args.max_sets, seed: args.kept.seed };
            SprtErrorsRow::of(&simulation, &pool.install(|| simulation.run(tests)))
        })
        .into();
    if let Some(folder) = &args.kept.out {
        let path = folder.join(SprtErrorsRow::FILE);
        fs::write(&path, to_csv(&rows)).with_context(|| path.display().to_string())?;
    }
    if !args.kept.quiet {
        print(&sprt_errors_table(&rows, width()))?;
    }
    Ok(Exit::Done)
}
