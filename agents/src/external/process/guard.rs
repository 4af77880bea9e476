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

use super::super::confinement::{self, SandboxPolicy};
use super::super::descriptors;
use super::process_tree::{self, kill_group};

/// `$1` is the prefix of our tags. Three passes, because a process may start another before it is stopped.
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
        case " $tree " in *" $process "*) continue;; esac
        kill -s STOP "$process" || continue
        tree="$process $tree"
        stop $(cat "/proc/$process/task/"*/children)
    done
}
for again in 1 2 3; do
    tree=
    stop $groups $(grep -lF "$1" /proc/[0-9]*/environ | tr -dc '0-9\n')
    kill -s KILL $tree
    for group in $groups; do kill -s KILL -- "-$group"; done
done
"#;

struct Guard {
    shell: Child,
    input: Option<ChildStdin>,
    /// The programs that have not ended.
    programs: Vec<Pid>,
}

static GUARD: Mutex<Option<Guard>> = Mutex::new(None);

static DENIES_MEMORY_ACCESS: AtomicBool = AtomicBool::new(false);

/// Protects this process from programs while any of them runs: its memory, which holds the cards (Linux only), and the
/// files that its caller left open.
///
/// Call it only in a process of unolab's own: meanwhile it cannot be debugged, and programs that it starts itself do not
/// inherit those files.
pub fn deny_memory_access() {
    close_fds::set_fds_cloexec_threadsafe(3, &[]);
    DENIES_MEMORY_ACCESS.store(true, Ordering::Relaxed);
}

#[cfg(target_os = "linux")]
fn set_dumpable(behavior: rustix::process::DumpableBehavior) {
    if DENIES_MEMORY_ACCESS.load(Ordering::Relaxed) {
        // Only a system without this feature refuses it.
        let _ = rustix::process::set_dumpable_behavior(behavior);
    }
}

/// Starts a program as the leader of a process group, and registers the group with the guard.
pub(super) fn spawn(command: &mut Command, sandbox: Option<&SandboxPolicy>) -> io::Result<Child> {
    // Locked before the start, so that no program is mistaken for an orphan.
    let mut place = lock();
    let mut child = confinement::within(sandbox, || command.process_group(0).spawn())?;
    let program = Pid::from_child(&child);
    descriptors::lower_for(program);
    if sandbox.is_some() {
        // It can only fail because the program has ended, which its first answer shows.
        let _ = descriptors::confine(Some(program), descriptors::limit_of_programs());
    }
    let watched = watch(&mut place, program);
    if watched.is_err() {
        kill_group(program);
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
        // It can only fail if the guard itself was killed: then it ends no program.
        let _ = guard.send("end", program);
    }
}

/// Removes a program that has ended and was waited for.
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

/// Waits for orphans that have ended, so that they leave the list of processes.
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
        // A separate group, which Ctrl-C on the terminal does not reach.
        command
            .args(["-c", SCRIPT, "guard"])
            .arg(format!("{}={}", process_tree::VARIABLE, *process_tree::HOST))
            .process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut shell = command.spawn()?;
        #[cfg(target_os = "linux")]
        set_dumpable(rustix::process::DumpableBehavior::NotDumpable);
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
        set_dumpable(rustix::process::DumpableBehavior::Dumpable);
    }
}
