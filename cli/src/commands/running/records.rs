//! `--record`: the games of the first deals, written down.

use std::ffi::OsString;
use std::fs::{self, DirEntry};
use std::io::{self, ErrorKind};
use std::path::Path;

use anyhow::{Context, bail};
use unolab_arena::play::Croupier;
use unolab_arena::run::folder::Start;
use unolab_arena::schedule::ScheduledGame;
use unolab_arena::schedule::contest::Contest;
use unolab_engine::fast::AllFeatures;

/// So many games of each deal and section at most.
const MOST_GAMES: usize = 100;

/// A folder for records, new or empty.
pub(super) struct RecordsFolder<'a>(&'a Path);

impl<'a> RecordsFolder<'a> {
    /// Makes sure, before anything is played, that nothing is in the way. A run that is gone on with may have written its
    /// records already.
    pub(super) fn at(path: &'a Path, start: Start) -> anyhow::Result<Self> {
        let is_record =
            |name: OsString| name.to_str().is_some_and(|name| name.starts_with("game-") && name.ends_with(".jsonl"));
        let may_stay = |entry: io::Result<DirEntry>| {
            start == Start::Resume && entry.is_ok_and(|entry| is_record(entry.file_name()))
        };
        match fs::read_dir(path).map(|mut entries| entries.all(may_stay)) {
            Ok(true) => Ok(Self(path)),
            Ok(false) => bail!("--record {}: is not empty; choose another folder", path.display()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Self(path)),
            Err(error) => Err(error).with_context(|| format!("--record {}", path.display())),
        }
    }

    /// Writes the records. Their games are played apart from the run: a game is the same whenever it is played.
    pub(super) fn write(&self, contest: &Contest, sets: u64) -> anyhow::Result<()> {
        let Self(folder) = self;
        fs::create_dir_all(folder).with_context(|| format!("--record {}", folder.display()))?;
        let schedule = contest.schedule();
        for (number, section) in schedule.sections.iter().enumerate() {
            let mut croupier: Croupier<'_, AllFeatures> = Croupier::new(contest, section);
            for set in 0..sets.min(contest.spec().sets) {
                for (game, seating) in section.games().take(MOST_GAMES) {
                    let index = schedule.index(ScheduledGame { section: number, set, game });
                    let file = folder.join(format!("game-{index}.jsonl"));
                    fs::write(&file, croupier.write_down(set, seating)).with_context(|| file.display().to_string())?;
                }
            }
        }
        Ok(())
    }
}
