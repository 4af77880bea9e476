//! The descendants of a program, in any process group.
//!
//! Linux shows them under `/proc`: by their parents, and, if parents have ended, by the [`ProcessTag`] that each process passes on to
//! its children. On other systems only the process group of a program is ended.

use std::fs::{self, File};
use std::str::FromStr;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use rustix::io::pread;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, getpid, kill_process, kill_process_group, waitid};

/// Ends a process group.
pub(super) fn kill_group(group: Pid) {
    // It can only fail because there is nobody left to kill.
    let _ = kill_process_group(group, Signal::KILL);
}

/// The variable of the environment that has the mark.
pub(super) const VARIABLE: &str = "UNOLAB_BOT";

/// The prefix of all marks of this process, which is unique to it.
pub(super) static HOST: LazyLock<String> = LazyLock::new(|| {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    format!("{}-{}-", getpid(), now.as_nanos())
});

/// The mark of a program, another for each that is started. What it starts inherits it.
#[derive(Debug, Clone)]
pub(super) struct ProcessTag(String);

impl ProcessTag {
    pub(super) fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self(format!("{}{}", *HOST, NEXT.fetch_add(1, Ordering::Relaxed)))
    }

    /// The value of the variable.
    pub(super) fn value(&self) -> &str {
        &self.0
    }

    pub(super) fn is_on(&self, process: Pid) -> bool {
        has_mark(process, |mark| mark == self.0.as_bytes())
    }
}

/// Is it known whose it is?
fn has_a_mark(process: Pid) -> bool {
    has_mark(process, |mark| mark.starts_with(HOST.as_bytes()))
}

fn has_mark(process: Pid, is_meant: impl Fn(&[u8]) -> bool) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let marks = environment.split(|&byte| byte == 0).filter_map(|variable| variable.strip_prefix(VARIABLE.as_bytes()));
    marks.filter_map(|value| value.strip_prefix(b"=")).any(is_meant)
}

static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Makes this process the one to which whatever the programs leave behind falls, instead of to the first process of the
/// system (Linux; nothing happens elsewhere). So it is ended for certain, even without any mark: at the latest with the
/// last program. Without this only what has a parent alive or bears the mark is ended.
///
/// It is for a process that starts no others while programs play: whatever else its children start and leave behind
/// would be taken for a program's. So a library does not do it unasked, and it is not done where this process has
/// children already, or is itself the first of its system, to which strangers fall.
pub fn adopt_orphans() {
    let can_see_children = fs::exists("/proc/thread-self/children").unwrap_or(false);
    if !can_see_children || getpid().is_init() || !children(getpid()).is_empty() {
        return;
    }
    #[cfg(target_os = "linux")]
    if rustix::process::set_child_subreaper(Some(getpid())).is_ok() {
        ADOPTS.store(true, Ordering::Relaxed);
    }
}

/// The process that starts a program, and is its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Starter {
    /// This process.
    Host,
    /// A launcher, which leads the process group and waits for the program, its only child.
    Launcher,
}

impl Starter {
    /// The number of processes of a program that has started no others.
    const fn processes(self) -> usize {
        match self {
            Self::Host => 1,
            Self::Launcher => 2,
        }
    }

    /// The process of the program itself in the group of this leader; the launcher if there is none yet.
    pub(super) fn program_of(self, leader: Pid) -> Pid {
        match self {
            Self::Host => leader,
            Self::Launcher => children(leader).first().copied().unwrap_or(leader),
        }
    }
}

/// A program and its descendants, as they were when they were last looked for. To look for them takes far longer than to
/// stop them, so it is done only when somebody has been started on this system since, and now and then.
#[derive(Debug, Default)]
pub(super) struct ProcessTree {
    members: Vec<Pid>,
    /// The newest process of the system, from before they were looked for.
    newest: Option<LastPid>,
    /// Its turns since then.
    turns: u32,
}

/// The number of turns after which a family is looked for again in any case: the numbers of processes come round again.
const MOST_TURNS: u32 = 64;

impl ProcessTree {
    /// Stops the program and its descendants until its next turn. Its group is stopped already.
    pub(super) fn pause(&mut self, program: Pid, mark: &ProcessTag, find_orphans: impl Fn() -> Vec<Pid>) {
        self.turns += 1;
        let newest = LastPid::now();
        if self.turns < MOST_TURNS && newest.is_some() && newest == self.newest {
            // Nobody else can have the number of one of them by now.
            for &member in &self.members {
                let _ = kill_process(member, Signal::STOP);
            }
            if LastPid::now() == newest {
                return;
            }
        }
        *self = Self { newest: LastPid::now(), members: pause(program, mark, find_orphans), turns: 0 };
    }

    /// Whether the program had started others that were there when they were last looked for.
    pub(super) fn has_others(&self, starter: Starter) -> bool {
        self.members.len() > starter.processes()
    }

    /// Lets them go on.
    pub(super) fn resume(&self) {
        for &member in &self.members {
            let _ = kill_process(member, Signal::CONT);
        }
    }
}

/// The number of the process or thread that was started last, in digits. While it stays the same, nobody has been started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastPid([u8; 16]);

impl LastPid {
    /// None where the system does not tell.
    fn now() -> Option<Self> {
        static TOLD: LazyLock<Option<File>> = LazyLock::new(|| File::open("/proc/sys/kernel/ns_last_pid").ok());
        let mut digits = [0; 16];
        pread(TOLD.as_ref()?, &mut digits, 0).ok()?;
        Some(Self(digits))
    }
}

/// Stops the program and its descendants, and returns them.
///
/// Orphans without a mark belong to no program: they are stopped for good.
fn pause(program: Pid, mark: &ProcessTag, find_orphans: impl Fn() -> Vec<Pid>) -> Vec<Pid> {
    stopped(|| {
        let orphans = if ADOPTS.load(Ordering::Relaxed) { find_orphans() } else { Vec::new() };
        let (ours, others): (Vec<Pid>, Vec<Pid>) = orphans.into_iter().partition(|&orphan| mark.is_on(orphan));
        for nobodys in others.into_iter().filter(|&other| !has_a_mark(other)) {
            let _ = kill_process(nobodys, Signal::STOP);
            if has_a_mark(nobodys) {
                // It was just becoming another program, and has no environment while it does.
                let _ = kill_process(nobodys, Signal::CONT);
            }
        }
        ours.into_iter().chain([program]).collect()
    })
}

/// Stops the program, and ends its family.
pub(super) fn end(program: Pid, mark: &ProcessTag) {
    loop {
        let process_tree = stopped(|| {
            let may_be_orphans = if ADOPTS.load(Ordering::Relaxed) { children(getpid()) } else { numbers_in("/proc") };
            may_be_orphans.into_iter().filter(|&process| mark.is_on(process)).chain([program]).collect()
        });
        if process_tree.iter().all(|&member| member == program) {
            return;
        }
        kill(&process_tree);
        std::thread::sleep(Duration::from_millis(1)); // they may need a moment to go
    }
}

/// There is no program any more: ends everybody who was left behind. `own` are the other children of this process.
pub(super) fn end_orphans(own: &[Pid]) {
    while ADOPTS.load(Ordering::Relaxed)
        && let process_tree = stopped(|| orphans(own))
        && !process_tree.is_empty()
    {
        kill(&process_tree);
        for member in process_tree {
            // It fails for those that are not our own children; they become so when their parents have gone.
            let _ = waitid(WaitId::Pid(member), WaitIdOptions::EXITED);
        }
    }
}

/// Takes those who were left behind and have ended off the list of processes.
pub(super) fn reap_orphans(own: &[Pid]) {
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG;
    if ADOPTS.load(Ordering::Relaxed) && matches!(waitid(WaitId::All, look | WaitIdOptions::NOWAIT), Ok(Some(_))) {
        for orphan in orphans(own) {
            let _ = waitid(WaitId::Pid(orphan), look);
        }
    }
}

/// Processes whose parents have ended. `own` are the other children of this process.
pub(super) fn orphans(own: &[Pid]) -> Vec<Pid> {
    children(getpid()).into_iter().filter(|child| !own.contains(child)).collect()
}

/// Processes whose parents have ended, without those that this process has started on the thread that they fall to, its first.
/// Nothing where they fall to others.
pub(super) fn adopted(own: &[Pid]) -> Vec<Pid> {
    if !ADOPTS.load(Ordering::Relaxed) {
        return Vec::new();
    }
    children_of_thread(getpid(), getpid()).into_iter().filter(|child| !own.contains(child)).collect()
}

/// These processes and all that descend from them, stopped. Who is stopped starts nobody, and takes no child off the
/// list of processes: the numbers of its children stay theirs. (A number that has just been read can be nobody else's:
/// all others are given out before it comes again.)
fn stopped(find: impl Fn() -> Vec<Pid>) -> Vec<Pid> {
    let mut before = 0;
    loop {
        let (mut process_tree, mut found) = (Vec::new(), find());
        while let Some(process) = found.pop() {
            if !process_tree.contains(&process) && kill_process(process, Signal::STOP).is_ok() {
                process_tree.push(process);
                found.extend(children(process));
            }
        }
        if process_tree.len() <= before {
            return process_tree;
        }
        before = process_tree.len(); // some may have been started before all were stopped
    }
}

/// The last found come first, so children before their parents: the end of a parent may wake a stopped child.
fn kill(process_tree: &[Pid]) {
    for &member in process_tree.iter().rev() {
        // It can only fail because it has gone.
        let _ = kill_process(member, Signal::KILL);
    }
}

/// The threads of a process.
pub(super) fn threads(process: Pid) -> Vec<Pid> {
    numbers_in(&format!("/proc/{process}/task"))
}

/// The children of a process: each of its threads has its own.
pub(super) fn children(process: Pid) -> Vec<Pid> {
    threads(process).into_iter().flat_map(|thread| children_of_thread(process, thread)).collect()
}

/// The children of a thread.
fn children_of_thread(process: Pid, thread: Pid) -> Vec<Pid> {
    let list = fs::read_to_string(format!("/proc/{process}/task/{thread}/children")).unwrap_or_default();
    list.split_whitespace().filter_map(number).collect()
}

/// The processes or threads that have a directory there.
fn numbers_in(directory: &str) -> Vec<Pid> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| number(entry.file_name().to_str()?)).collect()
}

fn number(text: &str) -> Option<Pid> {
    i32::from_str(text).ok().and_then(Pid::from_raw)
}
