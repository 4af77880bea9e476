//! The guard ends the programs when this process cannot: after `kill -9`, a second Ctrl-C, or any other end without unwinding.
//!
//! The guard is a shell that knows the process groups. When its input closes, it kills the remaining groups and the descendants
//! of their programs: see [`process_tree`]. It runs only while there are programs.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::process::Pid;

use super::descriptors;
use super::process_tree::{self, kill_group};
use super::sandbox::{self, SandboxPolicy};

/// `$1` is what all marks of ours begin with. Once more and once more: for who was started before all were stopped.
const SCRIPT: &str = r#"
groups=" "
while read -r what group; do
    case $what in
        begin) groups="$groups$group ";;
        end) groups="${groups%% $group *} ${groups#* $group }";;
    esac
done
stop() {
    for process do
        case " $family " in *" $process "*) continue;; esac
        kill -s STOP "$process" || continue
        family="$process $family"
        stop $(cat "/proc/$process/task/"*/children)
    done
}
for again in 1 2 3; do
    family=
    stop $groups $(grep -lF "$1" /proc/[0-9]*/environ | tr -dc '0-9\n')
    kill -s KILL $family
    for group in $groups; do kill -s KILL -- "-$group"; done
done
"#;

struct Guard {
    shell: Child,
    input: Option<ChildStdin>,
    /// The programs that have not gone.
    programs: Vec<Pid>,
}

static GUARD: Mutex<Option<Guard>> = Mutex::new(None);

static KEEPS_TO_ITSELF: AtomicBool = AtomicBool::new(false);

/// Protects this process from programs while any of them runs: its memory, which holds the cards (Linux only), and the
/// files that its caller left open.
///
/// It is for a process that is there for nothing else: it cannot be debugged meanwhile, and what it starts itself does not
/// inherit those files either. So a library does not do it unasked.
pub fn deny_memory_access() {
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    KEEPS_TO_ITSELF.store(true, Ordering::Relaxed);
}

#[cfg(target_os = "linux")]
fn may_be_read(behavior: rustix::process::DumpableBehavior) {
    if KEEPS_TO_ITSELF.load(Ordering::Relaxed) {
        // Only a system that does not know this refuses it.
        let _ = rustix::process::set_dumpable_behavior(behavior);
    }
}

/// Starts a program as the leader of a process group, and registers the group with the guard.
pub(super) fn spawn(command: &mut Command, walls: Option<&SandboxPolicy>) -> io::Result<Child> {
    // Locked from before it is there: no program is taken for somebody who was left behind.
    let mut place = lock();
    let mut child = sandbox::within(walls, || command.process_group(0).spawn())?;
    descriptors::lower_for(Pid::from_child(&child));
    let watched = watch(&mut place, Pid::from_child(&child));
    if watched.is_err() {
        kill_group(Pid::from_child(&child));
        child.wait()?;
    }
    watched.map(|()| child)
}

fn watch(place: &mut Option<Guard>, program: Pid) -> io::Result<()> {
    let guard = match place {
        Some(guard) => guard,
        none => none.insert(Guard::start()?),
    };
    guard.send("begin", program)?;
    guard.programs.push(program);
    Ok(())
}

/// Unregisters a killed process group. Call it before waiting for the program, because afterwards its number may be
/// reused.
pub(super) fn forget(program: Pid) {
    if let Some(guard) = &mut *lock() {
        // It can only fail if the guard itself was killed: then it kills nobody.
        let _ = guard.send("end", program);
    }
}

/// The program has gone, and was waited for.
pub(super) fn has_gone(program: Pid) {
    let mut place = lock();
    let Some(guard) = &mut *place else { return };
    guard.programs.retain(|&other| other != program);
    if guard.programs.is_empty() {
        process_tree::end_orphans(&guard.children());
        *place = None;
    } else {
        process_tree::reap_orphans(&guard.children());
    }
}

/// Processes whose parents have ended. No program is started meanwhile, because it would look the same.
pub(super) fn orphans() -> Vec<Pid> {
    lock().as_ref().map_or_else(Vec::new, |guard| process_tree::orphans(&guard.children()))
}

/// Processes whose parents have ended, found quickly: see [`process_tree::adopted`].
pub(super) fn adopted() -> Vec<Pid> {
    lock().as_ref().map_or_else(Vec::new, |guard| process_tree::adopted(&guard.children()))
}

/// Takes what programs have left behind, and has ended, off the list of processes.
pub(super) fn reap_orphans() {
    if let Some(guard) = &*lock() {
        process_tree::reap_orphans(&guard.children());
    }
}

fn lock() -> MutexGuard<'static, Option<Guard>> {
    GUARD.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Guard {
    fn start() -> io::Result<Self> {
        let mut command = Command::new("sh");
        // A group of its own, which Ctrl-C on the terminal does not reach.
        command
            .args(["-c", SCRIPT, "guard"])
            .arg(format!("{}={}", process_tree::VARIABLE, *process_tree::HOST))
            .process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut shell = command.spawn()?;
        #[cfg(target_os = "linux")]
        may_be_read(rustix::process::DumpableBehavior::NotDumpable);
        Ok(Self { input: shell.stdin.take(), shell, programs: Vec::new() })
    }

    fn send(&mut self, what: &str, group: Pid) -> io::Result<()> {
        let line = format!("{what} {}\n", group.as_raw_nonzero());
        self.input.as_mut().map_or(Ok(()), |input| input.write_all(line.as_bytes()))
    }

    /// The children that this process has started itself.
    fn children(&self) -> Vec<Pid> {
        self.programs.iter().copied().chain([Pid::from_child(&self.shell)]).collect()
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.shell.wait();
        #[cfg(target_os = "linux")]
        may_be_read(rustix::process::DumpableBehavior::Dumpable);
    }
}
