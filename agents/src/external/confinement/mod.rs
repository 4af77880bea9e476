//! What a program may reach: its environment, and in the sandbox its files, with no other processes and no network.
//!
//! Where Linux allows it, a [`launch`] starts the program in separate namespaces. Elsewhere a thread confines itself and then
//! starts the program, so that this process is not confined. In both cases Landlock restricts the files and seccomp the system
//! calls of the program and all its descendants, permanently.

mod environment;
mod policy;

mod level;
mod sandbox_policy;

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod kernel;
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
#[path = "no_kernel.rs"]
mod kernel;
mod launch;

use std::io;
use std::process::Command;
use std::sync::LazyLock;
use std::thread;

pub(super) use environment::inherited_environment;
pub use kernel::serve_as_launcher;
pub(super) use launch::Launch;
pub use level::Confinement;
use level::Reach;
pub use policy::{Policy, ProgramSeed, ProgramStart, Sandbox};
pub(super) use sandbox_policy::{Network, SandboxPolicy};

/// Whether a thread can confine itself, found by trying.
static IN_THREAD: LazyLock<Result<(), Confinement>> = LazyLock::new(|| {
    on_thread(|| kernel::confine(&SandboxPolicy::default(), Reach::AllProcesses))
        .unwrap_or_else(|error| Err(Confinement::None(error.to_string())))
});

/// Whether programs can be started in namespaces, found by trying.
static IN_NAMESPACES: LazyLock<Result<(), String>> = LazyLock::new(|| launch::probe(&SandboxPolicy::default()));

impl Confinement {
    /// The restrictions that work on this system, found by trying them.
    #[must_use]
    pub fn possible() -> &'static Self {
        static POSSIBLE: LazyLock<Confinement> = LazyLock::new(|| match (&*IN_THREAD, &*IN_NAMESPACES) {
            (Ok(()), Ok(())) => Confinement::Full,
            (Ok(()), Err(reason)) => Confinement::Partial(format!(
                "without namespaces ({reason}) a program can see the names, sizes and times of all files, and which processes \
                 there are"
            )),
            (Err(Confinement::None(reason)), Ok(())) => Confinement::Partial(reason.clone()),
            (Err(partial), _) => partial.clone(),
        });
        &POSSIBLE
    }
}

impl SandboxPolicy {
    /// The sandbox of the program of these words; `None` if it is not confined.
    ///
    /// # Errors
    /// If the sandbox is required but not available, or an allowed path cannot be allowed.
    pub(super) fn for_program(words: &[String], policy: &Policy, network: Network) -> Result<Option<Self>, String> {
        if policy.sandbox == Sandbox::Off {
            return Ok(None);
        }
        if let Err(reason) = Confinement::possible().suffices(policy.sandbox) {
            return Err(format!("the full sandbox is required but not available: {reason}"));
        }
        Self::new(words, policy, network).map(Some)
    }
}

/// The command that starts the program of these words, and the launch with its plan if the sandbox needs one.
///
/// # Errors
/// If there are no words, or a path is not UTF-8.
pub(super) fn command(
    words: &[String],
    sandbox: Option<&SandboxPolicy>,
) -> io::Result<(Command, Option<(Launch, String)>)> {
    let [program, arguments @ ..] = words else { return Err(io::ErrorKind::InvalidInput.into()) };
    match sandbox {
        Some(policy) if IN_NAMESPACES.is_ok() => {
            let wanted = if *Confinement::possible() == Confinement::Full { Sandbox::Require } else { Sandbox::Auto };
            Ok((Launch::command(words), Some(Launch::new(policy, wanted)?)))
        }
        _ => {
            let mut command = Command::new(program);
            command.args(arguments);
            Ok((command, None))
        }
    }
}

/// Does the work, which starts a program, on a thread that is confined by the policy. A launch needs no such thread.
///
/// # Errors
/// If the thread cannot be confined, or the work fails.
pub(super) fn within<T: Send>(
    sandbox: Option<&SandboxPolicy>,
    work: impl FnOnce() -> io::Result<T> + Send,
) -> io::Result<T> {
    let Some(policy) = sandbox else { return work() };
    let confined = || match (kernel::confine(policy, Reach::AllProcesses), &*IN_THREAD) {
        (Err(partial), Ok(())) => Err(io::Error::other(format!("the sandbox cannot be made: {partial:?}"))),
        _ => work(),
    };
    on_thread(confined)?
}

/// Does the work on a separate thread.
fn on_thread<T: Send>(work: impl FnOnce() -> T + Send) -> io::Result<T> {
    thread::scope(|scope| {
        let thread = thread::Builder::new().spawn_scoped(scope, work)?;
        thread.join().map_err(|_| io::Error::other("the sandbox cannot be made"))
    })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::{env, fs};

    use super::*;

    /// A directory with a bot and the files of a run.
    pub(super) fn bot_directory() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().expect("a directory of the test");
        let path = directory.path().canonicalize().expect("it is there");
        fs::create_dir_all(path.join("bot/runs/mine")).expect("a directory of the test");
        for file in ["bot/bot.sh", "bot/weights", "bot/runs/other", "bot/runs/mine/secret", "outside"] {
            fs::write(path.join(file), "x").expect("a file of the test");
        }
        (directory, path)
    }

    #[test]
    fn partial_confinement_does_not_suffice_if_required() {
        let partial = Confinement::Partial("no seccomp".into());
        assert_eq!(partial.suffices(Sandbox::Require), Err("no seccomp"));
        assert_eq!(Confinement::None("no".into()).suffices(Sandbox::Require), Err("no"));
        assert_eq!(partial.suffices(Sandbox::Auto), Ok(()));
        assert_eq!(Confinement::Full.suffices(Sandbox::Require), Ok(()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn confined_program_has_access_only_to_its_files_and_processes() {
        let (_directory, home) = bot_directory();
        if let Err(missing) = &*IN_THREAD {
            assert!(env::var_os("CI").is_none(), "not tried: {missing:?}");
            eprintln!("not tried: {missing:?}");
            return;
        }
        let policy = Policy {
            writable: vec![home.join("bot/runs/other")],
            hidden: vec![home.join("bot/runs/mine")],
            ..Policy::default()
        };
        let words = ["sh".to_owned(), home.join("bot/bot.sh").display().to_string()];
        let sandbox = SandboxPolicy::new(&words, &policy, Network::Denied).expect("valid");
        let can = |script: &str| {
            let mut command = Command::new("sh");
            command.arg("-c").arg(script).current_dir(&home);
            command.stdin(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            let status = within(Some(&sandbox), || command.status());
            status.expect("it starts").success()
        };
        let this = std::process::id();
        for (script, allowed) in [
            ("cat bot/bot.sh bot/weights", true),
            ("ls / bot > /dev/null", false),
            ("ls bot bot/runs/mine > /dev/null", true),
            ("echo y > bot/runs/other", true),
            ("echo y > bot/weights", false),
            ("echo y > bot/new", false),
            ("cat bot/runs/mine/secret", false),
            ("ln -s ../runs/mine/secret bot/runs/other", false),
            ("cat outside", false),
            ("cat /etc/passwd > /dev/null", true),
            ("cat /proc/self/environ", false),
            (&format!("cat /proc/{this}/cmdline"), false),
            (&format!("cat /proc/{this}/mem"), false),
            (&format!("kill -0 {this}"), false),
            ("sleep 600 & kill $!", true),
            ("unshare -r true", false),
            ("chmod 600 bot/weights", false),
            ("touch -t 200001010000 bot/weights", false),
            ("flock -n bot/weights true", true),
            ("ulimit -n 20", false),
            ("renice -n 1 $$", false),
        ] {
            assert_eq!(can(script), allowed, "{script}");
        }
        // This thread itself is not confined.
        assert!(fs::read(home.join("outside")).is_ok());
    }
}
