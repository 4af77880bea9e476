//! The launcher: starts a program in user, process, mount, and IPC namespaces that no other process shares.
//!
//! 1. The launcher enters the namespaces and starts this program once more as their first process.
//! 2. That process waits until the launcher has closed its copies of the program's pipes. It makes the files of the program
//!    ([`new_root`]), gives up all privileges, confines itself and becomes the program.
//! 3. The launcher waits for it and ends in the same way. If the launcher ends before, the system ends the program, and with
//!    the first process of a process namespace all its other processes.

use std::convert::Infallible;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, PipeWriter, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, exit};

use rustix::io::{Errno, FdFlags, fcntl_setfd, read};
use rustix::process::{
    DumpableBehavior, Resource, Rlimit, Signal, getgid, getpid, getuid, kill_process, set_dumpable_behavior,
    set_parent_process_death_signal, setrlimit,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout, stdin};
use rustix::thread::{
    CapabilitiesSecureBits, CapabilitySet, CapabilitySets, UnshareFlags, capabilities, clear_ambient_capability_set,
    configure_capability_in_ambient_set, set_capabilities, set_capabilities_secure_bits,
};

use super::super::super::descriptors;
use super::super::launch::{self, LAUNCH, LaunchFailure, Plan, THIS_PROGRAM};
use super::super::level::Reach;
use super::confine::confine;
use super::new_root;

/// The first argument of the first process of the namespaces. The words of the program follow.
const ENTER: &str = "__enter";

/// The exit status of a launcher that has failed, which its report explains.
const FAILED: i32 = 125;

/// Makes this program able to start others in a full sandbox: for that it starts itself again, and then this function does not
/// return. Call it first in `main`, before any thread is started.
pub fn serve_as_launcher() {
    let mut arguments = std::env::args_os().skip(1);
    let role = arguments.next();
    let words = || -> Vec<_> { arguments.collect() };
    let failure = match role.as_ref().and_then(|role| role.to_str()) {
        Some(LAUNCH) => launch(&words()),
        Some(ENTER) => enter(&words()),
        _ => return launch::enable(),
    };
    let Err((secret, failure)) = failure;
    let _ = io::stderr().write_all(failure.report(&secret).as_bytes());
    exit(FAILED)
}

/// The secret word of the plan, and the reason.
type Failed = (String, LaunchFailure);

/// Attaches the step that has failed.
fn at<T>(step: &str, result: Result<T, impl Into<io::Error>>) -> Result<T, String> {
    result.map_err(|error| format!("{step}: {}", error.into()))
}

fn launch(words: &[OsString]) -> Result<Infallible, Failed> {
    let start = || -> Result<(Child, PipeWriter), String> {
        namespaces()?;
        let null_device = at("/dev/null", File::options().read(true).write(true).open("/dev/null"))?;
        let (reader, writer) = at("pipe", io::pipe())?;
        at("pipe", fcntl_setfd(&reader, FdFlags::empty()))?;
        let mut command = Command::new(THIS_PROGRAM);
        command.arg0("unolab").arg(ENTER).arg(reader.as_raw_fd().to_string()).args(words);
        let child = at("start", command.spawn())?;
        // The pipes of the program end when the program closes them.
        let _ = (dup2_stdin(&null_device), dup2_stdout(&null_device), dup2_stderr(&null_device));
        Ok((child, writer))
    };
    let (mut child, writer) = start().map_err(|reason| {
        let secret = read_plan().map(|plan| plan.secret).unwrap_or_default();
        (secret, LaunchFailure::Sandbox(reason))
    })?;
    drop(writer);
    // A core file of the launcher would be useless.
    let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    let _ = set_dumpable_behavior(DumpableBehavior::NotDumpable);
    match child.wait() {
        Ok(status) => exit_with_same_status(status),
        Err(_) => exit(FAILED),
    }
}

/// Enters new namespaces. The process namespace applies to the children only. A network namespace would take longer than all others
/// together; the filter of system calls refuses sockets.
fn namespaces() -> Result<(), String> {
    let (user, group) = (getuid().as_raw(), getgid().as_raw());
    let flags = UnshareFlags::NEWUSER
        | UnshareFlags::NEWPID
        | UnshareFlags::NEWNS
        | UnshareFlags::NEWIPC
        | UnshareFlags::NEWUTS
        | UnshareFlags::NEWCGROUP;
    #[expect(deprecated, reason = "it is deprecated for the flag FILES, which is not used here")]
    at("user namespaces", rustix::thread::unshare(flags))?;
    // The user keeps its number, which is the only one in the namespace.
    at("groups of the user", fs::write("/proc/self/setgroups", "deny"))?;
    at("number of the user", fs::write("/proc/self/uid_map", format!("{user} {user} 1")))?;
    at("number of the group", fs::write("/proc/self/gid_map", format!("{group} {group} 1")))?;
    // The capabilities that the first process needs to create its files, and to give up its rights permanently.
    let needed = CapabilitySet::SYS_ADMIN | CapabilitySet::SETPCAP;
    let all = at("capabilities", capabilities(None))?;
    at("capabilities", set_capabilities(None, CapabilitySets { inheritable: needed, ..all }))?;
    needed.iter().try_for_each(|each| at("capabilities", configure_capability_in_ambient_set(each, true)))
}

/// The plan, which its host has written before anything else. It does not read further, because the rest is for the program.
fn read_plan() -> Result<Plan, String> {
    let mut length = String::new();
    loop {
        let mut byte = [0];
        match at("plan", read(stdin(), &mut byte))? {
            0 => return Err("plan: it ends too early".into()),
            _ if byte == *b"\n" => break,
            _ => length.push(byte[0].into()),
        }
    }
    let mut plan = vec![0; length.parse().map_err(|_| format!("plan: `{length}` is not a length"))?];
    let mut begin = 0;
    while begin < plan.len() {
        match read(stdin(), &mut plan[begin..]) {
            Ok(0) => return Err("plan: it ends too early".into()),
            Ok(number) => begin += number,
            Err(Errno::INTR) => {}
            Err(error) => return Err(format!("plan: {error}")),
        }
    }
    at("plan", serde_json::from_slice(&plan).map_err(io::Error::from))
}

/// Waits until the launcher has closed its copies of the program's pipes; then it closes this one, which has the given number.
fn wait_for_launcher(pipe: &OsStr) -> Result<(), String> {
    let path = Path::new("/proc/self/fd").join(pipe);
    at("pipe", File::open(path).and_then(|mut pipe| io::copy(&mut pipe, &mut io::sink())))?;
    close_fds::set_fds_cloexec_threadsafe(3, &[]); // it is not for the program
    Ok(())
}

fn enter(words: &[OsString]) -> Result<Infallible, Failed> {
    let without_plan = |reason| (String::new(), LaunchFailure::Sandbox(reason));
    at("end of the launcher", set_parent_process_death_signal(Some(Signal::KILL))).map_err(without_plan)?;
    let [pipe, words @ ..] = words else { return Err(without_plan("pipe: it is not named".into())) };
    wait_for_launcher(pipe).map_err(without_plan)?;
    let Plan { secret, wanted, policy, open_files } = read_plan().map_err(without_plan)?;
    let confined = || -> Result<(), String> {
        at("limits", descriptors::confine(None, open_files))?;
        new_root::make(&policy)?;
        drop_capabilities()?;
        if let Err(partial) = confine(&policy, Reach::OwnProcesses) {
            partial.suffices(wanted)?;
        }
        Ok(())
    };
    confined().map_err(|reason| (secret.clone(), LaunchFailure::Sandbox(reason)))?;
    let [program, arguments @ ..] = words else { exit(0) };
    let error = Command::new(program).args(arguments).exec();
    Err((secret, LaunchFailure::Start(error)))
}

/// Gives up all capabilities, so that a program of user 0 does not get them again.
fn drop_capabilities() -> Result<(), String> {
    let locked = CapabilitiesSecureBits::NO_ROOT
        | CapabilitiesSecureBits::NO_ROOT_LOCKED
        | CapabilitiesSecureBits::NO_SETUID_FIXUP
        | CapabilitiesSecureBits::NO_SETUID_FIXUP_LOCKED
        | CapabilitiesSecureBits::KEEP_CAPS_LOCKED
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE
        | CapabilitiesSecureBits::NO_CAP_AMBIENT_RAISE_LOCKED;
    let none = CapabilitySet::empty();
    at("capabilities", clear_ambient_capability_set())?;
    at("capabilities", set_capabilities_secure_bits(locked))?;
    at("capabilities", set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none }))
}

/// Ends this process as the program has ended.
fn exit_with_same_status(status: ExitStatus) -> ! {
    let Some(signal) = status.signal() else { exit(status.code().unwrap_or(FAILED)) };
    if let Some(named) = Signal::from_named_raw(signal) {
        // The first one may end in the handler for stack overflows, which then removes itself.
        for _ in 0..2 {
            let _ = kill_process(getpid(), named);
        }
    }
    exit(128 + signal)
}
