//! Whose turn it is. Between its turns a program is stopped, with all processes that it has started.
//!
//! To stop it and to let it go on takes longer than a quick program takes for its answer, and a program that waits for its next
//! question uses nothing anyway. So after its answer it gets a [`MOMENT`] to go back to its input. If its next question comes
//! within it, there was nothing to stop. Otherwise the watch, a thread for all programs, stops it.
//!
//! Who thinks in that moment loses it: a program that used more processor time than its turns had, or that has started others,
//! is stopped at once after each answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::{self, Thread};
use std::time::Duration;

use rustix::process::{Pid, Signal, kill_process_group};

use super::guard;
use super::process_tree::{ProcessTag, ProcessTree, Starter};
use super::usage::processor_time;

/// The time between two looks of the watch. Who has not been asked again from one to the next is stopped.
const MOMENT: Duration = Duration::from_micros(50);

/// The processor time that a program may need in each turn to go back to its input after its answer.
const WAY_BACK: Duration = Duration::from_micros(20);

/// The processor time of a process is known no better than this.
const INEXACT: Duration = Duration::from_millis(20);

/// The number of looks after which the watch compares the times of a program that it did not have to stop.
const LOOKS: u32 = 500;

/// The turns of a process.
#[derive(Debug)]
pub(super) struct Turn(Mutex<State>);

#[derive(Debug)]
struct State {
    whose: RunState,
    /// The program, or its launcher, which leads a process group.
    program: Pid,
    starter: Starter,
    mark: ProcessTag,
    process_tree: ProcessTree,
    /// Whether it is stopped at once after its answers.
    at_once: bool,
    account: Account,
    /// The turns when the watch last looked.
    turns_seen: u32,
    looks: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RunState {
    /// It has a question to answer.
    Running,
    /// It has answered, and is not stopped yet.
    Grace,
    /// It is stopped, with its family.
    Suspended,
    /// It is being ended: its number may soon be somebody else's.
    Ending,
}

impl Turn {
    /// The first turn of a program that was just started.
    pub(super) fn first(program: Pid, mark: ProcessTag, starter: Starter) -> Arc<Self> {
        let turn = Arc::new(Self(Mutex::new(State {
            whose: RunState::Running,
            program,
            starter,
            mark,
            process_tree: ProcessTree::default(),
            at_once: false,
            account: Account::default(),
            turns_seen: 0,
            looks: 0,
        })));
        let is_watched = watch(&turn);
        turn.lock().at_once = !is_watched;
        turn
    }

    /// It is its turn.
    pub(super) fn begin(&self) {
        let mut state = self.lock();
        match state.whose {
            RunState::Suspended => {
                state.process_tree.resume();
                let _ = kill_process_group(state.program, Signal::CONT);
            }
            RunState::Grace | RunState::Running => {}
            RunState::Ending => return,
        }
        state.whose = RunState::Running;
    }

    /// Its turn is over, and has taken this time. Soon the program and all that it has started are stopped until its next
    /// turn, so that nobody else's time is taken.
    pub(super) fn end(&self, taken: Duration) {
        let mut state = self.lock();
        if state.whose != RunState::Running {
            return;
        }
        state.account.count(taken);
        if state.at_once {
            return state.stop();
        }
        state.whose = RunState::Grace;
        drop(state);
        wake_the_watch();
    }

    /// The program is being ended: from now on no signal goes to its number.
    pub(super) fn leave(&self) {
        self.lock().whose = RunState::Ending;
    }

    #[cfg(test)]
    pub(super) fn is_stopped_at_once(&self) -> bool {
        self.lock().at_once
    }

    /// The watch looks. Is there more to do soon?
    fn look(&self) -> bool {
        let mut state = self.lock();
        if state.whose != RunState::Grace {
            return false;
        }
        if state.turns_seen == state.account.turns {
            state.stop();
            return false;
        }
        state.turns_seen = state.account.turns;
        state.looks += 1;
        if state.looks.is_multiple_of(LOOKS) {
            state.compare();
        }
        true
    }

    /// Nothing that is locked here can be left half done.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn stop(&mut self) {
        // It can only fail because it has gone, which is seen when it is next asked.
        let _ = kill_process_group(self.program, Signal::STOP);
        self.process_tree.pause(self.program, &self.mark, guard::orphans);
        self.whose = RunState::Suspended;
        if !self.at_once {
            self.compare();
        }
    }

    /// Does it do more than to wait between its turns?
    fn compare(&mut self) {
        self.at_once |= self.process_tree.has_others(self.starter)
            || self.account.is_overdrawn(processor_time(self.starter.program_of(self.program)));
    }
}

/// The time that a program has had since it was first looked at, and what it had used until then: it may have begun with work.
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

    /// Has it used more than it has had? The first look only begins the account.
    fn is_overdrawn(&mut self, used: Duration) -> bool {
        let Some(before) = self.used_before else {
            *self = Self { used_before: Some(used), taken: Duration::ZERO, turns: self.turns };
            return false;
        };
        used.saturating_sub(before) > self.taken + WAY_BACK * self.turns + INEXACT
    }
}

/// All processes that may have to be stopped.
static WATCHED: Mutex<Vec<Weak<Turn>>> = Mutex::new(Vec::new());

/// Whether a turn has ended since the watch began its last look.
static HAS_ENDED: AtomicBool = AtomicBool::new(false);

static WATCH: OnceLock<Option<Thread>> = OnceLock::new();

/// From now on the watch looks at it, if there can be one.
fn watch(turn: &Arc<Turn>) -> bool {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    watched.retain(|other| other.strong_count() > 0);
    watched.push(Arc::downgrade(turn));
    let start = || thread::Builder::new().name("watch".into()).spawn(look_on).ok();
    WATCH.get_or_init(|| start().map(|watch| watch.thread().clone())).is_some()
}

/// Nearly always it is awake already, or knows that it has to look again.
fn wake_the_watch() {
    if !HAS_ENDED.load(Ordering::Relaxed)
        && !HAS_ENDED.swap(true, Ordering::AcqRel)
        && let Some(Some(watch)) = WATCH.get()
    {
        watch.unpark();
    }
}

fn look_on() {
    loop {
        let has_ended = HAS_ENDED.swap(false, Ordering::AcqRel);
        let watched: Vec<Arc<Turn>> = {
            let watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
            watched.iter().filter_map(Weak::upgrade).collect()
        };
        // Each of them is looked at.
        let has_more_to_do = watched.iter().fold(false, |more, turn| more | turn.look());
        drop(watched);
        if has_ended || has_more_to_do {
            thread::sleep(MOMENT);
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
            (10, 5_000, 15_000, true),        // has several threads: they may go on working
            (1_000_000, 3_000, 5_000, false), // answers at once, and needs as long again to read on
        ] {
            let mut account = Account::default();
            assert!(!account.is_overdrawn(ms(77_000)), "what it did before its first turn is its own business");
            for _ in 0..turns {
                account.count(ms(taken) / turns);
            }
            assert_eq!(account.is_overdrawn(ms(77_000 + used)), is_overdrawn, "{turns} {taken} {used}");
        }
    }
}
