//! The progress of a run: `unolab status`, and progress lines without a terminal.

use std::fs;
use std::time::{Duration, UNIX_EPOCH};

use serde_json::Value;

use super::{Home, names_in};

const SMALL: &str = "tournament --sets 300 --seats 2,3 --quiet";

/// Longer than a test waits.
const ENDLESS: &str = "tournament --agents random,greedy --seats 2 --sets 4000000 --quiet";

fn status(home: &Home, directory: &str) -> Value {
    serde_json::from_str(&home.output(&format!("status {directory} --json"))).expect("an object")
}

#[test]
fn status_of_interrupted_run_prints_progress_without_changes() {
    let home = Home::new();
    home.kill_on_its_way(SMALL, "run");
    let long_ago = UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let directory = fs::File::open(home.path("run")).unwrap();
    directory.set_modified(long_ago).unwrap();
    let checkpoint = home.read("run/checkpoint.json");
    let text = home.output("status run");
    for part in [
        "run: interrupted (tournament); to continue, add --resume to its command\n",
        " of 600 sets, ",
        " of 2,700 games",
        " left, saved ",
        "win share %",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let told = status(&home, "run");
    assert_eq!(
        (&told["state"], &told["run"], &told["unit"]),
        (&"interrupted".into(), &"tournament".into(), &"set".into())
    );
    assert_eq!((&told["total"], &told["games_total"]), (&600.into(), &2_700.into()));
    let number = |key: &str| told[key].as_f64().unwrap_or_else(|| panic!("{key}: {told}"));
    assert!((1.0..600.0).contains(&number("done")) && (6.0..2_700.0).contains(&number("games_done")), "{told}");
    assert!(number("seconds") > 0.0 && number("seconds_left") > 0.0 && number("seconds_since_save") >= 0.0, "{told}");
    assert_eq!(told["tables"]["summary"].as_array().map(Vec::len), Some(6), "{told}");
    assert_eq!(directory.metadata().unwrap().modified().unwrap(), long_ago);
    assert_eq!(home.read("run/checkpoint.json"), checkpoint);
    home.output(&format!("{SMALL} --out run --resume"));
    let told = status(&home, "run");
    assert_eq!(
        (&told["state"], &told["games_done"], &told["games_total"]),
        (&"finished".into(), &2_700.into(), &2_700.into())
    );
    assert_eq!(told["tables"]["summary"].as_array().map(Vec::len), Some(6));
    let text = home.output("status run");
    assert!(
        text.starts_with("run: finished (tournament); its tables are in its directory\n2,700 games, it took "),
        "{text}"
    );
}

#[test]
fn status_is_running_until_process_ends() {
    let home = Home::new();
    let mut child = home.start(&format!("{ENDLESS} --out run"));
    while !home.path("run/checkpoint.json").exists() || status(&home, "run")["done"] == 0 {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(status(&home, "run")["state"], "running");
    assert!(home.output("status run").starts_with("run: running (tournament)\n"));
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(status(&home, "run")["state"], "interrupted");
}

/// It keeps its finished tables until the end, and cannot be resumed.
#[test]
fn status_of_rerun_shows_progress() {
    let home = Home::new();
    let run = "tournament --agents random,greedy --seats 2 --sets 20000 --quiet --out run";
    home.output(run);
    let before = names_in(&home.path("run"));
    for _ in 0..100 {
        let mut child = home.start(run);
        let is_met = loop {
            let told = status(&home, "run");
            if told["state"] == "running" && told["done"].as_u64().is_some_and(|done| done > 0) {
                break true;
            }
            if child.try_wait().unwrap().is_some() {
                break false;
            }
        };
        child.kill().unwrap();
        child.wait().unwrap();
        if is_met {
            assert_eq!(status(&home, "run")["state"], "finished");
            home.output(&format!("{run} --resume"));
            assert_eq!(names_in(&home.path("run")), before);
            home.output(run);
            assert_eq!(names_in(&home.path("run")), before);
            return;
        }
    }
    panic!("the run is always too quick");
}

#[test]
fn status_of_shard_names_it() {
    let home = Home::new();
    home.output(&format!("{SMALL} --shard 2/3 --out part"));
    let told = status(&home, "part");
    assert_eq!((&told["state"], &told["shard"], &told["done"]), (&"finished".into(), &"2/3".into(), &200.into()));
    let text = home.output("status part");
    assert!(
        text.starts_with("part: finished (tournament, shard 2/3); unolab merge merges the shards\n100%: "),
        "{text}"
    );
}

#[test]
fn status_outside_run_directory_is_rejected() {
    let home = Home::new();
    fs::create_dir(home.path("empty")).unwrap();
    home.kill_on_its_way(SMALL, "changed");
    let checkpoint = home.read("changed/checkpoint.json");
    home.write("changed/checkpoint.json", &checkpoint.replacen("\"next\":", "\"next\":1", 1));
    home.kill_on_its_way(SMALL, "other");
    home.change_sealed("other/checkpoint.json", "\"end\":300", "\"end\":301");
    home.write("file", "");
    home.refuses(
        "status",
        &[
            ("empty", "empty: is not the directory of a run; allowed: the --out of a command that plays"),
            ("nowhere", "; allowed: the directory of a run"),
            ("file", "file: is a file; allowed: the directory of a run"),
            ("changed", "changed/checkpoint.json: it has been changed"),
            ("other", "other/checkpoint.json: its counts do not belong to its spec"),
        ],
    );
}

#[test]
fn progress_lines_are_printed_without_terminal_unless_quiet() {
    let home = Home::new();
    let run = "match --agents greedy,random --seats 2 --sets 2000";
    let complaints = |arguments: &str| {
        let mut unolab = home.unolab(arguments);
        let output = unolab.env("UNOLAB_PROGRESS_INTERVAL", "0").output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let said = complaints(&format!("{run} --out run"));
    assert!(said.lines().count() > 1, "{said}");
    for line in said.lines() {
        assert!(
            line.starts_with("progress: ") && line.contains("% of 2,000 sets, ") && line.contains(" per second, "),
            "{said}"
        );
    }
    assert_eq!(complaints(&format!("{run} --out quiet --quiet")), "");
    let mut wrong = home.unolab("variants list");
    wrong.env("UNOLAB_PROGRESS_INTERVAL", "often").assert().code(2);
}

#[test]
fn interim_tables_come_at_their_interval_on_standard_error() {
    let home = Home::new();
    let run = "match --agents greedy,random --seats 2 --sets 2000";
    let (said, text) = home.failure(&format!("{run} --report-interval 0 --out run"), 0);
    let reports: Vec<&str> = said.split("interim report after ").skip(1).collect();
    assert!(!reports.is_empty(), "{said}");
    for report in reports {
        assert!(report.contains(" of 2,000 sets\ngreedy against random, classic, 2 seats, "), "{said}");
        assert!(report.contains("win share % [95% at any time]"), "{said}");
    }
    assert!(!text.contains("interim") && text.contains("Elo difference [95%]"), "{text}");
    home.refuses(&format!("{run} --out other --report-interval"), &[("5 --quiet", "--quiet"), ("-1", "from 0 to")]);
}

#[cfg(unix)]
#[test]
fn first_faults_are_printed_during_the_run() {
    let home = Home::new();
    home.write("broken.sh", "read hello; echo '{\"protocol\":1}'; read game; exit 3\n");
    let mut unolab = home.unolab("match --seats 2 --sets 20 --out run");
    let output = unolab.args(["--agents", "broken=cmd:\"sh broken.sh\",greedy"]).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let lost = said.lines().filter(|line| line.starts_with("broken lost game "));
    assert_eq!(lost.count(), 10, "{said}");
    assert!(said.contains("broken lost game 0 (classic, 2 seats) by decision 1: "), "{said}");
    assert_eq!(said.matches("broken: further faults are only counted\n").count(), 1, "{said}");
}
