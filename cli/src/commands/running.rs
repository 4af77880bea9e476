//! What `tournament` and `match` share: arguments become a spec, the spec is played, the run gets its folder.

pub(super) mod dry_run;
pub(super) mod keeper;
pub(super) mod leader;
mod power;
pub(super) mod records;
pub(super) mod request;
mod stream;
pub(super) mod tables;

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::ledger::{RunError, Snapshots};
use unolab_arena::experiment::part::{Part, TournamentStanding};
use unolab_arena::experiment::recording::Recording;
use unolab_arena::experiment::runner::{self, Conduct, GamesSink};
use unolab_arena::run::folder::FolderError;
use unolab_arena::run::folder::{Asked, Claim, RunFolder};
use unolab_arena::run::manifest::{Machine, RUN_FILE, Run};
use unolab_arena::run::shard::Shard;
use unolab_arena::run::standing::{Job, PART_FILE, Standing};
use unolab_arena::schedule::contest::Contest;
use unolab_arena::spec::{Command, SpecHash};
use unolab_arena::tables::games::Game;
use unolab_arena::tables::luck;
use unolab_arena::tables::offences::{self, OffenceRow};
use unolab_arena::tables::parquet::games_to_parquet;
use unolab_arena::tables::summary;
use unolab_arena::tables::{PlayedSection, Row, header, ratings, readme};
use unolab_arena::words::counted;

use crate::args::{AgentList, KeptArgs, RunArgs, TableFormat};
use crate::exit::Exit;
use crate::output::{print, width};
use crate::progress::Bar;
use crate::report::{PAGE_FILE, PLOTS_FOLDER, Report};
use crate::terminal::{luck_table, section_table};
use keeper::{Keeper, checkpoint_interval, how_to_go_on, tell_stopped};
use records::Records;
use tables::{Tables, parquet_name};

/// Set by Ctrl-C, and by whatever else asks a process to end.
pub(super) static STOP: AtomicBool = AtomicBool::new(false);

/// Plays what the arguments ask for, writes the tables into the run's folder and prints them.
pub(super) fn run(
    command: Command,
    agents: Vec<AgentList>,
    args: &RunArgs,
    registry: &Registry,
) -> anyhow::Result<Exit> {
    let registry = &registry_for(&agents, args, registry)?;
    let contest = request::contest(command, agents, args, registry)?;
    let (kept, threads) = (&args.kept, args.kept.num_threads());
    if let Some(edge) = args.power {
        return power::run(&contest, edge, threads);
    }
    if args.dry_run {
        return dry_run::run(&contest, threads, args);
    }
    if kept.out.as_deref() == Some(Path::new("-")) {
        return stream::run(&contest, threads, args);
    }
    let shard = kept.shard()?;
    let path = kept.out.clone().unwrap_or_else(|| default_folder(&contest, shard));
    let records = Records::asked_for(&contest, args)?;
    let anew = Standing::begin(Job::new(contest.spec(), shard, request::besides(args)), &contest);
    let (folder, standing) = match RunFolder::open(&path, anew, kept.start(), asked(args))? {
        Claim::Play(folder, standing) => (folder, *standing),
        Claim::Finished => return tell_finished(&path, kept),
    };
    make_sure_it_counts_for(&contest, &standing, &path)?;
    let page = if args.report { Page::Wanted } else { Page::NotAskedFor };
    let extras = Extras { tables: kept.tables, page };
    if let Some(records) = &records {
        records.begin(&contest, &standing.part)?;
    }
    play_and_publish(&contest, threads, folder, standing, records.as_ref(), extras, kept.quiet)
}

/// The registry for a run of these agents, whose programs are confined as they are to be.
pub(super) fn registry_for(agents: &[AgentList], args: &RunArgs, registry: &Registry) -> anyhow::Result<Registry> {
    let agents = agents.iter().flat_map(|AgentList(agents)| agents);
    args.kept.registry_for(registry, agents, args.record.clone())
}

/// The files that are written if they are asked for.
pub(super) fn asked(args: &RunArgs) -> Asked {
    args.kept.asked().with("--report", args.report)
}

/// There is nothing to do, if all is there.
pub(super) fn tell_finished(path: &Path, kept: &KeptArgs) -> anyhow::Result<Exit> {
    if kept.tables == TableFormat::Parquet && !tables::are_all_parquet(path)? {
        return Err(FolderError::OtherJob { path: path.into(), difference: "without --tables parquet".into() }.into());
    }
    if !kept.quiet {
        print(&format!("{} is finished\n", path.display()))?;
    }
    Ok(Exit::Done)
}

/// What is gone on with must count what this contest plays.
fn make_sure_it_counts_for(contest: &Contest, standing: &TournamentStanding, path: &Path) -> Result<(), FolderError> {
    if standing.part.is_of(contest, standing.job.shard) {
        return Ok(());
    }
    Err(FolderError::Broken { path: path.into(), reason: "its counts do not belong to its spec".into() })
}

/// `runs/match-0123456789abcdef`.
pub(super) fn default_folder(contest: &Contest, shard: Shard) -> PathBuf {
    let spec = contest.spec();
    folder_of(spec.command.name(), spec.hash(), shard)
}

/// `runs/balance-0123456789abcdef`.
pub(super) fn folder_of(command: &str, spec: SpecHash, shard: Shard) -> PathBuf {
    let whole = format!("runs/{command}-{spec}");
    PathBuf::from(if shard == Shard::WHOLE { whole } else { format!("{whole}-part-{}", shard.file_name()) })
}

/// Goes on with a run from where it stands, writes its tables into its folder and prints them.
pub(super) fn play_and_publish(
    contest: &Contest,
    threads: usize,
    folder: RunFolder,
    standing: TournamentStanding,
    records: Option<&Records>,
    extras: Extras,
    quiet: bool,
) -> anyhow::Result<Exit> {
    let begin = Instant::now();
    let before = standing.part.games(contest.schedule()).done;
    let bar = if quiet { Bar::hidden() } else { Bar::of(standing.part.sets().of, "set") };
    bar.begin_at(standing.part.sets().done);
    let standing = play(contest, threads, &bar, &folder, standing, records).with_context(|| how_to_go_on(&folder))?;
    let games = standing.part.games(contest.schedule());
    bar.say(&speed(games.done - before, begin.elapsed(), threads));
    bar.finish();

    let (is_finished, path, shard) = (standing.part.is_finished(), folder.path().to_owned(), standing.job.shard);
    let tallies = standing.part.tallies();
    let sections = PlayedSection::all(contest.spec(), contest.schedule(), &tallies);
    match (is_finished, shard) {
        (true, Shard::WHOLE) => finish(contest, folder, &standing, threads, extras)?,
        (true, _) => {
            folder.write(PART_FILE, standing.to_json())?;
            folder.publish()?;
        }
        (false, _) => tell_stopped(&folder, games, "game"),
    }
    if !quiet {
        let mut text: String = sections.clone().filter_map(printed).collect();
        text += &faults_in_words(sections);
        text += &match (is_finished, shard) {
            (true, Shard::WHOLE) => format!("tables in {}\n", path.display()),
            (true, _) => format!("part {shard} in {}; unolab merge joins the parts\n", path.display()),
            (false, _) => String::new(),
        };
        print(&text)?;
    }
    Ok(if is_finished { Exit::Done } else { Exit::Stopped })
}

/// Plays on from where the run stands, and keeps where it stands from time to time.
fn play(
    contest: &Contest,
    threads: usize,
    bar: &Bar,
    folder: &RunFolder,
    from: TournamentStanding,
    records: Option<&Records>,
) -> anyhow::Result<TournamentStanding> {
    listen_for_ctrl_c()?;
    let Standing { job, seconds, part } = from;
    let keeper = Keeper::new(folder, job.clone(), seconds);
    let conduct = Conduct { threads, stop: &STOP, on_progress: &|progress| bar.show(progress.sets.done) };
    let mut rows = job.besides.games_csv.map(|every| RowsFile::open(folder, &part, every)).transpose()?;
    let synced = rows.as_ref().map(RowsFile::synced).transpose()?;
    let take = |part: &Part| {
        bar.lead(&leader::line(contest, part));
        if let Some(file) = &synced {
            file.sync_data()?;
        }
        keeper.keep_at_once(part)
    };
    let snapshots = Snapshots { interval: checkpoint_interval(), take: &take };
    let write = |index, text: &str| records.map_or(Ok(()), |records| records.write(index, text));
    let recording = records.map(|records| Recording { sets: records.sets, only: records.only, write: &write });
    let rows = rows.as_mut().map(RowsFile::sink);
    let part = runner::play_on(contest, &conduct, part, rows, recording, Some(snapshots))?;
    take(&part).map_err(RunError::Snapshot)?;
    Ok(keeper.standing(part))
}

/// From now on Ctrl-C sets [`STOP`].
pub(super) fn listen_for_ctrl_c() -> anyhow::Result<()> {
    let listening = ctrlc::set_handler(|| {
        // The second time there is no waiting for the blocks in hand.
        if STOP.swap(true, Ordering::Relaxed) {
            std::process::exit(130);
        }
    });
    match listening {
        Err(ctrlc::Error::MultipleHandlers) => Ok(()),
        listening => listening.context("cannot listen for Ctrl-C"),
    }
}

/// `games.csv` while it is being written.
struct RowsFile {
    out: BufWriter<File>,
    every: u64,
}

impl RowsFile {
    /// After the rows of what has been counted.
    fn open(folder: &RunFolder, part: &Part, every: u64) -> anyhow::Result<Self> {
        let header = header::<Game>();
        if part.sets().done > 0 {
            let file = folder.write_on(Game::FILE, header.len() as u64 + part.rows())?;
            check_rows(folder, part, &header)?;
            return Ok(Self { out: BufWriter::new(file), every });
        }
        let mut out = BufWriter::new(folder.create(Game::FILE)?);
        out.write_all(&header).context(Game::FILE)?;
        Ok(Self { out, every })
    }

    /// A second hand on the file, to make sure that what was flushed stays.
    fn synced(&self) -> anyhow::Result<File> {
        self.out.get_ref().try_clone().context(Game::FILE)
    }

    fn sink(&mut self) -> GamesSink<'_> {
        GamesSink { out: &mut self.out, every: self.every }
    }
}

/// Makes sure that the rows of what has been counted are those that were written.
fn check_rows(folder: &RunFolder, part: &Part, header: &[u8]) -> anyhow::Result<()> {
    let mut file = BufReader::new(folder.read(Game::FILE)?);
    let mut first = vec![0; header.len()];
    file.read_exact(&mut first).context(Game::FILE)?;
    let checked = if first == header {
        part.check_rows(&mut file).context(Game::FILE)?
    } else {
        Err("its header is another".into())
    };
    checked.map_err(|reason: String| {
        let reason = format!("{}: {reason}", Game::FILE);
        FolderError::Broken { path: folder.path().into(), reason }.into()
    })
}

/// What the folder of a run gets besides its tables as CSV.
#[derive(Debug, Clone, Copy)]
pub(super) struct Extras {
    /// In which form it gets the tables too.
    pub(super) tables: TableFormat,
    /// Whether there is a page.
    pub(super) page: Page,
}

impl Extras {
    /// Nothing.
    pub(super) const NONE: Self = Self { tables: TableFormat::Csv, page: Page::NotAskedFor };
}

/// Whether a run gets a page for people.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Page {
    /// `report.html` and its plots.
    Wanted,
    /// Only the tables.
    NotAskedFor,
}

/// Writes the tables of a whole run into its folder, and puts it in its place. `run.json` comes after them.
pub(super) fn finish(
    contest: &Contest,
    folder: RunFolder,
    Standing { job, seconds, part }: &TournamentStanding,
    threads: usize,
    extras: Extras,
) -> anyhow::Result<()> {
    let tallies = part.tallies();
    let sections = PlayedSection::all(contest.spec(), contest.schedule(), &tallies);
    let tables = Tables::of(sections.clone(), sections.clone().flat_map(ratings::rows).collect());
    tables.write(&folder, extras.tables)?;
    Tables::of_offences(sections).write(&folder, extras.tables)?;
    if extras.tables == TableFormat::Parquet && job.besides.games_csv.is_some() {
        let (csv, parquet) = (folder.read(Game::FILE)?, folder.create(&parquet_name(Game::FILE))?);
        games_to_parquet(csv, parquet).context(Game::FILE)?;
    }
    folder.write("README.md", readme())?;
    let run = Run::of(contest.spec().clone(), &tables.named(), Machine::this(threads), *seconds);
    let run = run.of_job(job);
    if extras.page == Page::Wanted {
        write_report(&folder, &tables.named(), &run)?;
    }
    folder.write(RUN_FILE, Run { files: Some(folder.files()), ..run }.to_json())?;
    Ok(folder.publish()?)
}

/// The page of a run with these tables, and its plots.
pub(super) fn write_report(folder: &RunFolder, tables: &[(&str, &[u8])], run: &Run) -> anyhow::Result<()> {
    let run = run.to_json();
    let mut files = tables.to_vec();
    files.push((RUN_FILE, run.as_bytes()));
    let Report { html, plots } = Report::of(&files)?;
    folder.write(PAGE_FILE, html)?;
    plots.iter().try_for_each(|plot| Ok(folder.write(&format!("{PLOTS_FOLDER}/{}", plot.name), &plot.svg)?))
}

/// The table of a section, if any of its sets were played.
fn printed(played: PlayedSection<'_>) -> Option<String> {
    let rows = summary::rows(played);
    let any = rows.iter().any(|row| row.sets > 0);
    let luck = luck_table(&luck::rows(played), width());
    any.then(|| section_table(&rows, played.section.fair_share(), width()) + "\n" + &luck)
}

/// A line for each entrant that has lost games by offences: how many, and the first.
pub(super) fn faults_in_words<'a>(sections: impl Iterator<Item = PlayedSection<'a>> + Clone) -> String {
    let offences: Vec<OffenceRow> = sections.clone().flat_map(offences::rows).collect();
    let mut text = String::new();
    for row in sections.flat_map(summary::rows).filter(|row| row.crashes + row.timeouts + row.illegal > 0) {
        text += &format!(
            "{} in {} at {} seats lost games by {}, {}, {}",
            row.entrant,
            row.variant,
            row.seats,
            counted(row.crashes, "crash"),
            counted(row.timeouts, "timeout"),
            counted(row.illegal, "illegal answer")
        );
        let is_its = |offence: &&OffenceRow| {
            (&offence.entrant, &offence.variant, offence.seats) == (&row.entrant, &row.variant, row.seats)
        };
        if let Some(first) = offences.iter().find(is_its) {
            text += &format!("; first in game {}, decision {}: {}", first.index, first.decision, first.what);
        }
        text.push('\n');
    }
    text
}

fn speed(games: u64, time: Duration, threads: usize) -> String {
    let seconds = time.as_secs_f64();
    let rate = games as f64 / seconds.max(1e-9);
    let (games, threads) = (counted(games, "game"), counted(threads as u64, "thread"));
    format!("{games} in {seconds:.1} s on {threads}: {rate:.0} a second")
}
