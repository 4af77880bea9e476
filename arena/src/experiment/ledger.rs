//! What the threads of a run share: the sets still to be played, and the counts of those that are.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::count::tally::Tally;
use crate::experiment::part::Part;
use crate::experiment::recording::Recording;
use crate::run::checksum::checksum_after;
use crate::run::shard::Done;
use crate::run::stretches::sets_in;
use crate::schedule::Schedule;
use crate::schedule::contest::Contest;

/// How long a block takes, about.
const BLOCK_TIME: Duration = Duration::from_millis(100);

/// How many bytes of rows a block has, about, at most: so many are still in the processor's cache when they are written
/// out, which is then several times as fast.
const ROWS_OF_BLOCK: u64 = 1 << 20;

/// How far a run has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// Games counted.
    pub games: Done,
    /// Sets counted; a deal counts once for each section.
    pub sets: Done,
}

/// Somebody who wants to see from time to time what has been counted: to keep it.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "a function has nothing to show")]
pub struct Snapshots<'a> {
    /// How much time there is between two of them, at least: more if they take long. Zero: after every block.
    pub interval: Duration,
    /// Gets the counts, when the rows that belong to them have been written and flushed. An error ends the run.
    pub take: &'a (dyn Fn(&Part) -> io::Result<()> + Sync),
}

/// Why a run broke off.
#[derive(Debug, Error)]
pub enum RunError {
    /// The system refused threads.
    #[error("--threads {threads}: {reason}")]
    Threads {
        /// How many were asked for.
        threads: usize,
        /// What the system says.
        reason: String,
    },
    /// A row of games could not be written.
    #[error("games.csv")]
    Games(#[source] io::Error),
    /// The record of a game could not be written.
    #[error("--record")]
    Record(#[source] io::Error),
    /// What has been counted could not be kept.
    #[error("what has been counted cannot be kept")]
    Snapshot(#[source] io::Error),
    /// A game panicked, and not in an agent.
    #[error("game {index} (set {set}, --seed {seed}) broke off: {words}")]
    BrokeOff {
        /// The number of the game in the run.
        index: u64,
        /// Its deal.
        set: u64,
        /// The master seed.
        seed: u64,
        /// What the panic says.
        words: String,
    },
}

/// A range of whole sets of one section: a piece of work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Block {
    /// The section, by its place in the schedule.
    pub(super) section: usize,
    pub(super) sets: Range<u64>,
}

/// A block that was played.
pub(super) struct PlayedBlock {
    pub(super) tally: Tally,
    /// The rows of games.csv.
    pub(super) rows: Vec<u8>,
    /// The records of games, each with its index.
    pub(super) records: Vec<(u64, String)>,
}

/// How fast the last block went.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    pub(super) section: usize,
    pub(super) sets: u64,
    pub(super) time: Duration,
    /// Bytes of rows.
    pub(super) rows: u64,
}

impl Pace {
    pub(super) const UNKNOWN: Self = Self { section: usize::MAX, sets: 0, time: Duration::ZERO, rows: 0 };

    /// How many sets of the section will take [`BLOCK_TIME`], or fewer if their rows are more than [`ROWS_OF_BLOCK`]. A
    /// first block is a single set; each may be no more than eight times as large as the one before.
    fn sets_per_block(self, section: usize) -> u64 {
        if self.section != section {
            return 1;
        }
        let by_rows = (self.sets * ROWS_OF_BLOCK).checked_div(self.rows).map_or(u64::MAX, |sets| sets.max(1));
        sets_in(BLOCK_TIME, self.sets, self.time).min(by_rows)
    }
}

/// How many blocks a thread may be ahead of the one that is entered next: so many wait in memory.
const BLOCKS_AHEAD: u64 = 8;

/// A snapshot may take no more than this part of the time.
const SHARE_OF_SNAPSHOTS: u32 = 20;

/// Hands out work and takes in what was played.
pub(super) struct Ledger<'a> {
    schedule: &'a Schedule,
    threads: u64,
    snapshots: Option<Snapshots<'a>>,
    pages: Mutex<Pages<'a>>,
    /// Rung whenever blocks were entered.
    caught_up: Condvar,
}

struct Pages<'a> {
    /// The first set that nobody has: section and number.
    next_set: (usize, u64),
    next_work: u64,
    /// The work that is entered next; what is finished before it waits.
    next_entry: u64,
    waiting: BTreeMap<u64, (Block, PlayedBlock)>,
    /// What has been entered.
    part: Part,
    rows: Option<&'a mut (dyn Write + Send)>,
    recording: Option<Recording<'a>>,
    /// When the next snapshot is due; nothing while one is taken.
    snapshot_due: Option<Instant>,
    failure: Option<RunError>,
    /// A block was left: what comes after it is not counted.
    is_left: bool,
}

/// A block with its number in the order of the games.
pub(super) struct Work {
    pub(super) block: Block,
    number: u64,
}

impl<'a> Ledger<'a> {
    pub(super) fn new(
        contest: &'a Contest,
        threads: usize,
        part: Part,
        rows: Option<&'a mut (dyn Write + Send)>,
        recording: Option<Recording<'a>>,
        snapshots: Option<Snapshots<'a>>,
    ) -> Self {
        let pages = Pages {
            next_set: (0, part.sections.first().map_or(0, |section| section.next)),
            next_work: 0,
            next_entry: 0,
            waiting: BTreeMap::new(),
            part,
            rows,
            recording,
            snapshot_due: snapshots.map(|snapshots| Instant::now() + snapshots.interval),
            failure: None,
            is_left: false,
        };
        let threads = threads as u64;
        Self { schedule: contest.schedule(), threads, snapshots, pages: Mutex::new(pages), caught_up: Condvar::new() }
    }

    /// The next piece of work, if there is any left. Waits as long as too many blocks wait for an earlier one.
    pub(super) fn next_work(&self, pace: Pace) -> Option<Work> {
        let mut pages = self.open();
        while !pages.is_over() && pages.next_work > pages.next_entry + self.threads * BLOCKS_AHEAD {
            pages = self.caught_up.wait(pages).unwrap_or_else(PoisonError::into_inner);
        }
        if pages.is_over() {
            return None;
        }
        let block = pages.cut_block(pace, self.threads)?;
        pages.next_work += 1;
        Some(Work { block, number: pages.next_work - 1 })
    }

    /// Counts a block as soon as all earlier ones are counted.
    pub(super) fn hand_in(&self, work: &Work, played: PlayedBlock) -> Progress {
        let mut pages = self.open();
        pages.waiting.insert(work.number, (work.block.clone(), played));
        pages.enter_all_that_can_be();
        self.caught_up.notify_all();
        let progress = Progress { games: pages.part.games(self.schedule), sets: pages.part.sets() };
        if let Some(snapshots) = self.snapshots
            && pages.snapshot_due.is_some_and(|due| due <= Instant::now())
        {
            self.take_snapshot(snapshots, pages);
        }
        progress
    }

    /// Takes a snapshot while the others play on.
    fn take_snapshot(&self, snapshots: Snapshots<'_>, mut pages: MutexGuard<'_, Pages<'a>>) {
        let begin = Instant::now();
        let flushed = pages.rows.as_mut().map_or(Ok(()), |rows| rows.flush());
        if let Err(error) = flushed {
            pages.failure.get_or_insert(RunError::Games(error));
        }
        if pages.failure.is_some() {
            return;
        }
        let part = pages.part.clone();
        pages.snapshot_due = None;
        drop(pages);
        let taken = (snapshots.take)(&part);
        let interval = snapshots.interval;
        let pause = if interval.is_zero() { interval } else { interval.max(begin.elapsed() * SHARE_OF_SNAPSHOTS) };
        let mut pages = self.open();
        pages.snapshot_due = Some(Instant::now() + pause);
        if let Err(error) = taken {
            pages.failure.get_or_insert(RunError::Snapshot(error));
            self.caught_up.notify_all();
        }
    }

    /// A game broke off: nobody goes on. What was entered before can be gone on with.
    pub(super) fn break_off(&self, error: RunError) {
        self.open().failure.get_or_insert(error);
        self.caught_up.notify_all();
    }

    /// A block was left because the run is to stop: nobody waits for it.
    pub(super) fn leave(&self) {
        self.open().is_left = true;
        self.caught_up.notify_all();
    }

    /// What was counted.
    pub(super) fn close(self) -> Result<Part, RunError> {
        let mut pages = self.pages.into_inner().unwrap_or_else(PoisonError::into_inner);
        if let Some(Err(error)) = pages.rows.as_mut().map(|rows| rows.flush()) {
            pages.failure.get_or_insert(RunError::Games(error));
        }
        pages.failure.map_or(Ok(pages.part), Err)
    }

    fn open(&self) -> MutexGuard<'_, Pages<'a>> {
        // Whoever panicked with the ledger open takes the whole run down: nothing of it is kept.
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Pages<'_> {
    const fn is_over(&self) -> bool {
        self.failure.is_some() || self.is_left
    }

    fn cut_block(&mut self, pace: Pace, threads: u64) -> Option<Block> {
        let (mut section, mut first) = self.next_set;
        while first == self.part.sections.get(section)?.sets.end {
            section += 1;
            first = self.part.sections.get(section)?.next;
        }
        // Towards the end blocks get smaller, so that the threads finish together.
        let fair_part = (self.part.sections[section].sets.end - first).div_ceil(4 * threads);
        let end = first + pace.sets_per_block(section).min(fair_part);
        self.next_set = (section, end);
        Some(Block { section, sets: first..end })
    }

    fn enter_all_that_can_be(&mut self) {
        while let Some((block, played)) = self.waiting.remove(&self.next_entry) {
            self.next_entry += 1;
            if self.failure.is_none() {
                self.enter(block, &played);
            }
        }
    }

    /// Writes the records and the rows of a block, then counts it.
    fn enter(&mut self, Block { section, sets }: Block, PlayedBlock { tally, rows, records }: &PlayedBlock) {
        let write =
            |recording: Recording<'_>| records.iter().try_for_each(|(index, text)| (recording.write)(*index, text));
        if let Some(Err(error)) = self.recording.map(write) {
            self.failure = Some(RunError::Record(error));
            return;
        }
        if let Some(Err(error)) = self.rows.as_mut().map(|out| out.write_all(rows)) {
            self.failure = Some(RunError::Games(error));
            return;
        }
        let section = &mut self.part.sections[section];
        debug_assert_eq!(section.next, sets.start, "blocks are entered in their order");
        section.tally.merge(tally);
        section.rows_checksum = checksum_after(section.rows_checksum, rows);
        section.rows += rows.len() as u64;
        section.next = sets.end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_to_their_time_and_begin_small_in_each_section() {
        let pace = |sets, millis| Pace { section: 0, sets, time: Duration::from_millis(millis), rows: 0 };
        assert_eq!(Pace::UNKNOWN.sets_per_block(0), 1);
        assert_eq!(pace(50, 50).sets_per_block(0), 100);
        assert_eq!(pace(50, 50).sets_per_block(1), 1);
        assert_eq!(pace(50, 0).sets_per_block(0), 400);
        assert_eq!(pace(1, 60_000).sets_per_block(0), 1);
        assert_eq!(Pace { rows: 100 * ROWS_OF_BLOCK, ..pace(1000, 50) }.sets_per_block(0), 10);
        assert_eq!(Pace { rows: 2 * ROWS_OF_BLOCK, ..pace(1, 50) }.sets_per_block(0), 1);
    }
}
