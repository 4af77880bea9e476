//! Whoever ends the programs when we no longer can: after `kill -9`, a second Ctrl-C, or whatever else ends this process
//! without unwinding.
//!
//! The guard is a shell that is told which process groups there are. When its input closes, for whatever reason, it kills
//! those that are left. It is there only while there are any.

use std::io::{self, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::Pid;

const SCRIPT: &str = r#"
groups=" "
while read -r what group; do
    case $what in
        begin) groups="$groups$group ";;
        end) groups="${groups%% $group *} ${groups#* $group }";;
    esac
done
for group in $groups; do kill -s KILL -- "-$group"; done
"#;

struct Guard {
    shell: Child,
    input: Option<ChildStdin>,
    groups: usize,
}

static GUARD: Mutex<Option<Guard>> = Mutex::new(None);

/// Lets the guard know of a new process group.
pub(super) fn watch(group: Pid) -> io::Result<()> {
    let mut place = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    let guard = match &mut *place {
        Some(guard) => guard,
        none => none.insert(Guard::start()?),
    };
    guard.groups += 1;
    guard.tell("begin", group)
}

/// The process group was killed. To be told before anybody waits for it: afterwards its number may be another's.
pub(super) fn forget(group: Pid) {
    let mut place = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(guard) = &mut *place else { return };
    // It can only fail if the guard itself was killed: then it kills nobody.
    let _ = guard.tell("end", group);
    guard.groups -= 1;
    if guard.groups == 0 {
        *place = None;
    }
}

impl Guard {
    fn start() -> io::Result<Self> {
        let mut command = Command::new("sh");
        // A group of its own, which Ctrl-C on the terminal does not reach.
        command.args(["-c", SCRIPT]).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut shell = command.spawn()?;
        Ok(Self { input: shell.stdin.take(), shell, groups: 0 })
    }

    fn tell(&mut self, what: &str, group: Pid) -> io::Result<()> {
        let line = format!("{what} {}\n", group.as_raw_nonzero());
        self.input.as_mut().map_or(Ok(()), |input| input.write_all(line.as_bytes()))
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.shell.wait();
    }
}
