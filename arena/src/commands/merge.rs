//! `unolab merge`: joins the parts of a sharded run to the bytes of the whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use unolab_arena::folder::RunFolder;
use unolab_arena::run::RUN_FILE;
use unolab_arena::standing::{Joined, PART_FILE, Standing, UNFINISHED_FILE};
use unolab_arena::tables::games::Game;
use unolab_arena::tables::{Row, header};

use super::running::{self, Extras, request};
use crate::cli::MergeArgs;
use crate::exit::Exit;
use crate::output::print;

pub(crate) fn run(args: &MergeArgs) -> anyhow::Result<Exit> {
    let parts = args.parts.iter().map(|path| Ok((path.clone(), read(path)?))).collect::<anyhow::Result<Vec<_>>>()?;
    let job = parts[0].1.job.clone();
    let contest = request::contest_of(job.spec, job.besides).with_context(|| args.parts[0].display().to_string())?;
    let Joined { whole, parts } = Joined::of(parts, &contest)?;
    let path = args.out.clone().unwrap_or_else(|| running::default_folder(&contest, whole.job.shard));
    let folder = RunFolder::claim(&path, contest.spec().hash())?;
    if whole.job.besides.games_csv.is_some() {
        join_games(&folder, &parts)?;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    running::finish(&contest, folder, &whole, threads, Extras { tables: args.tables, ..Extras::NONE })?;
    if !args.quiet {
        print(&format!("{} parts joined; tables in {}\n", parts.len(), path.display()))?;
    }
    Ok(Exit::Done)
}

/// The part in a folder.
fn read(folder: &Path) -> anyhow::Result<Standing> {
    let path = folder.join(PART_FILE);
    if folder.join(UNFINISHED_FILE).exists() {
        bail!("{}: is unfinished; go on with --resume first", folder.display());
    }
    if !path.exists() && folder.join(RUN_FILE).exists() {
        bail!("{}: holds a whole run, not a part of one", folder.display());
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Standing::from_json(&text).with_context(|| path.display().to_string())
}

/// The rows of each section, part by part: that is the order of the games.
fn join_games(folder: &RunFolder, parts: &[(PathBuf, Standing)]) -> anyhow::Result<()> {
    let header = header::<Game>();
    let mut out = BufWriter::new(folder.create(Game::FILE)?);
    out.write_all(&header).context(Game::FILE)?;
    let num_sections = parts[0].1.part.sections.len();
    for section in 0..num_sections {
        for (path, Standing { part, .. }) in parts {
            let path = path.join(Game::FILE);
            let earlier: u64 = part.sections[..section].iter().map(|earlier| earlier.rows).sum();
            let from = header.len() as u64 + earlier;
            let rows = part.sections[section].rows;
            let copied = copy_range(&path, from, rows, &mut out).with_context(|| path.display().to_string())?;
            if copied != rows {
                bail!("{}: is shorter than its {PART_FILE} says", path.display());
            }
        }
    }
    out.flush().context(Game::FILE)
}

fn copy_range(path: &Path, from: u64, length: u64, out: &mut impl Write) -> io::Result<u64> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    io::copy(&mut file.take(length), out)
}
