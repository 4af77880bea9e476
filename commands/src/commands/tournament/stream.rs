//! `--out -`: prints one table to standard output and writes no files.

use std::io::{self, BufWriter, Write};

use anyhow::{Context, bail};
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::tournament;
use unolab_arena::run::driver::{GamesSink, Progress, RunOptions};
use unolab_arena::run::shard::Shard;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::tables::games::GameRow;
use unolab_arena::tables::summary::SummaryRow;
use unolab_arena::tables::table::TableFormat;
use unolab_arena::tables::{PlayedSection, Row as _, header, summary, to_csv};

use crate::args::RunArgs;
use crate::commands::driver::{STOP, dry_run, stop_on_ctrl_c};
use crate::exit::Exit;
use crate::output::{fitted, line_width, print};
use crate::progress::Bar;

/// Prints `games.csv` as it is played, or `summary.csv` at the end; for a dry run, the games and the time.
pub(super) fn run(contest: &Contest, threads: usize, args: &RunArgs) -> anyhow::Result<Exit> {
    if args.common.resume || args.common.shard.is_some_and(|shard| shard != Shard::WHOLE) || args.record.is_some() {
        bail!("--out -: --resume, --shard and --record need a directory");
    }
    for (flag, is_given) in [("--luck", args.luck), ("--report", args.report)] {
        if is_given {
            bail!("--out -: prints one table; {flag} needs a directory");
        }
    }
    if args.common.json {
        bail!("--out -: prints one table as CSV; --json needs --out with a directory");
    }
    if args.common.tables == TableFormat::Parquet {
        bail!("--out -: prints CSV only; --tables parquet needs a directory");
    }
    if args.dry_run {
        return print_costs(contest, threads, args);
    }
    stop_on_ctrl_c()?;
    let sets = contest.schedule().sets * contest.schedule().sections.len() as u64;
    let bar = if args.common.quiet { Bar::hidden() } else { Bar::of(sets, "set") };
    let on_progress = |progress: Progress| bar.show(progress.sets.done);
    let options = RunOptions { on_progress: &on_progress, ..RunOptions::new(threads, &STOP) };
    let counted = match args.games_csv {
        Some(every) => {
            let mut out = BufWriter::new(io::stdout());
            out.write_all(&header::<GameRow>()).context("standard output")?;
            tournament::play(contest, RunOptions { games: Some(GamesSink { out: &mut out, every }), ..options })?
        }
        None => {
            let counted = tournament::play(contest, options)?;
            if counted.is_finished() {
                let tallies = counted.tallies();
                let sections = PlayedSection::all(contest.spec(), contest.schedule(), &tallies);
                let csv = to_csv(&sections.flat_map(summary::rows).collect::<Vec<_>>());
                print(&String::from_utf8(csv).context("summary.csv")?)?;
            }
            counted
        }
    };
    bar.finish();
    Ok(if counted.is_finished() { Exit::Done } else { Exit::Stopped })
}

/// The games and the time of the run, after a short pilot.
fn print_costs(contest: &Contest, threads: usize, args: &RunArgs) -> anyhow::Result<Exit> {
    let all = TournamentCounts::new(contest, Shard::WHOLE);
    let text = dry_run::of_tournament(contest, &all, args.games_csv, threads, "")?;
    let table = if args.games_csv.is_some() { GameRow::FILE } else { SummaryRow::FILE };
    let text =
        format!("{text}\n{table} would go to standard output, and no file would be written\nnothing was played\n");
    print(&fitted(&text, line_width()))?;
    Ok(Exit::Done)
}
