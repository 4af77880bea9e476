//! The worked example of docs/writing-a-bot.md: its commands print the quoted lines, and its change is a gain.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

use super::Home;

/// The blocks of the section, each with its language.
fn blocks(guide: &str) -> Vec<(&str, &str)> {
    let (_, section) = guide.split_once("\n## A worked example\n").expect("the section");
    let (section, _) = section.split_once("\n## ").expect("a section after it");
    section.split("```").skip(1).step_by(2).map(|block| block.split_once('\n').expect("a language")).collect()
}

/// Runs a command in this directory, with `unolab` on the path.
fn output_of(command: &str, directory: &Path) -> String {
    let unolab = assert_cmd::cargo::cargo_bin!("unolab").parent().expect("a directory");
    let path = format!("{}:{}", unolab.display(), env::var("PATH").expect("a path"));
    let mut shell = Command::new("sh");
    let output = shell.args(["-c", command]).current_dir(directory).env("PATH", path).output().expect("a shell");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn worked_example_prints_what_the_guide_quotes() {
    let home = Home::new();
    home.output("bot new python mybot");
    let directory = home.path("mybot");
    fs::copy(directory.join("bot.py"), directory.join("old.py")).unwrap();
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/writing-a-bot.md");
    let guide = fs::read_to_string(guide).unwrap();
    let (mut output, mut before) = (String::new(), None);
    let mut quoted = 0;
    for (language, block) in blocks(&guide) {
        match (language, before.take()) {
            ("console", None) => {
                for line in block.lines() {
                    match line.strip_prefix("$ ") {
                        Some(command) => output = output_of(command, &directory),
                        None => {
                            assert!(output.lines().any(|printed| printed == line), "{line}\nnot in:\n{output}");
                            quoted += 1;
                        }
                    }
                }
            }
            ("python", None) => before = Some(block),
            ("python", Some(before)) => {
                let bot = home.read("mybot/bot.py");
                assert_eq!(bot.matches(before).count(), 1, "{before}");
                home.write("mybot/bot.py", &bot.replace(before, block));
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(quoted >= 8 && output.contains("color 0.76"), "{quoted}");
}
