//! Golden files: the output of a test is compared with its earlier output.
//!
//! `UNOLAB_BLESS=1 cargo test -p unolab-engine --test all` writes all golden files of the engine again. The message of a failed
//! test has the command for its crate.
#![allow(unreachable_pub, reason = "a module of test crates")]

use std::path::Path;

/// The command that writes the files of this crate.
const WRITE: &str = concat!("UNOLAB_BLESS=1 cargo test -p ", env!("CARGO_PKG_NAME"), " --test all");

/// The text must equal the file, whose path starts at the directory of the tests.
#[track_caller]
pub fn check(file: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(file);
    if std::env::var_os("UNOLAB_BLESS").is_some_and(|value| value == "1") {
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("the directory can be made");
        std::fs::write(&path, text).expect("the file can be written");
        return;
    }
    let golden = std::fs::read_to_string(&path).unwrap_or_default();
    let mut lines = golden.lines().zip(text.lines()).enumerate();
    if let Some((at, (before, now))) = lines.find(|(_, (before, now))| before != now) {
        panic!(
            "tests/{file}, line {}:\nbefore: {before}\n   now: {now}\nIf the change is meant, write it with\n  {WRITE}",
            at + 1
        );
    }
    assert_eq!(golden.len(), text.len(), "tests/{file} is missing or has another length; write it with\n  {WRITE}");
}
