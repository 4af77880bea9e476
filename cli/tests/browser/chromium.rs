//! Headless Chromium.

use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

/// A browser that can be started.
pub(crate) struct Chromium(&'static str);

/// A page after its scripts have run.
pub(crate) struct VisibleEvent {
    /// The document as HTML.
    pub(crate) page: String,
    /// The console output, including errors of scripts.
    pub(crate) console: Vec<String>,
}

/// The same on every machine and for every user, and without network access. Files may access each other, so that the
/// test's page can read the report.
const FLAGS: [&str; 13] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--allow-file-access-from-files",
    "--enable-logging=stderr",
    "--virtual-time-budget=10000",
    "--window-size=1300,1000",
];

impl Chromium {
    /// The browser, if there is one on this machine.
    pub(crate) fn found() -> Option<Self> {
        let found = ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find(|name| Command::new(name).arg("--version").output().is_ok_and(|output| output.status.success()));
        if found.is_none() {
            let is_ci = std::env::var("CI").is_ok_and(|value| value == "true");
            assert!(!is_ci, "chromium is not installed, and CI must not do without");
            eprintln!("passed over: chromium is not installed");
        }
        found.map(Self)
    }

    /// Opens a file and waits until its scripts are done.
    pub(crate) fn open(&self, file: &Path) -> VisibleEvent {
        let profile = TempDir::new().expect("a directory for the profile");
        let output = Command::new(self.0)
            .args(FLAGS)
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("--dump-dom")
            .arg(format!("file://{}", file.display()))
            .output()
            .expect("chromium starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "chromium: {said}");
        let console = said.lines().filter(|line| line.contains(":CONSOLE")).map(str::to_owned).collect();
        VisibleEvent { page: String::from_utf8_lossy(&output.stdout).into_owned(), console }
    }
}
