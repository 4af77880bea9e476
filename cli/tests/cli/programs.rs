//! Programs that play correctly and incorrectly: a fault loses only the program's own game.

use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, Instant};

use super::{Home, interruptible, rows, send_signal};

/// Follows the protocol and does `DO` at each decision, whose number is in `n`.
pub(super) const SCRIPT: &str = r#"
while read -r line; do
    case $line in
        *'"type":"hello"'*) echo '{"protocol":1}';;
        *'"type":"decide"'*) n=${line#*'"decision":'}; n=${n%%,*}; DO;;
    esac
done
"#;

pub(super) const HEALTHY: &str = r#"echo "{\"decision\":$n,\"action\":0}""#;
const CRASHES: &str = "echo 'no such card' >&2; exit 3";
const LIES: &str = r#"echo "{\"decision\":$n,\"action\":999}""#;
const FLOODS: &str = "while :; do echo 'to be or not to be'; done";

/// A directory with a script for each of these programs. A hanging program sleeps for a time that identifies it.
pub(super) fn home(programs: &[(&str, &str)]) -> Home {
    let home = Home::new();
    for (name, what) in programs {
        home.write(name, &SCRIPT.replace("DO", &what.replace("SLEEP", &format!("sleep {}", nap(&home)))));
    }
    home
}

/// A number of seconds that identifies this test's processes.
fn nap(home: &Home) -> String {
    let letters = home.0.path().display().to_string();
    format!(
        "9{:08}",
        letters.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into())) % 100_000_000
    )
}

/// Processes whose arguments name this directory or its nap.
fn left_over(home: &Home) -> Vec<String> {
    let (directory, nap) = (home.0.path().display().to_string(), nap(home));
    let all = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let commands = all.filter_map(|entry| std::fs::read_to_string(entry.path().join("cmdline")).ok());
    commands.filter(|command| command.contains(&directory) || command.contains(&nap)).collect()
}

/// Ending processes may need a moment.
fn assert_nothing_is_left(home: &Home) {
    let until = Instant::now() + Duration::from_secs(5);
    while !left_over(home).is_empty() && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(5));
    }
    assert_eq!(left_over(home), Vec::<String>::new());
}

/// The agent of a script of this directory.
pub(super) fn agent(home: &Home, name: &str, options: &str) -> String {
    format!("cmd:\"sh {}\"{options}", home.path(name).display())
}

pub(super) fn unolab(home: &Home, arguments: &str, agents: &[String]) -> Command {
    let mut command = interruptible();
    command.current_dir(home.0.path()).args(arguments.split_whitespace());
    for agent in agents {
        command.args(["--agents", agent]);
    }
    command
}

#[test]
fn each_fault_is_counted_for_its_entrant_without_leftovers() {
    let late = format!("sleep 0.4; {HEALTHY}");
    let twice = format!("{HEALTHY}; {HEALTHY}");
    let (garbage, greets_only) = ("echo 'play r7'", "exec true");
    // Its name, its fault, the column that counts it and the name of the fault.
    let bad = [
        ("crashes", CRASHES, "crashes", "crash"),
        ("goes", greets_only, "crashes", "crash"),
        ("hangs", "SLEEP", "timeouts", "decision-time"),
        ("is-late", &late, "timeouts", "decision-time"),
        ("lies", LIES, "illegal", "illegal"),
        ("stutters", &twice, "illegal", "stale"),
        ("babbles", garbage, "illegal", "malformed"),
        ("floods", FLOODS, "illegal", "flood"),
        ("pours", "exec tr '\\0' x < /dev/zero", "illegal", "flood"),
        ("mutters", "while :; do echo 'let me see' >&2; done", "timeouts", "decision-time"),
    ];
    let programs: Vec<(&str, &str)> = bad.iter().map(|&(name, what, ..)| (name, what)).collect();
    let home = home(&[&programs[..], &[("healthy", HEALTHY)]].concat());
    let mut agents = vec![agent(&home, "healthy", ",decision_ms=20000")];
    agents.extend(programs.iter().map(|(name, _)| agent(&home, name, ",decision_ms=150")));
    let mut tables = Vec::new();
    for threads in [1, 2] {
        let arguments = format!(
            "tournament --format gauntlet --seats 2,3 --sets 3 --tables parquet --threads {threads} --out run{threads}"
        );
        let begin = Instant::now();
        let output = unolab(&home, &arguments, &agents).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(begin.elapsed() < Duration::from_secs(60), "{:?}", begin.elapsed());
        assert_nothing_is_left(&home);
        tables.push(home.read(&format!("run{threads}/summary.csv")));
    }
    assert_eq!(tables[0], tables[1]);

    let summary = rows(&tables[0]);
    let faults = rows(&home.read("run1/faults.csv"));
    assert!(home.path("run1/faults.parquet").exists());
    for row in &summary {
        let counts = ["crashes", "timeouts", "illegal"].map(|column| row[column].parse::<u64>().unwrap());
        let Some((name, _, column, kind)) =
            bad.iter().find(|(name, ..)| row["entrant"].contains(&format!("/{name}\"")))
        else {
            assert_eq!((counts, &*row["win_share"]), ([0; 3], "1.0"), "the healthy one wins every game");
            continue;
        };
        let expected =
            ["crashes", "timeouts", "illegal"].map(|other| if other == *column { &*row["games"] } else { "0" });
        assert_eq!(counts.map(|count| count.to_string()), expected, "{name} at {} seats", row["seats"]);
        assert_eq!(row["win_share"], "0.0", "{name}");
        let named: Vec<&BTreeMap<String, String>> = faults
            .iter()
            .filter(|fault| (&fault["entrant"], &fault["seats"]) == (&row["entrant"], &row["seats"]))
            .collect();
        assert_eq!(named.len().to_string(), row["games"], "{name}");
        assert!(named.iter().all(|fault| fault["kind"] == *kind), "{name}: {named:?}");
    }
    let crash = faults.iter().find(|fault| fault["entrant"].contains("crashes")).unwrap();
    let words = "ended with exit status 3: no such card (no answer in this game yet: ";
    assert!(crash["decision"] == "1" && crash["what"].starts_with(words), "{crash:?}");
}

#[test]
fn lost_game_is_reported_with_location() {
    let once = r#"if mkdir once 2>/dev/null; then a=999; else a=0; fi; echo "{\"decision\":$n,\"action\":$a}""#;
    let home = home(&[("lies", once)]);
    let agents = ["greedy".into(), agent(&home, "lies", ",decision_ms=20000")];
    let output = unolab(&home, "match --seats 2 --sets 2 --threads 1 --out run", &agents).output().unwrap();
    let text = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
    assert!(text.contains(" lost games by ") && text.contains("; first in game 0, decision 1: "), "{text}");
    let illegal: Vec<String> = rows(&home.read("run/summary.csv")).iter().map(|row| row["illegal"].clone()).collect();
    assert_eq!(illegal, ["0", "1"]);
}

#[test]
fn balance_reports_faults() {
    let home = home(&[("lies", LIES)]);
    let agents = ["greedy".into(), agent(&home, "lies", ",decision_ms=20000")];
    let balance = "balance --seats 2 --sets 4 --matches 0 --strong greedy --weak random --sweep uno.penalty=4";
    let play = |arguments: &str| {
        let output = unolab(&home, &format!("{balance} {arguments}"), &agents).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let text = play("--out whole --tables parquet");
    assert!(text.contains("lost games by faults, such as game 0 (base), decision 1: "), "{text}");
    let faults = rows(&home.read("whole/faults.csv"));
    let arms: Vec<&str> = faults.iter().map(|row| &*row["arm"]).collect();
    // Two seatings of four deals in each arm.
    assert_eq!(arms, [["base"; 8], ["uno.penalty=4"; 8], ["control"; 8]].concat());
    assert!(faults.iter().all(|row| row["kind"] == "illegal" && row["entrant"].contains("lies")), "{faults:?}");
    assert!(home.path("whole/faults.parquet").exists() && home.read("whole/README.md").contains("## faults.csv"));
    play("--out half-1 --shard 1/2");
    play("--out half-2 --shard 2/2");
    home.output("merge half-1 half-2 --out joined --quiet");
    assert_eq!(home.read("joined/faults.csv"), home.read("whole/faults.csv"));
    assert_nothing_is_left(&home);
}

#[test]
fn game_time_limit_is_enforced() {
    let home = home(&[("dawdles", &format!("sleep 0.2; {HEALTHY}"))]);
    let agents = [agent(&home, "dawdles", ",decision_ms=20000,game_ms=480"), "greedy".into()];
    assert!(unolab(&home, "tournament --seats 2 --sets 1 --out run", &agents).output().unwrap().status.success());
    let faults = rows(&home.read("run/faults.csv"));
    assert_eq!(faults.len(), 2);
    for fault in faults {
        assert_eq!((&*fault["kind"], &*fault["what"]), ("game-time", "used up the 480 ms of the game"));
        // Three times 200 ms are too long; on a busy machine fewer may be.
        assert!(fault["decision"].parse::<u32>().unwrap() <= 3, "{fault:?}");
    }
}

#[test]
fn every_message_key_is_documented() {
    let home = home(&[("writes", &format!("echo \"$line\" >> sent; {HEALTHY}"))]);
    let page = include_str!("../../../agents/PROTOCOL.md");
    home.write("writes", &home.read("writes").replace("\"protocol\":1", "\"protocol\":1,\"events\":true"));
    let agents = [agent(&home, "writes", ",decision_ms=20000"), "random:uniform=true".into()];
    for rules in ["disney --seats 4 --sets 2", "swap-hands --seats 3 --sets 2 --set uno.calls=explicit"] {
        let arguments = format!("match --variant {rules} --quiet --out run");
        assert!(unolab(&home, &arguments, &agents).output().unwrap().status.success());
        std::fs::remove_dir_all(home.path("run")).unwrap();
    }
    let (mut questions, mut events) = (0, 0);
    for line in home.read("sent").lines() {
        let message: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(message["type"], "decide");
        let object = |value: &serde_json::Value| value.as_object().unwrap().clone();
        let mut words: Vec<String> = object(&message["observation"]).into_iter().map(|(key, _)| key).collect();
        words.extend(object(&message).into_iter().map(|(key, _)| key));
        words.push(message["kind"].as_str().unwrap().to_owned());
        words.extend(message["observation"].get("about").into_iter().flat_map(object).map(|(key, _)| key));
        for word in words.into_iter().filter(|word| word != "type") {
            assert!(page.contains(&format!("`{word}`")), "`{word}` is not described");
        }
        for event in message.get("events").and_then(|events| events.as_array()).into_iter().flatten() {
            assert!(object(event).keys().all(|key| page.contains(&format!("\"{key}\":"))), "{event} is not described");
            events += 1;
        }
        questions += 1;
    }
    assert!(questions > 50 && events > 200, "{questions} questions, {events} events");
}

/// The example bots, if their interpreters are installed.
#[test]
fn example_bots_pass_every_check() {
    let bots = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../examples/bots");
    for (interpreter, bot) in [("python3", "mybot.py"), ("node", "mybot.js")] {
        if !Command::new(interpreter).arg("--version").output().is_ok_and(|output| output.status.success()) {
            eprintln!("not tried, because there is no {interpreter}: {bot}");
            continue;
        }
        let home = Home::new();
        let agent = format!("cmd:\"{interpreter} {}\",decision_ms=20000", bots.join(bot).display());
        let check = "check --variant disney,cars --set uno.calls=explicit --seats 2,4 --rounds 2 --agents";
        home.unolab(check).arg(&agent).assert().success();
        let agents = [agent, "random".into()];
        let output = unolab(&home, "match --seats 2 --sets 40 --out run", &agents).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let row = &rows(&home.read("run/summary.csv"))[0];
        assert_eq!((&*row["crashes"], &*row["timeouts"], &*row["illegal"]), ("0", "0", "0"), "{bot}");
        // 80 rounds: a standard error of about five points.
        assert!(row["win_share"].parse::<f64>().unwrap() > 0.5, "{bot} does not beat random: {row:?}");
        assert_nothing_is_left(&home);
    }
}

#[test]
fn broken_program_does_not_affect_others() {
    let home = home(&[("healthy", HEALTHY), ("crashes", CRASHES), ("lies", LIES)]);
    let pairs = |broken: &str, out: &str| {
        let agents = ["greedy".into(), "random".into(), agent(&home, broken, "")];
        let output = unolab(&home, &format!("tournament --seats 2 --sets 4 --out {out}"), &agents).output().unwrap();
        assert!(output.status.success());
        rows(&home.read(&format!("{out}/pairs.csv"))).remove(0)
    };
    assert_eq!(pairs("healthy", "a"), pairs("crashes", "b"), "greedy against random");
    assert_eq!(pairs("healthy", "c"), pairs("lies", "d"));
}

#[test]
fn program_copy_plays_like_built_in_agent() {
    let home = home(&[("first-legal", HEALTHY)]);
    for arguments in [
        "--variant disney --seats 4",
        "--variant swap-hands --seats 3 --set uno.calls=explicit --set house.jump_in=true",
        "--variant cars --seats 4 --unit match --set match.teams=rotating --set match.target=100",
    ] {
        let games = |agent: String, out: &str| {
            let arguments = format!("tournament {arguments} --sets 2 --games-csv --out {out} --threads 2");
            let options = ",decision_ms=20000,game_ms=600000";
            let agent = if agent == "cmd" { self::agent(&home, "first-legal", options) } else { agent };
            let output = unolab(&home, &arguments, &["random".into(), agent]).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let games = rows(&home.read(&format!("{out}/games.csv")));
            std::fs::remove_dir_all(home.path(out)).unwrap();
            games.into_iter().map(|game| (game["decisions"].clone(), game["hash"].clone())).collect::<Vec<_>>()
        };
        assert_eq!(games("cmd".into(), "a"), games("first-legal".into(), "b"), "{arguments}");
    }
}

#[test]
fn fresh_process_per_game_plays_same_games() {
    let home = home(&[("healthy", HEALTHY)]);
    for (out, options) in [("many", ""), ("one", ",fresh=true")] {
        let agents = [agent(&home, "healthy", options), "greedy".into()];
        let arguments = format!("tournament --seats 3 --sets 3 --games-csv --out {out}");
        assert!(unolab(&home, &arguments, &agents).output().unwrap().status.success());
    }
    let hashes = |out: &str| {
        let games = rows(&home.read(&format!("{out}/games.csv")));
        games.into_iter().map(|game| game["hash"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(hashes("many"), hashes("one"));
    assert_nothing_is_left(&home);
}

#[test]
fn programs_end_with_unolab() {
    let home = home(&[("hangs", "SLEEP"), ("healthy", &format!("touch playing; {HEALTHY}"))]);
    // Ctrl-C once: games in progress are abandoned, even with a hanging program. Twice, or another signal: the process ends
    // immediately.
    for (program, signals, status) in [
        ("healthy", &["INT"][..], Some(130)),
        ("hangs", &["INT"], Some(130)),
        ("hangs", &["INT", "TERM"], Some(130)),
        ("hangs", &["KILL"], None),
    ] {
        let agents = [agent(&home, program, ",decision_ms=100000,game_ms=100000"), "greedy".into()];
        let out = format!("{program}-{}", signals.concat());
        let arguments = format!("tournament --seats 2 --sets 1000000 --quiet --out {out}");
        let mut child = unolab(&home, &arguments, &agents).spawn().unwrap();
        let is_playing = || match program {
            "healthy" => home.path("playing").exists(),
            _ => left_over(&home).iter().any(|command| command.contains(&nap(&home))),
        };
        let until = Instant::now() + Duration::from_secs(20);
        while !is_playing() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(is_playing(), "{program}");
        std::thread::sleep(Duration::from_millis(300));
        for signal in signals {
            send_signal(signal, &child);
            std::thread::sleep(Duration::from_millis(100));
        }
        assert_eq!(child.wait().unwrap().code(), status, "{program}");
        assert_nothing_is_left(&home);
    }
}

/// Processes that a program may leave behind: outside its group, or without a parent, or with an empty environment.
#[cfg(target_os = "linux")]
const LEFT_BEHIND: [(&str, &str); 3] = [
    ("away", "setsid sh -c 'echo $$ >> PIDS; exec SLEEP' > /dev/null 2>&1 &"),
    ("orphan", "(setsid sh -c 'echo $$ >> PIDS; exec SLEEP' > /dev/null 2>&1 &)"),
    // An orphan does not belong to a program, and may be stopped permanently in the turn of another program.
    (
        "stranger",
        "(env -i setsid sh -c 'echo $$ >> PIDS; exec SLEEP' > /dev/null 2>&1 & while ! [ -s PIDS ]; do sleep 0.01; done)",
    ),
];

/// A directory with a script for each of these: at its first decision it leaves a process behind, then it `does`.
#[cfg(target_os = "linux")]
fn home_of_leavers(does: &str) -> Home {
    let leave = |name: &str, how: &str| {
        let how = how.replace("PIDS", &format!("pids-{name}"));
        format!("[ -f pids-{name} ] || {{ {how}\n while ! [ -s pids-{name} ]; do sleep 0.01; done; }}; {does}")
    };
    let programs = LEFT_BEHIND.map(|(name, how)| (name, leave(name, how)));
    home(&programs.each_ref().map(|(name, what)| (*name, &**what)))
}

#[cfg(target_os = "linux")]
#[test]
fn children_of_program_end_in_any_session() {
    for (does, crashes) in [(HEALTHY, 0), ("exit 3", 1)] {
        for (name, _) in LEFT_BEHIND {
            let home = home_of_leavers(does);
            let agents =
                [agent(&home, name, ",decision_ms=20000"), "greedy".into(), agent(&home, name, ",game_ms=20000")];
            let output =
                unolab(&home, "tournament --seats 2 --sets 3 --threads 2 --out run", &agents).output().unwrap();
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            assert_nothing_is_left(&home);
            assert!(!home.read(&format!("pids-{name}")).is_empty(), "{name} has left no process behind");
            let row = &rows(&home.read("run/summary.csv"))[0];
            assert_eq!(row["crashes"].parse::<u64>().unwrap().min(1), crashes, "{name}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn children_of_program_end_when_harness_is_killed() {
    for (name, _) in &LEFT_BEHIND[..2] {
        let home = home_of_leavers(HEALTHY);
        let agents = [agent(&home, name, ",decision_ms=20000"), "greedy".into()];
        let mut child =
            unolab(&home, "tournament --seats 2 --sets 1000000 --quiet --out run", &agents).spawn().unwrap();
        let until = Instant::now() + Duration::from_secs(20);
        let has_left =
            || left_over(&home).iter().any(|command| command.starts_with("sleep") && command.contains(&nap(&home)));
        while !has_left() && Instant::now() < until {
            std::thread::sleep(Duration::from_millis(5));
        }
        assert!(has_left(), "{name}");
        child.kill().unwrap();
        child.wait().unwrap();
        assert_nothing_is_left(&home);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn unrelated_processes_are_not_signaled() {
    // The helper of one program stays while another program is ended again and again.
    let helped = "[ -s helper ] || (setsid sh -c 'echo $$ > helper; exec SLEEP' > /dev/null 2>&1 &)
        while ! [ -s helper ]; do sleep 0.01; done; kill -0 $(cat helper) && HEALTHY"
        .replace("HEALTHY", HEALTHY);
    let home = home(&[("helped", &helped), ("crashes", CRASHES)]);
    let agents = [agent(&home, "helped", ",decision_ms=20000"), agent(&home, "crashes", "")];
    // A shell that becomes `unolab` passes its children to it.
    for (first, out) in [("", "run"), ("sleep 300 > /dev/null 2>&1 & echo $! > child;", "again")] {
        let arguments = format!("tournament --seats 2 --sets 10 --threads 2 --quiet --out {out}");
        let command = unolab(&home, &arguments, &agents);
        let mut shell = Command::new("sh");
        shell.current_dir(home.0.path()).args(["-c", &format!("{first} exec \"$@\""), "sh"]);
        let output = shell.arg(command.get_program()).args(command.get_args()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_nothing_is_left(&home);
        let summary = rows(&home.read(&format!("{out}/summary.csv")));
        assert_eq!((&*summary[0]["crashes"], &*summary[1]["crashes"]), ("0", "20"));
        std::fs::remove_file(home.path("helper")).unwrap();
    }
    let ended = Command::new("kill").arg(home.read("child").trim()).status().unwrap();
    assert!(ended.success(), "the child of the shell has been ended");
}

#[test]
fn unusable_program_is_rejected_before_play() {
    let home = Home::new();
    home.write("future", "read -r line; echo '{\"protocol\":2}'; cat");
    home.write("good", "read -r line; echo '{\"protocol\":1}'; cat");
    home.write("mute", "sleep 60");
    home.write("dead", "echo 'sorry' >&2; exit 4");
    home.write("lost", "#!/nowhere/python9\n");
    let may_run = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(home.path("lost"), may_run).unwrap();
    for (agent, reason) in [
        (
            "cmd:./nothing-here",
            "agent `cmd:./nothing-here`: ./nothing-here: file ./nothing-here not found (working directory: /",
        ),
        (
            "mine=cmd:nothing-here",
            "agent `mine=cmd:nothing-here`: nothing-here: program nothing-here not found in the directories of PATH",
        ),
        ("cmd:good", "only as a file here: write ./good, or name what runs it, such as cmd:\"python3 good\""),
        ("cmd:./good", "./good may not be run as a program: `chmod +x ./good` allows it, or name what runs it"),
        ("cmd:./lost", "./lost names an interpreter in its first line that does not exist; name what runs it"),
        ("cmd:/", "/ is a directory, not a program"),
        ("cmd:", "needs a program, such as cmd:\"python3 mybot.py\""),
        ("cmd:\"sh future\"", "sh future: speaks version 2 of the protocol; allowed: 1"),
        ("cmd:\"sh mute\",start_ms=50", "sh mute: no answer to hello within 50 ms"),
        ("cmd:\"sh dead\"", "sh dead: ended with exit status 4: sorry, before it answered hello"),
        ("cmd:cat", "not with {\"protocol\": 1}"),
        ("cmd:yes", "answered hello with `y`"),
        ("cmd:\"sh 'future\"", "a quote in it is not closed"),
        ("cmd:\"sh future\",decision_ms=0", "decision_ms=0 is not allowed; allowed: milliseconds, 1 to 86400000"),
        ("cmd:\"sh good\",turbo=1", "options: decision_ms, game_ms, start_ms, fresh"),
    ] {
        let output = unolab(&home, "tournament --sets 1", &[agent.into()]).output().unwrap();
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{agent}: {message}");
        assert!(message.contains(reason), "{agent}: {message}");
    }
    assert_eq!(home.names(), ["dead", "future", "good", "lost", "mute"]);
}
