//! The host's side of a launch: a program in separate namespaces is started by a launcher, which is this program again.
//!
//! A process must have one thread to enter a user namespace, so the host cannot do it. The launcher reads its [`Plan`] from the
//! pipe that becomes the standard input of the program. If it fails, it reports the reason on the pipe that would become the
//! standard error, with a secret word that the program never sees: so no program can pretend that its launch has failed.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io;
use std::io::Write as _;
use std::os::unix::process::CommandExt;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::super::descriptors;
use super::policy::Sandbox;
use super::sandbox_policy::SandboxPolicy;

/// The first argument of a launcher. The words of the program follow.
pub(super) const LAUNCH: &str = "__launch";

/// The path by which a process starts this program again.
pub(super) const THIS_PROGRAM: &str = "/proc/self/exe";

/// Set once this program is known to serve as a launcher when it is started as one.
static SERVES: OnceLock<()> = OnceLock::new();

/// Enables launches.
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no launchers"))]
pub(super) fn enable() {
    SERVES.get_or_init(|| ());
}

/// The data for the launcher.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) secret: String,
    pub(super) wanted: Sandbox,
    pub(super) policy: SandboxPolicy,
    /// The number of files that the program may have open.
    pub(super) open_files: Option<u64>,
}

/// The host's data of a launch.
#[derive(Debug)]
pub(crate) struct Launch {
    secret: String,
}

impl Launch {
    /// A launch with this policy, and the text to send before any line of the protocol: the length of the plan and the plan.
    /// It fails if not all restrictions can be applied, unless `wanted` allows it.
    ///
    /// # Errors
    /// If a path is not UTF-8.
    pub(super) fn new(policy: &SandboxPolicy, wanted: Sandbox) -> io::Result<(Self, String)> {
        let random = || RandomState::new().hash_one(0_u8);
        let secret = format!("{:016x}{:016x}", random(), random());
        let (policy, open_files) = (policy.clone(), descriptors::limit_of_programs());
        let plan = serde_json::to_string(&Plan { secret: secret.clone(), wanted, policy, open_files })?;
        Ok((Self { secret }, format!("{}\n{plan}", plan.len())))
    }

    /// The command that starts the launcher of a program of these words.
    pub(super) fn command(words: &[String]) -> Command {
        let mut command = Command::new(THIS_PROGRAM);
        command.arg0("unolab").arg(LAUNCH).args(words);
        command
    }

    /// Why the launch has failed, if these last bytes of the standard error report it.
    pub(crate) fn failure_in(&self, errors: &[u8]) -> Option<io::Error> {
        let errors = String::from_utf8_lossy(errors);
        let report = errors.lines().rev().find_map(|line| line.strip_prefix(&*self.secret))?.trim();
        Some(match report.parse() {
            Ok(number) => io::Error::from_raw_os_error(number),
            Err(_) => io::Error::other(report),
        })
    }
}

/// The reason why a launch has failed, as the launcher writes it.
#[derive(Debug)]
pub(super) enum LaunchFailure {
    /// The program could not be started.
    Start(io::Error),
    /// The sandbox could not be made.
    Sandbox(String),
}

impl LaunchFailure {
    /// The report in one line.
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there are no launchers"))]
    pub(super) fn report(&self, secret: &str) -> String {
        match self {
            Self::Start(error) => format!("{secret} {}\n", error.raw_os_error().unwrap_or(0)),
            Self::Sandbox(reason) => format!("{secret} {}\n", reason.replace('\n', " ")),
        }
    }
}

/// Tries a launch that starts no program.
///
/// # Errors
/// What is missing, and why.
pub(super) fn probe(policy: &SandboxPolicy) -> Result<(), String> {
    if SERVES.get().is_none() {
        return Err("only the program `unolab` can start others in namespaces".into());
    }
    let try_it = || -> io::Result<Option<String>> {
        let (launch, plan) = Launch::new(policy, Sandbox::Auto)?;
        let mut command = Launch::command(&[]);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        child.stdin.take().map(|mut stdin| stdin.write_all(plan.as_bytes())).transpose()?;
        let output = child.wait_with_output()?;
        Ok(match (output.status.success(), launch.failure_in(&output.stderr)) {
            (true, _) => None,
            (false, Some(error)) => Some(error.to_string()),
            (false, None) => Some(format!("the launcher failed ({})", output.status)),
        })
    };
    match try_it() {
        Ok(None) => Ok(()),
        Ok(Some(reason)) => Err(reason),
        Err(error) => Err(format!("the launcher cannot be started: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;

    use super::*;

    #[test]
    fn report_without_secret_is_ignored() {
        let (launch, text) = Launch::new(&SandboxPolicy::default(), Sandbox::Require).expect("UTF-8");
        let report = LaunchFailure::Start(io::Error::from_raw_os_error(2)).report(&launch.secret);
        let errors = format!("warning: something\n{report}");
        assert_eq!(launch.failure_in(errors.as_bytes()).expect("a report").kind(), ErrorKind::NotFound);
        let report = LaunchFailure::Sandbox("unshare: no".into()).report(&launch.secret);
        let error = launch.failure_in(report.as_bytes()).expect("a report");
        assert_eq!(error.to_string(), "unshare: no");
        assert!(launch.failure_in(b"0123456789abcdef0123456789abcdef 2\n").is_none());
        let (length, plan) = text.split_once('\n').expect("a length");
        assert_eq!(length, plan.len().to_string());
    }
}
