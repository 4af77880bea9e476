//! The sandbox of a program: the files that it may read and write; no other processes and no network.
//!
//! Where Linux allows it, a [`launch`] starts the program in namespaces of its own. Elsewhere a thread confines itself and then
//! starts the program, so that this process is not confined. In both cases Landlock restricts the files and seccomp the system
//! calls of the program and all its descendants, for good.

mod confinement;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
mod kernel;
mod launch;
mod walls;

use std::io;
use std::process::Command;
use std::sync::LazyLock;

pub use self::confinement::Confinement;
use self::confinement::Reach;
#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64")))]
pub use self::kernel::launcher::serve_as_launcher;
pub(super) use self::launch::Launch;
pub(super) use self::walls::{Network, SandboxPolicy};
use super::policy::{Policy, Sandbox};

/// Whether a thread can confine itself, found by trying.
static IN_THREAD: LazyLock<Result<(), Confinement>> = LazyLock::new(|| {
    std::thread::scope(|scope| scope.spawn(|| kernel::confine(&SandboxPolicy::default(), Reach::AllProcesses)).join())
        .unwrap_or_else(|_| Err(Confinement::None("the test of the sandbox failed".into())))
});

/// Whether programs can be started in namespaces, found by trying.
static IN_NAMESPACES: LazyLock<Result<(), String>> = LazyLock::new(|| launch::probe(&SandboxPolicy::default()));

impl Confinement {
    /// The restrictions that work here, found by trying.
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

/// The walls for a program of these words; `None` if it is not confined.
///
/// # Errors
/// If the sandbox is required but not available, or an allowed path cannot be allowed.
pub(super) fn walls_for(words: &[String], policy: &Policy, network: Network) -> Result<Option<SandboxPolicy>, String> {
    if policy.sandbox == Sandbox::Off {
        return Ok(None);
    }
    if let Err(reason) = Confinement::possible().suffices(policy.sandbox) {
        return Err(format!("the full sandbox is required but not available: {reason}"));
    }
    SandboxPolicy::new(words, policy, network).map(Some)
}

/// The command that starts a program within these walls, and the launch with its plan if the walls need one.
///
/// # Errors
/// If there are no words, or a path is not UTF-8.
pub(super) fn command(
    words: &[String],
    walls: Option<&SandboxPolicy>,
) -> io::Result<(Command, Option<(Launch, String)>)> {
    let [program, arguments @ ..] = words else { return Err(io::ErrorKind::InvalidInput.into()) };
    let wanted = if *Confinement::possible() == Confinement::Full { Sandbox::Require } else { Sandbox::Auto };
    match walls {
        Some(walls) if IN_NAMESPACES.is_ok() => Ok((Launch::command(words), Some(Launch::new(walls, wanted)?))),
        _ => {
            let mut command = Command::new(program);
            command.args(arguments);
            Ok((command, None))
        }
    }
}

/// Does the work, which starts a program, on a thread within these walls. A launch needs no such thread.
///
/// # Errors
/// If the thread cannot be confined, or the work fails.
pub(super) fn within<T: Send>(
    walls: Option<&SandboxPolicy>,
    work: impl FnOnce() -> io::Result<T> + Send,
) -> io::Result<T> {
    let Some(walls) = walls else { return work() };
    let confined = || match (kernel::confine(walls, Reach::AllProcesses), &*IN_THREAD) {
        (Err(partial), Ok(())) => Err(io::Error::other(format!("the sandbox cannot be made: {partial:?}"))),
        _ => work(),
    };
    std::thread::scope(|scope| scope.spawn(confined).join())
        .unwrap_or_else(|_| Err(io::Error::other("the sandbox cannot be made")))
}

/// Does nothing: there is no sandbox here.
#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
pub fn serve_as_launcher() {}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64", target_arch = "riscv64"))))]
mod kernel {
    use super::confinement::{Confinement, Reach};
    use super::walls::SandboxPolicy;

    pub(super) fn confine(_: &SandboxPolicy, _: Reach) -> Result<(), Confinement> {
        Err(Confinement::None("it needs Linux on a 64-bit processor".into()))
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::{env, fs};

    use super::*;

    /// A directory of this test, which is removed with it.
    struct Home(PathBuf);

    impl Home {
        fn new(name: &str) -> Self {
            let path = env::temp_dir().join(format!("unolab-sandbox-{name}-{}", std::process::id()));
            fs::create_dir_all(path.join("bot/runs/mine")).expect("a directory of the test");
            for file in ["bot/bot.sh", "bot/weights", "bot/runs/other", "bot/runs/mine/secret", "outside"] {
                fs::write(path.join(file), "x").expect("a file of the test");
            }
            Self(path.canonicalize().expect("it is there"))
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }
    }

    impl Drop for Home {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_partial_confinement_does_not_suffice_if_it_is_required() {
        let partial = Confinement::Partial("no seccomp".into());
        assert_eq!(partial.suffices(Sandbox::Require), Err("no seccomp"));
        assert_eq!(Confinement::None("no".into()).suffices(Sandbox::Require), Err("no"));
        assert_eq!(partial.suffices(Sandbox::Auto), Ok(()));
        assert_eq!(Confinement::Full.suffices(Sandbox::Require), Ok(()));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_started_by_a_confined_thread_reaches_only_its_own_files_and_processes() {
        let home = Home::new("reach");
        if let Err(missing) = &*IN_THREAD {
            assert!(env::var_os("CI").is_none(), "not tried: {missing:?}");
            eprintln!("not tried: {missing:?}");
            return;
        }
        let policy = Policy {
            writable: vec![home.path("bot/runs/other")],
            hidden: vec![home.path("bot/runs/mine")],
            ..Policy::default()
        };
        let words = ["sh".to_owned(), home.path("bot/bot.sh").display().to_string()];
        let walls = SandboxPolicy::new(&words, &policy, Network::Denied).expect("valid");
        let can = |script: &str| {
            let mut command = Command::new("sh");
            command.arg("-c").arg(script).current_dir(&home.0);
            command.stdin(std::process::Stdio::null()).stderr(std::process::Stdio::null());
            let status = within(Some(&walls), || command.status());
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
        // This thread itself has no walls.
        assert!(fs::read(home.path("outside")).is_ok());
    }
}
