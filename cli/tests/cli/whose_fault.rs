//! The faults of a program and their descriptions, the games in which it is asked, and errors that are not its faults.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

use super::programs::{HEALTHY, SCRIPT, agent, home, unolab};
use super::{Home, rows};

/// A home with a program that does this when its game is over.
fn home_of_one_that_at_the_end(does: &str) -> Home {
    let home = home(&[("bot", HEALTHY)]);
    home.write(
        "bot",
        &SCRIPT.replace("DO", HEALTHY).replace("esac", &format!("*'\"type\":\"game_over\"'*) {does};;\nesac")),
    );
    home
}

fn play(home: &Home, arguments: &str, agents: &[String]) {
    let output = unolab(home, arguments, agents).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

/// `unolab` under this limit of the shell.
fn limited(home: &Home, limit: &str, arguments: &str, agents: &[String]) -> (i32, String) {
    let unolab = unolab(home, arguments, agents);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{limit} && exec \"$0\" \"$@\"")]).arg(unolab.get_program()).args(unolab.get_args());
    let output = command.current_dir(home.0.path()).output().unwrap();
    (output.status.code().unwrap_or(-1), String::from_utf8(output.stderr).unwrap())
}

/// It plays in twelve games of a set: ten are lost by a timeout, and in two it is not asked.
#[test]
fn hanging_program_has_same_tables_with_any_threads_and_interruption() {
    let home = home(&[("hangs", "SLEEP")]);
    let opponents = ["greedy", "random", "heuristic", "mixbot", "first-legal", "other=greedy"];
    let agents: Vec<String> =
        [agent(&home, "hangs", ",decision_ms=20")].into_iter().chain(opponents.map(str::to_owned)).collect();
    let run = "tournament --format gauntlet --seats 2 --sets 2 --quiet";
    for threads in [1, 2, 4] {
        play(&home, &format!("{run} --threads {threads} --out run{threads}"), &agents);
    }
    let resumed = format!("{run} --threads 2 --out resumed");
    let killed = unolab(&home, &resumed, &agents).env("UNOLAB_STOP_AFTER_CHECKPOINTS", "1").output().unwrap();
    assert!(!killed.status.success() && home.path("resumed/checkpoint.json").exists());
    play(&home, &format!("{resumed} --resume"), &agents);
    for table in ["faults.csv", "summary.csv", "ratings.csv", "pairs.csv", "seats.csv"] {
        for other in ["run2", "run4", "resumed"] {
            assert_eq!(home.read(&format!("{other}/{table}")), home.read(&format!("run1/{table}")), "{other}/{table}");
        }
    }
    let words: Vec<String> = rows(&home.read("run1/faults.csv")).iter().map(|row| row["what"].clone()).collect();
    let of_set = [
        vec!["no answer within 20 ms"; 10],
        vec!["not asked again after 10 games in a row lost by taking too long"; 2],
    ];
    assert_eq!(words, [of_set.concat(), of_set.concat()].concat());
}

#[test]
fn program_ending_after_game_is_reported_with_remedy() {
    let home = home_of_one_that_at_the_end("exit 3");
    let agents = |options: &str| [agent(&home, "bot", options), "greedy".into()];
    play(&home, "match --seats 2 --sets 2 --threads 1 --out run", &agents(",decision_ms=20000"));
    let faults = rows(&home.read("run/faults.csv"));
    let told: Vec<[&str; 3]> = faults.iter().map(|row| ["index", "kind", "what"].map(|column| &*row[column])).collect();
    let words =
        "ended with exit status 3 (no answer in this game yet: a program that ends after each game needs fresh=true)";
    assert_eq!(told, [["1", "crash", words], ["3", "crash", words]]);
    play(&home, "match --seats 2 --sets 2 --threads 1 --out fresh", &agents(",decision_ms=20000,fresh=true"));
    assert!(!home.path("fresh/faults.csv").exists());
}

#[test]
fn line_printed_after_game_is_attributed() {
    let home = home_of_one_that_at_the_end("echo bye");
    let agents = |options: &str| [agent(&home, "bot", options), "greedy".into()];
    play(&home, "match --seats 2 --sets 2 --threads 1 --out run", &agents(",decision_ms=20000"));
    let faults = rows(&home.read("run/faults.csv"));
    assert_eq!(faults.iter().map(|row| &*row["index"]).collect::<Vec<_>>(), ["1", "3"]);
    for part in [
        "`bye` is not",
        "print debug text to standard error, because standard output is for answers",
        "a line printed after game_over counts as an answer in the next game",
    ] {
        assert!(faults[0]["what"].contains(part), "{part:?} is missing in {:?}", faults[0]["what"]);
    }
    play(&home, "match --seats 2 --sets 2 --threads 1 --out fresh", &agents(",decision_ms=20000,fresh=true"));
    assert!(!home.path("fresh/faults.csv").exists());
}

#[test]
fn invisible_characters_of_stderr_are_escaped() {
    let home = home(&[("bot", r"printf 'no \342\200\256such\342\201\246 \357\273\277card\033[31m\n' >&2; exit 3")]);
    let agents = [agent(&home, "bot", ",decision_ms=20000"), "greedy".into()];
    let output = unolab(&home, "match --seats 2 --sets 1 --out run", &agents).output().unwrap();
    let shown = "ended with exit status 3: no <U+202E>such<U+2066> <U+FEFF>card<U+001B>[31m";
    assert!(rows(&home.read("run/faults.csv"))[0]["what"].starts_with(shown), "{}", home.read("run/faults.csv"));
    assert!(String::from_utf8(output.stdout).unwrap().contains(shown));
}

#[test]
fn run_with_too_many_programs_is_rejected_before_play() {
    let home = home(&[("bot", HEALTHY)]);
    let agents = [agent(&home, "bot", ",decision_ms=20000"), "greedy".into()];
    let run = |threads: u64| format!("match --seats 2 --sets 4 --quiet --threads {threads} --out run{threads}");
    let (status, words) = limited(&home, "ulimit -n 32", &run(8), &agents);
    assert_eq!(status, 2, "{words}");
    for part in ["--threads 8: 8 threads with 1 program", "make 50; the limit is 32", "`ulimit -n 50`", "--threads 4"] {
        assert!(words.contains(part), "{part:?} is missing in {words}");
    }
    assert!(!home.path("run8").exists());
    let (status, words) = limited(&home, "ulimit -n 32", &run(4), &agents);
    assert!(status == 0 && !home.path("run4/faults.csv").exists(), "{words}");
}

/// The limit of processes does not apply to user 0, so the run then belongs to another user.
#[test]
fn run_without_room_for_processes_ends_with_remedy() {
    let home = home(&[("bot", HEALTHY)]);
    fs::set_permissions(home.0.path(), PermissionsExt::from_mode(0o777)).unwrap();
    let other_user = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    let limit = format!(
        "{{ [ $(id -u) != 0 ] || exec {other_user} prlimit --nproc=1 \"$0\" \"$@\"; }} && prlimit --pid $$ --nproc=1"
    );
    for (sandbox, bot) in
        [("off", agent(&home, "bot", "")), ("auto", agent(&home, "bot", "")), ("off", "random".into())]
    {
        let run = format!("match --seats 2 --sets 4 --quiet --threads 4 --sandbox {sandbox} --out run");
        let (status, words) = limited(&home, &limit, &run, &[bot, "greedy".into()]);
        let is_clear = words.contains("Resource temporarily unavailable") && !words.contains("panicked");
        assert!(status == 2 && is_clear, "{status} {words}");
    }
    let agents = ["random".into(), "greedy".into()];
    play(&home, "match --seats 2 --sets 1 --quiet --record games --out recorded", &agents);
    let is_readable = Command::new("chmod").args(["-R", "a+rX", "."]).current_dir(home.0.path()).status().unwrap();
    assert!(is_readable.success());
    for command in ["analyze games --worlds 2", "replay games --html -", "sprt --simulate 10", "bench"] {
        let (status, words) = limited(&home, &limit, command, &[]);
        assert!(status == 2 && !words.contains("panicked"), "{command}: {status} {words}");
    }
}

#[test]
fn soft_limit_of_open_files_is_raised_only_for_unolab() {
    let home = home(&[("bot", &format!("ulimit -S -n >&2; {HEALTHY}"))]);
    let agents = [format!("bot={}", agent(&home, "bot", ",decision_ms=20000")), "greedy".into()];
    let run = "match --seats 2 --sets 4 --quiet --threads 8 --out run";
    let (status, words) = limited(&home, "ulimit -S -n 32", run, &agents);
    assert_eq!(status, 0, "{words}");
    let said = home.read("run/bots/bot.stderr");
    assert!(said.lines().count() > 10 && said.lines().all(|line| line == "32"), "{said}");
}

/// The file of a program is removed while it plays.
#[test]
fn vanished_program_ends_run_without_loss() {
    let vanishes =
        r#"printf x >> asked; if [ -f armed ] && [ "$(wc -c < asked)" -gt 150 ]; then rm armed; mv bot gone; fi"#;
    let home = home(&[("bot", &format!("{vanishes}; {HEALTHY}"))]);
    let agents = [agent(&home, "bot", ",decision_ms=20000,fresh=true"), "greedy".into()];
    let run = "match --seats 2 --sets 20 --quiet --threads 1 --out";
    play(&home, &format!("{run} whole"), &agents);
    std::fs::remove_file(home.path("asked")).unwrap();
    home.write("armed", "");
    let output = unolab(&home, &format!("{run} run"), &agents).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{words}");
    for part in ["bot cannot be read any more: No such file or directory", "add --resume to continue"] {
        assert!(words.contains(part), "{part:?} is missing in {words}");
    }
    assert!(!home.read("run/checkpoint.json").contains("\"next\":0,"), "what was counted is kept");
    std::fs::rename(home.path("gone"), home.path("bot")).unwrap();
    play(&home, &format!("{run} run --resume"), &agents);
    assert_eq!(home.read("run/summary.csv"), home.read("whole/summary.csv"));
    assert!(!home.path("run/faults.csv").exists());
}

#[test]
fn run_with_programs_has_no_more_shards_than_blocks() {
    let home = home(&[("bot", HEALTHY)]);
    let agents = [agent(&home, "bot", ",decision_ms=20000"), "greedy".into()];
    let output = unolab(&home, "match --seats 2 --sets 2 --shard 1/65 --out run", &agents).output().unwrap();
    let words = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.code() == Some(2) && words.contains("has at most 64 shards"), "{words}");
}
