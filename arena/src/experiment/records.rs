//! The records of a run: which of its games are recorded, and their directory, with one file per game, written while they are
//! played.

use std::fs;
use std::io::{self, BufRead as _, ErrorKind, Read as _};
use std::ops::Range;
use std::path::{Path, PathBuf};

use serde_json::Value;
use thiserror::Error;

use super::counts::TournamentCounts;
use crate::play::record::GameRecord;
use crate::play::recording::RecordingMode;
use crate::run::directory::Start;
use crate::run::integrity::open;
use crate::schedule::contest::Contest;
use crate::schedule::seating::EntrantId;

/// The default maximum number of recorded games of each deal and section.
const MOST_GAMES: u64 = 100;

/// An upper bound on the length of the first line of a record, in bytes.
const MOST_OF_A_HEADER: u64 = 1 << 20;

/// The extension of an unfinished record.
const HALF: &str = ".new";

/// Why a directory cannot take the records of a run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordsError {
    /// It holds other files.
    #[error("--record {}: is not empty; choose another directory", directory.display())]
    NotEmpty {
        /// The directory.
        directory: PathBuf,
    },
    /// It holds a record of another run.
    #[error("--record {}: {file} is a record of another run; choose another directory", directory.display())]
    OtherRun {
        /// The directory.
        directory: PathBuf,
        /// The name of the record.
        file: String,
    },
    /// A record of a game that is not played again is missing.
    #[error(
        "--record {}: {} is missing, although its game has been counted; resume with the directory of its records",
        directory.display(), file.display()
    )]
    Missing {
        /// The directory.
        directory: PathBuf,
        /// The record.
        file: PathBuf,
    },
    /// An error of the file system.
    #[error("--record {}", directory.display())]
    Io {
        /// The directory.
        directory: PathBuf,
        /// The message of the file system.
        source: io::Error,
    },
}

/// The games to record among the games of the first sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordFilter {
    /// Games that this entrant has lost.
    Lost(EntrantId),
    /// Games that an agent has lost by a fault.
    Fault,
    /// Games whose index is divisible by this.
    Every(u64),
}

/// The directory of the records, and the games to record.
#[derive(Debug)]
pub struct Records {
    /// The directory.
    pub directory: PathBuf,
    /// The number of sets of each section whose games are recorded.
    pub sets: u64,
    /// The selection among their games; by default, the first hundred of each set.
    pub only: Option<RecordFilter>,
}

impl Records {
    /// Whether any game of these sets may be recorded.
    pub(super) const fn concern(&self, sets: &Range<u64>) -> bool {
        sets.start < self.sets
    }

    /// Whether a game is recorded while it is played.
    pub(super) fn before(&self, set: u64, number: u64, index: u64, seating: &[EntrantId]) -> RecordingMode {
        let is_chosen = match self.only {
            None => number < MOST_GAMES,
            Some(RecordFilter::Lost(entrant)) => seating.contains(&entrant),
            Some(RecordFilter::Fault) => true,
            Some(RecordFilter::Every(games)) => index.is_multiple_of(games),
        };
        if set < self.sets && is_chosen { RecordingMode::Down } else { RecordingMode::Nothing }
    }

    /// Whether the record is kept, now that the result is known.
    pub(super) fn after(&self, record: &GameRecord, seating: &[EntrantId]) -> bool {
        match self.only {
            None | Some(RecordFilter::Every(_)) => true,
            Some(RecordFilter::Lost(entrant)) => {
                !record.winners.is_empty() && !record.winners.iter().any(|seat| seating[seat.index()] == entrant)
            }
            Some(RecordFilter::Fault) => record.seats().any(|seat| record.result(seat).fault.is_some()),
        }
    }

    /// Checks that the directory is empty and writable. A resumed run may have written some of its records already.
    ///
    /// # Errors
    /// If it holds other files, or cannot be written.
    pub fn check(&self, start: Start) -> Result<(), RecordsError> {
        let directory = &self.directory;
        let may_stay = |name: &str| start == Start::Resume && index_of(whole(name)).is_some();
        match names_in(directory) {
            Ok(names) if names.iter().all(|name| may_stay(name)) => {}
            Ok(_) => return Err(RecordsError::NotEmpty { directory: directory.clone() }),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(self.error(error)),
        }
        check_writable(directory).map_err(|error| self.error(error))
    }

    /// Creates the directory. Records of games that this run has not counted are removed, because these games are
    /// played again; other records stay.
    ///
    /// # Errors
    /// If it holds records of another run, records of counted games are missing, or a file cannot be removed.
    pub fn begin(&self, contest: &Contest, counts: &TournamentCounts) -> Result<(), RecordsError> {
        let directory = &self.directory;
        let names = fs::create_dir_all(directory).and_then(|()| names_in(directory));
        let mut again = Vec::new();
        for name in names.map_err(|error| self.error(error))? {
            if let Some(set) = index_of(whole(&name)).and_then(|index| counts.to_play(contest.schedule(), index)) {
                let file = directory.join(&name);
                let is_ours = || is_record_of(&file, contest, set).map_err(|error| self.error(error));
                if whole(&name) == name && !is_ours()? {
                    return Err(RecordsError::OtherRun { directory: directory.clone(), file: name });
                }
                again.push(file);
            }
        }
        self.check_complete(contest, counts)?;
        again.iter().try_for_each(fs::remove_file).map_err(|error| self.error(error))
    }

    /// Counted games are not played again, and so not recorded again.
    fn check_complete(&self, contest: &Contest, counts: &TournamentCounts) -> Result<(), RecordsError> {
        let Self { directory, sets, only: None } = self else { return Ok(()) };
        let schedule = contest.schedule();
        let exists = |file: &Path| fs::metadata(file).is_ok_and(|file| file.len() > 0);
        let mut first = 0;
        for section in &schedule.sections {
            let games = section.games_per_set();
            let is_recorded = |index: &u64| (index - first) % games < MOST_GAMES && counts.counts(schedule, *index);
            let last = first + games * schedule.sets.min(*sets);
            for file in (first..last).filter(is_recorded).map(|index| self.file(index)) {
                if !exists(&file) {
                    return Err(RecordsError::Missing { directory: directory.clone(), file });
                }
            }
            first += games * schedule.sets;
        }
        Ok(())
    }

    fn file(&self, index: u64) -> PathBuf {
        self.directory.join(file_name(index))
    }

    fn error(&self, source: io::Error) -> RecordsError {
        RecordsError::Io { directory: self.directory.clone(), source }
    }

    /// Whether no game has been recorded so far.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        names_in(&self.directory).is_ok_and(|names| names.iter().all(|name| index_of(name).is_none()))
    }

    /// Writes the record of the game with this index atomically.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, index: u64, text: &str) -> io::Result<()> {
        let file = self.file(index);
        let new = file.with_extension(format!("jsonl{HALF}"));
        fs::write(&new, text).and_then(|()| fs::rename(&new, file))
    }
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
