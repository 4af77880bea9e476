//! What the threads of a run share: the sets still to be played, and the counts of those that are.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::{Block, Counted, End, Pace, PlayedBlock};
use crate::contest::Contest;
use crate::schedule::Schedule;
use crate::tally::Tally;

/// How many blocks a thread may be ahead of the row that is written next: so many rows wait in memory.
const BLOCKS_AHEAD: u64 = 8;

/// Hands out work and takes in what was played.
pub(super) struct Ledger<'a> {
    schedule: &'a Schedule,
    threads: u64,
    pages: Mutex<Pages<'a>>,
    /// Rung whenever rows were written.
    caught_up: Condvar,
}

struct Pages<'a> {
    /// The first set that nobody has: section and number.
    next_set: (usize, u64),
    next_work: u64,
    games: u64,
    tallies: Vec<Tally>,
    rows: Option<Rows<'a>>,
}

/// Rows that are written in the order of the work, whenever it is finished.
struct Rows<'a> {
    out: &'a mut (dyn Write + Send),
    next: u64,
    waiting: BTreeMap<u64, Vec<u8>>,
    failure: Option<io::Error>,
}

/// A block with its number in the order of the games.
pub(super) struct Work<'l, 'a> {
    pub(super) block: Block,
    number: u64,
    ledger: &'l Ledger<'a>,
}

impl Drop for Work<'_, '_> {
    /// Whoever panics over it must not let the others wait for it.
    fn drop(&mut self) {
        if std::thread::panicking()
            && let Some(rows) = &mut self.ledger.open().rows
        {
            rows.failure = Some(io::Error::other("a game broke off"));
            self.ledger.caught_up.notify_all();
        }
    }
}

impl<'a> Ledger<'a> {
    pub(super) fn new(contest: &'a Contest, threads: usize, rows: Option<&'a mut (dyn Write + Send)>) -> Self {
        let (schedule, num_entrants) = (contest.schedule(), contest.spec().entrants.len());
        let tallies = schedule.sections.iter().map(|section| Tally::new(num_entrants, section.seats)).collect();
        let rows = rows.map(|out| Rows { out, next: 0, waiting: BTreeMap::new(), failure: None });
        let pages = Pages { next_set: (0, 0), next_work: 0, games: 0, tallies, rows };
        Self { schedule, threads: threads as u64, pages: Mutex::new(pages), caught_up: Condvar::new() }
    }

    /// The next piece of work, if there is any left. Waits as long as too many rows wait to be written.
    pub(super) fn next_work(&self, pace: Pace) -> Option<Work<'_, 'a>> {
        let mut pages = self.open();
        while pages.is_ahead_of_rows(self.threads * BLOCKS_AHEAD) {
            pages = self.caught_up.wait(pages).unwrap_or_else(PoisonError::into_inner);
        }
        if pages.has_failed() {
            return None;
        }
        let block = pages.cut_block(self.schedule, pace, self.threads)?;
        pages.next_work += 1;
        Some(Work { block, number: pages.next_work - 1, ledger: self })
    }

    /// Counts a block; says how many games have been played.
    pub(super) fn hand_in(&self, work: &Work<'_, 'a>, played: PlayedBlock) -> u64 {
        let mut pages = self.open();
        pages.tallies[work.block.section].merge(&played.tally);
        pages.games += played.games;
        if let Some(rows) = &mut pages.rows {
            rows.take(work.number, played.rows);
        }
        self.caught_up.notify_all();
        pages.games
    }

    /// What was counted.
    pub(super) fn close(self) -> io::Result<Counted> {
        let mut pages = self.pages.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(failure) = pages.rows.as_mut().and_then(|rows| rows.failure.take()) {
            return Err(failure);
        }
        let end = if pages.games == self.schedule.num_games() { End::Finished } else { End::Stopped };
        Ok(Counted { tallies: pages.tallies, games: pages.games, end })
    }

    fn open(&self) -> MutexGuard<'_, Pages<'a>> {
        // Whoever panicked with the ledger open takes the whole run down: nothing of it is kept.
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pages<'_> {
    fn is_ahead_of_rows(&self, limit: u64) -> bool {
        self.rows.as_ref().is_some_and(|rows| rows.failure.is_none() && self.next_work > rows.next + limit)
    }

    fn has_failed(&self) -> bool {
        self.rows.as_ref().is_some_and(|rows| rows.failure.is_some())
    }

    fn cut_block(&mut self, schedule: &Schedule, pace: Pace, threads: u64) -> Option<Block> {
        let (mut section, mut first) = self.next_set;
        if first == schedule.sets {
            (section, first) = (section + 1, 0);
        }
        if section == schedule.sections.len() {
            return None;
        }
        // Towards the end blocks get smaller, so that the threads finish together.
        let fair_part = (schedule.sets - first).div_ceil(4 * threads);
        let end = first + pace.sets_per_block(section).min(fair_part);
        self.next_set = (section, end);
        Some(Block { section, sets: first..end })
    }
}

impl Rows<'_> {
    fn take(&mut self, number: u64, rows: Vec<u8>) {
        self.waiting.insert(number, rows);
        while let Some(rows) = self.waiting.remove(&self.next) {
            self.next += 1;
            if self.failure.is_none() {
                self.failure = self.out.write_all(&rows).err();
            }
        }
    }
}
