//! `unolab play`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Stdio};

/// The program next to `unolab` is a shell, which prints its process id. Signals to `unolab play` reach the program only if both
/// are the same process.
#[test]
fn play_replaces_its_process() {
    let unolab = Path::new(assert_cmd::cargo::cargo_bin!("unolab"));
    // A hard link requires the same file system.
    let home = tempfile::tempdir_in(unolab.parent().expect("a directory")).expect("a directory for the test");
    fs::hard_link(unolab, home.path().join("unolab")).expect("a link");
    symlink("/bin/sh", home.path().join("unolab-play")).expect("a link");
    let mut command = Command::new(home.path().join("unolab"));
    let child = command.args(["play", "-c", "echo $$; exit 7"]).stdout(Stdio::piped()).spawn().expect("unolab starts");
    let id = child.id();
    let output = child.wait_with_output().expect("it ends");
    assert_eq!((String::from_utf8_lossy(&output.stdout).trim(), output.status.code()), (&*id.to_string(), Some(7)));
}
