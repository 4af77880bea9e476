//! `--record`: records games while they are played, one file per game.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use unolab_arena::experiment::counts::TournamentCounts;
use unolab_arena::experiment::recording::{MOST_GAMES, Only};
use unolab_arena::run::folder::Start;
use unolab_arena::schedule::contest::Contest;
use unolab_arena::schedule::seating::EntrantId;

use crate::args::{RecordOnly, RunArgs};
use crate::disk::no_link_to_nothing;

/// A record that is being written.
const HALF: &str = "game.new";

/// The folder of the records, and the games to record.
pub(in crate::commands) struct Records {
    pub(super) folder: PathBuf,
    /// The number of sets whose games are recorded.
    pub(super) sets: u64,
    pub(super) only: Option<Only>,
}

impl Records {
    /// The records that the arguments request. Before the first game it checks that the folder is empty and can be
    /// written. A resumed run may have written some of its records already.
    pub(super) fn asked_for(contest: &Contest, args: &RunArgs) -> anyhow::Result<Option<Self>> {
        let Some(folder) = args.record.clone() else { return Ok(None) };
        no_link_to_nothing("--record", &folder)?;
        let only = args.record_only.as_ref().map(|only| chosen(contest, only)).transpose()?;
        let may_stay = |name: &str| args.kept.start() == Start::Resume && (index_of(name).is_some() || name == HALF);
        match names_in(&folder) {
            Ok(names) if names.iter().all(|name| may_stay(name)) => {}
            Ok(_) => bail!("--record {}: is not empty; choose another folder", folder.display()),
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(error).with_context(|| format!("--record {}", folder.display())),
        }
        make_sure_it_can_be_written(&folder).with_context(|| format!("--record {}", folder.display()))?;
        Ok(args.recorded_sets().map(|sets| Self { folder, sets, only }))
    }

    /// Makes the folder. Records of games that are not counted are removed: these games are played again.
    pub(super) fn begin(&self, contest: &Contest, part: &TournamentCounts) -> anyhow::Result<()> {
        let Self { folder, .. } = self;
        let begin = || {
            fs::create_dir_all(folder)?;
            let names = names_in(folder)?.into_iter();
            let not_counted =
                |name: &String| index_of(name).is_some_and(|index| !part.counts(contest.schedule(), index));
            names
                .filter(|name| name == HALF || not_counted(name))
                .try_for_each(|name| fs::remove_file(folder.join(name)))
        };
        begin().with_context(|| format!("--record {}", folder.display()))?;
        self.make_sure_that_none_is_missing(contest, part)
    }

    /// Games that have been counted are not played again, and so not recorded again.
    fn make_sure_that_none_is_missing(&self, contest: &Contest, part: &TournamentCounts) -> anyhow::Result<()> {
        let Self { folder, sets, only: None } = self else { return Ok(()) };
        let schedule = contest.schedule();
        let is_there = |file: &Path| fs::metadata(file).is_ok_and(|file| file.len() > 0);
        let mut first = 0;
        for section in &schedule.sections {
            let games = section.games_per_set();
            let is_recorded = |index: &u64| (index - first) % games < MOST_GAMES && part.counts(schedule, *index);
            let last = first + games * schedule.sets.min(*sets);
            for file in (first..last).filter(is_recorded).map(|index| self.file(index)) {
                if !is_there(&file) {
                    let (folder, file) = (folder.display(), file.display());
                    bail!(
                        "--record {folder}: {file} is missing, of a game that has been counted; resume with the folder of its records"
                    );
                }
            }
            first += games * schedule.sets;
        }
        Ok(())
    }

    fn file(&self, index: u64) -> PathBuf {
        self.folder.join(format!("game-{index}.jsonl"))
    }

    /// Whether there is none so far.
    pub(super) fn is_empty(&self) -> bool {
        names_in(&self.folder).is_ok_and(|names| names.iter().all(|name| index_of(name).is_none()))
    }

    /// Writes the record of the game with this index: as a whole, or not at all.
    pub(super) fn write(&self, index: u64, text: &str) -> io::Result<()> {
        let new = self.folder.join(HALF);
        fs::write(&new, text).and_then(|()| fs::rename(&new, self.file(index)))
    }
}

/// The games that are chosen; an entrant is known by its name.
fn chosen(contest: &Contest, only: &RecordOnly) -> anyhow::Result<Only> {
    Ok(match only {
        RecordOnly::Fault => Only::Fault,
        RecordOnly::Every(games) => Only::Every(*games),
        RecordOnly::Lost(name) => {
            let names: Vec<&str> = contest.spec().entrants.iter().map(|entrant| &*entrant.name).collect();
            let Some(number) = names.iter().position(|entrant| entrant == name) else {
                bail!("--record-only lost:{name}: there is no such entrant; allowed: {}", names.join(", "));
            };
            Only::Lost(EntrantId::new(number))
        }
    })
}

/// The index of the game whose record has this name.
fn index_of(name: &str) -> Option<u64> {
    name.strip_prefix("game-")?.strip_suffix(".jsonl")?.parse().ok()
}

fn names_in(folder: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(folder)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
}

/// Makes a file without a name where the folder is or will be.
fn make_sure_it_can_be_written(folder: &Path) -> io::Result<()> {
    let place = folder.ancestors().find(|place| place.exists()).filter(|place| !place.as_os_str().is_empty());
    tempfile::tempfile_in(place.unwrap_or(Path::new("."))).map(drop)
}
