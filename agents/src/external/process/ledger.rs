//! The processor time and the waits of a program and its descendants since a question: the difference of [readings](Reading).

use std::time::{Duration, Instant};

use rustix::process::Pid;

use super::usage::{ProcessUsage, Reading, ThreadState, ThreadUsage};

/// The error of a processor time that is reported as two numbers of whole ticks, of 10 ms each on every current system.
const INEXACT: Duration = Duration::from_millis(20);

/// The counters of all processes when the question was asked, and at the last reading.
#[derive(Debug)]
pub(super) struct Ledger {
    processes: Vec<ProcessEntry>,
    begin: Instant,
    last_reading: Instant,
    /// The processor time that may have been used before the question.
    earlier: Duration,
    /// The time in which descendants disappeared with their counters.
    unexplained: Duration,
    /// The largest number of threads in a reading.
    most_threads: u32,
}

impl Ledger {
    /// The ledger of a program that has just been started: it has used nothing.
    pub(super) const fn new(now: Instant) -> Self {
        Self {
            processes: Vec::new(),
            begin: now,
            last_reading: now,
            earlier: Duration::ZERO,
            unexplained: Duration::ZERO,
            most_threads: 0,
        }
    }

    /// Begins again with the last reading. Processor time of up to `earlier` may have been used since then.
    pub(super) fn restart(&mut self, now: Instant, earlier: Duration) {
        self.processes.retain_mut(|process| process.restart(now));
        *self = Self { processes: std::mem::take(&mut self.processes), earlier, ..Self::new(now) };
    }

    /// Adds a reading.
    pub(super) fn add(&mut self, reading: &Reading, now: Instant) {
        let (before, mut has_lost, mut has_reaped) = (self.last_reading, false, false);
        for process in &mut self.processes {
            match reading.iter().find(|usage| usage.id == process.id) {
                Some(usage) => {
                    has_reaped |= usage.reaped_faults > process.last.reaped_faults;
                    process.update(usage, before, now);
                }
                None => has_lost |= process.leave(before),
            }
        }
        let is_new = |usage: &&ProcessUsage| !self.processes.iter().any(|process| process.id == usage.id);
        let new: Vec<_> = reading.iter().filter(is_new).map(|usage| ProcessEntry::new(usage, before, now)).collect();
        self.processes.extend(new);
        if has_lost && !(has_reaped && self.lost() <= self.reaped() + INEXACT) {
            self.unexplained += now - before;
        }
        self.last_reading = now;
        self.most_threads = self.most_threads.max(self.threads());
    }

    /// The time charged up to the last reading: no more than is certain.
    pub(super) fn charge(&self) -> Duration {
        let passed = self.passed();
        let waited: Duration = self.waits().sum();
        let explained = waited.min(passed.saturating_sub(self.unexplained));
        (passed - explained).max(self.ran().min(passed))
    }

    /// The time from the question to the last reading.
    pub(super) fn passed(&self) -> Duration {
        self.last_reading - self.begin
    }

    /// The time in which at least one thread waited for a processor: no more than is certain.
    pub(super) fn queued(&self) -> Duration {
        let longest = self.waits().max().unwrap_or_default();
        longest.max(self.waits().sum::<Duration>() / self.most_threads.max(1))
    }

    /// The time that each thread has waited for a processor.
    fn waits(&self) -> impl Iterator<Item = Duration> {
        self.all_threads().map(|thread| thread.waiting_time(self.last_reading))
    }

    /// The processor time since the question.
    pub(super) fn ran(&self) -> Duration {
        let own: Duration = self.processes.iter().map(ProcessEntry::ran).sum();
        (own + self.reaped().saturating_sub(self.lost() + INEXACT)).saturating_sub(self.earlier)
    }

    /// The number of threads at the last reading.
    pub(super) fn threads(&self) -> u32 {
        u32::try_from(self.all_threads().filter(|thread| thread.is_here).count()).unwrap_or(u32::MAX)
    }

    /// The processor time of descendants that have disappeared, as they were last read.
    fn lost(&self) -> Duration {
        self.processes.iter().filter(|process| !process.is_here).map(ProcessEntry::ran).sum()
    }

    /// The processor time of descendants that were waited for.
    fn reaped(&self) -> Duration {
        let here = self.processes.iter().filter(|process| process.is_here);
        here.map(|process| process.last.reaped.saturating_sub(process.first.reaped)).sum()
    }

    fn all_threads(&self) -> impl Iterator<Item = &ThreadEntry> {
        self.processes.iter().flat_map(|process| &process.threads)
    }
}

/// A process: its counters when it was asked, and at the last reading.
#[derive(Debug)]
struct ProcessEntry {
    id: Pid,
    first: Counters,
    last: Counters,
    threads: Vec<ThreadEntry>,
    /// Whether the last reading had it.
    is_here: bool,
}

/// The counters of a process as a whole.
#[derive(Debug, Clone, Copy, Default)]
struct Counters {
    ran: Duration,
    reaped: Duration,
    reaped_faults: u64,
}

/// A thread: its counters when it was asked, and at the last reading.
#[derive(Debug)]
struct ThreadEntry {
    id: Pid,
    ran_first: Duration,
    waited_first: Duration,
    ran: Duration,
    waited: Duration,
    state: ThreadState,
    /// A time before the current wait for a processor, if it waits, and its running time up to then.
    before_wait: (Instant, Duration),
    is_here: bool,
}

impl ProcessEntry {
    /// A process that was started since the reading `before`: all its time counts.
    fn new(usage: &ProcessUsage, before: Instant, now: Instant) -> Self {
        let (first, last) = (Counters::default(), Counters::default());
        let mut entry = Self { id: usage.id, first, last, threads: Vec::new(), is_here: true };
        entry.update(usage, before, now);
        entry
    }

    fn update(&mut self, usage: &ProcessUsage, before: Instant, now: Instant) {
        self.last = Counters { ran: usage.ran, reaped: usage.reaped, reaped_faults: usage.reaped_faults };
        self.is_here = true;
        let has_ended = |entry: &&mut ThreadEntry| !usage.threads.iter().any(|thread| thread.id == entry.id);
        self.threads.iter_mut().filter(has_ended).for_each(|entry| entry.leave(before));
        for thread in &usage.threads {
            match self.threads.iter_mut().find(|entry| entry.id == thread.id) {
                Some(entry) => entry.update(thread, before, now),
                None => {
                    let mut entry = ThreadEntry::new(thread.id, before);
                    entry.update(thread, before, now);
                    self.threads.push(entry);
                }
            }
        }
    }

    /// Called if the last reading does not contain it. Returns whether the reading before contained it.
    fn leave(&mut self, before: Instant) -> bool {
        self.threads.iter_mut().for_each(|entry| entry.leave(before));
        std::mem::replace(&mut self.is_here, false)
    }

    /// Begins again with the counters of the last reading, if it is still here.
    fn restart(&mut self, now: Instant) -> bool {
        self.first = self.last;
        self.threads.retain_mut(|thread| thread.restart(now));
        self.is_here
    }

    /// Threads that have ended are included only in the counter of the process.
    fn ran(&self) -> Duration {
        let threads: Duration = self.threads.iter().map(|thread| thread.ran.saturating_sub(thread.ran_first)).sum();
        threads.max(self.last.ran.saturating_sub(self.first.ran + INEXACT))
    }
}

impl ThreadEntry {
    const fn new(id: Pid, before: Instant) -> Self {
        let zero = Duration::ZERO;
        Self {
            id,
            ran_first: zero,
            waited_first: zero,
            ran: zero,
            waited: zero,
            state: ThreadState::Blocked,
            before_wait: (before, zero),
            is_here: true,
        }
    }

    fn update(&mut self, usage: &ThreadUsage, before: Instant, now: Instant) {
        let has_changed = (usage.ran, usage.waited) != (self.ran, self.waited);
        self.before_wait = match usage.state {
            ThreadState::Blocked => (now, usage.ran),
            ThreadState::Runnable if has_changed => (before, self.ran),
            ThreadState::Runnable => self.before_wait,
        };
        (self.ran, self.waited, self.state) = (usage.ran, usage.waited, usage.state);
        self.is_here = true;
    }

    /// Called if the last reading does not contain it. A wait that was in progress at the reading before is known up to that
    /// reading.
    fn leave(&mut self, before: Instant) {
        self.waited = self.waited_first + self.waiting_time(before);
        (self.is_here, self.state) = (false, ThreadState::Blocked);
    }

    fn restart(&mut self, now: Instant) -> bool {
        (self.ran_first, self.waited_first, self.before_wait) = (self.ran, self.waited, (now, self.ran));
        self.is_here
    }

    /// The time that it has waited for a processor, at most.
    fn waiting_time(&self, now: Instant) -> Duration {
        let ended = self.waited.saturating_sub(self.waited_first);
        let (before, ran) = self.before_wait;
        let present = match self.state {
            ThreadState::Runnable => now.saturating_duration_since(before).saturating_sub(self.ran.saturating_sub(ran)),
            ThreadState::Blocked => Duration::ZERO,
        };
        ended + present
    }
}
