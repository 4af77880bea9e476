//! `--record`: records games while they are played, one file per game.

use std::fs;
use std::io::{self, BufRead as _, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use serde_json::Value;
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::recording::{MOST_GAMES, RecordFilter};
use unolab_arena::run::directory::Start;
use unolab_arena::run::integrity::open;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::schedule::seating::EntrantId;

use crate::args::{RecordOnly, RunArgs};
use crate::disk::{check_no_broken_link, is_inside};

/// An upper bound on the length of the first line of a record, in bytes.
const MOST_OF_A_HEADER: u64 = 1 << 20;

/// The extension of an unfinished record.
const HALF: &str = ".new";

/// The directory of the records, and the games to record.
pub(in crate::commands) struct Records {
    pub(super) directory: PathBuf,
    /// The number of sets whose games are recorded.
    pub(super) sets: u64,
    pub(super) only: Option<RecordFilter>,
}

impl Records {
    /// The records that the arguments request. Before the first game this checks that the directory is empty and
    /// writable. A resumed run may have written some of its records already.
    pub(super) fn requested(contest: &Contest, args: &RunArgs) -> anyhow::Result<Option<Self>> {
        let Some(directory) = args.record.clone() else { return Ok(None) };
        check_no_broken_link("--record", &directory)?;
        // The directory of the records holds nothing else. A run may have that directory within its own.
        if let Some(out) = args.kept.out.as_deref().filter(|out| is_inside(out, &directory)) {
            bail!(
                "--record {}: cannot have --out {} in it; choose another directory",
                directory.display(),
                out.display()
            );
        }
        let only = args.record_only.as_ref().map(|only| chosen(contest, only)).transpose()?;
        let may_stay = |name: &str| args.kept.start() == Start::Resume && index_of(whole(name)).is_some();
        match names_in(&directory) {
            Ok(names) if names.iter().all(|name| may_stay(name)) => {}
            Ok(_) => bail!("--record {}: is not empty; choose another directory", directory.display()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("--record {}", directory.display())),
        }
        check_writable(&directory).with_context(|| format!("--record {}", directory.display()))?;
        Ok(args.recorded_sets().map(|sets| Self { directory, sets, only }))
    }

    /// Creates the directory. Records of games that this run has not counted are removed, because these games are
    /// played again; other records stay.
    pub(super) fn begin(&self, contest: &Contest, part: &TournamentCounts) -> anyhow::Result<()> {
        let at_dir = || format!("--record {}", self.directory.display());
        let names =
            fs::create_dir_all(&self.directory).and_then(|()| names_in(&self.directory)).with_context(at_dir)?;
        let mut again = Vec::new();
        for name in names {
            if let Some(set) = index_of(whole(&name)).and_then(|index| part.to_play(contest.schedule(), index)) {
                let file = self.directory.join(&name);
                if whole(&name) == name && !is_record_of(&file, contest, set).with_context(at_dir)? {
                    bail!(
                        "--record {}: {name} is a record of another run; choose another directory",
                        self.directory.display()
                    );
                }
                again.push(file);
            }
        }
        self.check_complete(contest, part)?;
        again.iter().try_for_each(fs::remove_file).with_context(at_dir)
    }

    /// Counted games are not played again, and so not recorded again.
    fn check_complete(&self, contest: &Contest, part: &TournamentCounts) -> anyhow::Result<()> {
        let Self { directory, sets, only: None } = self else { return Ok(()) };
        let schedule = contest.schedule();
        let is_there = |file: &Path| fs::metadata(file).is_ok_and(|file| file.len() > 0);
        let mut first = 0;
        for section in &schedule.sections {
            let games = section.games_per_set();
            let is_recorded = |index: &u64| (index - first) % games < MOST_GAMES && part.counts(schedule, *index);
            let last = first + games * schedule.sets.min(*sets);
            for file in (first..last).filter(is_recorded).map(|index| self.file(index)) {
                if !is_there(&file) {
                    let (directory, file) = (directory.display(), file.display());
                    bail!(
                        "--record {directory}: {file} is missing, although its game has been counted; resume with the directory of its records"
                    );
                }
            }
            first += games * schedule.sets;
        }
        Ok(())
    }

    fn file(&self, index: u64) -> PathBuf {
        self.directory.join(file_name(index))
    }

    /// Whether no game has been recorded so far.
    pub(super) fn is_empty(&self) -> bool {
        names_in(&self.directory).is_ok_and(|names| names.iter().all(|name| index_of(name).is_none()))
    }

    /// Writes the record of the game with this index atomically.
    pub(super) fn write(&self, index: u64, text: &str) -> io::Result<()> {
        let file = self.file(index);
        let new = file.with_extension(format!("jsonl{HALF}"));
        fs::write(&new, text).and_then(|()| fs::rename(&new, file))
    }
}

/// The games that are chosen; an entrant is known by its name.
fn chosen(contest: &Contest, only: &RecordOnly) -> anyhow::Result<RecordFilter> {
    Ok(match only {
        RecordOnly::Fault => RecordFilter::Fault,
        RecordOnly::Every(games) => RecordFilter::Every(*games),
        RecordOnly::Lost(name) => {
            let names: Vec<&str> = contest.spec().entrants.iter().map(|entrant| &*entrant.name).collect();
            let Some(number) = names.iter().position(|entrant| entrant == name) else {
                bail!("--record-only lost:{name}: unknown entrant; allowed: {}", names.join(", "));
            };
            RecordFilter::Lost(EntrantId::new(number))
        }
    })
}

/// The index of the game whose record has this name.
fn index_of(name: &str) -> Option<u64> {
    let index: u64 = name.strip_prefix("game-")?.strip_suffix(".jsonl")?.parse().ok()?;
    (file_name(index) == name).then_some(index)
}

fn file_name(index: u64) -> String {
    format!("game-{index}.jsonl")
}

/// The final name of the record.
fn whole(name: &str) -> &str {
    name.strip_suffix(HALF).unwrap_or(name)
}

/// Whether a file is the record of a game of this contest in this set. An empty file belongs to no contest.
fn is_record_of(file: &Path, contest: &Contest, set: u64) -> io::Result<bool> {
    let mut line = Vec::new();
    io::BufReader::new(open(file)?).take(MOST_OF_A_HEADER).read_until(b'\n', &mut line)?;
    let header: Value = serde_json::from_slice(&line).unwrap_or_default();
    let spec = contest.spec();
    let are_entrants = |names: &Vec<Value>| {
        names.iter().all(|name| spec.entrants.iter().any(|entrant| Some(&*entrant.name) == name.as_str()))
    };
    Ok(line.is_empty()
        || header["seed"] == spec.seed
            && header["set"] == set
            && header["names"].as_array().or(header["agents"].as_array()).is_some_and(are_entrants))
}

fn names_in(directory: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// Creates an unnamed file in the directory, or where the directory will be.
fn check_writable(directory: &Path) -> io::Result<()> {
    let place = directory.ancestors().find(|place| place.exists()).filter(|place| !place.as_os_str().is_empty());
    tempfile::tempfile_in(place.unwrap_or(Path::new("."))).map(drop)
}
