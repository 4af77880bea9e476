//! What the threads of a run share: the sets still to be played, and the counts of those that are.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::{Block, Pace, PlayedBlock, Progress, RunError, Snapshots};
use crate::contest::Contest;
use crate::part::Part;
use crate::schedule::Schedule;

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
    /// When the next snapshot is due; nothing while one is taken.
    snapshot_due: Option<Instant>,
    failure: Option<RunError>,
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
        snapshots: Option<Snapshots<'a>>,
    ) -> Self {
        let pages = Pages {
            next_set: (0, part.sections.first().map_or(0, |section| section.next)),
            next_work: 0,
            next_entry: 0,
            waiting: BTreeMap::new(),
            part,
            rows,
            snapshot_due: snapshots.map(|snapshots| Instant::now() + snapshots.interval),
            failure: None,
        };
        let threads = threads as u64;
        Self { schedule: contest.schedule(), threads, snapshots, pages: Mutex::new(pages), caught_up: Condvar::new() }
    }

    /// The next piece of work, if there is any left. Waits as long as too many blocks wait for an earlier one.
    pub(super) fn next_work(&self, pace: Pace) -> Option<Work> {
        let mut pages = self.open();
        while pages.failure.is_none() && pages.next_work > pages.next_entry + self.threads * BLOCKS_AHEAD {
            pages = self.caught_up.wait(pages).unwrap_or_else(PoisonError::into_inner);
        }
        if pages.failure.is_some() {
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
        let pause: Duration = snapshots.interval.max(begin.elapsed() * SHARE_OF_SNAPSHOTS);
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

    /// Writes the rows of a block, then counts it.
    fn enter(&mut self, Block { section, sets }: Block, PlayedBlock { tally, rows }: &PlayedBlock) {
        if let Some(Err(error)) = self.rows.as_mut().map(|out| out.write_all(rows)) {
            self.failure = Some(RunError::Games(error));
            return;
        }
        let section = &mut self.part.sections[section];
        debug_assert_eq!(section.next, sets.start, "blocks are entered in their order");
        section.tally.merge(tally);
        section.rows += rows.len() as u64;
        section.next = sets.end;
    }
}
