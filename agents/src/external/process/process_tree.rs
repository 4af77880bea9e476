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

/// Kills a process group.
pub(super) fn kill_group(group: Pid) {
    // It can only fail because no process of it is left.
    let _ = kill_process_group(group, Signal::KILL);
}

/// The environment variable that holds the tag.
pub(super) const VARIABLE: &str = "UNOLAB_BOT";

/// The prefix of all tags that this process gives, which is unique to it.
pub(super) static HOST: LazyLock<String> = LazyLock::new(|| {
    let now = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    format!("{}-{}-", getpid(), now.as_nanos())
});

/// The tag of a program, unique to each start. Its descendants inherit it.
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
        has_tag(process, |tag| tag == self.0.as_bytes())
    }
}

/// Whether it descends from a program of this process.
fn has_any_tag(process: Pid) -> bool {
    has_tag(process, |tag| tag.starts_with(HOST.as_bytes()))
}

fn has_tag(process: Pid, is_meant: impl Fn(&[u8]) -> bool) -> bool {
    let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
    let tags = environment.split(|&byte| byte == 0).filter_map(|variable| variable.strip_prefix(VARIABLE.as_bytes()));
    tags.filter_map(|value| value.strip_prefix(b"=")).any(is_meant)
}

static ADOPTS: AtomicBool = AtomicBool::new(false);

/// Makes this process the parent of processes that programs leave behind, instead of the first process of the system (Linux;
/// elsewhere this does nothing). So they are always ended, even without a tag: at the latest with the last program. Without
/// this, only processes with a living parent or a tag are ended.
///
/// Call it only in a process that starts no others while programs play, because their orphans would be ended, too. It does
/// nothing if this process has children already or is the first process of its system, which adopts unrelated processes.
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

/// A program and its descendants, as they were when they were last searched for. The search takes far longer than to stop
/// them, so it is repeated only when a process has been started on this system since, and at intervals.
#[derive(Debug, Default)]
pub(super) struct ProcessTree {
    members: Vec<Pid>,
    /// The newest process of the system, from before the search.
    newest: Option<LastPid>,
    /// The number of turns since then.
    turns: u32,
}

/// The number of turns after which the search is repeated in any case, because process numbers are reused.
const MAX_TURNS: u32 = 64;

impl ProcessTree {
    /// Stops the program and its descendants until its next turn. Its group is stopped already.
    pub(super) fn pause(&mut self, program: Pid, tag: &ProcessTag, find_orphans: impl Fn() -> Vec<Pid>) {
        self.turns += 1;
        let newest = LastPid::now();
        if self.turns < MAX_TURNS && newest.is_some() && newest == self.newest {
            // No other process can have the number of one of them by now.
            for &member in &self.members {
                let _ = kill_process(member, Signal::STOP);
            }
            if LastPid::now() == newest {
                return;
            }
        }
        *self = Self { newest: LastPid::now(), members: pause(program, tag, find_orphans), turns: 0 };
    }

    /// Whether the last search found more than the program itself.
    pub(super) fn has_others(&self, starter: Starter) -> bool {
        self.members.len() > starter.processes()
    }

    /// Resumes them.
    pub(super) fn resume(&self) {
        for &member in &self.members {
            let _ = kill_process(member, Signal::CONT);
        }
    }
}

/// The number of the process or thread that was started last, in digits. While it stays the same, no process was started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LastPid([u8; 16]);

impl LastPid {
    /// `None` if the system does not report it.
    fn now() -> Option<Self> {
        static FILE: LazyLock<Option<File>> = LazyLock::new(|| File::open("/proc/sys/kernel/ns_last_pid").ok());
        let mut digits = [0; 16];
        pread(FILE.as_ref()?, &mut digits, 0).ok()?;
        Some(Self(digits))
    }
}

/// Stops the program and its descendants, and returns them.
///
/// Orphans without a tag cannot be assigned to a program: they stay stopped until they are ended.
fn pause(program: Pid, tag: &ProcessTag, find_orphans: impl Fn() -> Vec<Pid>) -> Vec<Pid> {
    stopped(|| {
        let orphans = if ADOPTS.load(Ordering::Relaxed) { find_orphans() } else { Vec::new() };
        let (ours, others): (Vec<Pid>, Vec<Pid>) = orphans.into_iter().partition(|&orphan| tag.is_on(orphan));
        for untagged in others.into_iter().filter(|&other| !has_any_tag(other)) {
            let _ = kill_process(untagged, Signal::STOP);
            if has_any_tag(untagged) {
                // It was just starting a program: meanwhile it has no environment.
                let _ = kill_process(untagged, Signal::CONT);
            }
        }
        ours.into_iter().chain([program]).collect()
    })
}

/// Stops the program and kills its descendants.
pub(super) fn end(program: Pid, tag: &ProcessTag) {
    loop {
        let process_tree = stopped(|| {
            let may_be_orphans = if ADOPTS.load(Ordering::Relaxed) { children(getpid()) } else { numbers_in("/proc") };
            may_be_orphans.into_iter().filter(|&process| tag.is_on(process)).chain([program]).collect()
        });
        if process_tree.iter().all(|&member| member == program) {
            return;
        }
        kill(&process_tree);
        std::thread::sleep(Duration::from_millis(1)); // they may take some time to end
    }
}

/// Kills all orphans, because no program is left. `own` are the other children of this process.
pub(super) fn end_orphans(own: &[Pid]) {
    while ADOPTS.load(Ordering::Relaxed)
        && let process_tree = stopped(|| orphans(own))
        && !process_tree.is_empty()
    {
        kill(&process_tree);
        for member in process_tree {
            // It fails for those that are not children of this process; they become so when their parents have ended.
            let _ = waitid(WaitId::Pid(member), WaitIdOptions::EXITED);
        }
    }
}

/// Waits for orphans that have ended, so that they leave the list of processes.
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

/// Processes whose parents have ended, found quickly: orphans become children of the first thread of this process. Without
/// those in `own`, and empty unless this process adopts orphans.
pub(super) fn adopted(own: &[Pid]) -> Vec<Pid> {
    if !ADOPTS.load(Ordering::Relaxed) {
        return Vec::new();
    }
    children_of_thread(getpid(), getpid()).into_iter().filter(|child| !own.contains(child)).collect()
}

/// Stops these processes and all their descendants, and returns them. A stopped process cannot fork or reap, so the numbers of
/// its children stay valid. (A number that has just been read cannot belong to another process: all others are used first.)
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

/// Kills the last found first, so children before their parents: the end of a parent may wake a stopped child.
fn kill(process_tree: &[Pid]) {
    for &member in process_tree.iter().rev() {
        // It can only fail because the process has ended.
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
