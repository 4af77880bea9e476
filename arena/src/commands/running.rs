//! What `tournament` and `match` share: arguments become a spec, the spec is played, the run gets its folder.

mod records;
mod request;

use std::io::{BufWriter, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use unolab_arena::contest::Contest;
use unolab_arena::folder::RunFolder;
use unolab_arena::run::{Machine, RUN_FILE, Run};
use unolab_arena::runner::{self, Conduct, Counted, End, GamesSink};
use unolab_arena::spec::Command;
use unolab_arena::tables::games::Game;
use unolab_arena::tables::{PlayedSection, Row, header, pairs, readme, seats, summary, to_csv};
use unolab_arena::terminal::{grouped, section_table};

use crate::cli::{AgentList, RunArgs};
use crate::exit::Exit;
use crate::output::{complain, print, width};
use crate::progress::Bar;
use records::RecordsFolder;

/// Set by Ctrl-C.
static STOP: AtomicBool = AtomicBool::new(false);

/// Plays what the arguments ask for, writes the tables into the run's folder and prints them.
pub(super) fn run(command: Command, agents: Vec<AgentList>, args: &RunArgs) -> anyhow::Result<Exit> {
    let contest = request::contest(command, agents, args)?;
    let threads = match args.threads {
        Some(threads) => threads.into(),
        None => std::thread::available_parallelism().map_or(1, usize::from),
    };
    let spec = contest.spec();
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("runs/{}-{}", command.name(), spec.hash())));
    let records = args.record.as_deref().map(RecordsFolder::at).transpose()?;
    let folder = RunFolder::claim(&path, spec.hash())?;
    if let Some(records) = records {
        records.write(&contest)?;
    }

    let begin = Instant::now();
    let bar = if args.quiet { Bar::hidden() } else { Bar::of(contest.schedule().num_games(), "games") };
    let counted = play(&contest, threads, &bar, &folder, args.games_csv)?;
    let time = begin.elapsed();
    bar.say(&speed(&counted, time, threads));
    bar.finish();

    let sections = PlayedSection::all(spec, contest.schedule(), &counted.tallies);
    let tables = Tables::of(sections.clone());
    let end = match counted.end {
        End::Finished => {
            tables.write(&folder)?;
            folder.write("README.md", readme())?;
            let run = Run::of(spec.clone(), &tables.named(), Machine::this(threads), time.as_secs_f64());
            folder.write(RUN_FILE, run.to_json())?;
            folder.publish()?;
            Exit::Done
        }
        End::Stopped => {
            let (games, of) = (grouped(counted.games), grouped(contest.schedule().num_games()));
            complain(&format!("stopped after {games} of {of} games; nothing was written to {}", path.display()));
            Exit::Stopped
        }
    };
    if !args.quiet {
        let mut text: String = sections.filter_map(printed).collect();
        if end == Exit::Done {
            text += &format!("tables in {}\n", path.display());
        }
        print(&text)?;
    }
    Ok(end)
}

fn play(
    contest: &Contest,
    threads: usize,
    bar: &Bar,
    folder: &RunFolder,
    games_csv: Option<u64>,
) -> anyhow::Result<Counted> {
    ctrlc::set_handler(|| {
        // The second time there is no waiting for the blocks in hand.
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    let conduct = Conduct { threads, stop: &STOP, on_progress: &|progress| bar.show(progress.games) };
    let Some(every) = games_csv else { return Ok(runner::play(contest, &conduct, None)?) };
    let mut out = BufWriter::new(folder.create(Game::FILE)?);
    out.write_all(&header::<Game>()).context(Game::FILE)?;
    let counted = runner::play(contest, &conduct, Some(GamesSink { out: &mut out, every }))?;
    out.flush().context(Game::FILE)?;
    Ok(counted)
}

/// The tables of a run that are made of its counts.
struct Tables([(&'static str, Vec<u8>); 3]);

impl Tables {
    fn of<'a>(sections: impl Iterator<Item = PlayedSection<'a>> + Clone) -> Self {
        Self([
            (summary::SummaryRow::FILE, to_csv(&sections.clone().flat_map(summary::rows).collect::<Vec<_>>())),
            (seats::SeatsRow::FILE, to_csv(&sections.clone().flat_map(seats::rows).collect::<Vec<_>>())),
            (pairs::PairsRow::FILE, to_csv(&sections.flat_map(pairs::rows).collect::<Vec<_>>())),
        ])
    }

    fn named(&self) -> Vec<(&str, &[u8])> {
        self.0.iter().map(|(name, bytes)| (*name, &**bytes)).collect()
    }

    fn write(&self, folder: &RunFolder) -> anyhow::Result<()> {
        self.0.iter().try_for_each(|(name, bytes)| Ok(folder.write(name, bytes)?))
    }
}

/// The table of a section, if any of its sets were played.
fn printed(played: PlayedSection<'_>) -> Option<String> {
    let rows = summary::rows(played);
    let any = rows.iter().any(|row| row.sets > 0);
    any.then(|| section_table(&rows, played.section.fair_share(), width()) + "\n")
}

fn speed(counted: &Counted, time: Duration, threads: usize) -> String {
    let games = grouped(counted.games);
    let seconds = time.as_secs_f64();
    let rate = counted.games as f64 / seconds.max(1e-9);
    format!("{games} games in {seconds:.1} s on {threads} threads: {rate:.0} a second")
}
