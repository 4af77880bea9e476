//! Programs with every possible fault: each loses its own games, in the right column, without effect on other results, and cannot
//! see the files of others. They are kinds of one script, `bots/hostile.py`.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Home, names_in, rows};

const SCRIPT: &str = include_str!("bots/hostile.py");

/// The fault, its column, and its games: all, or none.
const KINDS: [(&str, &str); 39] = [
    ("is-honest", ""),
    ("crashes", "crashes"),
    ("raises", "crashes"),
    ("segfaults", "crashes"),
    ("kills-its-group", "crashes"),
    ("closes-output", "crashes"),
    ("fails-and-leaves-a-child", "crashes"),
    ("hangs", "timeouts"),
    ("spins", "timeouts"),
    ("stops-itself", "timeouts"),
    ("has-no-newline", "timeouts"),
    ("floods-errors", "timeouts"),
    ("floods-lines", "illegal"),
    ("floods-bytes", "illegal"),
    ("is-no-text", "illegal"),
    ("says-nul", "illegal"),
    ("is-deep", "illegal"),
    ("says-a-list", "illegal"),
    ("is-empty", "illegal"),
    ("is-stale", "illegal"),
    ("is-out-of-range", "illegal"),
    ("is-negative", "illegal"),
    ("is-huge", "illegal"),
    ("answers-twice", "illegal"),
    ("answers-early", "illegal"),
    ("closes-input", "crashes"),
    ("crashes-after-the-game", "crashes"),
    ("notes-much", ""),
    ("ends-lines-as-dos-does", ""),
    ("answers-slowly-in-pieces", ""),
    ("has-busy-children", ""),
    ("leaves-orphans", ""),
    ("leaves-strangers", ""),
    ("ignores-signals", ""),
    ("reads-cmdline", "crashes"),
    ("writes-notes", "crashes"),
    ("connects", "crashes"),
    ("sends", "crashes"),
    ("whispers", "crashes"),
];

/// Attacks on other programs, on the run and on later games: one that gets through ends with the word "seen".
const SPIES: [&str; 38] = [
    "reads-cmdline",
    "reads-environ",
    "reads-memory",
    "traces",
    "signals",
    "reads-run",
    "reads-seal",
    "writes-run",
    "writes-notes",
    "connects",
    "sends",
    "whispers",
    "changes-mode-of-opponent",
    "changes-mode-of-run",
    "changes-own-mode",
    "changes-own-owner",
    "limits-parent",
    "limits-opponents",
    "limits-itself",
    "makes-huge-file",
    "sets-priority",
    "sets-own-priority",
    "sets-affinity",
    "sets-io-priority",
    "shares-memory",
    "sends-messages",
    "counts-semaphores",
    "marks-own-file",
    "dates-own-file",
    "dates-opponent",
    "locks-null",
    "locks-own-file",
    "leases-own-file",
    "watches-run",
    "watches-own-file",
    "sees-files-of-run",
    "sees-opponents",
    "sees-cache",
];

/// Attacks that some users, file systems, or kernels prevent even without a sandbox.
const RARE: [&str; 5] = ["reads-environ", "reads-memory", "traces", "marks-own-file", "sees-cache"];

/// Attacks that only namespaces prevent.
const SEES_NAMES: &str = "sees-files-of-run";

/// Kinds of [`KINDS`] that end, hang or leave processes behind.
const ENDINGS: [&str; 14] = [
    "is-honest",
    "crashes",
    "segfaults",
    "closes-input",
    "closes-output",
    "fails-and-leaves-a-child",
    "crashes-after-the-game",
    "hangs",
    "spins",
    "stops-itself",
    "has-busy-children",
    "leaves-orphans",
    "leaves-strangers",
    "ignores-signals",
];

/// The interpreter itself, not a launcher; `None` without Python, which is an error if everything must be tested.
fn python() -> Option<String> {
    let asked = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    match asked {
        Ok(output) if output.status.success() => Some(String::from_utf8(output.stdout).unwrap().trim().to_owned()),
        _ => {
            assert!(std::env::var_os("CI").is_none(), "there is no python3");
            eprintln!("not tried, because there is no python3");
            None
        }
    }
}

/// The script is in a separate directory, because it changes the attributes of its file.
fn agent(python: &str, kind: &str, home: &Home, options: &str) -> String {
    fs::create_dir_all(home.path("bot")).unwrap();
    home.write("bot/hostile.py", SCRIPT);
    let home = home.0.path().display();
    format!("cmd:\"{python} -SE {home}/bot/hostile.py {kind} {home}\"{options}")
}

/// Programs that play in this directory or sleep forever.
fn left_over(home: &Home) -> Vec<String> {
    let directory = home.0.path().display().to_string();
    let all = fs::read_dir("/proc").unwrap().flatten();
    let commands = all.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    commands.filter(|command| command.contains(&directory) || command.contains(&*nap(home))).collect()
}

/// The time that orphaned processes sleep: it identifies this test's processes.
fn nap(home: &Home) -> String {
    let letters = home.0.path().display().to_string();
    let sum = letters.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    format!("8{:08}", sum % 100_000_000)
}

fn play(home: &Home, arguments: &str, agents: &[String]) {
    let mut command = home.unolab(arguments);
    command.env("PYTHONNAP", nap(home));
    for agent in agents {
        command.args(["--agents", agent]);
    }
    command.assert().success();
    let until = Instant::now() + Duration::from_secs(10);
    while !left_over(home).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(left_over(home), Vec::<String>::new(), "no process is left");
}

/// The rows of a table by the entrant's kind.
fn by_kind(csv: &str) -> BTreeMap<String, BTreeMap<String, String>> {
    let kind = |row: &BTreeMap<String, String>| {
        let words: Vec<&str> = row["entrant"].split(' ').collect();
        words.iter().position(|word| Path::new(word).ends_with("hostile.py")).map(|at| words[at + 1].to_owned())
    };
    rows(csv).into_iter().filter_map(|row| Some((kind(&row)?, row))).collect()
}

#[test]
fn hostile_program_loses_only_its_own_games() {
    let Some(python) = python() else { return };
    let home = Home::new();
    let honest = ["greedy".to_owned(), "random".to_owned(), "mixbot".to_owned()];
    play(&home, "tournament --format gauntlet --seats 2 --sets 2 --quiet --out without", &honest);
    let mut agents = honest.to_vec();
    agents.extend(KINDS.iter().map(|&(kind, column)| {
        let time = if column == "timeouts" { ",decision_ms=200" } else { ",decision_ms=20000" };
        agent(&python, kind, &home, time)
    }));
    play(&home, "tournament --format gauntlet --seats 2 --sets 2 --threads 3 --quiet --out with", &agents);
    let pairs = |out: &str| rows(&home.read(&format!("{out}/pairs.csv")));
    assert_eq!(pairs("with")[..2], pairs("without")[..], "the others");

    let summary = by_kind(&home.read("with/summary.csv"));
    let faults = by_kind(&home.read("with/faults.csv"));
    for (kind, column) in KINDS {
        let row = &summary[kind];
        let counts = ["crashes", "timeouts", "illegal"].map(|name| (name, row[name].parse::<u64>().unwrap()));
        let in_its_column = counts.iter().find(|(name, _)| *name == column).map_or(0, |(_, count)| *count);
        let in_all: u64 = counts.iter().map(|(_, count)| count).sum();
        assert_eq!(in_all, in_its_column, "{kind}: {row:?}");
        // Some do it only once per process.
        assert_eq!(in_its_column > 0, !column.is_empty(), "{kind}: {row:?}");
        assert_eq!(faults.contains_key(kind), in_all > 0, "{kind}");
    }
    for (kind, what) in [
        ("crashes", "ended with exit status 1: no such card"),
        ("segfaults", "was ended by signal 11"),
        ("closes-output", "closed its output"),
        ("fails-and-leaves-a-child", "ended with exit status 5"),
        ("closes-input", "closed its input"),
        ("hangs", "no answer within 200 ms"),
        (
            "has-no-newline",
            "no answer within 200 ms: its answer has no line end; end each answer with a newline and flush",
        ),
        ("is-stale", "instead of the one asked"),
        ("says-a-list", "not an object"),
        ("is-out-of-range", "allowed: 0"),
        ("connects", "ended with exit status 1: seen"),
    ] {
        assert!(faults[kind]["what"].contains(what), "{kind}: {:?}", faults[kind]);
    }
}

/// The sandbox that `unolab` has here: `full`, `partial` or `none`.
fn sandbox_here(python: &str, home: &Home) -> String {
    let mut probe = home.unolab("match --seats 2 --sets 1 --quiet --sandbox auto --out probe --agents greedy --agents");
    let output = probe.arg(agent(python, "is-honest", home, ",decision_ms=20000")).output().unwrap();
    let (message, run) = (String::from_utf8_lossy(&output.stderr), sandbox_of(home, "probe"));
    assert!(output.status.success(), "{message}");
    assert!(run != "none" || std::env::var_os("CI").is_none(), "not tried: {message}");
    eprintln!("sandbox here: {run} {message}");
    run
}

fn sandbox_of(home: &Home, out: &str) -> String {
    let run: serde_json::Value = serde_json::from_str(&home.read(&format!("{out}/run.json"))).unwrap();
    run["sandbox"].as_str().expect("a word").to_owned()
}

/// As without a sandbox: a launcher and a process namespace change neither the faults nor the processes that end with a
/// program.
#[test]
fn faults_are_equal_with_and_without_sandbox() {
    let Some(python) = python() else { return };
    let home = Home::new();
    let column = |kind: &str| KINDS.iter().find(|(other, _)| *other == kind).expect("a kind").1;
    let agents = ENDINGS.iter().map(|kind| {
        let time = if column(kind) == "timeouts" { ",decision_ms=300" } else { ",decision_ms=20000" };
        agent(&python, kind, &home, time)
    });
    let agents: Vec<String> = std::iter::once("greedy".to_owned()).chain(agents).collect();
    play(
        &home,
        "tournament --format gauntlet --seats 2 --sets 1 --threads 2 --quiet --sandbox auto --out run",
        &agents,
    );
    let summary = by_kind(&home.read("run/summary.csv"));
    let faults = by_kind(&home.read("run/faults.csv"));
    for kind in ENDINGS {
        for name in ["crashes", "timeouts", "illegal"] {
            assert_eq!(summary[kind][name] != "0", name == column(kind), "{kind}: {:?}", summary[kind]);
        }
    }
    for (kind, what) in [
        ("crashes", "ended with exit status 1: no such card"),
        ("segfaults", "was ended by signal 11"),
        ("closes-input", "closed its input"),
        ("closes-output", "closed its output"),
        ("fails-and-leaves-a-child", "ended with exit status 5"),
        ("hangs", "no answer within 300 ms"),
    ] {
        assert!(faults[kind]["what"].contains(what), "{kind}: {:?}", faults[kind]);
    }
}

/// A program that lacks something in the sandbox quotes its error and the remedy; one that is not there is named.
#[test]
fn unstartable_sandboxed_program_is_rejected_with_remedy() {
    let Some(python) = python() else { return };
    let home = Home::new();
    fs::create_dir(home.path("library")).unwrap();
    home.write("library/cards.py", "");
    home.write("bot.py", "import sys\nsys.path.append('library')\nimport cards\nsys.exit('found')\n");
    let refused = |agent: &str| {
        let mut play =
            home.unolab("match --seats 2 --sets 1 --quiet --sandbox auto --out run --agents greedy --agents");
        let output = play.arg(agent).assert().code(2).get_output().clone();
        String::from_utf8(output.stderr).unwrap()
    };
    fs::create_dir(home.path("bot")).unwrap();
    fs::rename(home.path("bot.py"), home.path("bot/bot.py")).unwrap();
    let message = refused(&format!("cmd:\"{python} -SE bot/bot.py\""));
    for part in ["Traceback", "bot.py\", line 3", "ModuleNotFoundError: No module named 'cards'", "--allow-read PATH"] {
        assert!(message.contains(part), "{part}: {message}");
    }
    let message = refused("cmd:no-such-program");
    assert!(message.contains("no-such-program not found in the directories of PATH"), "{message}");
}

#[test]
fn attacks_on_other_processes_fail_in_sandbox() {
    let Some(python) = python() else { return };
    let home = Home::new();
    home.write("victim.py", "");
    let level = sandbox_here(&python, &home);
    if level == "none" {
        return;
    }
    // A partial sandbox is also tested.
    let sandbox = if level == "full" { "require" } else { "auto" };
    let spies = || SPIES.iter().map(|kind| agent(&python, kind, &home, ",decision_ms=20000"));
    let agents: Vec<String> = std::iter::once("greedy".to_owned()).chain(spies()).collect();
    let arguments = "tournament --format gauntlet --seats 2 --sets 1 --quiet --games-csv --key-file seal --sealed";
    play(&home, &format!("{arguments} --sandbox off --out run-open"), &agents);
    // Without a sandbox they get through, so they look in the right place.
    let seen = by_kind(&home.read("run-open/faults.csv"));
    for kind in SPIES.iter().filter(|kind| !RARE.contains(kind)) {
        let row = seen.get(*kind);
        assert!(row.is_some_and(|row| row["what"].contains(": seen")), "{kind}: {row:?}");
    }
    let _ = fs::remove_file(home.path("notes-for-next-time"));
    play(&home, &format!("{arguments} --sandbox {sandbox} --out run-closed"), &agents);
    let summary = by_kind(&home.read("run-closed/summary.csv"));
    for kind in SPIES.iter().filter(|kind| level == "full" || **kind != SEES_NAMES) {
        let faults = ["crashes", "timeouts", "illegal"].map(|column| &*summary[*kind][column]);
        assert_eq!(faults, ["0"; 3], "{kind} would have ended if it had seen anything");
    }
    assert!(!home.path("notes-for-next-time").exists());
    assert_eq!(sandbox_of(&home, "run-closed"), level);
    // What is allowed by name is allowed.
    let networked = agent(&python, "sends", &home, ",decision_ms=20000");
    let arguments = format!("match --seats 2 --sets 1 --quiet --sandbox {sandbox} --out run-allowed");
    let mut allowed = home.unolab(&arguments);
    allowed.args(["--agents", &networked, "--agents", "greedy", "--allow-network", &networked]);
    allowed.assert().success();
    assert!(home.read("run-allowed/faults.csv").contains("seen"));
    // `check` applies the same confinement.
    for (sandbox, status) in [(&["--sandbox", "off"][..], 1), (&["--sandbox", sandbox], 0)] {
        let mut check = home.unolab("check --variant classic --seats 2 --rounds 1 --json --bot-log log --agents");
        let output = check.arg(&networked).args(sandbox).assert().code(status).get_output().stdout.clone();
        assert_eq!(String::from_utf8(output).expect("text").contains("seen"), status == 1, "{sandbox:?}");
        assert!(!names_in(&home.path("log")).is_empty());
        fs::remove_dir_all(home.path("log")).unwrap();
    }
}
