//! Runs that are killed, stopped or out of disk space, and resumed to the same bytes.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use super::{Home, names_in};
#[cfg(unix)]
use super::{interruptible, send_signal};

/// Long enough to be killed several times.
const LONG: &str = "tournament --agents random,greedy --seats 2,3 --sets 12000 --games-csv --quiet";

/// Long enough for its first `checkpoint.json` to be seen while it runs.
const LONGER: &str = "tournament --agents random,greedy --seats 2,3 --sets 60000 --games-csv --quiet";

/// Longer than a test waits.
const ENDLESS: &str = "tournament --agents random,greedy --seats 2,3 --sets 4000000 --games-csv --quiet";

const SMALL: &str = "tournament --sets 300 --seats 2 --games-csv --quiet";

/// Every table, by name.
fn tables(home: &Home, directory: &str) -> Vec<(String, String)> {
    let names = names_in(&home.path(directory)).into_iter().filter(|name| name.ends_with(".csv"));
    names.map(|name| (name.clone(), home.read(&format!("{directory}/{name}")))).collect()
}

fn assert_same_tables(home: &Home, directory: &str, expected: &str) {
    assert!(!home.path(directory).join("checkpoint.json").exists(), "{directory} is finished");
    assert_eq!(names_in(&home.path(directory)), names_in(&home.path(expected)));
    let (found, expected) = (tables(home, directory), tables(home, expected));
    assert!(found == expected, "{directory}: other bytes");
}

/// Killed after each checkpoint, and several times after that: from any checkpoint, the rest is the same.
#[test]
fn run_killed_at_25_checkpoints_has_same_bytes() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out whole --threads 2"));
    let (mut kills, mut runs) = (0, 0);
    while kills < 25 {
        let threads = [1, 3, 2, 7][kills % 4];
        let arguments = format!("{SMALL} --threads {threads} --resume");
        if home.kill_after(1 + kills as u64 % 3, &arguments, &format!("run-{runs}")) {
            kills += 1;
        } else {
            assert_same_tables(&home, &format!("run-{runs}"), "whole");
            runs += 1;
        }
    }
    home.output(&format!("{SMALL} --out run-{runs} --resume"));
    assert_same_tables(&home, &format!("run-{runs}"), "whole");
}

/// Whether at least the games of the first section are counted and their rows written.
fn some_rows_are_kept(kept: &str) -> bool {
    kept.matches(r#""next":0,"rows":"#).count() < 2
}

#[test]
fn run_killed_in_last_step_is_finished_by_next() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out whole"));
    home.output(&format!("{SMALL} --out run"));
    home.write("run/.lock", "");
    home.output(&format!("{SMALL} --out run --resume"));
    assert_same_tables(&home, "run", "whole");
}

/// The same command succeeds as root, who may write in every directory, so the time of the last change shows whether it did.
#[cfg(unix)]
#[test]
fn finished_read_only_run_is_resumed_without_writing() {
    use std::os::unix::fs::PermissionsExt;
    let home = Home::new();
    home.output(&format!("{SMALL} --out run"));
    let run = home.path("run");
    let long_ago = std::time::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    fs::File::open(&run).unwrap().set_modified(long_ago).unwrap();
    fs::set_permissions(&run, fs::Permissions::from_mode(0o555)).unwrap();
    home.output(&format!("{SMALL} --out run --resume"));
    assert_eq!(fs::metadata(&run).unwrap().modified().unwrap(), long_ago);
    fs::set_permissions(&run, fs::Permissions::from_mode(0o755)).unwrap();
}

/// `ulimit -f` counts blocks of 512 or 1024 bytes.
#[cfg(unix)]
#[test]
fn run_over_file_size_limit_fails_and_resumes_to_same_bytes() {
    let home = Home::new();
    let run = SMALL.replace("300", "3000");
    home.output(&format!("{run} --out whole"));
    assert!(home.read("whole/games.csv").len() > 200 * 1024);
    let mut limited = Command::new("sh");
    limited.args(["-c", r#"ulimit -f 200; exec "$0" "$@""#, assert_cmd::cargo::cargo_bin!("unolab").to_str().unwrap()]);
    let output = limited.args(run.split(' ')).args(["--out", "run"]).current_dir(home.path(".")).output().unwrap();
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{message}");
    assert!(message.contains("games.csv: File too large") && message.contains("add --resume to continue"), "{message}");
    home.output(&format!("{run} --out run --resume"));
    assert_same_tables(&home, "run", "whole");
}

/// Rows that were written after the last checkpoint, and half a row.
#[test]
fn uncounted_games_are_removed_and_missing_games_rejected() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out whole"));
    home.kill_on_its_way(SMALL, "run");
    let rows = home.read("run/games.csv");
    home.write("run/games.csv", &format!("{rows}17,0,8,0,cla"));
    home.output(&format!("{SMALL} --out run --resume"));
    assert_same_tables(&home, "run", "whole");

    home.kill_on_its_way(SMALL, "short");
    home.write("short/games.csv", "index");
    let (message, _) = home.failure(&format!("{SMALL} --out short --resume"), 2);
    assert!(message.contains("games.csv has 5 bytes, expected"), "{message}");
    // One turn less than was counted.
    home.kill_on_its_way(SMALL, "changed");
    let rows = home.read("changed/games.csv");
    let row = rows.lines().nth(2).expect("rows");
    home.write("changed/games.csv", &rows.replacen(row, &row.replacen(',', ";", 1), 1));
    let (message, _) = home.failure(&format!("{SMALL} --out changed --resume"), 2);
    assert!(message.contains("games.csv: its rows have been changed"), "{message}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_leaves_resumable_run() {
    let home = Home::new();
    let ctrl_c = |child: &mut Child| send_signal("INT", child);
    assert_eq!(home.interrupt(LONGER, "run", some_rows_are_kept, ctrl_c).code(), Some(130));
    let (message, _) = home.failure(&format!("{LONGER} --out run"), 2);
    assert!(
        message.contains("holds an unfinished run of the same spec (") && message.contains("--resume"),
        "{message}"
    );
    home.output(&format!("{LONGER} --out run --resume --threads 1"));
    home.output(&format!("{LONGER} --out whole --threads 2"));
    assert_same_tables(&home, "run", "whole");
}

#[test]
#[cfg(unix)]
fn ctrl_c_prints_progress() {
    let home = Home::new();
    let arguments = format!("{ENDLESS} --out run");
    let mut unolab = interruptible();
    unolab.current_dir(home.path(".")).args(arguments.split_whitespace()).stderr(Stdio::piped());
    let child = unolab.spawn().unwrap();
    while !home.path("run/checkpoint.json").exists() {
        sleep(Duration::from_millis(5));
    }
    send_signal("INT", &child);
    let ended = child.wait_with_output().unwrap();
    let message = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(130));
    assert!(message.starts_with("stopped after ") && message.contains("--resume"), "{message}");
}

/// A limit on the size of files simulates a full disk: writing fails in the same places.
#[test]
#[cfg(unix)]
fn full_disk_ends_run_which_resumes_with_more_space() {
    let home = Home::new();
    let unolab = assert_cmd::cargo::cargo_bin!("unolab").display().to_string();
    let full = |blocks: u32| {
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec {unolab} {LONG} --out run --resume");
        Command::new("sh").current_dir(home.0.path()).args(["-c", &script]).output().expect("a shell")
    };
    // Not even checkpoint.json, then some rows, then a few more.
    for blocks in [1, 1000, 2000] {
        let output = full(blocks);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(message.contains("File too large"), "{message}");
        assert!(blocks == 1 || message.contains("add --resume to continue: "), "{message}");
    }
    home.output(&format!("{LONG} --out run --resume"));
    home.output(&format!("{LONG} --out whole"));
    assert_same_tables(&home, "run", "whole");
}

#[test]
fn resume_starts_missing_run_and_keeps_finished_run() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out whole"));
    fs::create_dir(home.path("empty")).unwrap();
    for directory in ["missing", "empty"] {
        home.output(&format!("{SMALL} --out {directory} --resume"));
        assert_same_tables(&home, directory, "whole");
    }
    home.write("whole/README.md", "untouched");
    home.output(&format!("{SMALL} --out whole --resume"));
    assert_eq!(home.read("whole/README.md"), "untouched");
    home.output(&format!("{SMALL} --out whole"));
    assert_same_tables(&home, "whole", "empty");
}

#[test]
fn finished_run_with_missing_file_is_incomplete() {
    let home = Home::new();
    home.output("match --agents greedy,random --seats 2 --sets 3 --quiet --out run");
    home.refuses(
        "match --agents greedy,random --seats 2 --sets 3 --quiet --resume --out run",
        &[
            ("--report", "without --report"),
            ("--record records", "without --record"),
            ("--games-csv", "without --games-csv"),
        ],
    );
    assert_eq!(home.names(), ["run"]);
    home.write("run/summary.csv", "");
    let resumed = "match --agents greedy,random --seats 2 --sets 3 --quiet --out run";
    home.refuses(resumed, &[("--resume", "its file summary.csv is empty")]);
    fs::remove_file(home.path("run/pairs.csv")).unwrap();
    home.refuses(resumed, &[("--resume", "its file pairs.csv is gone")]);
    home.output(resumed);
    home.output(&format!("{resumed} --resume"));
}

/// Counted games are not played again: their missing records would be lost permanently.
#[test]
fn resumed_run_keeps_all_records() {
    let home = Home::new();
    let match_of_300 = "match --agents random,greedy --seats 2 --sets 300 --quiet --out run --resume";
    let command = format!("{match_of_300} --record records --record-sets 300");
    assert!(home.kill_after(2, &command.replace(" --out run", ""), "run"));
    for others in ["", "--record records", "--record records --record-sets 7"] {
        home.refuses(match_of_300, &[(others, "with --record --record-sets 300")]);
    }
    let (record, moved) = (home.path("records/game-0.jsonl"), home.path("moved.jsonl"));
    fs::rename(&record, &moved).unwrap();
    home.refuses(&command, &[("", "game-0.jsonl is missing, although its game has been counted")]);
    fs::rename(&moved, &record).unwrap();
    home.output(&command);
    assert_eq!(names_in(&home.path("records")).len(), 600);
}

/// Records of another run, or of another part of the same run, belong to others and stay.
#[test]
fn records_of_others_are_not_removed() {
    let home = Home::new();
    let match_of_20 = "match --agents random,greedy --seats 2 --sets 20 --quiet --record-sets 20 --resume";
    home.output(&format!("{match_of_20} --out s1 --shard 1/2 --record games"));
    home.output(&format!("{match_of_20} --out s2 --shard 2/2 --record games"));
    assert_eq!(names_in(&home.path("games")).len(), 40);
    home.refuses(
        match_of_20,
        &[("--out other --seed 2 --record games", "is a record of another run; choose another directory")],
    );
    assert_eq!(names_in(&home.path("games")).len(), 40);
    fs::create_dir(home.path("mine")).unwrap();
    home.write("mine/game-007.jsonl", "my own notes\n");
    home.refuses(match_of_20, &[("--out other --record mine", "--record mine: is not empty")]);
    assert_eq!(home.read("mine/game-007.jsonl"), "my own notes\n");
    // The selection of games cannot change when a run is resumed.
    let long = "match --agents random,greedy --seats 2 --sets 4000 --quiet --record-only every:50";
    home.kill_on_its_way(&format!("{long} --record every"), "every-50");
    for (only, reason) in [("every:20", "with another --record-only"), ("fault", "with another --record-only")] {
        let other = long.replace("every:50", only);
        home.refuses(&format!("{other} --out every-50 --resume --record every"), &[("", reason)]);
    }
}

/// In this place it would be treated as a file of another program.
#[test]
fn run_records_and_key_require_separate_directories() {
    let home = Home::new();
    home.refuses(
        "match --agents random,greedy --seats 2 --sets 20 --quiet",
        &[
            ("--out same --record same", "--record same: cannot have --out same in it"),
            ("--out all/run --record all", "--record all: cannot have --out all/run in it"),
            ("--out run --sealed --key-file run/key", "--key-file run/key: cannot be in the run directory"),
        ],
    );
    assert!(!home.path("run").exists() && !home.path("same").exists());
}

#[test]
fn unresumable_run_is_rejected_unchanged() {
    let home = Home::new();
    home.output(&format!("{SMALL} --out finished"));
    home.output("tournament --sets 300 --seats 2 --quiet --out without-games");
    let mut child = home.start(&format!("{ENDLESS} --out unfinished"));
    while !home.path("unfinished/checkpoint.json").exists() {
        sleep(Duration::from_millis(5));
    }
    let (message, _) = home.failure(&format!("{ENDLESS} --out unfinished --resume"), 2);
    assert!(message.contains("is being written by another process"), "{message}");
    child.kill().unwrap();
    child.wait().unwrap();
    let before = home.read("unfinished/checkpoint.json");
    for (arguments, part) in [
        (format!("{SMALL} --out finished --resume --seed 2"), "of another spec (seed 1, not 2)"),
        (format!("{SMALL} --out finished --shard 1/2"), "--shard 1/1, not 1/2"),
        (format!("{SMALL} --out without-games --resume"), "without --games-csv"),
        (
            format!("{ENDLESS} --out unfinished --resume --seed 2"),
            "of another spec (seed 1, not 2) that is not finished",
        ),
        (
            ENDLESS.replace("--games-csv", "--games-csv=2 --out unfinished --resume"),
            "with --games-csv that is not finished",
        ),
        (format!("{ENDLESS} --out unfinished --resume --shard 1/2"), "--shard 1/1, not 1/2"),
        (format!("{ENDLESS} --out unfinished"), "add --resume"),
    ] {
        let (message, _) = home.failure(&arguments, 2);
        assert!(message.contains(part), "{arguments}: {message}");
    }
    assert_eq!(home.read("unfinished/checkpoint.json"), before);
    let file = "unfinished/checkpoint.json";
    home.change_sealed(file, "\"unolab\":\"", "\"unolab\":\"0.");
    let (message, _) = home.failure(&format!("{ENDLESS} --out unfinished --resume"), 2);
    assert!(message.contains("of another version"), "{message}");
    home.write(file, &before);
    home.change_sealed(file, "\"end\":4000000", "\"end\":4000001");
    for how in ["", "--dry-run"] {
        let (message, _) = home.failure(&format!("{ENDLESS} --out unfinished --resume {how}"), 2);
        assert!(message.contains("its counts do not belong to its spec"), "{message}");
    }
    // A run of another build is reported, and resumed if that is accepted.
    home.write(file, &before);
    home.change_sealed(file, "\"build\":\"", "\"build\":\"0");
    let (message, _) = home.failure(&format!("{ENDLESS} --out unfinished --resume"), 2);
    assert!(message.contains("unolab (build ") && message.contains("--allow-changed-bots"), "{message}");
    home.unolab(&format!("{ENDLESS} --out unfinished --resume --dry-run --allow-changed-bots")).assert().success();
    // Every change of the file is detected.
    for text in [before.replacen("\"next\":", "\"next\":1", 1), before[..before.len() / 2].to_owned(), String::new()] {
        home.write(file, &text);
        let (message, _) = home.failure(&format!("{ENDLESS} --out unfinished --resume"), 2);
        assert!(message.contains("checkpoint.json cannot be resumed"), "{message}");
    }
}
