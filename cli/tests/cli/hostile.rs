//! Programs that do whatever a program can do wrong: each loses its own games, in the right column, and nobody else's result
//! moves; what is not theirs they do not see. They are kinds of one script, `bots/hostile.py`.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use unolab::agents::external::Confinement;

use super::{Home, names_in, rows};

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cli/bots/hostile.py");

/// What they do, in which column it is counted, and in which of the games: all, or none.
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

/// Those that reach for what is not theirs: whoever gets it ends with the word "seen".
const SPIES: [&str; 12] = [
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
];

/// The interpreter itself, not what chooses one; none where there is none, which is an error where everything must be tried.
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

fn agent(python: &str, kind: &str, home: &Home, options: &str) -> String {
    format!("cmd:\"{python} -SE {SCRIPT} {kind} {}\"{options}", home.0.path().display())
}

/// Whoever plays in this folder or is of those who sleep for ever.
fn left_over(home: &Home) -> Vec<String> {
    let folder = home.0.path().display().to_string();
    let all = fs::read_dir("/proc").unwrap().flatten();
    let commands = all.filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok());
    commands.filter(|command| command.contains(&folder) || command.contains(&*nap(home))).collect()
}

/// How long those sleep that are left behind: it tells this test's from others.
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
    assert_eq!(left_over(home), Vec::<String>::new(), "nobody is left");
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
fn whatever_a_program_does_costs_it_its_games_and_nobody_else_anything() {
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
        // Some do it only once in a process.
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
        ("is-stale", "when asked"),
        ("says-a-list", "not an object"),
        ("is-out-of-range", "counted from 0"),
        ("connects", "ended with exit status 1: seen"),
    ] {
        assert!(faults[kind]["what"].contains(what), "{kind}: {:?}", faults[kind]);
    }
}

#[test]
fn who_spies_is_refused_in_the_sandbox() {
    let Some(python) = python() else { return };
    if *Confinement::possible() != Confinement::Full {
        assert!(std::env::var_os("CI").is_none(), "not tried: {:?}", Confinement::possible());
        eprintln!("not tried: {:?}", Confinement::possible());
        return;
    }
    let home = Home::new();
    let spies = || SPIES.iter().map(|kind| agent(&python, kind, &home, ",decision_ms=20000"));
    let agents: Vec<String> = std::iter::once("greedy".to_owned()).chain(spies()).collect();
    let arguments = "tournament --format gauntlet --seats 2 --sets 1 --quiet --games-csv --seal-file seal --sealed";
    play(&home, &format!("{arguments} --sandbox off --out run-open"), &agents);
    // Without it they see: so they look in the right place. What only an administrator may is left out.
    let seen = by_kind(&home.read("run-open/faults.csv"));
    for kind in SPIES.iter().filter(|kind| !["reads-environ", "reads-memory", "traces"].contains(kind)) {
        assert!(
            seen.get(*kind).is_some_and(|row| row["what"].starts_with("ended with exit status 1: seen")),
            "{kind}: {seen:?}"
        );
    }
    let _ = fs::remove_file(home.path("notes-for-next-time"));
    play(&home, &format!("{arguments} --sandbox require --out run-closed"), &agents);
    let summary = by_kind(&home.read("run-closed/summary.csv"));
    for kind in SPIES {
        let faults = ["crashes", "timeouts", "illegal"].map(|column| &*summary[kind][column]);
        assert_eq!(faults, ["0"; 3], "{kind} would have ended if it had seen anything");
    }
    assert!(!home.path("notes-for-next-time").exists());
    let run: serde_json::Value = serde_json::from_str(&home.read("run-closed/run.json")).unwrap();
    assert_eq!(run["sandbox"], "full");
    // What is allowed by name is allowed.
    let networked = agent(&python, "sends", &home, ",decision_ms=20000");
    let mut allowed = home.unolab("match --seats 2 --sets 1 --quiet --sandbox require --out run-allowed");
    allowed.args(["--agents", &networked, "--agents", "greedy", "--allow-network", &networked]);
    allowed.assert().success();
    assert!(home.read("run-allowed/faults.csv").contains("seen"));
    // `check` confines it alike.
    for (sandbox, status) in [(&["--sandbox", "off"][..], 1), (&["--sandbox", "require"], 0)] {
        let mut check = home.unolab("check --variant classic --seats 2 --rounds 1 --json --bot-log log --agents");
        let output = check.arg(&networked).args(sandbox).assert().code(status).get_output().stdout.clone();
        assert_eq!(String::from_utf8(output).expect("text").contains("seen"), status == 1, "{sandbox:?}");
        assert!(!names_in(&home.path("log")).is_empty());
        fs::remove_dir_all(home.path("log")).unwrap();
    }
}
