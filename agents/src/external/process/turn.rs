//! The turns of a program. Between its turns it is stopped, with all processes that it has started.
//!
//! Stopping and resuming a program takes longer than the answer of a quick program, and a program that waits for its next
//! question does not use processor time. So after its answer it has a [`GRACE_PERIOD`] to return to its input. If its next
//! question comes within this time, the program is not stopped. Otherwise the monitor, one thread for all programs, stops it.
//!
//! A program that computes in the grace period loses it: a program that used more processor time than the duration of its
//! turns, or that has started others, is stopped immediately after each answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::guard;
use super::process_tree::{ProcessTag, ProcessTree, Starter};
use super::usage::processor_time;

/// The time between two polls of the monitor. A program without a new question from one to the next is stopped.
const GRACE_PERIOD: Duration = Duration::from_micros(50);

/// The processor time that a program may need in each turn to return to its input after its answer.
const RETURN_TIME: Duration = Duration::from_micros(20);

/// The precision of the processor time of a process.
const INEXACT: Duration = Duration::from_millis(20);

/// The number of polls after which the monitor compares the times of a program that it did not have to stop.
const POLLS_PER_COMPARISON: u32 = 500;

/// The turns of a process.
#[derive(Debug)]
pub(super) struct Turn(Mutex<State>);

#[derive(Debug)]
struct State {
    run_state: RunState,
    /// The program, or its launcher, which leads a process group.
    program: Pid,
    starter: Starter,
    tag: ProcessTag,
    process_tree: ProcessTree,
    /// Whether it is stopped at once after its answers.
    at_once: bool,
    account: Account,
    /// The number of turns at the last poll of the monitor.
    turns_seen: u32,
    polls: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunState {
    /// It has a question to answer.
    Running,
    /// It has answered, and is not stopped yet.
    Grace,
    /// It is stopped, with all its descendants.
    Suspended,
    /// It is being ended: its number may soon belong to another process.
    Ending,
}

impl Turn {
    /// The first turn of a program that was just started.
    pub(super) fn first(program: Pid, tag: ProcessTag, starter: Starter) -> Arc<Self> {
        let turn = Arc::new(Self(Mutex::new(State {
            run_state: RunState::Running,
            program,
            starter,
            tag,
            process_tree: ProcessTree::default(),
            at_once: false,
            account: Account::default(),
            turns_seen: 0,
            polls: 0,
        })));
        let is_monitored = monitor(&turn);
        turn.lock().at_once = !is_monitored;
        turn
    }

    /// Begins its turn.
    pub(super) fn begin(&self) {
        let mut state = self.lock();
        match state.run_state {
            RunState::Suspended => {
                state.process_tree.resume();
                let _ = kill_process_group(state.program, Signal::CONT);
            }
            RunState::Grace | RunState::Running => {}
            RunState::Ending => return,
        }
        state.run_state = RunState::Running;
    }

    /// Ends its turn, which has taken this time. After the grace period, the program and its descendants are stopped until
    /// its next turn, so that they do not use processor time of others.
    pub(super) fn end(&self, taken: Duration) {
        let mut state = self.lock();
        if state.run_state != RunState::Running {
            return;
        }
        state.account.count(taken);
        if state.at_once {
            return state.stop();
        }
        state.run_state = RunState::Grace;
        drop(state);
        wake_monitor();
    }

    /// Ends all turns, because the program is being ended: from now on no signal is sent to its number.
    pub(super) fn leave(&self) {
        self.lock().run_state = RunState::Ending;
    }

    #[cfg(test)]
    pub(super) fn is_stopped_at_once(&self) -> bool {
        self.lock().at_once
    }

    /// Polls the program for the monitor. Returns whether to poll it again soon.
    fn poll(&self) -> bool {
        let mut state = self.lock();
        if state.run_state != RunState::Grace {
            return false;
        }
        if state.turns_seen == state.account.turns {
            state.stop();
            return false;
        }
        state.turns_seen = state.account.turns;
        state.polls += 1;
        if state.polls.is_multiple_of(POLLS_PER_COMPARISON) {
            state.check_account();
        }
        true
    }

    /// No panic can leave the locked state inconsistent.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn stop(&mut self) {
        // It can only fail because the program has ended, which its next question shows.
        let _ = kill_process_group(self.program, Signal::STOP);
        self.process_tree.pause(self.program, &self.tag, guard::orphans);
        self.run_state = RunState::Suspended;
        if !self.at_once {
            self.check_account();
        }
    }

    /// Checks whether it uses processor time between its turns.
    fn check_account(&mut self) {
        self.at_once |= self.process_tree.has_others(self.starter)
            || self.account.is_overdrawn(processor_time(self.starter.program_of(self.program)));
    }
}

/// The time of a program's turns since it was first examined, and the processor time that it had used until then.
#[derive(Debug, Default)]
struct Account {
    used_before: Option<Duration>,
    taken: Duration,
    turns: u32,
}

impl Account {
    fn count(&mut self, taken: Duration) {
        self.taken += taken;
        self.turns = self.turns.wrapping_add(1);
    }

    /// Whether it has used more processor time than the duration of its turns. The first call only begins the account.
    fn is_overdrawn(&mut self, used: Duration) -> bool {
        let Some(before) = self.used_before else {
            *self = Self { used_before: Some(used), taken: Duration::ZERO, turns: self.turns };
            return false;
        };
        used.saturating_sub(before) > self.taken + RETURN_TIME * self.turns + INEXACT
    }
}

/// All processes that may have to be stopped.
static MONITORED: Mutex<Vec<Weak<Turn>>> = Mutex::new(Vec::new());

/// Whether a turn has ended since the monitor began its last round of polls.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

static MONITOR: OnceLock<Option<Thread>> = OnceLock::new();

/// Adds a program to those that the monitor polls. Returns whether there is a monitor.
fn monitor(turn: &Arc<Turn>) -> bool {
    let mut monitored = MONITORED.lock().unwrap_or_else(PoisonError::into_inner);
    monitored.retain(|other| other.strong_count() > 0);
    monitored.push(Arc::downgrade(turn));
    let start = || thread::Builder::new().name("monitor".into()).spawn(poll_all).ok();
    MONITOR.get_or_init(|| start().map(|monitor| monitor.thread().clone())).is_some()
}

/// Wakes the monitor, which is nearly always awake already.
fn wake_monitor() {
    if !HAS_ENDED.load(Ordering::Relaxed)
        && !HAS_ENDED.swap(true, Ordering::AcqRel)
        && let Some(Some(monitor)) = MONITOR.get()
    {
        monitor.unpark();
    }
}

fn poll_all() {
    loop {
        let has_ended = HAS_ENDED.swap(false, Ordering::AcqRel);
        let monitored: Vec<Arc<Turn>> = {
            let monitored = MONITORED.lock().unwrap_or_else(PoisonError::into_inner);
            monitored.iter().filter_map(Weak::upgrade).collect()
        };
        // Does not stop early, so that each of them is polled.
        let has_more_to_do = monitored.iter().fold(false, |more, turn| more | turn.poll());
        drop(monitored);
        if has_ended || has_more_to_do {
            thread::sleep(GRACE_PERIOD);
        } else {
            thread::park();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_between_turns_overdraws_account_and_reading_does_not() {
        let ms = Duration::from_millis;
        for (turns, taken, used, is_overdrawn) in [
            (1_000, 500, 500, false),         // is always busy in its turns
            (1_000, 500, 515, false),         // and after them, as long as it takes to read on
            (1_000, 500, 600, true),          // or longer
            (10, 5_000, 100, false),          // mostly waits
            (10, 5_000, 15_000, true),        // has several threads: they may keep working
            (1_000_000, 3_000, 5_000, false), // answers immediately, and needs the same time again to continue reading
        ] {
            let mut account = Account::default();
            assert!(!account.is_overdrawn(ms(77_000)), "what it did before its first turn does not count");
            for _ in 0..turns {
                account.count(ms(taken) / turns);
            }
            assert_eq!(account.is_overdrawn(ms(77_000 + used)), is_overdrawn, "{turns} {taken} {used}");
        }
    }
}
