//! `unolab merge`: joins the parts of a sharded run to the bytes of the whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use unolab_agents::registry::Registry;
use unolab_arena::experiment::part::TournamentStanding;
use unolab_arena::run::checksum::checksum_of;
use unolab_arena::run::digest::check_digest;
use unolab_arena::run::folder::RunFolder;
use unolab_arena::run::joined::Joined;
use unolab_arena::run::manifest::RUN_FILE;
use unolab_arena::run::shard::Shard;
use unolab_arena::run::standing::{Job, PART_FILE, Standing, UNFINISHED_FILE};
use unolab_arena::spec::Spec;
use unolab_arena::tables::games::Game;
use unolab_arena::tables::{Row, header};
use unolab_arena::words::counted;

use super::balance;
use super::running::{self, Extras, request};
use crate::args::{MergeArgs, opened};
use crate::exit::Exit;
use crate::output::print;

pub(crate) fn run(args: &MergeArgs, registry: &Registry) -> anyhow::Result<Exit> {
    let path = match read::<Kind>(&args.parts[0])?.job.spec.command.as_str() {
        "balance" => balance::merge(read_all(args)?, args, registry)?,
        _ => merge(read_all(args)?, args, registry)?,
    };
    if !args.quiet {
        print(&format!("{} joined; tables in {}\n", counted(args.parts.len() as u64, "part"), path.display()))?;
    }
    Ok(Exit::Done)
}

/// A part, as far as it says what it is a part of.
#[derive(Deserialize)]
struct Kind {
    job: KindOfJob,
}

/// See [`Kind`].
#[derive(Deserialize)]
struct KindOfJob {
    spec: KindOfSpec,
}

/// See [`Kind`].
#[derive(Deserialize)]
struct KindOfSpec {
    command: String,
}

fn read_all<T: DeserializeOwned>(args: &MergeArgs) -> anyhow::Result<Vec<(PathBuf, T)>> {
    args.parts.iter().map(|path| Ok((path.clone(), read(path)?))).collect()
}

/// Joins the parts of a tournament or a match; says where the whole is.
fn merge(parts: Vec<(PathBuf, TournamentStanding)>, args: &MergeArgs, registry: &Registry) -> anyhow::Result<PathBuf> {
    let job = parts[0].1.job.clone();
    let spec = Spec { seal: opened(job.spec.seal, args.seal_file.as_deref())?, ..job.spec };
    let contest =
        request::contest_of(spec, job.besides, registry).with_context(|| args.parts[0].display().to_string())?;
    let whole = Standing::begin(Job { shard: Shard::WHOLE, ..parts[0].1.job.clone() }, &contest);
    let Joined { whole, parts } =
        Joined::of(parts, whole, args.changed_programs(), |part, shard| part.is_of(&contest, shard))?;
    let path = args.out.clone().unwrap_or_else(|| running::default_folder(&contest, whole.job.shard));
    let folder = RunFolder::claim(&path, contest.spec().hash(), whole.job.besides, args.asked())?;
    if whole.job.besides.games_csv.is_some() {
        join_games(&folder, &parts)?;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    running::finish(&contest, folder, &whole, threads, Extras { tables: args.tables, ..Extras::NONE })?;
    Ok(path)
}

/// The part in a folder.
fn read<T: DeserializeOwned>(folder: &Path) -> anyhow::Result<T> {
    let path = folder.join(PART_FILE);
    if folder.join(UNFINISHED_FILE).exists() {
        bail!("{}: is unfinished; go on with --resume first", folder.display());
    }
    if !path.exists() && folder.join(RUN_FILE).exists() {
        bail!("{}: holds a whole run, not a part of one", folder.display());
    }
    let text = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    check_digest(&text).map_err(|reason| anyhow!("{}: {reason}", path.display()))?;
    serde_json::from_str(&text).with_context(|| path.display().to_string())
}

/// The rows of each section, part by part: that is the order of the games.
fn join_games(folder: &RunFolder, parts: &[(PathBuf, TournamentStanding)]) -> anyhow::Result<()> {
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
            match copied {
                Some(checksum) if checksum == part.sections[section].rows_checksum => {}
                Some(_) => bail!("{}: its rows are not as they were written", path.display()),
                None => bail!("{}: is shorter than its {PART_FILE} says", path.display()),
            }
        }
    }
    out.flush().context(Game::FILE)
}

/// Copies bytes of a file, and says what their checksum is; none if there are fewer.
fn copy_range(path: &Path, from: u64, length: u64, out: &mut impl Write) -> io::Result<Option<u32>> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    checksum_of(&mut file, length, |bytes| out.write_all(bytes))
}
