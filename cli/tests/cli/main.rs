//! The `unolab` command from the user's point of view.

mod allocate;
mod analyze;
mod balance;
#[cfg(unix)]
mod batches;
mod bench;
#[cfg(unix)]
mod bots;
mod bystanders;
mod check;
mod compare;
#[cfg(unix)]
mod contest;
mod control;
mod coverage;
mod directories;
mod every_command;
mod exploit;
mod hostile;
mod kept_of_programs;
mod league;
mod long_runs;
mod luck;
mod machine;
mod match_forms;
mod mutated_dirs;
mod odds;
mod parquet;
#[cfg(unix)]
mod play;
mod power;
#[cfg(unix)]
mod programs;
mod rate;
mod recompute;
mod records;
mod remote;
mod report;
mod resume;
mod scenarios;
mod shards;
mod sprt;
mod status;
mod streams;
mod threads;
mod train;
#[cfg(unix)]
mod trust;
mod tune;
mod variants;
mod verify;
#[cfg(unix)]
mod whose_fault;
mod wording;
#[cfg(unix)]
mod worked_example;
mod wrong_input;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Child, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::Duration;

use assert_cmd::Command;
use sha2::Digest;
use tempfile::TempDir;

/// `unolab`, which does not ignore the signals that tests send. The tests ignore them if `nohup` or a script's `&` started them, and
/// processes inherit that.
fn interruptible() -> process::Command {
    let unolab = assert_cmd::cargo::cargo_bin!("unolab");
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let ignored = ignored.map_or(0, |mask| u64::from_str_radix(mask.trim(), 16).expect("a mask"));
    if ignored & 0b11 == 0 {
        return process::Command::new(unolab);
    }
    let mut command = process::Command::new("env");
    command.arg("--default-signal=HUP,INT").arg(unolab);
    command
}

/// Sends a signal to a process.
#[cfg(unix)]
fn send_signal(signal: &str, child: &Child) {
    let sent = process::Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(sent.expect("kill").success(), "{signal}");
}

/// A directory to run `unolab` in.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Self(tempfile::tempdir().expect("a directory for the test"))
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// `unolab` with these arguments, split at spaces. It prints no progress lines, even on a slow machine.
    fn unolab(&self, arguments: &str) -> Command {
        let mut command = Command::new(assert_cmd::cargo::cargo_bin!("unolab"));
        command.env("UNOLAB_PROGRESS_INTERVAL", "1000000");
        command.current_dir(self.0.path()).args(arguments.split_whitespace());
        command
    }

    /// The output of a successful command with empty standard error.
    fn output(&self, arguments: &str) -> String {
        let output = self.unolab(arguments).assert().success().stderr("").get_output().stdout.clone();
        String::from_utf8(output).expect("text")
    }

    /// Checks that it fails with this exit status; returns its message and its output.
    fn failure(&self, arguments: &str, status: i32) -> (String, String) {
        let output = self.unolab(arguments).assert().code(status).get_output().clone();
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (text(output.stderr), text(output.stdout))
    }

    /// Each of these is bad input to the command: it prints no output, and this message.
    fn refuses(&self, command: &str, cases: &[(&str, &str)]) {
        for (arguments, part) in cases {
            let (message, output) = self.failure(&format!("{command} {arguments}"), 2);
            assert!(message.contains(part) && output.is_empty(), "{command} {arguments}: {message}{output}");
            // A cause is printed once, also for wrapped errors.
            let mut causes: Vec<&str> = message.trim_end().split(": ").filter(|cause| cause.len() > 20).collect();
            causes.sort_unstable();
            assert!(causes.is_sorted_by(|a, b| a != b), "{command} {arguments}: {message}");
        }
    }

    /// `unolab` in the background, with `--quiet`.
    fn start(&self, arguments: &str) -> Child {
        let mut command = interruptible();
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).stderr(Stdio::null());
        command.spawn().expect("unolab starts")
    }

    /// Starts a run into this directory and does something to it after enough checkpoints; then waits until it ends.
    /// Whether the run is still in progress depends on the machine: a run that ends too soon is started again.
    fn interrupt(&self, arguments: &str, directory: &str, enough: fn(&str) -> bool, how: fn(&mut Child)) -> ExitStatus {
        let kept = self.path(directory).join("checkpoint.json");
        for _ in 0..100 {
            let mut child = self.start(&format!("{arguments} --out {directory}"));
            while child.try_wait().expect("a child").is_none() {
                if fs::read_to_string(&kept).is_ok_and(|text| enough(&text)) {
                    how(&mut child);
                    break;
                }
                sleep(Duration::from_millis(2));
            }
            let status = child.wait().expect("it ends");
            if kept.exists() {
                return status;
            }
            fs::remove_dir_all(self.path(directory)).expect("a finished run");
        }
        panic!("{arguments}: it is always too quick");
    }

    /// A run into this directory that is killed right after this checkpoint of its process, from 1. Returns whether it
    /// was reached: otherwise the run is finished.
    fn kill_after(&self, checkpoint: u64, arguments: &str, directory: &str) -> bool {
        let mut unolab = self.unolab(&format!("{arguments} --out {directory}"));
        let output =
            unolab.env("UNOLAB_STOP_AFTER_CHECKPOINTS", checkpoint.to_string()).output().expect("unolab starts");
        let is_unfinished = self.path(directory).join("checkpoint.json").exists();
        assert_eq!(output.status.success(), !is_unfinished, "{}", String::from_utf8_lossy(&output.stderr));
        is_unfinished
    }

    /// A run that was killed before its end.
    fn kill_on_its_way(&self, arguments: &str, directory: &str) {
        assert!(self.kill_after(2, arguments, directory), "{arguments}: it has not two checkpoints");
    }

    /// Changes a file that holds a digest of itself, together with the digest.
    fn change_sealed(&self, name: &str, old: &str, new: &str) {
        let text = self.read(name);
        let forms = [(",\"digest\":\"", "\"}\n"), (",\n  \"digest\": \"", "\"\n}\n")];
        let (key, end) = forms.into_iter().find(|(key, _)| text.contains(key)).expect("a digest");
        let content = text.split(key).next().expect("a content");
        assert!(content.contains(old), "{name} has no {old}");
        let content = content.replacen(old, new, 1);
        let digest: String = sha2::Sha256::digest(&content).iter().map(|byte| format!("{byte:02x}")).collect();
        self.write(name, &format!("{content}{key}{digest}{end}"));
    }

    /// Removes the digests of a run, as in older versions, so that errors in its tables are found by reading them.
    fn forget_digests(&self, directory: &str) {
        let name = format!("{directory}/run.json");
        let mut run: serde_json::Value = serde_json::from_str(&self.read(&name)).expect("a run");
        for key in ["digest", "digests", "files"] {
            run.as_object_mut().expect("an object").remove(key).expect(key);
        }
        self.write(&name, &run.to_string());
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file of the test");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    /// All files, including hidden ones.
    fn names(&self) -> Vec<String> {
        names_in(self.0.path())
    }
}

fn names_in(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("readable").file_name().into_string().expect("a name")).collect();
    names.sort();
    names
}

/// The rows of a CSV text, each by the names of its columns.
fn rows(csv: &str) -> Vec<std::collections::BTreeMap<String, String>> {
    csv::Reader::from_reader(csv.as_bytes()).deserialize().map(|row| row.expect("a row")).collect()
}
