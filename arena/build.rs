//! Says to a release build which commit it is of: `run.json` names it. Builds for development do not ask: they would be
//! built again after every commit.

use std::process::Command;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=UNOLAB_COMMIT");
    let is_release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    if env::var_os("UNOLAB_COMMIT").is_none()
        && is_release
        && let Some(commit) = of_package().or_else(of_checkout)
    {
        println!("cargo::rustc-env=UNOLAB_COMMIT={commit}");
    }
}

/// `cargo package` writes the commit into the package.
fn of_package() -> Option<String> {
    let text = fs::read_to_string(".cargo_vcs_info.json").ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    after.split('"').nth(1).map(str::to_owned)
}

/// The commit of the checkout that this file is kept in, marked if something was changed since.
fn of_checkout() -> Option<String> {
    git(&["ls-files", "--error-unmatch", "build.rs"])?;
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed={}", git(&["rev-parse", "--git-path", "logs/HEAD"])?);
    git(&["describe", "--always", "--dirty", "--abbrev=40", "--exclude=*"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
